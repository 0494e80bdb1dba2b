"""Friedman's rank test of all systems together."""

import numpy as np

from nlpstat_core.arrays import FloatArray
from nlpstat_core.engine.distributions.tails import chi2_log_sf
from nlpstat_core.engine.samples.row_ranks import row_ranks
from nlpstat_core.methods.omnibus.outcome import Omnibus, omnibus_outcome
from nlpstat_core.records import BoardTest


def friedman(values: FloatArray) -> Omnibus:
    """Friedman's tie-corrected chi-square test.

    Null hypothesis: within every unit all orders of the systems' scores are equally likely.

    Parameters
    ----------
    values : float array, shape (n_units, n_systems)
        Complete scores, at least two units and two systems.

    Returns
    -------
    Omnibus
        Chi-square on n_systems − 1 degrees of freedom, the number of R's friedman.test; for 0/1 scores it
        is Cochran's Q. Where all systems tie in every unit the statistic is 0 and p is 1.

    Notes
    -----
    χ² = 12·Σ_j (R_j − N(S + 1)/2)² / (N·S·(S + 1) − Σ(t³ − t)/(S − 1)), with R_j the rank sum of system j
    and t the sizes of the ties within units. Cost O(N·S·log S).
    """
    n_units, n_systems = values.shape
    ranks = row_ranks(values)
    spread = float(np.sum((ranks.sum(axis=0) - n_units * (n_systems + 1) / 2) ** 2))
    ordered = np.sort(values, axis=1)
    denominator = n_units * n_systems * (n_systems + 1) - _tie_sum(ordered) / (n_systems - 1)
    freedom = n_systems - 1
    if denominator <= 0:
        return omnibus_outcome("friedman", 0.0, 0.0, (float(freedom),), n_units)
    statistic = 12 * spread / denominator
    log_p = float(chi2_log_sf(np.array([statistic]), freedom)[0])
    return omnibus_outcome("friedman", statistic, log_p, (float(freedom),), n_units)


def _tie_sum(ordered: FloatArray) -> float:
    """Σ(t³ − t) over the ties within rows of sorted values."""
    n_units, n_systems = ordered.shape
    starts = np.ones((n_units, n_systems), dtype=bool)
    starts[:, 1:] = ordered[:, 1:] != ordered[:, :-1]
    sizes = np.diff(np.append(np.flatnonzero(starts.ravel()), n_units * n_systems)).astype(float)
    return float(np.sum(sizes**3 - sizes))


METHOD = BoardTest(
    key="friedman",
    label="Friedman's test",
    summary="Compares the rank sums of all systems over the items, corrected for ties.",
    run=friedman,
    null="within every item all orders of the systems' scores are equally likely",
    assumptions=("items are independent", "every system has a score on every item that is used"),
    formula=r"\chi^2 = \frac{12 \sum_j (R_j - N(S + 1)/2)^2}{N S (S + 1) - \sum (t^3 - t)/(S - 1)}",
    references=("friedman1937",),
    design="paired",
    named="Friedman's test",
    title="Friedman",
    sign="χ²",
    cited="friedman1937",
)
