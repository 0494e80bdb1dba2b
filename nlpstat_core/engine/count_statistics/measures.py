"""Exact permutation tests for differences in accuracy and F1 from counts per unit."""

import numpy as np
from numpy.typing import ArrayLike

from nlpstat_core.engine.count_statistics.ratios import check_same_units, checked_counts, exact_ratio_tail
from nlpstat_core.engine.signflip.outcome import Tail, p_from_log
from nlpstat_core.engine.signflip.tail import sign_flip_p_value
from nlpstat_core.errors import NlpstatError

F1_MISS_WEIGHT = 0.5
PLAIN_MISS_WEIGHT = 1.0


def exact_accuracy_p_value(
    correct_a: ArrayLike,
    correct_b: ArrayLike,
    alternative: str = "two-sided",
    total_a: ArrayLike | None = None,
    total_b: ArrayLike | None = None,
) -> float:
    """P-value of the exact permutation test for a difference in accuracy.

    Null hypothesis: in every unit the outputs of a and b could be exchanged.

    Parameters
    ----------
    correct_a, correct_b : array_like, shape (n_units,)
        Correct items of each unit.
    alternative : {"two-sided", "greater", "less"}
        About a relative to b.
    total_a, total_b : array_like, shape (n_units,), optional
        Items of each unit; without them, or where they are equal, both systems have the same.

    Returns
    -------
    float
        From 5e-324 to 1.

    Raises
    ------
    NlpstatError
        If counts are negative, not finite or of different lengths, or only one total is given.

    Notes
    -----
    With equal totals the accuracy difference is proportional to Σ(correct_a − correct_b): the sign-flip test
    of the counts. With different totals a swap moves (correct, wrong) together, a walk in two dimensions.

    References
    ----------
    Zmigrod, R., Vieira, T. and Cotterell, R. (2022). Exact paired-permutation testing for structured test
    statistics. NAACL. https://doi.org/10.18653/v1/2022.naacl-main.360

    Examples
    --------
    >>> exact_accuracy_p_value([3, 2, 4], [1, 1, 1])
    0.25
    """
    right_a, right_b = checked_counts("correct_a", correct_a), checked_counts("correct_b", correct_b)
    check_same_units(right_a, right_b)
    if (total_a is None) != (total_b is None):
        raise NlpstatError("Give the totals of both systems, or of neither when they are equal.")
    if total_a is None or total_b is None:
        return sign_flip_p_value(right_a - right_b, alternative)
    all_a, all_b = checked_counts("total_a", total_a), checked_counts("total_b", total_b)
    check_same_units(right_a, all_a, all_b)
    if np.any(right_a > all_a) or np.any(right_b > all_b):
        raise NlpstatError("A row has more correct answers than answers; check the totals.")
    if np.array_equal(all_a, all_b):
        return sign_flip_p_value(right_a - right_b, alternative)
    tail = exact_ratio_tail(
        right_a, all_a - right_a, right_b, all_b - right_b, alternative, miss_weight=PLAIN_MISS_WEIGHT
    )
    return _p_value(tail)


def exact_f1_p_value(
    tp_a: ArrayLike, wrong_a: ArrayLike, tp_b: ArrayLike, wrong_b: ArrayLike, alternative: str = "two-sided"
) -> float:
    """P-value of the exact permutation test for a difference in micro-averaged F1.

    Null hypothesis: in every unit the outputs of a and b could be exchanged.

    Parameters
    ----------
    tp_a, tp_b : array_like, shape (n_units,)
        True positives of each unit.
    wrong_a, wrong_b : array_like, shape (n_units,)
        False positives plus false negatives of each unit.
    alternative : {"two-sided", "greater", "less"}
        About a relative to b.

    Returns
    -------
    float
        From 5e-324 to 1; `exact_f1_tail` has its logarithm and says how it was found.

    Raises
    ------
    NlpstatError
        If counts are negative, not finite or of different lengths, or the alternative is unknown.

    Notes
    -----
    F1 = tp/(tp + wrong/2), 0 where a side has neither, in the data and in every swap of them. A swap leaves
    tp_a + tp_b and wrong_a + wrong_b unchanged, so two dimensions suffice.

    References
    ----------
    Zmigrod, R., Vieira, T. and Cotterell, R. (2022). Exact paired-permutation testing for structured test
    statistics. NAACL. https://doi.org/10.18653/v1/2022.naacl-main.360

    Examples
    --------
    >>> exact_f1_p_value([3, 2, 4], [0, 1, 0], [1, 1, 1], [2, 2, 3])
    0.25
    """
    return _p_value(exact_f1_tail(tp_a, wrong_a, tp_b, wrong_b, alternative))


def exact_f1_tail(
    tp_a: ArrayLike,
    wrong_a: ArrayLike,
    tp_b: ArrayLike,
    wrong_b: ArrayLike,
    alternative: str = "two-sided",
    *,
    seed: int = 0,
    resamples: int = 10_000,
) -> Tail:
    """Logarithm of the p-value of `exact_f1_p_value`, how it was found and its relative error.

    tp_a, wrong_a, tp_b, wrong_b, alternative: As for `exact_f1_p_value`.
    seed, resamples: For the Monte Carlo last resort.
    Returns: `log_p` is the natural logarithm of the p-value.
    Raises NlpstatError: As `exact_f1_p_value`.
    """
    return exact_ratio_tail(
        tp_a, wrong_a, tp_b, wrong_b, alternative, miss_weight=F1_MISS_WEIGHT, seed=seed, resamples=resamples
    )


def _p_value(tail: Tail) -> float:
    return float(p_from_log(np.array(tail.log_p)))
