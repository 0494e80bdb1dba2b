"""Pairs as columns: shared units, differences, their moments and ranks, what a procedure returns."""
