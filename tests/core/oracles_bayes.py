"""Posteriors from their definitions: adaptive quadrature in other coordinates, and draws."""

from itertools import pairwise

import numpy as np
from scipy import integrate, special, stats


def log_bayes_factor(t, n, freedom, scale):
    """JZS over g itself, adaptively and piece by piece (Rouder et al. 2009, equation 7)."""
    v = freedom

    def integrand(log_g):
        g = np.exp(log_g)
        log_prior = np.log(scale) - 0.5 * np.log(2 * np.pi) - 1.5 * log_g - scale**2 / (2 * g)
        within = 1 + n * g
        log_value = -0.5 * np.log(within) - (v + 1) / 2 * np.log1p(t * t / (within * v)) + log_prior + log_g
        return np.exp(log_value + (v + 1) / 2 * np.log1p(t * t / v))

    edges = np.concatenate([np.arange(-12.0, 20.0, 1.0), np.arange(20.0, 92.0, 8.0)])
    pieces = [
        integrate.quad(integrand, low, high, epsabs=0, epsrel=1e-12, limit=200)[0]
        for low, high in pairwise(edges)
    ]
    return float(np.log(sum(pieces)))


def binary_above(b, c, n, x):
    """P(share won − share lost > x), x ≥ 0: over the share won, the share lost among the rest is a beta."""
    rest = n - b - c
    won = stats.beta(b + 1, c + rest + 2)

    def integrand(p):
        return won.pdf(p) * special.betainc(c + 1, rest + 1, min((p - x) / (1 - p), 1.0))

    edges = [x, (1 + x) / 2, 1.0]
    return sum(
        integrate.quad(integrand, low, high, epsabs=1e-13, epsrel=1e-12, limit=400)[0]
        for low, high in pairwise(edges)
    )


def gibbs(score, covariance, prior, sweeps, seed):
    """Draws of the scores under partial pooling by a Gibbs sampler (half-Cauchy as a mixture)."""
    rng = np.random.default_rng(seed)
    size = len(score)
    precision = np.linalg.inv(covariance)
    theta, mu, square, auxiliary = score.copy(), score.mean(), score.var() + 1e-6, 1.0
    kept = np.empty((sweeps, size))
    for sweep in range(-500, sweeps):
        own = np.linalg.inv(precision + np.eye(size) / square)
        own = (own + own.T) / 2
        centre = own @ (precision @ score + mu / square)
        theta = centre + np.linalg.cholesky(own) @ rng.standard_normal(size)
        mu = rng.normal(theta.mean(), np.sqrt(square / size))
        # τ² | ξ inverse gamma(½, 1/ξ), ξ inverse gamma(½, 1/A²): together τ is half-Cauchy(A).
        square = 1 / rng.gamma((size + 1) / 2, 1 / (1 / auxiliary + np.sum((theta - mu) ** 2) / 2))
        auxiliary = 1 / rng.gamma(1.0, 1 / (1 / prior**2 + 1 / square))
        if sweep >= 0:
            kept[sweep] = theta
    return kept
