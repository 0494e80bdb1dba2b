"""Gold and outputs as the server holds them: what was uploaded, and what pages tell of it.

The outputs themselves stay packed; worker processes unpack them (`submissions.py`).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from dashboard.background.looks import File, Read
from nlpstat_core.errors import Sentence

if TYPE_CHECKING:
    from nlpstat_core.arrays import FloatArray, IntArray
    from nlpstat_core.board.submissions.by_label import Confusion, LabelDifferences
    from nlpstat_core.board.submissions.differing import DifferingItems

# Choices that aren't keywords of `read_submissions`: options of measures, and which measure is shown.
POSITIVE, BETA, TOKENIZE, LOWERCASE, STEMMER = "positive", "beta", "tokenize", "lowercase", "stemmer"
OPTIONS = (POSITIVE, BETA, TOKENIZE, LOWERCASE, STEMMER)
SHOWN = "shown"
# Keywords of `read_submissions` that links and settings files may tell, with the options: each by its type.
LISTED = ("measure", "label_columns")
NAMED = ("kind", "missing_outputs", "attempts", "file", "id_column", "gold_column", "output_column")
LONGEST_CELL = 1_000
MOST_LABELS = 200  # of tables by label


def cut(text: str) -> str:
    """A text as cells show it: its beginning, with a sign where there is more."""
    return text if len(text) <= LONGEST_CELL else f"{text[: LONGEST_CELL - 1]}…"


@dataclass(frozen=True)
class Files:
    """Gold and outputs as they were dropped.

    gold: One file, or several references of the same texts; none where the outputs hold it.
    outputs: Several files as one archive; None where gold's file has them, too.
    """

    gold: tuple[File, ...] = ()
    outputs: File | None = None

    @property
    def name(self) -> str:
        """What to call them."""
        given = [*self.gold, *([] if self.outputs is None else [self.outputs])]
        return " with ".join(name for _, name in given)

    @property
    def size(self) -> int:
        """Bytes."""
        given = [*self.gold, *([] if self.outputs is None else [self.outputs])]
        return sum(len(data) for data, _ in given)


@dataclass(frozen=True, eq=False, kw_only=True)
class Outputs:
    """What pages tell of submissions.

    measures: Keys of the measures, the official one first; shown: of the one that the pages are about.
    titles: Every measure that fits such outputs: key → name.
    options: By measure the names of its options.
    means: Names of the measures that are means of item scores.
    values (float array, shape (n_systems, n_measures)).
    lower: Of each measure whether lower is better.
    by_order: Systems that were joined to gold by order, not by ids.
    by_sentence: Whether sentences without ids were joined one by one, their words compared.
    missing: Items without an output by system, where there are some.
    head: The first items: column → cells, ids and gold first.
    """

    packed: bytes
    fingerprint: str
    kind: str
    reason: str
    n_items: int
    systems: tuple[str, ...]
    gold_labels: tuple[str, ...]
    label_columns: tuple[str, ...]
    measures: tuple[str, ...]
    shown: str
    titles: Mapping[str, str]
    options: Mapping[str, tuple[str, ...]]
    means: tuple[str, ...]
    values: FloatArray
    lower: tuple[bool, ...]
    by_order: tuple[str, ...]
    by_sentence: bool
    missing: Mapping[str, int]
    head: Mapping[str, tuple[str, ...]]
    source: str = ""

    @property
    def title(self) -> str:
        """The name of the measure that is shown."""
        return self.titles[self.shown]

    def options_of(self, keys: Iterable[str]) -> tuple[str, ...]:
        """Options that some of these measures have."""
        found = {name for key in keys for name in self.options.get(key, ())}
        return tuple(name for name in OPTIONS if name in found)


@dataclass(frozen=True, eq=False)
class ReadOutputs:
    """Submissions that could be read.

    read: The board of their measure; None where there is nothing to compare, then `problem` says why.
    """

    outputs: Outputs
    read: Read | None
    problem: Sentence = field(default_factory=Sentence)


@dataclass(frozen=True, eq=False, kw_only=True)
class ItemOutputs:
    """Every item over the systems.

    right (int array, shape (n_items,)): Systems whose output is right; None for numbers.
    usual: The most frequent output; of numbers the smallest and the largest.
    texts: Text columns.
    """

    items: tuple[str, ...]
    gold: tuple[str, ...]
    right: IntArray | None
    usual: tuple[str, ...]
    texts: Mapping[str, tuple[str, ...]]


@dataclass(frozen=True, eq=False, kw_only=True)
class PairOutputs:
    """What two systems of a pair answered.

    values (float array, shape (2,)): The measure of each on the items that both have.
    items: Where they differ, by influence; only_one: those of them that one of the two has right.
    n_shared, n_differing: Items that both have answered, and those of them on which they differ.
    only_a, only_b: Those that only a, or b, has right; of numbers, where it is nearer.
    texts: Text columns of these items: name → row → cell.
    confusions: Of labels, else empty.
    labels: Of labels and of types of spans, unless there are too many.
    points (float array, shape (3, n)): Of numbers: gold, a and b; else None.
    """

    kind: str
    title: str
    lower_is_better: bool
    values: FloatArray
    items: DifferingItems
    only_one: DifferingItems
    n_shared: int
    n_differing: int
    only_a: int
    only_b: int
    texts: Mapping[str, Mapping[int, str]]
    confusions: tuple[Confusion, ...] = ()
    labels: LabelDifferences | None = None
    points: FloatArray | None = None


def told_choices(told: Mapping[str, Any]) -> dict[str, Any] | None:
    """What a link or a settings file tells of gold and outputs; None where a value is of another type.

    Whether files and measures have it is checked where they are read.
    """
    found: dict[str, Any] = {}
    for name in (*LISTED, *NAMED, *OPTIONS, SHOWN):
        value = told.get(name)
        if value is None:
            continue
        if name == "measure" and isinstance(value, str):
            value = [value]
        if name in LISTED:
            right = isinstance(value, list) and all(isinstance(one, str) for one in value)
        elif name == BETA:
            right = isinstance(value, int | float) and not isinstance(value, bool)
        else:
            right = isinstance(value, bool if name in (LOWERCASE, STEMMER) else str)
        if not right:
            return None
        found[name] = value
    return found


def chosen_options(options: Iterable[str], choices: Mapping[str, Any]) -> dict[str, Any]:
    """What was chosen of these options."""
    return {name: choices[name] for name in options if name in choices}
