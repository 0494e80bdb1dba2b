"""Iman and Davenport's F from Friedman's chi-square."""

import math

import numpy as np

from nlpstat_core.arrays import FloatArray
from nlpstat_core.engine.distributions.tails import f_log_sf
from nlpstat_core.methods.omnibus.friedman import friedman
from nlpstat_core.methods.omnibus.outcome import Omnibus, omnibus_outcome
from nlpstat_core.records import BoardTest


def iman_davenport(values: FloatArray) -> Omnibus:
    """Friedman's statistic turned into an F, less conservative for few units.

    Null hypothesis: within every unit all orders of the systems' scores are equally likely.

    Parameters
    ----------
    values : float array, shape (n_units, n_systems)
        Complete scores, at least two units and two systems.

    Returns
    -------
    Omnibus
        F on S − 1 and (S − 1)(N − 1) degrees of freedom. Where all units order the systems alike F is
        infinite and p is the probability of such agreement, (1/S!)^(N − 1).

    Notes
    -----
    F = (N − 1)·χ²/(N·(S − 1) − χ²) with Friedman's tie-corrected χ². Cost O(N·S·log S).
    """
    return iman_davenport_of(friedman(values), values.shape[1])


def iman_davenport_of(base: Omnibus, n_systems: int) -> Omnibus:
    """Iman and Davenport's F of a Friedman test that is there already."""
    n_units = base.n_units
    between, within = float(n_systems - 1), float((n_systems - 1) * (n_units - 1))
    room = n_units * between - base.statistic
    if room > 1e-9 * n_units * between:
        statistic = (n_units - 1) * base.statistic / room
        log_p = float(f_log_sf(np.array([statistic]), between, within)[0])
    else:
        statistic, log_p = math.inf, -(n_units - 1) * math.lgamma(n_systems + 1)
    return omnibus_outcome("iman-davenport", statistic, log_p, (between, within), n_units)


METHOD = BoardTest(
    key="iman-davenport",
    label="Iman and Davenport's test",
    summary="Turns Friedman's chi-square into an F, which is less conservative for few items.",
    run=iman_davenport,
    null="within every item all orders of the systems' scores are equally likely",
    assumptions=("items are independent", "every system has a score on every item that is used"),
    formula=r"F = \frac{(N - 1)\, \chi^2}{N (S - 1) - \chi^2}",
    references=("iman1980", "demsar2006"),
    design="paired",
    named="Iman and Davenport's test",
    title="Iman–Davenport (F)",
    sign="F",
    cited="iman1980",
)
