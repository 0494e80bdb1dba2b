"""The whole procedure: a board computed and put into words, one pair in full, several boards."""
