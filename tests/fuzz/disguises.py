"""Ordinary tables with what people do to them: read right, told of or refused, never wrong without a word."""

from __future__ import annotations

import io
import json
import random
import re
import sys
import warnings
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import openpyxl

from nlpstat_core.arrays import FloatArray
from nlpstat_core.errors import ScoreFileError
from nlpstat_core.readers import read_scores
from nlpstat_core.scores.matrix import ScoreMatrix

SYSTEMS = ("BERT", "GPT-4", "Llama 3", "baseline", "T5-large", "Ensemble", "mBART", "Tower 7B", "ours")
ODD_SYSTEMS = (
    *(
        "bert-7k-steps",
        "gpt-250b-tokens",
        "t5-3-epoch",
        "llama-trial1",
        "confidence",
        "turn",
        "min-max",
        "rank-svm",
    ),
    *(
        "average-ensemble",
        "time-transformer",
        "n-gram",
        "count-model",
        "Median filter",
        "ratio-net",
        "std-norm",
    ),
)
MEANS = ("Average", "Mean", "Mittelwert", "AVG", "Moyenne", "Promedio", "平均", "Total", "Overall")
SPREADS = ("Std", "SD", "stdev", "Std. dev.", "St. Dev.", "Standardabweichung", "Var", "SE")
NOTES = ("* p < 0.05", "Note: bold is best", "† significant", "Source: own runs", "Mean of three runs")
MENDS, MOST_MENDED = ("drop_rows", "repeats"), 5
NUMBER = re.compile(r"\d+(?:\.\d+)?")
HEADS = ("item", "id", "sentence", "segment", "utt_id", "question_id", "dataset")


@dataclass(frozen=True)
class Sheet:
    """A table as text, and what a careful person reads in it.

    head: Name of the column of ids.
    values: Shape (units, systems).
    rows, columns: Further rows, and columns with their names, as text.
    """

    head: str
    units: tuple[str, ...]
    systems: tuple[str, ...]
    values: FloatArray
    cells: tuple[tuple[str, ...], ...]
    rows: tuple[tuple[str, ...], ...] = ()
    columns: tuple[tuple[str, tuple[str, ...]], ...] = ()

    @property
    def lines(self) -> list[list[str]]:
        """Header and rows."""
        header = [self.head, *self.systems, *(name for name, _ in self.columns)]
        body = [
            [unit, *cells, *(texts[row] for _, texts in self.columns)]
            for row, (unit, cells) in enumerate(zip(self.units, self.cells, strict=True))
        ]
        return [header, *body, *([*row, *[""] * (len(header) - len(row))] for row in self.rows)]


Lines = list[list[str]]
Mutation = Callable[[Sheet, random.Random], Sheet | Lines]


def sheet(rng: random.Random) -> Sheet:
    """A plain table: systems that differ a little on units that differ much."""
    draws = np.random.default_rng(rng.randrange(1 << 30))
    n_units, n_systems = rng.randrange(8, 40), rng.randrange(3, 7)
    hard, skill = draws.uniform(0.2, 0.8, (n_units, 1)), draws.uniform(-0.1, 0.1, n_systems)
    share = np.clip(hard + skill + draws.normal(0, 0.06, (n_units, n_systems)), 0.01, 0.99)
    values = np.round(share * 100, 1) if rng.random() < 0.5 else np.round(share, 3)
    prefix = rng.choice(("s", "u", "q", "seg ", "news_", "Item-"))
    units = tuple(f"{prefix}{i}" for i in range(1, n_units + 1))
    if rng.random() < 0.4:
        units = tuple(str(i) for i in range(1, n_units + 1))
    systems = tuple(rng.sample(SYSTEMS, n_systems))
    cells = tuple(tuple(map(repr, row)) for row in values.tolist())
    return Sheet(rng.choice(HEADS), units, systems, values, cells)


def _text(values: FloatArray) -> tuple[str, ...]:
    return tuple(f"{value:.3f}" for value in values.tolist())


def statistic_rows(one: Sheet, rng: random.Random) -> Sheet:
    """Means, spreads, extremes or counts below the scores, as they are."""
    kinds = {
        rng.choice(MEANS): one.values.mean(axis=0),
        rng.choice(SPREADS[:6]): one.values.std(axis=0, ddof=rng.randrange(2)),
        "Min": one.values.min(axis=0),
        "Max": one.values.max(axis=0),
        "Median": np.median(one.values, axis=0),
        "N": np.full(len(one.systems), float(len(one.units))),
    }
    if "Total" in kinds:
        kinds["Total"] = one.values.sum(axis=0)
    names = rng.sample(list(kinds), rng.randrange(1, 4))
    return replace(one, rows=tuple((name, *_text(kinds[name])) for name in names))


def statistic_columns(one: Sheet, rng: random.Random) -> Sheet:
    """A mean, spread or extreme of the systems beside them, or a spread beside one."""
    kinds = {
        rng.choice(MEANS[:7]): one.values.mean(axis=1),
        rng.choice(SPREADS[:6]): one.values.std(axis=1),
        "Max": one.values.max(axis=1),
        f"{one.systems[0]}_std": np.abs(
            np.random.default_rng(1).normal(0, 0.02, len(one.units)) * one.values.mean()
        ),
    }
    names = rng.sample(list(kinds), rng.randrange(1, 3))
    return replace(one, columns=tuple((name, _text(kinds[name])) for name in names))


def renamed_systems(one: Sheet, rng: random.Random) -> Sheet:
    """Systems whose names may say something else."""
    some = rng.sample(ODD_SYSTEMS, rng.randrange(1, len(one.systems)))
    return replace(one, systems=(*some, *one.systems[len(some) :]))


def written_cells(one: Sheet, rng: random.Random) -> Lines:
    """Percent signs or decimal commas, in all columns or in one."""
    lines = one.lines
    form = rng.choice(
        (lambda cell: f"{cell}%", lambda cell: f"{cell} %", lambda cell: cell.replace(".", ","))
    )
    for column in range(1, len(lines[0])) if rng.random() < 0.6 else [rng.randrange(1, len(lines[0]))]:
        for row in lines[1:]:
            row[column] = form(row[column])
    return lines


def transposed(one: Sheet, rng: random.Random) -> Lines:
    """Systems as rows, under the word for units, for systems, or none."""
    lines = [list(row) for row in zip(*one.lines, strict=True)]
    lines[0][0] = rng.choice((one.head, "", "system", "model", "dataset_name", "topic"))
    return lines


def repeated_headers(one: Sheet, rng: random.Random) -> Lines:
    """The header once more amid the rows."""
    lines = one.lines
    lines.insert(rng.randrange(2, len(lines)), list(lines[0]))
    return lines


def footnotes(one: Sheet, rng: random.Random) -> Lines:
    """Remarks below the table, with or without the delimiters of a row."""
    pad = rng.random() < 0.5
    return [*one.lines, *([note, *([""] * len(one.systems) if pad else [])] for note in rng.sample(NOTES, 2))]


def duplicated_rows(one: Sheet, rng: random.Random) -> Lines:
    """Rows that stand twice."""
    lines = one.lines
    return [*lines, *(list(row) for row in rng.sample(lines[1:], rng.randrange(1, 4)))]


def timestamps(one: Sheet, rng: random.Random) -> Lines:
    """Units measured several times, with the time of each."""
    header, *rows = one.lines
    told = [
        [row[0], f"2025-01-{1 + again:02}T10:{i:02}:00", *row[1:]]
        for i, row in enumerate(rows)
        for again in range(1 + i % 2)
    ]
    return [[header[0], "timestamp", *header[1:]], *told]


def outlier_typo(one: Sheet, rng: random.Random) -> Sheet:
    """A cell whose decimal point was lost, so that it lies far outside."""
    row, column = rng.choice(np.argwhere(one.values > 0.4 * one.values.max()).tolist())
    cells = [list(some) for some in one.cells]
    cells[row][column] = cells[row][column].removeprefix("0.").replace(".", "") + rng.choice(("", "0"))
    return replace(one, cells=tuple(map(tuple, cells)))


def other_scale(one: Sheet, rng: random.Random) -> Sheet:
    """One column in percent beside shares, or the other way round."""
    column, factor = rng.randrange(len(one.systems)), 100.0 if one.values.max() <= 1 else 0.01
    cells = [list(some) for some in one.cells]
    for row in cells:
        row[column] = repr(round(float(row[column]) * factor, 5))
    return replace(one, cells=tuple(map(tuple, cells)))


def epochs(one: Sheet, rng: random.Random) -> Sheet:
    """Seconds since 1970, a counter or a step beside the systems."""
    start, n = 1_700_000_000 + rng.randrange(10_000), len(one.units)
    kinds = {
        "tstamp": [start + 7 * i + rng.randrange(5) for i in range(n)],
        "timestamp": [start + rng.randrange(90_000) for _ in range(n)],
        "epoch": [1 + i // 3 for i in range(n)],
        "step": [100 * (i + 1) for i in range(n)],
        "ts": [float(start + 7 * i) + 0.25 for i in range(n)],
    }
    name = rng.choice(list(kinds))
    return replace(one, columns=((name, tuple(map(str, kinds[name]))),))


def told_columns(one: Sheet, rng: random.Random) -> Sheet:
    """What is told of the items beside the systems: a size, a number of words, a grade, a remark."""
    n = len(one.units)
    kinds = {
        "n": [rng.randrange(20, 3_000) for _ in range(n)],
        "words": [rng.randrange(5, 40) for _ in range(n)],
        "Difficulty": [rng.randrange(1, 6) for _ in range(n)],
        "Comment": [rng.choice(("", "", "odd", "see below")) for _ in range(n)],
        "Consensus": [f"{mean:.4f}" for mean in one.values.mean(axis=1).tolist()],
    }
    name = rng.choice(list(kinds))
    return replace(one, columns=((name, tuple(map(str, kinds[name]))),))


def settings_rows(one: Sheet, rng: random.Random) -> Lines:
    """Years or parameters of the systems as the first row or the last."""
    header, *rows = one.lines
    low, high = rng.choice(((2015, 2026), (1_000, 70_000)))
    told = [rng.choice(("year", "params", "release")), *(str(rng.randrange(low, high)) for _ in one.systems)]
    return [header, told, *rows] if rng.random() < 0.5 else [header, *rows, told]


def group_means(one: Sheet, rng: random.Random) -> Lines:
    """A mean below each group of rows, under one name or another for each."""
    header, *rows = one.lines
    size, same = rng.randrange(3, 8), rng.random() < 0.5
    found = [header]
    for start in range(0, len(rows), size):
        means = _text(one.values[start : start + size].mean(axis=0))
        found += [*rows[start : start + size], ["Subtotal" if same else f"Average {start // size}", *means]]
    return found


def marked_column(one: Sheet, rng: random.Random) -> Lines:
    """One system with a spread, a unit or a sign at every number."""
    lines, column = one.lines, rng.randrange(1, 1 + len(one.systems))
    form = rng.choice(
        ("{} ± 0.3", "{} (0.3)", "**{}**", "{}*", "{}_0.3", "{} pts", "~{}", "${} \\pm 1$", "{}/100")
    )
    for row in lines[1:]:
        row[column] = form.format(row[column])
    return lines


def loose_sheet(one: Sheet, rng: random.Random) -> Lines:
    """A title above, an empty row amid and remarks in a column without a score below them."""
    header, *rows = one.lines
    middle, blank = rng.randrange(1, len(rows)), [""] * len(header)
    title = [["Results of all runs", *blank[1:]], blank]
    return [*title, header, *rows[:middle], blank, *rows[middle:]]


def resamples(one: Sheet, rng: random.Random) -> Sheet:
    """Runs of one system under numbers."""
    prefix, start = rng.choice(("", "fold", "seed_", "run ", "resample_")), rng.randrange(2)
    start = 0 if prefix == "run " else start  # run1, run2 are TREC's names of systems
    names = tuple(f"{prefix}{start + i}" for i in range(len(one.systems)))
    return replace(one, head=rng.choice(("dataset", "Resamples:", "")), systems=names)


def as_sheet(one: Sheet, rng: random.Random) -> Sheet | Lines:
    """Statistics, numbers as text, or a title with statistics, in a workbook."""
    both: Mutation = lambda one, rng: loose_sheet(statistic_rows(one, rng), rng)
    return rng.choice((statistic_rows, written_cells, both))(one, rng)


def sides(one: Sheet, rng: random.Random) -> Lines:
    """Two tables side by side, or one below the other."""
    lines = one.lines
    if rng.random() < 0.5:
        return [[*row, "", *row] for row in lines]
    return [*lines, [""] * len(lines[0]), *lines]


# What stands in the scores after a mutation can't be told by anybody from the file: it must not be silent.
UNKNOWABLE = {"outlier typo", "other scale", "resamples"}
MUTATIONS: dict[str, Mutation] = {
    "none": lambda one, rng: one,
    "statistics rows": statistic_rows,
    "statistics columns": statistic_columns,
    "renamed systems": renamed_systems,
    "percent signs, decimal commas": written_cells,
    "transposed": transposed,
    "repeated headers": repeated_headers,
    "footnotes": footnotes,
    "duplicated rows": duplicated_rows,
    "timestamps": timestamps,
    "outlier typo": outlier_typo,
    "other scale": other_scale,
    "epoch columns": epochs,
    "columns on the items": told_columns,
    "rows on the systems": settings_rows,
    "means of groups": group_means,
    "marks in one column": marked_column,
    "title and empty rows": loose_sheet,
    "resamples": resamples,
    "two tables": sides,
    "workbook": as_sheet,
}


def disguised(number: int, index: int) -> tuple[str, Sheet, bytes]:
    """Input `index` of a seed: its mutation, the truth and the file."""
    rng = random.Random(number * 1_000_003 + index)
    kind = list(MUTATIONS)[index % len(MUTATIONS)]
    one = sheet(rng)
    made = MUTATIONS[kind](one, rng)
    truth = made if isinstance(made, Sheet) else one
    lines = made.lines if isinstance(made, Sheet) else made
    if kind == "workbook":
        return kind, truth, workbook(lines)
    commas = any("," in cell for line in lines for cell in line)
    sign = rng.choice(";\t") if commas else rng.choice(",,;\t")
    return kind, truth, "\n".join(sign.join(line) for line in lines).encode()


def workbook(lines: Lines) -> bytes:
    """Rows as a sheet: numbers where a cell is one, else text."""
    book, target = openpyxl.Workbook(), io.BytesIO()
    for row in lines:
        book.active.append([float(cell) if NUMBER.fullmatch(cell) else cell for cell in row])
    book.save(target)
    return target.getvalue()


def outcome(kind: str, truth: Sheet, data: bytes) -> str:
    """What came of an input.

    Returns: "right"; "told": not so, with a problem that keeps the headline back; "mended": refused, and
    right once done what the refusal says; "refused"; or "wrong".
    """
    choices: dict[str, Any] = {}
    for _ in range(MOST_MENDED):
        try:
            scores = read_scores((data, "scores.csv"), **choices)
        except ScoreFileError as error:
            told = [one for one in error.sentence.remedies if one.keyword in MENDS and one.value is not None]
            if not told:
                return "refused"
            if told[0].keyword == "drop_rows":
                choices["drop_rows"] = [*choices.get("drop_rows", ()), str(told[0].value)]
            else:
                choices[told[0].keyword] = told[0].value
            continue
        if kind not in UNKNOWABLE and _is(scores, truth):
            return "mended" if choices else "right"
        return "told" if any(note.severity == "problem" for note in scores.notes) else "wrong"
    return "refused"


def _is(scores: ScoreMatrix, truth: Sheet) -> bool:
    if set(scores.systems) != set(truth.systems) or scores.units is None:
        return False
    there = scores.present.any(axis=1)  # units without any score count nowhere
    units = [unit for unit, any_score in zip(scores.units, there, strict=True) if any_score]
    if units != list(truth.units):
        return False
    order = [scores.systems.index(system) for system in truth.systems]
    return bool(np.allclose(scores.values[there][:, order], truth.values, atol=1e-9))


def main() -> int:
    """Arguments: seed, first input, number of inputs. The counts, and the inputs that were wrong, as JSON."""
    number, start, count = map(int, sys.argv[1:4])
    warnings.simplefilter("error")
    found: dict[str, Counter[str]] = {kind: Counter() for kind in MUTATIONS}
    wrong: list[str] = []
    for index in range(start, start + count):
        kind, truth, data = disguised(number, index)
        what = outcome(kind, truth, data)
        found[kind][what] += 1
        if what == "wrong":
            wrong.append(f"disguise {index} ({kind})")
    print(json.dumps([found, wrong]))
    return 0


if __name__ == "__main__":
    sys.exit(main())
