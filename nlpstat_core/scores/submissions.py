"""Submissions: what each system of a shared task gave for every item, beside gold; checked at the border."""

from __future__ import annotations

import hashlib
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, Literal, get_args

from nlpstat_core.errors import ScoreError, shown, unknown
from nlpstat_core.formatting import count_of
from nlpstat_core.notes import Note
from nlpstat_core.scores.matrix import first_repeat

Kind = Literal["labels", "label-sets", "numbers", "texts", "tags", "trees"]
KINDS: tuple[Kind, ...] = get_args(Kind)
_IN_WORDS = {"label-sets": "several labels each", "chances": "probabilities"}
# What an answer counts as that is wrong whatever gold says; a number has no such thing.
NO_HEAD = -1
NO_LABEL = ""


@dataclass(frozen=True, eq=False, kw_only=True, repr=False)
class Submissions:
    """Gold and the outputs of several systems for the same items.

    Attributes
    ----------
    kind : {"labels", "label-sets", "numbers", "texts", "tags", "trees"}
        What an output is: a str, a sorted tuple of labels (empty for none), a float, a str, a tuple of tags
        (one a token), or a tuple of (head, relation), one a token, heads numbered from 1 with 0 for the root.
    items : tuple of str
        Item ids, unique.
    gold : tuple
        For each item what is right, as an output is; for texts a tuple of one or more references.
    outputs : mapping of str to tuple
        System → one output an item; None where it has none and the item is left out of its pairs.
    measures : tuple of str
        Keys of the measures to rank by, the official one first; empty where none was named.
    labels : mapping of str to tuple of str
        Text columns of the items (document, domain, the text itself …).
    notes : tuple of Note
        What looked odd while reading.
    source : str
        Where they came from, for display only.
    reading : mapping
        What the reader understood, as keywords of `read_submissions`.

    Raises
    ------
    ScoreError
        Lengths that don't fit, ids or names that are empty or appear twice, an output of another kind.

    Examples
    --------
    >>> board = Submissions(
    ...     kind="labels",
    ...     items=["1", "2"],
    ...     gold=["yes", "no"],
    ...     outputs={"A": ["yes", "yes"], "B": ["no", None]},
    ... )
    >>> board.systems, board.n_items, board.has_missing
    (('A', 'B'), 2, True)
    """

    kind: Kind
    items: tuple[str, ...]
    gold: tuple[Any, ...]
    outputs: Mapping[str, tuple[Any, ...]]
    measures: tuple[str, ...] = ()
    labels: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    notes: tuple[Note, ...] = ()
    source: str = ""
    reading: Mapping[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if self.kind not in KINDS:
            raise ScoreError(unknown("kind of submissions", self.kind, KINDS))
        for name in ("items", "gold", "measures", "notes"):
            object.__setattr__(self, name, tuple(getattr(self, name)))
        for name in ("outputs", "labels"):
            object.__setattr__(
                self, name, {key: tuple(column) for key, column in getattr(self, name).items()}
            )
        self._check_lengths()
        wrong = _WRONG[self.kind]
        for row, right in enumerate(self.gold):
            complaint = _no_references(right) if self.kind == "texts" else wrong(right, right)
            if complaint:
                raise ScoreError(f"Gold of the item {shown(self.items[row])} {complaint}.")
        for system, column in self.outputs.items():
            for row, (output, right) in enumerate(zip(column, self.gold, strict=True)):
                complaint = "" if output is None else wrong(output, right)
                if complaint:
                    where = f"System {shown(system)}, item {shown(self.items[row])}: the output"
                    raise ScoreError(f"{where} {complaint}.")

    def _check_lengths(self) -> None:
        if not self.items:
            raise ScoreError("Gold has no items.")
        if not self.outputs:
            raise ScoreError("There are no systems; give the outputs of one at least.")
        twice = first_repeat(self.items)
        if twice is not None:
            raise ScoreError(f"The item {shown(twice)} appears twice in gold; item ids must be unique.")
        if any(not name.strip() for name in self.outputs):
            raise ScoreError("A system has an empty name; give every system a name.")
        columns = {"Gold": self.gold}
        columns |= {f"System {shown(name)}": column for name, column in self.outputs.items()}
        columns |= {f"Label column {shown(name)}": column for name, column in self.labels.items()}
        for what, column in columns.items():
            if len(column) != self.n_items:
                raise ScoreError(f"{what} has {len(column):,} entries for {self.n_items:,} items.")

    def __repr__(self) -> str:
        size = f"{self.n_items:,} items × {count_of(len(self.systems), 'system')}"
        return f"<Submissions: {', '.join([self.kind, size, *self.measures])}>"

    @property
    def systems(self) -> tuple[str, ...]:
        """Names of the systems, in the order they came."""
        return tuple(self.outputs)

    @property
    def n_items(self) -> int:
        """Number of items."""
        return len(self.items)

    @cached_property
    def has_missing(self) -> bool:
        """Whether any system has no output for an item."""
        return any(output is None for column in self.outputs.values() for output in column)

    @cached_property
    def gold_labels(self) -> tuple[str, ...]:
        """The labels that gold has, sorted; of no use for kinds other than labels."""
        return tuple(sorted(set(self.gold))) if self.kind == "labels" else ()

    @cached_property
    def fingerprint(self) -> str:
        """SHA-256 of everything that can change a number: kind, items, gold, outputs, labels."""
        digest = hashlib.sha256()

        def add(part: object) -> None:
            raw = repr(part).encode("utf-8", "surrogatepass")
            digest.update(len(raw).to_bytes(8, "little"))
            digest.update(raw)

        for part in (self.kind, self.items, self.gold, *self.outputs.items(), *sorted(self.labels.items())):
            add(part)
        return f"sha256:{digest.hexdigest()}"

    def rows(self, chosen: Sequence[int]) -> Submissions:
        """The same systems on some of the items, in the order given."""

        def taken(column: tuple[Any, ...]) -> tuple[Any, ...]:
            return tuple(column[row] for row in chosen)

        return replace(
            self,
            items=taken(self.items),
            gold=taken(self.gold),
            outputs={name: taken(column) for name, column in self.outputs.items()},
            labels={name: taken(column) for name, column in self.labels.items()},
        )


def kind_in_words(kind: str) -> str:
    """What a kind is called in a sentence.

    >>> kind_in_words("label-sets"), kind_in_words("texts")
    ('several labels each', 'texts')
    """
    return _IN_WORDS.get(kind, kind)


def counted_as_wrong(kind: Kind, right: Any) -> Any:
    """An output for an item with this gold that no measure takes as right; None for numbers, which have none.

    >>> counted_as_wrong("tags", ("B-PER", "O")), counted_as_wrong("numbers", 0.5)
    (('O', 'O'), None)
    """
    if kind == "tags":
        return ("O",) * len(right)
    if kind == "label-sets":
        return (NO_LABEL,)
    if kind == "trees":
        return ((NO_HEAD, NO_LABEL),) * len(right)
    return None if kind == "numbers" else NO_LABEL


def _no_text(output: Any, right: Any) -> str:
    return "" if isinstance(output, str) else f"is not a text but {shown(output)}"


def _no_set(output: Any, right: Any) -> str:
    if not isinstance(output, tuple) or not all(isinstance(label, str) for label in output):
        return f"is not a tuple of labels but {shown(output)}"
    return (
        "" if list(output) == sorted(set(output)) else f"is not sorted, or has a label twice: {shown(output)}"
    )


def _no_number(output: Any, right: Any) -> str:
    if isinstance(output, bool) or not isinstance(output, int | float):
        return f"is not a number but {shown(output)}"
    return "" if math.isfinite(output) else f"is {output}; numbers must be finite"


def _no_references(right: Any) -> str:
    if isinstance(right, tuple) and right and all(isinstance(text, str) for text in right):
        return ""
    return f"is not a tuple of one or more references but {shown(right)}"


def _no_tags(output: Any, right: Any) -> str:
    if not isinstance(output, tuple) or not all(isinstance(tag, str) for tag in output):
        return f"is not a tuple of tags but {shown(output)}"
    return _other_length(output, right)


def _no_tree(output: Any, right: Any) -> str:
    if not isinstance(output, tuple) or not all(_is_arc(arc) for arc in output):
        return f"is not a tuple of (head, relation) but {shown(output)}"
    return _other_length(output, right)


def _is_arc(arc: Any) -> bool:
    return isinstance(arc, tuple) and len(arc) == 2 and isinstance(arc[0], int) and isinstance(arc[1], str)


def _other_length(output: tuple[Any, ...], right: tuple[Any, ...]) -> str:
    same = len(output) == len(right)
    return "" if same else f"has {len(output):,} tokens where gold has {len(right):,}"


_WRONG: Mapping[Kind, Callable[[Any, Any], str]] = {
    "labels": _no_text,
    "label-sets": _no_set,
    "numbers": _no_number,
    "texts": _no_text,
    "tags": _no_tags,
    "trees": _no_tree,
}
