"""Small tables to paste into a paper."""
