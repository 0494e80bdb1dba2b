"""Shaffer's step-down correction: how many null hypotheses of pairs can be true together."""

import math

import numpy as np

from nlpstat_core.arrays import IntArray
from nlpstat_core.catalogue import TESTS
from nlpstat_core.config import RECOMMENDED
from nlpstat_core.errors import AnalysisError
from nlpstat_core.methods.corrections.family import DIVIDED, Adjusted, Comparisons, Family
from nlpstat_core.methods.corrections.methods import LARGEST_QUADRATIC_FAMILY, holm, stepped_down
from nlpstat_core.records import Correction


def shaffer(family: Family) -> Adjusted:
    """p-values adjusted by Shaffer's static procedure (S1).

    Null hypothesis, of every pair: the two means (or proportions) are equal.

    Parameters
    ----------
    family : Family
        p-values of all pairs of S systems.

    Returns
    -------
    Adjusted
        Holm's p-values, with note "shaffer-as-holm", where the logic of equal means doesn't hold: tests of
        something else, one-sided tests, a hypothesised difference, or pairs that are missing.

    Raises
    ------
    AnalysisError
        More than 100,000 pairs.

    Notes
    -----
    p̃_(i) = max over j ≤ i of t_j·p_(j), t_j the largest number of null hypotheses that can be true together
    and is at most m − j + 1. Equal means are transitive, which leaves only A(S) = ∪_j {j(j − 1)/2 + x :
    x ∈ A(S − j)}; medians of differences are not. Cost O(m·log m) and O(S²) unions of sets of m bits.
    """
    m = family.p_values.shape[0]
    n_systems = (1 + math.isqrt(1 + 8 * m)) // 2
    known = family.comparisons
    applies = n_systems * (n_systems - 1) // 2 == m if known is None else _applies(known, m)
    if not applies:
        return Adjusted(p_values=holm(family.p_values), notes={"shaffer-as-holm": np.ones(m, dtype=bool)})
    if m > LARGEST_QUADRATIC_FAMILY:
        raise AnalysisError(
            f"Shaffer's correction of {m:,} pairs would take too long; "
            f"use holm above {LARGEST_QUADRATIC_FAMILY:,} pairs."
        )
    return Adjusted(p_values=stepped_down(family.p_values, _factors(m, true_together(n_systems)).take))


def _applies(known: Comparisons, n_pairs: int) -> bool:
    """Whether every pair was tested for equal means, on two sides and without a hypothesised difference."""
    config, n_systems = known.config, known.units.n_systems
    return (
        (config.about_means if config.test == RECOMMENDED else TESTS[config.test].about_means)
        and config.alternative == "two-sided"
        and config.delta == 0
        and n_pairs == n_systems * (n_systems - 1) // 2
    )


def true_together(n_systems: int) -> IntArray:
    """Numbers of null hypotheses about all pairs that can be true at the same time.

    >>> true_together(4).tolist()
    [0, 1, 2, 3, 6]
    """
    possible = [1]  # bit x says that x hypotheses can be true together
    for size in range(1, n_systems + 1):
        bits = 0
        for group in range(1, size + 1):
            bits |= possible[size - group] << (group * (group - 1) // 2)
        possible.append(bits)
    whole = possible[n_systems]
    packed = np.frombuffer(whole.to_bytes(whole.bit_length() // 8 + 1, "little"), dtype=np.uint8)
    result: IntArray = np.flatnonzero(np.unpackbits(packed, bitorder="little"))
    return result


def _factors(m: int, possible: IntArray) -> IntArray:
    """For the j-th smallest p-value the largest possible number that is at most m − j + 1."""
    factors: IntArray = possible[np.searchsorted(possible, np.arange(m, 0, -1), side="right") - 1]
    return factors


METHOD = Correction(
    key="shaffer",
    label="Shaffer",
    summary="Holm's steps with smaller factors, since equal means of some pairs imply those of others.",
    run=shaffer,
    error_rate="family-wise error rate under any dependence if every p-value is valid",
    assumptions=(
        "tests of means or proportions of all pairs, two-sided, without a hypothesised difference "
        "(Holm is used otherwise)",
    ),
    formula=r"\tilde p_{(i)} = \max_{j \le i} \min(1, t_j\, p_{(j)}),\quad "
    r"t_j = \max\{x \in A(S) : x \le m - j + 1\}",
    references=("shaffer1986",),
    level_of_one=DIVIDED,
    level_of_first=DIVIDED,
    hardest_step=True,
    p_values_only=False,
    all_pairs_of_a_board=True,
    notes=("shaffer-as-holm",),
)
