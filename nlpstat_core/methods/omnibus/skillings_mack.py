"""Skillings and Mack's rank test of all systems, with missing cells."""

import numpy as np

from nlpstat_core.arrays import FloatArray
from nlpstat_core.engine.distributions.tails import chi2_log_sf
from nlpstat_core.engine.samples.row_ranks import row_ranks
from nlpstat_core.methods.omnibus.outcome import Omnibus, omnibus_outcome
from nlpstat_core.records import BoardTest


def skillings_mack(values: FloatArray) -> Omnibus:
    """Friedman's test for units that some systems lack.

    Null hypothesis: within every unit all orders of the scores that are there are equally likely.

    Parameters
    ----------
    values : float array, shape (n_units, n_systems)
        Scores; NaN where missing. Units with fewer than two scores say nothing and are left out.

    Returns
    -------
    Omnibus
        Chi-square on S − 1 degrees of freedom, fewer where groups of systems share no unit (one less for each
        further group). Without missing cells it is Friedman's tie-corrected chi-square. 0 with p = 1 where
        all scores tie.

    Notes
    -----
    A_j = Σ_i w_i·(r_ij − (k_i + 1)/2), w_i = √(12/(k_i + 1)), r_ij the rank among the k_i scores of unit i,
    an absent system at the middle. χ² = A'Σ⁻A with Σ_jl = −Σ_i w_i²·s_i²/k_i over the units both have, s_i²
    the variance of the unit's ranks: k_i(k_i + 1)/12, and then Σ_jl = −n_jl as published, less with ties.
    Cost O(N·S² + S³).
    """
    from scipy import sparse

    present = ~np.isnan(values)
    compared = np.count_nonzero(present, axis=1) >= 2
    present, kept = present[compared], values[compared]
    size = np.count_nonzero(present, axis=1)[:, None]
    ranks = row_ranks(kept)
    centred = np.where(present, ranks - (size + 1) / 2, 0.0)
    adjusted = np.sum(np.sqrt(12 / (size + 1)) * centred, axis=0)
    weight = 12 / (size + 1) * np.sum(centred**2, axis=1, keepdims=True) / ((size - 1) * size)
    shared = present.T.astype(float) @ (present * weight)
    np.fill_diagonal(shared, 0.0)
    covariance = np.diag(shared.sum(axis=1)) - shared
    n_groups, group = sparse.csgraph.connected_components(sparse.csr_array(shared > 0), directed=False)
    statistic = 0.0
    for number in range(n_groups):
        members = np.flatnonzero(group == number)[:-1]  # the last one's sum follows from the others
        if members.size:
            solved = np.linalg.solve(covariance[np.ix_(members, members)], adjusted[members])
            statistic += float(adjusted[members] @ solved)
    freedom, n_units = float(values.shape[1] - n_groups), int(kept.shape[0])
    log_p = float(chi2_log_sf(np.array([statistic]), freedom)[0]) if freedom else 0.0
    return omnibus_outcome("skillings-mack", statistic, log_p, (freedom,), n_units)


METHOD = BoardTest(
    key="skillings-mack",
    label="Skillings and Mack's test",
    summary="Friedman's test for items that some systems lack.",
    run=skillings_mack,
    null="within every item all orders of the scores that are there are equally likely",
    assumptions=("items are independent", "which scores are missing has nothing to do with their values"),
    formula=r"\chi^2 = A^\top \Sigma^- A,\quad "
    r"A_j = \sum_i \sqrt{\tfrac{12}{k_i + 1}}\, \bigl(r_{ij} - \tfrac{k_i + 1}{2}\bigr)",
    references=("skillings1981",),
    design="paired",
    named="Skillings and Mack's test, which takes missing scores,",
    title="Skillings–Mack (missing scores allowed)",
    sign="SM",
    cited="skillings1981",
)
