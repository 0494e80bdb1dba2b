"""What leaves the core: plain data, frames, files. One format a file."""
