"""Times our functions beside a reference in the same run: `make bench` writes RESULTS.md."""
