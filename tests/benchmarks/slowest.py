"""`python -m tests.benchmarks.slowest`: which of many searched pairs takes a board the longest."""

from __future__ import annotations

import argparse
import heapq
from time import thread_time

from nlpstat_core.engine.resampling.blas import one_blas_thread
from nlpstat_core.engine.signflip.columns import sign_flip_columns
from nlpstat_core.engine.signflip.outcome import KINDS
from tests.core.searched_pairs import searched_pair

# Among so many of the slowest at the first look is the slowest at the quickest of several.
LOOKED_AT_AGAIN, LOOKS = 60, 5


def seconds(number: int, most_units: int, looks: int = 1) -> tuple[float, str]:
    """Processor time of one pair, the least of some looks, and the kind of its p-value."""
    z = searched_pair(number, most_units)[:, None]
    took = []
    for _ in range(looks):
        with one_blas_thread():  # a second thread's time would not be counted
            begun = thread_time()
            found = sign_flip_columns(z)
            took.append(thread_time() - begun)
    return min(took), KINDS[found.kind[0]]


def main() -> None:
    """Time so many pairs; print the slowest, timed again, and what all took."""
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks.slowest", description=__doc__)
    parser.add_argument("--pairs", type=int, default=100_000)
    parser.add_argument("--units", type=int, default=3_000, help="most units of a pair")
    parser.add_argument("--start", type=int, default=0, help="number of the first pair")
    asked = parser.parse_args()
    slow: list[tuple[float, int]] = []
    taken = 0.0
    for number in range(asked.start, asked.start + asked.pairs):
        one, _ = seconds(number, asked.units)
        taken += one
        heapq.heappush(slow, (one, number))
        if len(slow) > LOOKED_AT_AGAIN:
            heapq.heappop(slow)
    again = sorted(((*seconds(number, asked.units, LOOKS), number) for _, number in slow), reverse=True)
    print(
        f"{asked.pairs:,} pairs from {asked.start:,}, {taken / asked.pairs * 1e3:.2f} ms each; the slowest:"
    )
    for one, kind, number in again[:20]:
        print(f"{one * 1e3:.1f} ms, {kind}, pair {number}, {searched_pair(number, asked.units).size:,} items")


if __name__ == "__main__":
    main()
