"""Measures that are no means: their values on weighted items, and what exchanging outputs does to them."""
