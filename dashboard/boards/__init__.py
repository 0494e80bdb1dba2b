"""The page of several metrics or data sets."""
