"""Tests of all systems at once: one procedure a file."""
