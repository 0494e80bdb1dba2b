"""The page of one pair of systems."""
