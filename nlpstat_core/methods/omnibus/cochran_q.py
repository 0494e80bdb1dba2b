"""Cochran's Q for right and wrong answers."""

import numpy as np

from nlpstat_core.arrays import FloatArray
from nlpstat_core.engine.distributions.tails import chi2_log_sf
from nlpstat_core.methods.omnibus.outcome import Omnibus, omnibus_outcome
from nlpstat_core.records import BoardTest


def cochran_q(values: FloatArray) -> Omnibus:
    """Cochran's Q test of equal shares of right answers.

    Null hypothesis: every system is as likely to be right, on every unit.

    Parameters
    ----------
    values : float array, shape (n_units, n_systems)
        Complete scores of 0 and 1, at least one unit and two systems.

    Returns
    -------
    Omnibus
        Chi-square on n_systems − 1 degrees of freedom, the same number as Friedman's tie-corrected one; 0
        with p = 1 where on every unit all systems are right or all wrong.

    Notes
    -----
    Q = (S − 1)·(S·ΣC_j² − T²)/(S·T − ΣR_i²), C_j the right answers of system j, R_i the systems that are
    right on unit i, T all right answers. Cost O(N·S).
    """
    n_units, n_systems = values.shape
    by_system, by_unit, whole = values.sum(axis=0), values.sum(axis=1), float(values.sum())
    freedom = float(n_systems - 1)
    room = n_systems * whole - float(by_unit @ by_unit)
    if room == 0:
        return omnibus_outcome("cochran-q", 0.0, 0.0, (freedom,), n_units)
    statistic = freedom * (n_systems * float(by_system @ by_system) - whole**2) / room
    log_p = float(chi2_log_sf(np.array([statistic]), freedom)[0])
    return omnibus_outcome("cochran-q", statistic, log_p, (freedom,), n_units)


METHOD = BoardTest(
    key="cochran-q",
    label="Cochran's Q test",
    summary="Compares, for 0/1 scores, how often the systems are right.",
    run=cochran_q,
    null="every system is as likely to be right, on every item",
    assumptions=("items are independent", "scores are 0 or 1"),
    formula=r"Q = (S - 1)\, \frac{S \sum_j C_j^2 - T^2}{S\, T - \sum_i R_i^2}",
    references=("cochran1950",),
    design="paired",
    named="Cochran's test",
    title="Cochran's Q",
    sign="Q",
    cited="cochran1950",
)
