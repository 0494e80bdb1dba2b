"""Repeated-measures analysis of variance, with Greenhouse and Geisser's correction."""

import numpy as np

from nlpstat_core.arrays import FloatArray
from nlpstat_core.engine.distributions.tails import f_log_sf
from nlpstat_core.methods.omnibus.outcome import Omnibus, omnibus_outcome
from nlpstat_core.records import BoardTest

# Of the largest score: smaller residuals are rounding.
_ROUNDING = 1e-13
# Multiplications for the sphericity of a board of thousands of systems: about ten seconds.
MOST_FOR_SPHERICITY = 1e11


def repeated_measures_anova(values: FloatArray) -> tuple[Omnibus, ...]:
    """F tests of equal mean scores, units as blocks.

    Null hypothesis: all systems have the same mean score.

    Parameters
    ----------
    values : float array, shape (n_units, n_systems)
        Complete scores, at least two units and two systems.

    Returns
    -------
    tuple of Omnibus
        "anova", F on S − 1 and (S − 1)(N − 1) degrees of freedom, and "anova-greenhouse-geisser", the same F
        on degrees of freedom times ε (left out where ε would take over 1e11 multiplications). None at all
        where every unit separates the systems by the same amounts: F is then undefined, unless all systems
        are equal (F = 0, p = 1).

    Notes
    -----
    F = (N − 1)·N·Σ_j (x̄_j − x̄)²/Σ_ij e_ij², e the residuals after unit and system means.
    ε = (tr C)²/((S − 1)·tr C²), C the covariance of the residuals, is 1 where all differences of systems vary
    alike and 1/(S − 1) at worst. Cost O(N·S·min(N, S)).
    """
    n_units, n_systems = values.shape
    means = values.mean(axis=0)
    shifts = means - means.mean()
    residuals = values - values.mean(axis=1, keepdims=True) - shifts
    size = float(np.max(np.abs(values), initial=0.0))
    residuals[np.abs(residuals) < _ROUNDING * size] = 0.0
    shifts[np.abs(shifts) < _ROUNDING * size] = 0.0
    within, between = float(np.sum(residuals**2)), float(n_units * (shifts @ shifts))
    freedom = (float(n_systems - 1), float((n_systems - 1) * (n_units - 1)))
    if within == 0:
        return () if between else (omnibus_outcome("anova", 0.0, 0.0, freedom, n_units),)
    statistic = (n_units - 1) * between / within
    found = [_f_test("anova", statistic, freedom, n_units)]
    if values.size * min(n_units, n_systems) <= MOST_FOR_SPHERICITY:
        epsilon = greenhouse_geisser(residuals)
        smaller = (epsilon * freedom[0], epsilon * freedom[1])
        found.append(_f_test("anova-greenhouse-geisser", statistic, smaller, n_units))
    return tuple(found)


def greenhouse_geisser(residuals: FloatArray) -> float:
    """Estimate ε of how far the differences of systems are from varying alike.

    residuals (float array, shape (n_units, n_systems)): Scores less unit and system means; not all 0.
    """
    n_units, n_systems = residuals.shape
    scaled = residuals / np.sqrt(np.sum(residuals**2))
    gram = scaled @ scaled.T if n_units < n_systems else scaled.T @ scaled
    return float(1.0 / ((n_systems - 1) * np.sum(gram**2)))


def _f_test(test: str, statistic: float, freedom: tuple[float, float], n_units: int) -> Omnibus:
    log_p = float(f_log_sf(np.array([statistic]), *freedom)[0])
    return omnibus_outcome(test, statistic, log_p, freedom, n_units)


METHOD = BoardTest(
    key="anova",
    label="Analysis of variance (repeated measures)",
    summary="Compares the systems' mean scores, every item with itself.",
    run=repeated_measures_anova,
    null="all systems have the same mean score",
    assumptions=(
        "items are independent",
        "residuals are normal (or there are many items)",
        "the differences of every two systems vary alike (sphericity)",
    ),
    formula=r"F = \frac{(N - 1)\, N \sum_j (\bar x_j - \bar x)^2}{\sum_{ij} e_{ij}^2}",
    references=("fisher1935",),
    design="paired",
    named="the repeated-measures analysis of variance",
    title="Analysis of variance, repeated measures",
    sign="F",
)
CORRECTED = BoardTest(
    key="anova-greenhouse-geisser",
    label="Analysis of variance with Greenhouse and Geisser's correction",
    summary="The same F with fewer degrees of freedom where differences of systems do not vary alike.",
    run=repeated_measures_anova,
    null="all systems have the same mean score",
    assumptions=("items are independent", "residuals are normal (or there are many items)"),
    formula=r"\hat\varepsilon = \frac{(\operatorname{tr} C)^2}{(S - 1)\, \operatorname{tr} C^2},\quad "
    r"F \sim F_{\hat\varepsilon (S - 1),\, \hat\varepsilon (S - 1)(N - 1)}",
    references=("greenhouse1959",),
    design="paired",
    named="the same with Greenhouse and Geisser's correction",
    title="The same with Greenhouse–Geisser correction",
    sign="F",
    cited="greenhouse1959",
)
