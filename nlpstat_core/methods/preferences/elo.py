"""Elo's ratings in the order of time: a picture of a log, never a board."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.random import Generator

from nlpstat_core.arrays import FloatArray, IntArray
from nlpstat_core.engine.resampling.streams import bit_generator
from nlpstat_core.scores.battles import Battles, coded
from nlpstat_core.stopping import stop_if_asked

# As arenas had it: small steps, 400 points for odds of ten to one, everybody begins at 1,000.
STEP, SCALE, START = 4.0, 400.0, 1000.0
POINTS = 200
MOST_BATTLES = 500_000
TIMES = ("tstamp", "timestamp", "time", "created_at", "date", "datetime")


@dataclass(frozen=True, eq=False)
class EloPaths:
    """Ratings after some of the battles.

    after (ints, shape (n_points,)): Battles so far.
    ratings (floats, shape (n_points, n_systems)): In the order of time.
    shuffled (floats, shape (n_systems,)): At the end, with the same battles in another order.
    by: Column of the time; "" where the order of the file stands for it.
    left_out: Battles at the beginning that are not walked through.
    """

    systems: tuple[str, ...]
    after: IntArray
    ratings: FloatArray
    shuffled: FloatArray
    by: str
    left_out: int


def elo_paths(battles: Battles, systems: Sequence[str]) -> EloPaths:
    """Ratings of some systems in the order of time, and where another order would have ended.

    The order of one draw of the seed 0. Cost O(battles), one after the other, so only the last 500,000 count.
    """
    order, by = _in_time(battles)
    left_out = max(0, order.size - MOST_BATTLES)
    order = order[left_out:]
    places = [battles.position(name) for name in systems]
    after = np.unique(np.linspace(0, order.size, POINTS + 1).round().astype(np.int64))
    ratings = _walk(battles, order, after)
    shuffled = _walk(battles, Generator(bit_generator(0, "elo", 0)).permutation(order), after[-1:])
    return EloPaths(tuple(systems), after, ratings[:, places], shuffled[-1, places], by, left_out)


def _walk(battles: Battles, order: IntArray, after: IntArray) -> FloatArray:
    """Ratings of all systems after some numbers of battles."""
    rating = [START] * battles.n_systems
    found = np.full((after.size, battles.n_systems), START)
    left, right = battles.left[order].tolist(), battles.right[order].tolist()
    points = ((1 + battles.outcome[order]) / 2).tolist()
    done = 0
    for row, until in enumerate(after.tolist()):
        stop_if_asked()
        for place in range(done, until):
            a, b = left[place], right[place]
            expected = 1 / (1 + 10 ** ((rating[b] - rating[a]) / SCALE))
            moved = STEP * (points[place] - expected)
            rating[a] += moved
            rating[b] -= moved
        done = until
        found[row] = rating
    return found


def _in_time(battles: Battles) -> tuple[IntArray, str]:
    """Battles in the order of a column of times; in that of the file where there is none."""
    named = {name.casefold(): name for name in battles.labels}
    for word in TIMES:
        if word in named:
            column = np.asarray(battles.labels[named[word]], dtype=object)
            codes, kinds = coded(column, "Times")
            if codes.min() < 0:
                continue
            try:
                values = np.array([float(str(kind)) for kind in kinds])
            except ValueError:
                values = np.argsort(np.argsort(np.array([str(kind) for kind in kinds]), kind="stable"))
            return np.argsort(values[codes], kind="stable"), named[word]
    return np.arange(battles.n_battles), ""
