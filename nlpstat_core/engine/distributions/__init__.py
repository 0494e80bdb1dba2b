"""Tails and quantiles of distributions, with logarithms so that p never underflows to 0."""
