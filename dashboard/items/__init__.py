"""The page of the items."""
