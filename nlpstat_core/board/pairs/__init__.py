"""Pairs of systems: which are compared, their columns of numbers, decisions, and one pair in full."""
