"""Tables before any format: cells of text with sort keys."""
