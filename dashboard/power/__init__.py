"""The page of power and planning."""
