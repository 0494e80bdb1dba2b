"""The page of Bayesian answers."""
