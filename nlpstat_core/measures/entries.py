"""Gold and outputs as Python calls give them: one entry an item, each of the kind that a measure is of."""

import numbers
from collections.abc import Callable, Iterable, Mapping
from typing import Any

import numpy as np

from nlpstat_core.errors import AnalysisError, ConfigError, shown
from nlpstat_core.measures.record import Kind

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
