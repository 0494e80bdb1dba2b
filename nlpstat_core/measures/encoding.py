"""From labels and numbers as they come to codes and arrays."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import sparse

from nlpstat_core.arrays import BoolArray, FloatArray, IntArray
from nlpstat_core.errors import AnalysisError, ConfigError, shown
from nlpstat_core.measures.record import Column

# Labels that mean yes, where gold has two and none is named.
_YES = ("1", "true", "yes", "positive", "pos")
# Tables with fewer filled cells than this are kept as sparse matrices.
_SPARSE = 0.25


@dataclass(frozen=True, eq=False, kw_only=True)
class Labels:
    """Labels as codes.

    known: Gold's labels, sorted; codes 0 ….
    stray: Labels of outputs that gold doesn't have, sorted; codes follow.
    outputs (int array, shape (n_systems, n_items)): −1 where missing.
    """

    known: tuple[str, ...]
    stray: tuple[str, ...]
    gold: IntArray
    outputs: IntArray

    @property
    def right(self) -> BoolArray:
        """Whether each output is gold's label, shape (n_systems, n_items)."""
        found: BoolArray = self.outputs == self.gold
        return found

    def gold_counts(self, n_labels: int) -> FloatArray:
        """One row a label: 1 where gold has it, shape (n_labels, n_items)."""
        found: FloatArray = (self.gold == np.arange(n_labels)[:, None]).astype(np.float64)
        return found


def labels_of(gold: Column, outputs: Sequence[Column]) -> Labels:
    """Labels of gold and outputs as codes; where some are booleans, 1 is True and 0 is False."""
    kinds = {kind for column in outputs for kind in map(type, column)} | set(map(type, gold))
    right, given = list(gold), [list(column) for column in outputs]
    if set(map(type, gold)) != {str} or not kinds <= {str, type(None)}:  # texts are labels as they stand
        named = _truth if kinds & {bool, np.bool_} else as_label
        right = [named(label) for label in gold]
        given = [[None if label is None else named(label) for label in column] for column in outputs]
    known = sorted(set(right))
    stray = sorted({label for column in given for label in column if label is not None} - set(known))
    code: dict[str | None, int] = {label: place for place, label in enumerate((*known, *stray))}
    code[None] = -1
    return Labels(
        known=tuple(known),
        stray=tuple(stray),
        gold=np.array([code[label] for label in right], dtype=np.int64),
        outputs=np.array([[code[label] for label in column] for column in given], dtype=np.int64),
    )


def as_label(value: Any) -> str:
    """A label as text; 1, 1.0 and "1" are one label. Raises AnalysisError for a missing one."""
    value = value.item() if isinstance(value, np.generic) else value
    if value is None or (isinstance(value, float) and np.isnan(value)):
        raise AnalysisError("A label is missing; gold needs one for every item.")
    if isinstance(value, float) and value == int(value):
        value = int(value)
    return str(value)


def _truth(value: Any) -> str:
    """A label where some are booleans: 1 is True and 0 is False."""
    label = as_label(value)
    return {"1": "True", "0": "False"}.get(label, label)


def indicator_table(*parts: tuple[IntArray, BoolArray], n_codes: int) -> Any:
    """Numbers that are 1 for one code of each part and item: sparse where few are.

    parts: Codes (n_systems, n_items) and where they count.
    Returns float array or sparse matrix, shape (n_systems·len(parts)·n_codes, n_items).
    """
    n_systems, n_items = parts[0][0].shape
    rows, columns = [], []
    for number, (codes, counts) in enumerate(parts):
        system, item = np.nonzero(counts & (codes >= 0) & (codes < n_codes))
        rows.append((system * len(parts) + number) * n_codes + codes[system, item])
        columns.append(item)
    shape = (n_systems * len(parts) * n_codes, n_items)
    return ones_at(np.concatenate(rows), np.concatenate(columns), shape)


def ones_at(row: Sequence[int] | IntArray, column: Sequence[int] | IntArray, shape: tuple[int, int]) -> Any:
    """A matrix that is 1 at some places and 0 at the others: sparse where these are few."""
    table = sparse.csr_array((np.ones(len(row)), (row, column)), shape=shape)
    return table if len(row) < _SPARSE * shape[0] * shape[1] else table.toarray()


def positive_label(labels: Labels, options: Mapping[str, Any], label: str) -> tuple[int, str]:
    """Code and name of the label whose F1 is asked for.

    Raises ConfigError: A label that gold doesn't have; none where two don't say which means yes.
    """
    named = options.get("positive")
    if named is not None:
        name = as_label(named)
        if name not in labels.known and _truth(named) in labels.known:
            name = _truth(named)
        if name not in labels.known:
            there = ", ".join(shown(one) for one in labels.known[:10])
            raise ConfigError(f"Gold has no label {shown(name)}; its labels are {there}.")
        return labels.known.index(name), name
    yes = [one for one in labels.known if one.lower() in _YES]
    if len(yes) == 1 and len(labels.known) <= 2:
        return labels.known.index(yes[0]), yes[0]
    there = ", ".join(shown(one) for one in labels.known[:10])
    raise ConfigError(f"{label} is about one label; name it as positive (gold's labels are {there}).")


def numbers_of(
    gold: Column, outputs: Sequence[Column], label: str
) -> tuple[FloatArray, FloatArray, BoolArray]:
    """Numbers of gold (n_items,) and outputs (n_systems, n_items), 0 where missing, and where they are.

    Raises AnalysisError: What is no number.
    """
    y = np.array([_number(value, label) for value in gold])
    x = np.array([[0.0 if value is None else _number(value, label) for value in one] for one in outputs])
    return y, x, np.array([[value is not None for value in one] for one in outputs])


def chances_of(
    gold: Column, outputs: Sequence[Column], options: Mapping[str, Any], label: str, *, within: bool = True
) -> tuple[FloatArray, FloatArray, BoolArray]:
    """Gold as 0 or 1 and outputs as numbers; see `numbers_of`.

    within: Whether outputs must lie in [0, 1].
    """
    named = options.get("positive")
    right = [as_label(value) for value in gold]
    if named is None and not set(right) <= {"0", "1"}:
        labels = labels_of(gold, [])
        named = positive_label(labels, options, label)[1]
    yes = "1" if named is None else as_label(named)
    _, x, there = numbers_of([0] * len(right), outputs, label)
    if within and ((x < 0) | (x > 1)).any():
        raise AnalysisError(f"{label} needs outputs that are probabilities from 0 to 1.")
    return np.array([float(one == yes) for one in right]), x, there


def _number(value: Any, label: str) -> float:
    try:
        number = float(value)
    except (TypeError, ValueError):
        raise AnalysisError(f"{label} needs numbers, and {shown(str(value))} is none.") from None
    if not np.isfinite(number):
        raise AnalysisError(f"{label} needs finite numbers, and there is {number}.")
    return number
