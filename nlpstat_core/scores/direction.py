"""Which of two systems is better: the one place that turns a sign into a side."""

from typing import TypeVar

from nlpstat_core.arrays import BoolArray, CodeArray, FloatArray

_Number = TypeVar("_Number", float, FloatArray, CodeArray)


def advantage(larger_by: _Number, lower_is_better: bool) -> _Number:
    """By how much something is better, from how much larger its score is.

    larger_by: A difference of scores, a direction (+1, 0, −1) or a score itself.
    Returns number or array of the same shape: Above 0 where `larger_by` speaks for the first system; larger
        for better scores.

    >>> advantage(0.3, lower_is_better=False), advantage(0.3, lower_is_better=True)
    (0.3, -0.3)
    """
    return -larger_by if lower_is_better else larger_by


def agrees(direction: CodeArray, difference: FloatArray) -> BoolArray:
    """Whether a test's own statistic and the difference of the scores favour the same system.

    direction: +1 where the statistic favours larger scores of a, −1 of b.
    """
    return ((direction > 0) & (difference > 0)) | ((direction < 0) & (difference < 0))
