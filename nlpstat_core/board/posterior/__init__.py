"""What Bayesian models say of a whole board: all pairs, shrunken scores, ranks."""
