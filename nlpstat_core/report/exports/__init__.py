"""What leaves the core: the files that are written, over one room for each kind of what they hold."""
