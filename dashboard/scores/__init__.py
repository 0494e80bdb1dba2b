"""The landing page: a file in, how it was read, what mends it."""
