"""A measure of one system, and the p-value of a pair, of gold and outputs as they are."""

import numbers
from collections.abc import Callable, Iterable, Mapping
from typing import Any

import numpy as np

from nlpstat_core.arrays import IntArray
from nlpstat_core.engine.resampling.blas import one_blas_thread
from nlpstat_core.engine.signflip import ALTERNATIVES
from nlpstat_core.engine.swaps.intervals import jackknife_interval
from nlpstat_core.engine.swaps.routes import swap_tail
from nlpstat_core.engine.swaps.values import values_of
from nlpstat_core.errors import AnalysisError, ConfigError, shown, unknown
from nlpstat_core.measures import MEASURES, measure_named
from nlpstat_core.measures.label_sets import OF_SETS
from nlpstat_core.measures.record import Kind, Measure
from nlpstat_core.scores.measured import Measured

# Draws of one pair: a standard error of 1 % of p, 1.4 % at p = 4e-12.
DRAWS = 40_000


def measure(
    gold: Iterable[Any], output: Iterable[Any], measure: str | Measure = "macro-f1", **options: Any
) -> float:
    """A measure of one system's outputs against gold.

    Parameters
    ----------
    gold : iterable
        One entry an item: a label, a number, a text or several references, tags, or (head, relation) pairs.
    output : iterable
        One output an item.
    measure : str or Measure
        Key of the catalogue, or a measure of one's own.
    **options
        Of the measure, for example ``positive="yes"`` or ``beta=2``.

    Returns
    -------
    float
        NaN where the measure is undefined.

    Raises
    ------
    ConfigError
        A measure or an option that doesn't exist, with the nearest name.
    AnalysisError
        Gold and outputs that the measure can't use.

    Examples
    --------
    >>> round(measure(["a", "b", "c", "a"], ["a", "b", "b", "a"], "macro-f1"), 4)
    0.5556
    """
    found = _measured(gold, [output], measure, options)
    return float(values_of(found).weighted(np.ones((found.n_items, 1)))[0, 0])


def measure_p_value(
    gold: Iterable[Any],
    a: Iterable[Any],
    b: Iterable[Any],
    measure: str | Measure = "macro-f1",
    alternative: str = "two-sided",
    seed: int = 0,
    *,
    documents: Iterable[Any] | None = None,
    **options: Any,
) -> float:
    """p-value of the swap test of a measure of two systems.

    Null hypothesis: the outputs of a and b for an item could be exchanged.

    Parameters
    ----------
    gold : iterable
        As for `measure`.
    a, b : iterables
        Outputs of the two systems.
    measure : str or Measure
        Key of the catalogue, or a measure of one's own.
    alternative : {"two-sided", "greater", "less"}
        About measure(a) − measure(b) as it stands, also where lower is better.
    seed : int
        Of the draws, where swaps aren't counted.
    documents : iterable or None
        The document of every item: whole documents are then exchanged.
    **options
        Of the measure.

    Returns
    -------
    float
        Exact for means and other linear measures, and up to 16 items with unlike outputs; else from 40,000
        draws under a tilt, with a standard error of about 1 % of p however small it is; of a measure with
        steps or kinks where outputs are exchanged (calibration error, measures of one's own) from 40,000
        plain swaps, at least 1/40,001. NaN where the measure of a side is undefined.

    Raises
    ------
    ConfigError
        A measure, an option or an alternative that doesn't exist; a seed that is no whole number from 0 on.
    AnalysisError
        Gold and outputs that the measure can't use.

    Notes
    -----
    A swap exchanges outputs, so outputs must share a scale: Pearson's correlation is of z-scores of each
    system, Kendall's and the area under ROC of its mid-ranks. Spearman's is Pearson's correlation of gold's
    mid-ranks with the exchanged mid-ranks, made once of each system's own outputs and not ranked again.

    Examples
    --------
    >>> gold = ["yes", "no"] * 6
    >>> measure_p_value(gold, gold, ["yes"] * 12, "macro-f1")
    0.03125
    """
    if alternative not in ALTERNATIVES:
        raise ConfigError(unknown("alternative", alternative, ALTERNATIVES))
    seed = checked_seed(seed)
    found = _measured(gold, [a, b], measure, options)
    groups = _groups(found.n_items, documents)
    with one_blas_thread():
        tail = swap_tail(found, groups, alternative, seed=seed, draws=DRAWS)
    return float(np.exp(tail.log_p))


def measure_difference(
    gold: Iterable[Any],
    a: Iterable[Any],
    b: Iterable[Any],
    measure: str | Measure = "macro-f1",
    level: float = 0.95,
    *,
    documents: Iterable[Any] | None = None,
    **options: Any,
) -> tuple[float, float, float]:
    """Difference of a measure between two systems, with its jackknife interval.

    Parameters
    ----------
    gold : iterable
        As for `measure`.
    a, b : iterables
        Outputs of the two systems.
    measure : str or Measure
        Key of the catalogue, or a measure of one's own.
    level : float
        Confidence level.
    documents : iterable or None
        The document of every item: whole documents are then left out.
    **options
        Of the measure.

    Returns
    -------
    (float, float, float)
        Measure of a minus measure of b as it stands, and the ends of its interval; NaN where undefined.

    Raises
    ------
    ConfigError
        A measure or an option that doesn't exist; a level outside (0, 1).
    AnalysisError
        Gold and outputs that the measure can't use.

    Examples
    --------
    >>> gold = ["yes", "no"] * 6
    >>> difference, low, high = measure_difference(gold, gold, ["yes"] * 12, "accuracy")
    >>> round(difference, 3), round(low, 3), round(high, 3)
    (0.5, 0.168, 0.832)
    """
    level = checked_level(level)
    found = _measured(gold, [a, b], measure, options)
    return jackknife_interval(found, _groups(found.n_items, documents), level)


def _groups(n_items: int, documents: Iterable[Any] | None) -> IntArray:
    """Number of every item, or of its document; raises AnalysisError for too few or too many."""
    if documents is None:
        return np.arange(n_items)
    listed = entries(documents, "Documents")
    if any(name is None for name in listed):
        raise AnalysisError(f"Item {listed.index(None) + 1} has no document (None); name one for every item.")
    named = [str(name) for name in listed]
    if len(named) != n_items:
        raise AnalysisError(f"There are {len(named):,} documents for {n_items:,} items.")
    return np.unique(named, return_inverse=True)[1].astype(np.int64)


def _measured(
    gold: Iterable[Any], columns: list[Iterable[Any]], measure: str | Measure, options: dict[str, Any]
) -> Measured:
    """Numbers of outputs that are all there."""
    found, named = measure_named(measure)
    right = entries(gold, "Gold")
    outputs = [entries(column, "The output") for column in columns]
    if found.key in OF_SETS and any(isinstance(one, list | tuple | set | frozenset) for one in right):
        found = MEASURES[OF_SETS[found.key]]
    if found.kind not in (
        "samples",
        "counts",
        "any",
    ):  # whose gold no measure looks at, or its own may do without
        check_all_there(right, "Gold", "every item needs it")
    if found.kind != "samples":
        check_entries(found.kind, right, "Gold")
    for column in outputs:
        check_all_there(column, "The output", "leave the item out, or count it as wrong")
        check_entries(found.kind, column, "The output")
    return found.measured(right, outputs, **{**named, **options})[0]


_MISSING_TYPES = ("NAType", "NaTType")  # of pandas, which isn't loaded for them


def entries(given: Iterable[Any], what: str) -> list[Any]:
    """One entry an item, None where it is missing.

    Raises AnalysisError: What is no list: a text, a number, a mapping.
    """
    bare = isinstance(given, str | bytes | Mapping) or not isinstance(given, Iterable)
    if bare or (isinstance(given, np.ndarray) and given.ndim == 0):
        raise AnalysisError(f"{what} must be a list with one entry per item, not {shown(given)}.")
    return [None if is_missing(entry) else entry for entry in given]


def is_missing(entry: Any) -> bool:
    """Whether an entry is None, NaN, or pandas' missing value."""
    if isinstance(entry, float | np.floating):
        return bool(np.isnan(entry))
    return entry is None or type(entry).__name__ in _MISSING_TYPES


def check_all_there(column: list[Any], what: str, remedy: str) -> None:
    """Refuse a column in which an entry is missing."""
    for item, entry in enumerate(column, start=1):
        if entry is None:
            raise AnalysisError(f"{what} of item {item} is missing; {remedy}.")


def check_entries(kind: Kind, column: list[Any], what: str) -> None:
    """Refuse entries that a measure of this kind can't use."""
    check, wanted = _CHECKS.get(kind, (None, ""))
    if check is None:
        return
    for item, entry in enumerate(column, start=1):
        if entry is not None and not check(entry):
            raise AnalysisError(f"{what} of item {item} must be {wanted}, not {shown(entry)}.")


def checked_seed(seed: Any) -> int:
    """A seed that can be used. Raises ConfigError."""
    if isinstance(seed, bool) or not isinstance(seed, numbers.Integral) or seed < 0:
        raise ConfigError(f"seed must be a whole number, at least 0, not {shown(seed)}.")
    return int(seed)


def checked_level(level: Any) -> float:
    """A confidence level that can be used. Raises ConfigError."""
    number = float(level) if not isinstance(level, bool) and isinstance(level, numbers.Real) else np.nan
    if not 0 < number < 1:
        raise ConfigError(f"level must lie between 0 and 1, not {shown(level)}.")
    return number


def _is_label(entry: Any) -> bool:
    if isinstance(entry, float | np.floating):
        return not np.isinf(entry)
    return isinstance(entry, str | numbers.Number | np.generic)


def _is_set(entry: Any) -> bool:
    return isinstance(entry, set | frozenset) or _is_listed(entry)


def _is_text(entry: Any) -> bool:
    return isinstance(entry, str) or (_is_listed(entry) and all(isinstance(text, str) for text in entry))


def _is_listed(entry: Any) -> bool:
    return isinstance(entry, list | tuple | np.ndarray)


_CHECKS: Mapping[Kind, tuple[Callable[[Any], bool], str]] = {
    "labels": (_is_label, "a label (a text or a finite number)"),
    "label-sets": (_is_set, "a list of labels, empty if the item has none"),
    "texts": (_is_text, "a text, or several references"),
    "tags": (_is_listed, "a list of tags, one per token"),
    "samples": (_is_listed, "a list of samples"),
    "trees": (_is_listed, "a list of (head, relation), one per token"),
}
