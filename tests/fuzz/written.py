"""What a format writes of a matrix, and the parts that the writers share."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from nlpstat_core.scores.matrix import ScoreMatrix

File = tuple[bytes, str]


@dataclass(frozen=True)
class Written:
    """Files with the choices they need, and the matrix they hold.

    Attributes
    ----------
    files : list of (bytes, name)
    values : float array
    systems, units : tuple of str or None
        None where the format has no names.
    choices : dict
        Keywords of `read_scores` without which hostile names would mean something else.
    """

    files: list[File]
    values: np.ndarray
    systems: tuple[str, ...] | None
    units: tuple[str, ...] | None
    choices: dict[str, Any] = field(default_factory=dict)

    @property
    def source(self) -> Any:
        """What `read_scores` gets."""
        return self.files[0] if len(self.files) == 1 else self.files


@dataclass(frozen=True)
class Format:
    """A way to write a matrix.

    Attributes
    ----------
    key : str
    reader : str
        Key of the reader that has to recognise it.
    write : callable
        ScoreMatrix → Written.
    hostile : bool
        Whether names and numbers of any kind can be written.
    gaps : bool
        Whether missing scores can be written.
    """

    key: str
    reader: str
    write: Callable[[ScoreMatrix], Written]
    hostile: bool = False
    gaps: bool = True


Writer = Callable[[ScoreMatrix], Written]


def cell(value: float, decimal: str = ".", missing: str = "") -> str:
    return missing if np.isnan(value) else repr(float(value)).replace(".", decimal)


def delimited(rows: Iterable[Sequence[str]], delimiter: str) -> bytes:
    file = io.StringIO(newline="")
    csv.writer(file, delimiter=delimiter, quoting=csv.QUOTE_ALL, lineterminator="\n").writerows(rows)
    return file.getvalue().encode()


def units_of(scores: ScoreMatrix) -> tuple[str, ...]:
    assert scores.units is not None
    return scores.units


def long_rows(scores: ScoreMatrix) -> list[tuple[str, str, float]]:
    """System, unit and score, without the scores that are missing."""
    return [
        (system, unit, float(value))
        for system, column in zip(scores.systems, scores.values.T, strict=True)
        for unit, value in zip(units_of(scores), column, strict=True)
        if not np.isnan(value)
    ]


def nothing(value: float) -> float | None:
    return None if np.isnan(value) else float(value)
