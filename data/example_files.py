"""The shapes of example files, each with its bytes."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

FloatArray = NDArray[np.float64]
IntArray = NDArray[np.int64]


@dataclass(frozen=True)
class Table:
    """One score file: label columns first, then one column of scores for each system."""

    labels: Mapping[str, Sequence[str]]
    systems: tuple[str, ...]
    scores: FloatArray | IntArray
    decimals: int

    def lines(self) -> Iterable[str]:
        """The lines of the CSV file, header first, without line ends."""
        yield ",".join((*self.labels, *self.systems))
        label_rows = zip(*self.labels.values(), strict=True)
        for labels, row in zip(label_rows, self.scores.tolist(), strict=True):
            yield ",".join((*labels, *(f"{score:.{self.decimals}f}" for score in row)))


@dataclass(frozen=True)
class LongTable:
    """One score file with several metrics: a row per unit and system, a column per metric."""

    labels: Mapping[str, Sequence[str]]
    systems: tuple[str, ...]
    metrics: Mapping[str, FloatArray]
    decimals: int

    @property
    def scores(self) -> FloatArray:
        """The first metric, units × systems."""
        return next(iter(self.metrics.values()))

    def lines(self) -> Iterable[str]:
        """The lines of the CSV file, header first, without line ends."""
        yield ",".join((*self.labels, "system", *self.metrics))
        for row, labels in enumerate(zip(*self.labels.values(), strict=True)):
            for column, system in enumerate(self.systems):
                scores = (f"{metric[row, column]:.{self.decimals}f}" for metric in self.metrics.values())
                yield ",".join((*labels, system, *scores))


@dataclass(frozen=True)
class AnswerTable:
    """One file of gold and outputs: label columns first, then gold, then one column of answers a system."""

    labels: Mapping[str, Sequence[str]]
    gold: Sequence[str]
    outputs: Mapping[str, Sequence[str]]

    @property
    def systems(self) -> tuple[str, ...]:
        """Names of the systems."""
        return tuple(self.outputs)

    @property
    def scores(self) -> Sequence[str]:
        """What is counted as units."""
        return self.gold

    def lines(self) -> Iterable[str]:
        """The lines of the CSV file, header first, without line ends; no cell holds a comma."""
        yield ",".join((*self.labels, "gold", *self.outputs))
        for cells in zip(*self.labels.values(), self.gold, *self.outputs.values(), strict=True):
            yield ",".join(cells)


@dataclass(frozen=True)
class Archive:
    """Gold and one file a system, in one zip; not compressed, so that the bytes are the same everywhere.

    gold, outputs: Of each sentence its lines.
    """

    ending: str
    gold: Sequence[Sequence[str]]
    outputs: Mapping[str, Sequence[Sequence[str]]]

    @property
    def systems(self) -> tuple[str, ...]:
        """Names of the systems."""
        return tuple(self.outputs)

    @property
    def scores(self) -> Sequence[Sequence[str]]:
        """What is counted as units."""
        return self.gold

    def data(self) -> bytes:
        """The bytes of the file."""
        target = io.BytesIO()
        with zipfile.ZipFile(target, "w") as written:
            for name, sentences in {"gold": self.gold, **self.outputs}.items():
                text = "".join("\n".join(lines) + "\n\n" for lines in sentences)
                written.writestr(zipfile.ZipInfo(f"{name}.{self.ending}"), text.encode())
        return target.getvalue()
