"""The posterior of a mean difference under the reference prior: Student's t."""

import numpy as np

from nlpstat_core.arrays import FloatArray
from nlpstat_core.methods.bayes.columns import Posteriors
from nlpstat_core.records import Procedure


def mean_posteriors(
    difference: FloatArray,
    error: FloatArray,
    freedom: FloatArray | float,
    *,
    margin: float = 0.0,
    level: float = 0.95,
) -> Posteriors:
    """Posterior of mean differences.

    Parameters
    ----------
    difference, error : float arrays, shape (n_pairs,)
        Mean difference and its standard error, metric points: over units, or cluster-robust over documents.
    freedom : float array, shape (n_pairs,), or float
        Degrees of freedom: n − 1, or documents − 1.
    margin : float
        Half width of the region of practical equivalence, metric points, 0 or more.
    level : float
        Of the credible interval.

    Returns
    -------
    Posteriors
        NaN where the error or the degrees of freedom are undefined, and where the same difference on every
        unit leaves no spread to judge it by; a difference of 0 on every unit is taken as 0.

    Notes
    -----
    μ | data = d + se·T with ν degrees of freedom, from the prior p(μ, σ) ∝ 1/σ. With margin 0, P(μ > 0) is
    1 − the one-sided p-value of the t test: the same evidence on another scale, not more of it.
    """
    from scipy import special

    freedom = np.broadcast_to(np.asarray(freedom, dtype=float), difference.shape)
    known = (freedom >= 1) & ~np.isnan(error) & ~np.isnan(difference)
    spread = known & (error > 0)
    scale, nu = np.where(spread, error, 1.0), np.where(spread, freedom, 1.0)
    centre = np.where(known, difference, np.nan)
    upper, lower = (margin - centre) / scale, (-margin - centre) / scale
    with np.errstate(under="ignore"):
        greater, less = special.stdtr(nu, -upper), special.stdtr(nu, lower)
        # Tails on the side where they are small, so that a small region keeps its digits.
        flip = lower > 0
        within = np.where(
            flip,
            special.stdtr(nu, -lower) - special.stdtr(nu, -upper),
            special.stdtr(nu, upper) - special.stdtr(nu, lower),
        )
        half = special.stdtrit(nu, (1 + level) / 2) * scale
    same = known & ~spread & (difference == 0)
    for values, mass in zip((greater, within, less), (0.0, 1.0, 0.0), strict=True):
        values[same] = mass
        values[~(spread | same)] = np.nan
    half = np.where(same, 0.0, half)
    centre = np.where(spread | same, centre, np.nan)
    return Posteriors(
        greater=greater,
        within=np.maximum(within, 0.0),
        less=less,
        centre=centre,
        interval=np.stack([centre - half, centre + half], axis=-1),
    )


METHOD = Procedure(
    key="mean",
    label="Mean difference, reference prior",
    summary="Student's t around the observed mean difference, pair by pair; nothing is corrected.",
    run=mean_posteriors,
    assumptions=(
        "items (or the named documents) are independent",
        "the mean difference is approximately normal",
        "no prior knowledge: with margin 0 the probability repeats the one-sided p-value of the t test",
    ),
    formula=r"\mu \mid z \sim t_{n-1}\left(\bar z,\ s_z/\sqrt n\right)",
    references=("jeffreys1961", "benavoli2017", "kruschke2018"),
    design="paired",
)
