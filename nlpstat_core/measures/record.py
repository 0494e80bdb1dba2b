"""The record of a measure: everything that the rest of the house has to know of one."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

import numpy as np

from nlpstat_core.arrays import FloatArray
from nlpstat_core.errors import AnalysisError, ConfigError, shown, unknown
from nlpstat_core.scores.measured import Law, Measured, Value

Kind = Literal[
    "labels", "label-sets", "numbers", "chances", "texts", "tags", "trees", "samples", "counts", "any"
]
Column = Sequence[Any]


@dataclass(frozen=True, eq=False, kw_only=True)
class Encoded:
    """Numbers of all items and systems.

    gold (float array, shape (g, n_items)): Gold's part.
    outputs (float array or sparse matrix, shape (n_systems·k, n_items)): 0 where an output is missing.
    notes: Codes of what readers should know, with numbers for their sentences.
    """

    gold: FloatArray
    outputs: Any
    law: Law | None = None
    notes: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)


@dataclass(frozen=True, eq=False, kw_only=True)
class Measure:
    """A measure of outputs against gold, made of numbers of single items.

    Attributes
    ----------
    key : str
        The name in configurations, on the command line and in JSON.
    label : str
        The name people read; the key unless given.
    kind : {"labels", "label-sets", "numbers", "chances", "texts", "tags", "trees", "samples", "counts",
        "any"}
        What gold and outputs are: "label-sets" several labels an item or none, "chances" numbers in [0, 1]
        with gold 0 or 1, "samples" several outputs an item, "counts"
        (true positives, false positives, false negatives) of an item.
    statistics : callable (gold item, output) → sequence of float, or None
        For measures of one's own: numbers of one item.
    value : callable (sums) → value, or None
        For measures of one's own: from the sums of these numbers, an array of shape (k, …), to values (…).
    lower_is_better : bool
        Direction.
    bounds : (float, float)
        Smallest and largest value.
    is_mean : bool
        Whether it is the mean of the items' first numbers: every test of means is then one of it.
    summary : str
        One sentence: what it is.
    formula : str
        LaTeX.
    options : mapping of str to object
        Options with their defaults.
    encode : callable (gold, columns of outputs, options) → Encoded, or None
        For the measures of the house.
    law : Law or None
        For the measures of the house: from numbers to values.
    reference : str
        Whose values it equals in the tests.
    references : tuple of str
        Keys of `nlpstat_core.methods.references.REFERENCES`.
    extra : str
        Extra of the package that brings its library; empty for none.

    Examples
    --------
    >>> import nlpstat_core as ns
    >>> length = ns.Measure(
    ...     key="length-ratio",
    ...     statistics=lambda gold, output: (len(output), len(gold)),
    ...     value=lambda sums: sums[0] / sums[1],
    ... )
    >>> ns.measure(["a cat", "dogs"], ["a cat", "dog"], length).__round__(3)
    0.889
    """

    key: str
    label: str = ""
    kind: Kind = "any"
    statistics: Callable[[Any, Any], Sequence[float]] | None = None
    value: Callable[[FloatArray], FloatArray] | None = None
    lower_is_better: bool = False
    bounds: tuple[float, float] = (-np.inf, np.inf)
    is_mean: bool = False
    summary: str = ""
    formula: str = ""
    options: Mapping[str, Any] = field(default_factory=dict)
    encode: Callable[[Column, Sequence[Column], Mapping[str, Any]], Encoded] | None = None
    law: Law | None = None
    reference: str = ""
    references: tuple[str, ...] = ()
    extra: str = ""
    library: str = ""

    def __post_init__(self) -> None:
        if not self.label:
            object.__setattr__(self, "label", self.key)
        if self.encode is None and (self.statistics is None or self.value is None):
            raise ConfigError(
                f"The measure {shown(self.key)} needs statistics (of an item) and value (of their sums)."
            )

    def with_options(self, given: Mapping[str, Any]) -> dict[str, Any]:
        """The options with what was given.

        Parameters
        ----------
        given : mapping of str to object

        Returns
        -------
        dict

        Raises
        ------
        ConfigError
            An option that the measure doesn't have.
        """
        for name in given:
            if name not in self.options:
                if not self.options:
                    raise ConfigError(f"{self.label} has no options, so {shown(name)} says nothing.")
                raise ConfigError(unknown(f"option of {self.label}", name, list(self.options)))
        return {**self.options, **given}

    def measured(self, gold: Column, outputs: Sequence[Column], **options: Any) -> tuple[Measured, Encoded]:
        """The numbers of all items and systems.

        Parameters
        ----------
        gold : sequence
            One entry an item.
        outputs : sequence of sequences
            One column a system; None where an output is missing.
        **options
            Of the measure.

        Returns
        -------
        Measured
        Encoded
            With notes.

        Raises
        ------
        AnalysisError
            Gold or outputs that the measure can't use.
        """
        chosen = self.with_options(options)
        if not len(gold):
            raise AnalysisError(f"{self.label} needs at least one item.")
        for column in outputs:
            if len(column) != len(gold):
                raise AnalysisError(
                    f"There are {len(column):,} outputs for {len(gold):,} items; give one output per item."
                )
        encoded = (self._own if self.encode is None else self.encode)(gold, outputs, chosen)
        law = encoded.law or self.law
        if law is None:
            raise ValueError(f"The measure {self.key} has no law.")
        present = np.array([[output is not None for output in column] for column in outputs]).T
        measured = Measured(
            key=self.key,
            label=self.label_with(chosen),
            signature=self.signature(chosen),
            gold=encoded.gold,
            outputs=encoded.outputs,
            present=present,
            law=law,
            bounds=self.bounds,
            options={name: value for name, value in chosen.items() if value is not None},
        )
        return measured, encoded

    def label_with(self, options: Mapping[str, Any]) -> str:
        """The name with the options that change what it measures: "F1 of yes", "F2 of yes"."""
        of, beta = options.get("positive"), {**self.options, **options}.get("beta")
        name = f"F{beta:g}" if isinstance(beta, int | float) else self.label
        return f"{name} of {of}" if of is not None else name

    def signature(self, options: Mapping[str, Any]) -> str:
        """Measure, options and library, as sacreBLEU's signatures: "bleu|lowercase:false|sacrebleu:2.6.0"."""
        from importlib.metadata import version

        said = [f"{name}:{str(value).lower()}" for name, value in options.items() if value is not None]
        library = [f"{self.library}:{version(self.library)}"] if self.library else []
        return "|".join([self.key, *said, *library])

    def _own(self, gold: Column, outputs: Sequence[Column], options: Mapping[str, Any]) -> Encoded:
        """Numbers and law of a measure of one's own."""
        if self.statistics is None or self.value is None:
            raise ValueError(f"The measure {self.key} has no statistics.")
        encoded = of_items(gold, outputs, self.statistics)
        law = Law(value=OwnValue(self.value), smooth=False)  # nobody says so
        return Encoded(gold=encoded.gold, outputs=encoded.outputs, law=law)


@dataclass(frozen=True)
class OwnValue:
    """The value of a measure of one's own: gold's numbers stand among each system's."""

    value: Callable[[FloatArray], FloatArray]

    def __call__(self, gold: FloatArray, own: FloatArray) -> FloatArray:
        """From sums to values."""
        found: FloatArray = np.asarray(self.value(own), dtype=np.float64)
        return found


def of_items(
    gold: Column, outputs: Sequence[Column], statistics: Callable[[Any, Any], Sequence[float]]
) -> Encoded:
    """Numbers counted item by item; gold's part is the number of items alone."""
    rows: list[list[Sequence[float] | None]] = [
        [
            None if output is None else tuple(statistics(right, output))
            for right, output in zip(gold, column, strict=True)
        ]
        for column in outputs
    ]
    k = next((len(row) for column in rows for row in column if row is not None), 1)
    table = np.array([[(0.0,) * k if row is None else row for row in column] for column in rows], dtype=float)
    if not np.isfinite(table).all():
        raise AnalysisError("The measure's numbers of an item must be finite.")
    outputs_table = table.transpose(0, 2, 1).reshape(len(outputs) * k, len(gold))
    return Encoded(gold=np.ones((1, len(gold))), outputs=np.ascontiguousarray(outputs_table))


def mean_value(gold: FloatArray, own: FloatArray) -> FloatArray:
    """Mean of the items' numbers: Σx/n."""
    mean: FloatArray = own[0] / gold[0]
    return mean


MEAN_LAW = Law(value=mean_value, linear=True)
__all__ = ["MEAN_LAW", "Column", "Encoded", "Kind", "Law", "Measure", "Measured", "Value", "of_items"]
