"""Read the golden tables of this folder and the inputs they were made from.

from golden.golden import load, pair

@pytest.mark.parametrize("golden", load("wilcoxon", "wilcox.exact"), ids=str)
def test_wilcoxon(golden):
    u, v = pair(golden.case)
    ... golden.alternative, golden.options["delta"], golden.values["p_value"]
"""

from __future__ import annotations

import csv
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

HERE = Path(__file__).resolve().parent
INPUTS = HERE / "inputs"
FloatArray = NDArray[np.float64]
Option = bool | float | str


@dataclass(frozen=True)
class Golden:
    """One call in R: what it was about, how it was set, and every value it gave."""

    topic: str
    case: str
    method: str
    alternative: str
    options: Mapping[str, Option]
    values: Mapping[str, float]

    def __str__(self) -> str:
        options = [f"{key}={value}" for key, value in self.options.items()]
        return "/".join(filter(None, [self.case, self.method, self.alternative, *options]))


def parse_option(text: str) -> Option:
    """R's TRUE and FALSE, numbers, otherwise text."""
    if text in {"TRUE", "FALSE"}:
        return text == "TRUE"
    try:
        return float(text)
    except ValueError:
        return text


@lru_cache
def table(topic: str) -> tuple[Golden, ...]:
    """All rows of a topic; neighbouring rows of the same call become one Golden."""
    calls: dict[tuple[str, str, str, str], dict[str, float]] = {}
    with (HERE / f"{topic}.csv").open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(line for line in file if not line.startswith("#")):
            key = (row["case"], row["method"], row["alternative"], row["option"])
            value = np.nan if row["value"] == "NA" else float(row["value"])
            calls.setdefault(key, {})[row["quantity"]] = value
    return tuple(
        Golden(topic, case, method, alternative, parse_options(option), values)
        for (case, method, alternative, option), values in calls.items()
    )


def parse_options(text: str) -> dict[str, Option]:
    """delta=1;exact=TRUE → {"delta": 1.0, "exact": True}."""
    return {key: parse_option(value) for key, value in (part.split("=") for part in text.split(";") if part)}


def load(topic: str, method: str | None = None, **options: Option) -> list[Golden]:
    """The golden values of a topic, of one method, with these options.

    An empty selection is an error: a test over nothing proves nothing.
    """
    chosen = [
        golden
        for golden in table(topic)
        if method in {None, golden.method}
        and all(key in golden.options and golden.options[key] == value for key, value in options.items())
    ]
    if not chosen:
        raise LookupError(f"No golden values in {topic}.csv for method {method!r} and options {options!r}.")
    return chosen


def columns(path: Path) -> dict[str, list[str]]:
    """A CSV file of the inputs, as text by column."""
    with path.open(encoding="utf-8", newline="") as file:
        header, *rows = csv.reader(file)
    return {name: [row[i] for row in rows] for i, name in enumerate(header)}


def numbers(texts: list[str]) -> FloatArray:
    """Numbers of a column; an empty cell is NaN."""
    return np.array([float(text) if text else np.nan for text in texts])


def pair(case: str, folder: str = "pairs") -> tuple[FloatArray, FloatArray]:
    """Scores u and v of a case in inputs/pairs or inputs/unpaired."""
    read = columns(INPUTS / folder / f"{case}.csv")
    u, v = numbers(read["u"]), numbers(read["v"])
    return u[~np.isnan(u)], v[~np.isnan(v)]


def differences(case: str) -> FloatArray:
    """The differences u - v without floating point dust, as the R scripts take them for signs and ranks."""
    u, v = pair(case)
    return np.round(u - v, 6)


def matrix(case: str) -> tuple[list[str], FloatArray]:
    """Names of the systems and scores (items × systems) of a case in inputs/matrices."""
    read = columns(INPUTS / "matrices" / f"{case}.csv")
    names = [name for name in read if name != "item"]
    return names, np.column_stack([numbers(read[name]) for name in names])


def p_values(case: str) -> FloatArray:
    """The p-values of a case in inputs/p_values.csv, in order; a missing one is NaN."""
    read = columns(INPUTS / "p_values.csv")
    return numbers([p for name, p in zip(read["case"], read["p"], strict=True) if name == case])


def significant_pairs(case: str) -> tuple[list[str], NDArray[np.bool_]]:
    """Names of the systems and the symmetric matrix of significant pairs of a case."""
    read = columns(INPUTS / "significant_pairs.csv")
    rows = [row for row in zip(*read.values(), strict=True) if row[0] == case]
    names = sorted({name for row in rows for name in row[1:3]})
    significant = np.zeros((len(names), len(names)), dtype=bool)
    for _, a, b, flag in rows:
        i, j = names.index(a), names.index(b)
        significant[i, j] = significant[j, i] = flag == "1"
    return names, significant


def agree(golden: Golden, *, rel: float = 1e-9, absolute: float = 1e-12, **expected: float) -> None:
    """Assert that the golden values of these quantities are the expected ones."""
    for quantity, value in expected.items():
        wanted = golden.values[quantity]
        assert value == pytest.approx(wanted, rel=rel, abs=absolute, nan_ok=True), f"{golden}: {quantity}"
