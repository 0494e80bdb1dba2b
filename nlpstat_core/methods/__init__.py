"""One statistical procedure a file, one line each in its catalogue."""
