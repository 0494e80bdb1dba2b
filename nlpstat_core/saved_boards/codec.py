"""A score matrix as Parquet and back: everything that its fingerprint and its reports depend on."""

import hashlib
import io
import json
from typing import Any

import numpy as np

from nlpstat_core.arrays import FloatArray
from nlpstat_core.notes import Note
from nlpstat_core.saved_boards.errors import BoardError
from nlpstat_core.scores.counts import Counts
from nlpstat_core.scores.matrix import ScoreMatrix
from nlpstat_core.scores.ratings import Ratings
from nlpstat_core.scores.runs import Runs

_KEY = b"nlpstat"
_LAYOUT = 1


def canonical(value: Any) -> str:
    """Plain data as JSON that is the same text for the same data, on every machine.

    >>> canonical({"b": 1, "a": "é"})
    '{"a":"\\\\u00e9","b":1}'
    """
    return json.dumps(value, sort_keys=True, ensure_ascii=True, separators=(",", ":"), allow_nan=False)


def digest(data: bytes) -> str:
    """SHA-256 in hexadecimal digits."""
    return hashlib.sha256(data).hexdigest()


def to_parquet(scores: ScoreMatrix) -> bytes:
    """Scores as the bytes of a Parquet file.

    Raises BoardError: A name that is not valid Unicode; a measure that is no mean.
    """
    import pyarrow as pa
    import pyarrow.parquet as pq

    if scores.measured is not None:
        raise BoardError(
            f"A board of {scores.measured.label} can't be saved: the outputs behind it are not kept. Keep "
            "its settings file with gold and outputs instead."
        )
    about = {
        "layout": _LAYOUT,
        "systems": list(scores.systems),
        "labels": list(scores.labels),
        "lower_is_better": scores.lower_is_better,
        "metric": scores.metric,
        "source": scores.source,
        "reading": dict(scores.reading),
        "notes": [note.to_dict() for note in scores.notes],
        "counts": None if scores.counts is None else scores.counts.kind,
        "runs": None if scores.runs is None else _about_runs(scores.runs),
        **({"costs": list(scores.costs)} if scores.costs else {}),
        **({} if scores.ratings is None else {"ratings": _about_ratings(scores.ratings)}),
    }
    columns: dict[str, Any] = {f"score {i}": scores.values[:, i] for i in range(scores.n_systems)}
    if scores.counts is not None:
        for i in range(scores.n_systems):
            columns[f"hits {i}"] = scores.counts.hits[:, i]
            columns[f"misses {i}"] = scores.counts.misses[:, i]
    for i, table in enumerate(() if scores.runs is None else scores.runs.values):
        columns |= {f"run {i} {j}": table[:, j] for j in range(table.shape[1])}
    for j, cost in enumerate(scores.costs.values()):
        columns |= {f"cost {j} {i}": cost[:, i] for i in range(scores.n_systems)}
    try:
        texts = {} if scores.units is None else {"unit": pa.array(scores.units, pa.string())}
        texts |= {
            f"label {i}": pa.array(values, pa.string()) for i, values in enumerate(scores.labels.values())
        }
    except UnicodeEncodeError as error:
        raise BoardError("A name of an item is not valid Unicode; rename it before saving.") from error
    # NaN stays NaN: a missing score is no null, whose bits could differ.
    numbers = {name: pa.array(np.ascontiguousarray(column)) for name, column in columns.items()}
    if scores.ratings is not None:
        numbers |= _rating_columns(scores.ratings)
    table = pa.table({**texts, **numbers}).replace_schema_metadata({_KEY: canonical(about).encode()})
    made = io.BytesIO()
    pq.write_table(table, made, compression="zstd")
    return made.getvalue()


def _about_ratings(ratings: Ratings) -> dict[str, Any]:
    """How many raters there are: who they are no number depends on, and nobody else is to read."""
    return {"raters": len(ratings.names), "column": ratings.column}


def _rating_columns(ratings: Ratings) -> dict[str, Any]:
    """The ratings of every item as lists, each with its place among all ratings."""
    import pyarrow as pa

    order = np.argsort(ratings.items, kind="stable")
    many = np.bincount(ratings.items, minlength=ratings.shape[0])
    offsets = pa.array(np.concatenate([[0], np.cumsum(many)]), pa.int32())
    lists = {"place": order, "system": ratings.systems, "rater": ratings.raters, "score": ratings.scores}
    return {
        f"rating {name}": pa.ListArray.from_arrays(
            offsets, pa.array(np.ascontiguousarray(values if name == "place" else values[order]))
        )
        for name, values in lists.items()
    }


def _ratings(table: Any, about: dict[str, Any], shape: tuple[int, int]) -> Ratings:
    lists = {name: table[f"rating {name}"].combine_chunks() for name in ("place", "system", "rater", "score")}
    flat = {name: np.asarray(column.flatten().to_numpy()) for name, column in lists.items()}
    many = np.diff(np.asarray(lists["place"].offsets.to_numpy()))
    back = np.argsort(flat["place"], kind="stable")
    return Ratings(
        items=np.repeat(np.arange(shape[0]), many)[back],
        systems=flat["system"].astype(np.int64)[back],
        raters=flat["rater"].astype(np.int64)[back],
        scores=flat["score"].astype(np.float64)[back],
        names=tuple(str(number) for number in range(1, 1 + about["raters"])),
        column=about["column"],
        shape=shape,
    )


def _about_runs(runs: Runs) -> dict[str, Any]:
    return {
        "names": [list(names) for names in runs.names],
        "column": runs.column,
        "proposal": runs.proposal,
        "pooled": runs.pooled,
    }


def from_parquet(data: bytes) -> ScoreMatrix:
    """The scores in a Parquet file that `to_parquet` made. Raises BoardError: It is none, or was changed."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        table = pq.ParquetFile(pa.BufferReader(data)).read()
        about = json.loads((table.schema.metadata or {})[_KEY])
        if about["layout"] != _LAYOUT:
            raise BoardError("These scores were saved by a later version; update this program.")
        return _scores(table, about)
    except (
        *(pa.ArrowException, LookupError, TypeError, AttributeError),
        *(ArithmeticError, OSError, RecursionError),
    ) as error:
        raise BoardError(
            "The saved scores are damaged: they are not a table that this program wrote."
        ) from error
    except ValueError as error:  # also what the matrix itself refuses
        raise BoardError(f"The saved scores are damaged: {error}") from error


def _scores(table: Any, about: dict[str, Any]) -> ScoreMatrix:
    def numbers(name: str) -> FloatArray:
        found: FloatArray = np.asarray(table[name].to_numpy(), dtype=np.float64)
        return found

    names = table.column_names
    systems = range(len(about["systems"]))
    values = np.stack([numbers(f"score {i}") for i in systems], axis=1)
    counts, runs = about["counts"], about["runs"]
    return ScoreMatrix(
        values=values,
        systems=tuple(about["systems"]),
        units=tuple(table["unit"].to_pylist()) if "unit" in names else None,
        labels={name: tuple(table[f"label {i}"].to_pylist()) for i, name in enumerate(about["labels"])},
        lower_is_better=bool(about["lower_is_better"]),
        metric=about["metric"],
        source=about["source"],
        reading=about["reading"],
        notes=tuple(Note(**note) for note in about["notes"]),
        ratings=_ratings(table, about["ratings"], values.shape) if "ratings" in about else None,
        costs={
            name: np.stack([numbers(f"cost {j} {i}") for i in systems], axis=1)
            for j, name in enumerate(about.get("costs", ()))
        },
        counts=None
        if counts is None
        else Counts(
            kind=counts,
            hits=np.stack([numbers(f"hits {i}") for i in systems], axis=1),
            misses=np.stack([numbers(f"misses {i}") for i in systems], axis=1),
        ),
        runs=None
        if runs is None
        else Runs(
            values=tuple(
                np.stack([numbers(f"run {i} {j}") for j in range(len(runs["names"][i]))], axis=1)
                for i in systems
            ),
            names=tuple(map(tuple, runs["names"])),
            column=runs["column"],
            proposal=runs["proposal"],
            pooled=runs["pooled"],
        ),
    )
