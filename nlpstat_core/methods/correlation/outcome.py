"""The outcome of a test of correlations."""

from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True)
class CorrelationTest:
    """A test of one correlation, or of two.

    test: Key of the procedure.
    estimate: The correlation, or the difference of the two.
    p_value: NaN where the test is undefined.
    lower, upper: Interval of the estimate; NaN where the procedure has none.
    n: Units, or systems, that entered.
    exact: Whether p counts all arrangements.
    """

    test: str
    estimate: float
    statistic: float
    p_value: float
    lower: float
    upper: float
    n: int
    exact: bool = False
