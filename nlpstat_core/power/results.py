"""A power curve as data."""

from dataclasses import asdict, dataclass
from typing import Any, Literal

import numpy as np

from nlpstat_core.arrays import FloatArray, IntArray
from nlpstat_core.config import Alternative

CurveMethod = Literal["bootstrap", "normal"]
DifferenceModel = Literal["as-observed", "swap", "shift", "normal"]


@dataclass(frozen=True, eq=False, kw_only=True)
class Points:
    """What a design gives to a curve: power at its sizes, and how it was found; fields as in `PowerCurve`."""

    power: FloatArray
    lower: FloatArray
    upper: FloatArray
    undefined: FloatArray
    documents: IntArray | None
    method: CurveMethod
    model: DifferenceModel
    n_runs: tuple[int, int] | None = None
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, eq=False, kw_only=True, repr=False)
class PowerCurve:
    """Power of one test for one pair at several sizes of the test set; arrays have shape (n_sizes,).

    Attributes
    ----------
    sizes : int array
        Units of the simulated test sets; with documents what that many documents hold on average.
    power : float array
        Share of simulated test sets in which the test rejects.
    lower, upper : float arrays
        Wilson's 95 % band of the simulation error (over items and runs the normal one).
    undefined : float array
        Share of simulated test sets in which the test is undefined; they count as not rejected.
    documents : int array or None
        Documents drawn, where units come in documents.
    system_a, system_b : str
    test : str
        Key of the test that was run.
    method : {"bootstrap", "normal"}
    difference : float
        True difference a − b that was assumed, metric points: a mean, but under "shift" of the quantity that
        the test is about.
    model : {"as-observed", "swap", "shift", "normal"}
        How the units were given this difference: left as they are, directions drawn anew with sizes kept
        (the logistic swap), all moved alike, or normal differences about it.
    observed : float
        The pair's own difference, of the quantity the test is about.
    at_observed : bool
        Whether the assumed difference is the observed one: power is then a function of the p-value.
    alpha, comparison_alpha : float
        Level of the family, and of this comparison.
    correction : str
    comparisons : int
        Size of the family.
    alternative : {"two-sided", "greater", "less"}
    iterations, seed : int
    n_units : int
        Units the pair has.
    n_runs : tuple of two int or None
        Training runs of either system in the simulated test sets; None where there are none.
    notes : tuple of str
        Note codes; `wording.power_note` has the sentences.

    Examples
    --------
    >>> from nlpstat_core import ScoreMatrix, power_curve
    >>> scores = ScoreMatrix(values=[[3, 1], [4, 3], [5, 3], [6, 5], [9, 5]] * 4, systems=["A", "B"])
    >>> curve = power_curve(scores, "A", "B", sizes=[10, 20], iterations=50)
    >>> curve.sizes.tolist(), bool(curve.power[1] > 0.9)
    ([10, 20], True)
    """

    sizes: IntArray
    power: FloatArray
    lower: FloatArray
    upper: FloatArray
    undefined: FloatArray
    documents: IntArray | None
    system_a: str
    system_b: str
    test: str
    method: CurveMethod
    difference: float
    model: DifferenceModel
    observed: float
    at_observed: bool
    alpha: float
    comparison_alpha: float
    correction: str
    comparisons: int
    alternative: Alternative
    iterations: int
    seed: int
    n_units: int
    n_runs: tuple[int, int] | None = None
    notes: tuple[str, ...]

    def __repr__(self) -> str:
        ends = f"{self.power[0]:.3g} to {self.power[-1]:.3g}" if self.power.size else "no sizes"
        sizes = f" with {self.sizes[0]:,} to {self.sizes[-1]:,} items" if self.sizes.size else ""
        return f"<PowerCurve: {self.system_a} − {self.system_b}, {self.test}: power {ends}{sizes}>"

    def _repr_markdown_(self) -> str:
        rows = [
            f"| {size:,} | {power:.3f} | {low:.3f}–{high:.3f} |"
            for size, power, low, high in zip(self.sizes, self.power, self.lower, self.upper, strict=True)
        ]
        return "\n".join(["| items | power | 95 % band |", "| ---: | ---: | ---: |", *rows])

    def to_dict(self) -> dict[str, Any]:
        """The curve as plain data."""
        return {
            key: value.tolist() if isinstance(value, np.ndarray) else value
            for key, value in asdict(self).items()
        }
