"""The page of methods."""
