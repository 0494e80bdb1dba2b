"""A power curve as data, and what its readers have to know of it, as note codes."""

from dataclasses import asdict, dataclass
from typing import Any, Literal

import numpy as np

from nlpstat_core.arrays import FloatArray, IntArray
from nlpstat_core.catalogue import CORRECTIONS, TESTS
from nlpstat_core.config import Alternative, AnalysisConfig

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


_OFTEN = 0.01


def curve_notes(
    config: AnalysisConfig,
    level: float,
    model: DifferenceModel,
    *,
    at_observed: bool,
    by_shape: bool,
    undefined: FloatArray,
    exchanged: bool = False,
) -> tuple[str, ...]:
    """Codes of what has to be said about a curve.

    at_observed: Whether it is the observed one.
    exchanged: Whether systems are compared by a measure that is no mean.
    by_shape: Whether the t test stands for a test whose power depends on the shape of the difference.
    Returns: "observed-power": the assumed difference is the observed one. "swapped": directions were drawn
        anew. "linearised", "swapped-outputs": the same of a measure that is no mean. "depends-on-shape": the
        curve is the t test's. "lower-bound": the correction goes by steps and the level is its hardest.
        "resamples-too-few": no Monte Carlo p reaches the level. "often-undefined": in over 1 % of the test
        sets of some size.
    """
    holds = {
        "observed-power": at_observed,
        "linearised": exchanged,
        "swapped-outputs": model == "swap" and exchanged,
        "swapped": model == "swap" and not exchanged,
        "depends-on-shape": by_shape,
        "lower-bound": CORRECTIONS[config.correction].hardest_step and level < config.alpha,
        "resamples-too-few": TESTS[config.test].resampled and 1 / (config.resamples + 1) > level,
        "often-undefined": bool(np.any(undefined > _OFTEN)),
    }
    return tuple(code for code, there in holds.items() if there)
