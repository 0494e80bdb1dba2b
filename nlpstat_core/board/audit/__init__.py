"""Null boards: a board like the one at hand on which nothing, or nothing in some pairs, differs."""
