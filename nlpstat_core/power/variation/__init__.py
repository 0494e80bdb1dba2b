"""What varies on a board of several runs: components of variance, and the cheapest design."""
