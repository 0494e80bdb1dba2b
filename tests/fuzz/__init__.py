"""Files of every format, whole and damaged, thrown at the readers: `make fuzz` writes RESULTS.md."""
