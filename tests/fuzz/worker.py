"""A process that reads inputs until it is told to stop; it may be killed by one of them."""

from __future__ import annotations

import json
import random
import resource
import signal
import sys
import warnings
from collections.abc import Iterator
from typing import Any

import numpy as np

from nlpstat_core.readers import READERS
from nlpstat_core.scores.matrix import ScoreMatrix
from tests.fuzz.check import check
from tests.fuzz.formats import FORMATS
from tests.fuzz.mutations import damaged, random_bytes

SECONDS = 30  # a hang
MEMORY = 6 * 1024**3
SEEDS_EACH = 6
ONE_DEEP = 40  # one input in so many also goes through the preview and the command line
KEYS = [*[None] * (5 * len(READERS)), *(reader.key for reader in READERS)]


def seed_files(number: int) -> dict[str, list[tuple[bytes, str]]]:
    """Some whole files of every format.

    Parameters
    ----------
    number : int
        Seed.
    """
    rng = np.random.default_rng(number)
    found: dict[str, list[tuple[bytes, str]]] = {}
    for format in FORMATS:
        files = []
        for _ in range(SEEDS_EACH):
            n_units, n_systems = int(rng.integers(3, 40)), int(rng.integers(2, 7))
            values = np.round(rng.random((n_units, n_systems)) * rng.choice([1, 100]), 3)
            if format.gaps:
                values[1:, 1:][rng.random((n_units - 1, n_systems - 1)) < 0.05] = np.nan
            names = tuple(f"sys{'ABCDEFG'[i]}" for i in range(n_systems))
            units = tuple(f"u{i}" for i in range(n_units))
            files += format.write(ScoreMatrix(values=values, systems=names, units=units)).files
        found[format.key] = files
    return found


def inputs(
    number: int, start: int, count: int
) -> Iterator[tuple[int, str, bytes, str, dict[str, Any], bool]]:
    """Inputs start, start + 1 …; each depends on the seed and its own number only.

    Parameters
    ----------
    number : int
        Seed.
    start, count : int

    Yields
    ------
    tuple
        Number, what it was made from, bytes, file name, choices, whether to go deep.
    """
    files = seed_files(number)
    everything = [data for some in files.values() for data, _ in some]
    for index in range(start, start + count):
        rng = random.Random(number * 1_000_003 + index)
        if index % 10 == 9:
            kind, data, name = "random bytes", random_bytes(rng), "x.csv"
        else:
            kind = FORMATS[index % len(FORMATS)].key
            own, name = [data for data, _ in files[kind]], files[kind][0][1]
            data = damaged(own if rng.random() < 0.8 else everything, rng)
        key = rng.choice(KEYS)
        yield index, kind, data, name, {} if key is None else {"format": key}, rng.randrange(ONE_DEEP) == 0


def main() -> int:
    """Arguments: seed, first input, number of inputs. One JSON line for each input."""
    number, start, count = map(int, sys.argv[1:4])
    warnings.simplefilter("error")
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    signal.signal(signal.SIGALRM, _too_long)
    for index, kind, data, name, choices, deep in inputs(number, start, count):
        signal.alarm(SECONDS)
        seen = check(data, name, choices, deep)
        signal.alarm(0)
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        row = [index, kind, len(data), seen.outcome, seen.message, round(seen.seconds, 5), peak, deep]
        print(json.dumps(row), flush=True)
    return 0


def _too_long(*_: object) -> None:
    raise TimeoutError(f"longer than {SECONDS} s")


if __name__ == "__main__":
    sys.exit(main())
