"""The leaderboard: scores with intervals; rank intervals, clusters and letters from the pair decisions."""

from dataclasses import replace

import numpy as np

from nlpstat_core.arrays import ROUNDING, BoolArray, FloatArray, IntArray
from nlpstat_core.board.ranking.letters import letters
from nlpstat_core.board.ranking.system_scores import BoardScores, board_scores
from nlpstat_core.results.columns import Leaderboard, PairTable
from nlpstat_core.scores.direction import advantage
from nlpstat_core.scores.matrix import ScoreMatrix

# Scores are the same whose difference is below this part of the largest.
_SAME = 1e-12
PAIRS_AT_ONCE = 1 << 20


def rank_systems(
    scores: ScoreMatrix, pairs: PairTable, *, level: float, all_pairs: bool, block_ids: IntArray | None = None
) -> tuple[Leaderboard, PairTable]:
    """Systems by score, with what the pair decisions say about their ranks.

    all_pairs: Whether every pair was compared; without, rank intervals, clusters and letters are undefined.
    block_ids (int array, shape (n_units,), or None): Number of the block (document) of each unit; intervals
        are then cluster-robust.
    Returns Leaderboard: Best first; ties keep the column order and share the rank. Groups of systems that no
        unit connects stand one after the other, each with ranks of its own. A system without any score stands
        behind all others of its group and widens nothing of theirs.
    Returns PairTable: A pair whose decision on its shared units contradicts the order of the board is no
        longer separated (note "direction-contradicts-board"), so that no rank lies outside its interval.
    """
    # Where pairs were compared as independent samples, it was the scores of own units that were compared.
    found = board_scores(scores, level, block_ids, own_units=bool(pairs.unpaired.any()))
    pairs = in_order_of(found, pairs)
    order, rank = places(scores, found)
    rank_interval = cluster = carried = None
    if all_pairs:
        beats = beats_matrix(pairs)
        beats |= behind_all(found.score)
        rank_interval = rank_intervals(beats)[order]
        beats = beats[np.ix_(order, order)]
        cluster = clusters(beats)
        beats |= beats.T
        carried = letters(beats)
        if carried is not None:  # a letter joins systems that were compared
            empty = np.isnan(found.score[order])
            carried = tuple("" if none else own for none, own in zip(empty, carried, strict=True))
    board = Leaderboard(
        system=tuple(scores.systems[i] for i in order),
        column=order,
        rank=rank[order],
        score=found.score[order],
        n_units=found.n_units[order],
        interval=found.interval[order],
        rank_interval=rank_interval,
        cluster=cluster,
        letters=carried,
        own_score=None if found.own_score is None else found.own_score[order],
        group=found.group[order] if found.group.max() > 1 else None,
    )
    return board, pairs


def places(scores: ScoreMatrix, found: BoardScores) -> tuple[IntArray, IntArray]:
    """Columns by place on the board, best first, and the rank of every column."""
    key = np.where(np.isnan(found.score), np.inf, -advantage(found.score, scores.lower_is_better))
    largest = float(np.fmax.reduce(np.abs(scores.values), axis=None, initial=0.0))
    key = _without_rounding(key, ROUNDING * largest)
    order = np.lexsort((key, found.group))
    rank = np.empty(scores.n_systems, dtype=np.int64)
    for number in np.unique(found.group):
        here = found.group == number
        rank[here] = 1 + np.searchsorted(np.sort(key[here]), key[here], side="left")
    return order, rank


def in_order_of(found: BoardScores, pairs: PairTable) -> PairTable:
    """The pairs, those that are decided against the order of the board as not separated.

    Returns: With note "direction-contradicts-board" where there is such a pair.
    """
    against = np.empty(pairs.left.shape, dtype=bool)
    for start in range(
        0, against.size, PAIRS_AT_ONCE
    ):  # of millions of pairs, differences are hundreds of MB
        part = slice(start, start + PAIRS_AT_ONCE)
        ahead = np.sign(found.score[pairs.left[part]] - found.score[pairs.right[part]])
        against[part] = pairs.separated[part] & (pairs.direction[part] * ahead <= 0)
    if not against.any():
        return pairs
    notes = {**pairs.notes, "direction-contradicts-board": against}
    return replace(pairs, separated=pairs.separated & ~against, notes=notes)


def beats_matrix(pairs: PairTable) -> BoolArray:
    """Entry (i, j) says that system i is separated from j and better."""
    n_systems = len(pairs.systems)
    beats = np.zeros((n_systems, n_systems), dtype=bool)
    code = np.where(pairs.separated, pairs.better_code, 0)
    beats[pairs.left[code > 0], pairs.right[code > 0]] = True
    beats[pairs.right[code < 0], pairs.left[code < 0]] = True
    return beats


def behind_all(score: FloatArray) -> BoolArray:
    """Entry (i, j) says that system j, without any score, stands behind i, which has one.

    score (float array, shape (n_systems,)): NaN where a system has none.

    No test says so: such a system is last by what ranks mean, and leaves the ranks of the others as they
    would be without it.
    """
    empty = np.isnan(score)
    return np.asarray(~empty[:, None] & empty[None, :])


def _without_rounding(key: FloatArray, rounding: float) -> FloatArray:
    """Keys that differ by no more than rounding made the same: such scores tie."""
    order = np.argsort(key, kind="stable")
    ordered = key[order]
    with np.errstate(invalid="ignore"):
        fresh = np.concatenate([[True], ~(np.diff(ordered) <= rounding)])[: key.size]
    fresh[1:] &= ordered[1:] != ordered[:-1]
    result = np.empty(key.shape)
    result[order] = ordered[np.maximum.accumulate(np.where(fresh, np.arange(key.size), 0))]
    return result


def rank_intervals(beats: BoolArray) -> IntArray:
    """[1 + number of systems that beat it, S − number it beats] for every system.

    A simultaneous interval at the family's level only where the correction controls the family-wise
    error rate. Source: Mohamad, Goeman and van Zwet (2020), doi:10.1214/19-EJS1649.
    """
    n_systems = beats.shape[0]
    return np.stack([1 + beats.sum(axis=0), n_systems - beats.sum(axis=1)], axis=-1).astype(np.int64)


def ranks_of(better: FloatArray) -> IntArray:
    """Ranks from 1 for the largest on; equal ones, but for rounding, share the best of theirs.

    >>> ranks_of(np.array([3.0, 5.0, 3.0 + 1e-15])).tolist()
    [2, 1, 2]
    """
    order = np.argsort(-better, kind="stable")
    gaps = -np.diff(better[order])
    apart = np.flatnonzero(gaps > _SAME * np.abs(better).max(initial=0.0)) + 1
    firsts = np.concatenate([[0], apart])
    ranks = np.empty(better.size, dtype=np.int64)
    ranks[order] = 1 + np.repeat(firsts, np.diff(np.concatenate([firsts, [better.size]])))
    return ranks


def open_ranks(n_systems: int, left: IntArray, right: IntArray, decided: FloatArray) -> IntArray:
    """Ranks that decided pairs leave open; see `rank_intervals`.

    decided: Above 0 where the left one is found to be better, below 0 where the right one is, else 0.
    """
    beats = np.zeros((n_systems, n_systems), dtype=bool)
    beats[left[decided > 0], right[decided > 0]] = True
    beats[right[decided < 0], left[decided < 0]] = True
    return rank_intervals(beats)


def clusters(beats_in_rank_order: BoolArray) -> IntArray:
    """Cluster of every system: a line is drawn after position k iff every pair across it is separated.

    beats_in_rank_order (bool array, shape (S, S)): `beats_matrix` with rows and columns in rank order.
    Returns int array, shape (S,), 1 for the top cluster.

    A pair (i, j) with i above j that is not separated in favour of i forbids the lines after
    positions i … j − 1; counting openings and closings of these ranges costs O(S²) once.
    """
    opened = np.zeros(beats_in_rank_order.shape[0], dtype=np.int64)
    for upper, beats in enumerate(beats_in_rank_order):
        together = ~beats[upper + 1 :]
        opened[upper] += np.count_nonzero(together)
        opened[upper + 1 :] -= together
    line_after = np.cumsum(opened)[:-1] == 0
    return np.concatenate([[1], 1 + np.cumsum(line_after)]).astype(np.int64)
