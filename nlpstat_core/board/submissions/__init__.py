"""What the outputs behind a board tell: confusion matrices, labels, the items that make a difference."""
