"""Results as plain data and as frames, and how these are written."""
