"""Pairs in Parquet files, one a block: first as they are computed, then with their decisions."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from nlpstat_core.arrays import FloatArray, IntArray
from nlpstat_core.board.blocks.thresholds import bins_of
from nlpstat_core.board.pairs.columns import ChunkColumns
from nlpstat_core.engine.columns.outcomes import P_KINDS
from nlpstat_core.errors import AnalysisError, NlpstatError, shown
from nlpstat_core.installed import packages_problem
from nlpstat_core.methods.significance import TESTS

if TYPE_CHECKING:
    import pyarrow as pa

# What a pair takes on the disk at most, an effect size of it, and a file besides.
BYTES_OF_A_PAIR, BYTES_OF_AN_EFFECT, BYTES_OF_A_FILE = 90, 24, 1 << 15
# Pairs that are written to see how long it takes.
_SEEN = 1 << 16


@dataclass(frozen=True)
class PairFiles:
    """The files of all blocks in a folder; `systems`: names that positions stand for."""

    folder: Path
    systems: tuple[str, ...]

    @classmethod
    def new(cls, folder: Path, systems: tuple[str, ...]) -> "PairFiles":
        """In a folder of their own, which is made where it isn't there.

        Raises NlpstatError: Parquet can't be written here, or the folder isn't empty or can't be made.
        """
        if problem := packages_problem("Pairs in files need", "parquet"):
            raise NlpstatError(f"{problem}.")
        try:
            folder.mkdir(parents=True, exist_ok=True)
            if any(folder.iterdir()):
                raise AnalysisError(f"The folder {shown(folder)} isn't empty: name a new one for the pairs.")
        except OSError as error:
            raise NlpstatError(f"The folder {shown(folder)} can't be made: {error.strerror}.") from error
        return cls(folder, systems)

    def computed(self, block: int) -> Path:
        """Where a block stands until its pairs are decided."""
        return self.folder / f".computed-{block:06}.parquet"

    def decided(self, block: int) -> Path:
        """Where a block stands in the end."""
        return self.folder / f"pairs-{block:06}.parquet"

    def write(self, block: int, left: IntArray, right: IntArray, columns: ChunkColumns) -> None:
        """Keep what was computed of a block."""
        import pyarrow as pa

        kept: dict[str, Any] = {"left": left.astype(np.int32), "right": right.astype(np.int32)}
        for name in ("n_units", "score_a", "score_b", "difference", "statistic", "p_value", "log10_p"):
            kept[name] = columns[name]
        kept["interval_low"], kept["interval_high"] = columns["interval"].T
        for name, values in columns.items():
            kind, _, key = name.partition(":")
            if kind in ("effect", "estimate"):
                kept[key] = values
            elif kind in ("effect-interval", "estimate-interval"):
                kept[f"{key}_low"], kept[f"{key}_high"] = values.T
        for name in ("test_code", "p_kind", "direction"):
            kept[name] = columns[name]
        _write(
            pa.table({name: np.ascontiguousarray(values) for name, values in kept.items()}),
            self.computed(block),
        )

    def read(self, block: int, names: list[str]) -> dict[str, Any]:
        """Some of the computed columns of a block."""
        import pyarrow.parquet as pq

        table = pq.read_table(self.computed(block), columns=names)
        return {name: table[name].to_numpy() for name in names}

    def p_values_in(self, blocks: int, bins: IntArray) -> tuple[FloatArray, IntArray]:
        """The p-values in some bins of all blocks: each once, ascending, and how often it occurs."""
        values, times = np.zeros(0), np.zeros(0, dtype=np.int64)
        for block in range(blocks):
            p = self.read(block, ["p_value"])["p_value"]
            p = p[~np.isnan(p)]
            own, many = np.unique(p[np.isin(bins_of(p), bins)], return_counts=True)
            values, place = np.unique(np.concatenate([values, own]), return_inverse=True)
            times = np.bincount(place, np.concatenate([times, many]), values.size).astype(np.int64)
        return values, times

    def decide(self, block: int, decisions: Mapping[str, Any]) -> None:
        """Write a block again, with names instead of positions and what was decided, and drop the first."""
        import pyarrow as pa
        import pyarrow.parquet as pq

        table = pq.read_table(self.computed(block))
        names = pa.array(self.systems)
        columns: dict[str, pa.Array] = {
            "system_a": pa.DictionaryArray.from_arrays(table["left"].combine_chunks(), names),
            "system_b": pa.DictionaryArray.from_arrays(table["right"].combine_chunks(), names),
        }
        for name in table.column_names:
            if name not in ("left", "right", "test_code", "p_kind", "direction"):
                columns[name] = table[name]
        undefined = np.isnan(table["p_value"].to_numpy())
        columns["test"] = _named(table["test_code"].to_numpy(), TESTS.keys)
        columns["p_kind"] = _named(np.where(undefined, -1, table["p_kind"].to_numpy()), P_KINDS)
        for name, values in decisions.items():
            columns[name] = _named(*values) if isinstance(values, tuple) else pa.array(values)
        _write(pa.table(columns), self.decided(block))
        self.computed(block).unlink()

    def row(self, block: int, row: int) -> dict[str, Any]:
        """One pair of a decided block, by column."""
        import pyarrow.parquet as pq

        found: list[dict[str, Any]] = pq.read_table(self.decided(block)).slice(row, 1).to_pylist()
        return found[0]

    def remove(self) -> None:
        """Take back everything that was written."""
        for path in self._own():
            path.unlink(missing_ok=True)
        if not any(self.folder.iterdir()):
            self.folder.rmdir()

    def _own(self) -> Iterator[Path]:
        yield from self.folder.glob(".computed-*.parquet")
        yield from self.folder.glob("pairs-*.parquet")


def _named(codes: IntArray, names: tuple[str, ...]) -> "pa.Array":
    """Names by their positions; none where that is −1."""
    import pyarrow as pa

    positions = pa.array(np.asarray(codes, dtype=np.int32), mask=np.asarray(codes) < 0)
    return pa.DictionaryArray.from_arrays(positions, pa.array(names))


def _write(table: "pa.Table", path: Path) -> None:
    import pyarrow.parquet as pq

    try:
        pq.write_table(table, path)
    except OSError as error:
        raise NlpstatError(
            f"The pairs can't be written to {shown(path.parent)}: {error.strerror}."
        ) from error


def seconds_of_writing(n_pairs: int, numbers: int, distinct: int, clock: Callable[[], float]) -> float:
    """About how long so many pairs of so many numbers take to be written, read and written with decisions.

    distinct: How many different values a column has, about: equal ones are written once.
    Returns: Seconds; 0 where Parquet can't be written here.
    """
    if packages_problem("", "parquet"):
        return 0.0
    import pyarrow as pa
    import pyarrow.parquet as pq

    rng, seen = np.random.default_rng(0), min(n_pairs, _SEEN)
    columns = {
        str(number): rng.random(distinct)[rng.integers(0, distinct, seen)] for number in range(numbers)
    }
    table = pa.table(columns)
    begun = clock()
    pq.write_table(table, kept := BytesIO())
    pq.write_table(pq.read_table(kept), BytesIO())
    return (clock() - begun) * n_pairs / seen
