"""The outcome of a test of correlations."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True)
class CorrelationTest:
    """A test of one correlation, or of two.

    Attributes
    ----------
    test : str
        Key of the procedure.
    estimate : float
        The correlation, or the difference of the two.
    statistic : float
    p_value : float
        NaN where the test is undefined.
    lower, upper : float
        Interval of the estimate; NaN where the procedure has none.
    n : int
        Units, or systems, that entered.
    exact : bool
        Whether p counts all arrangements.
    """

    test: str
    estimate: float
    statistic: float
    p_value: float
    lower: float
    upper: float
    n: int
    exact: bool = False
