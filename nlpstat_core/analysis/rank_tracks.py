"""rank_tracks: systems by their places in several fixed tracks, with joint resampling of the items."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import fields
from itertools import combinations
from typing import Any, Literal, get_args

import numpy as np

from nlpstat_core.analysis.checked import correction_of_p_values
from nlpstat_core.analysis.composite import composite
from nlpstat_core.analysis.given import as_boards
from nlpstat_core.analysis.tracks.combining import SETTINGS_OF_PLACES, WAYS
from nlpstat_core.analysis.tracks.notes import notes_kept, notes_of_items
from nlpstat_core.analysis.tracks.rows import WITHOUT_IDS
from nlpstat_core.arrays import FloatArray, IntArray
from nlpstat_core.board.pairs.track_parts import TRACK
from nlpstat_core.board.ranking.leaderboard import open_ranks
from nlpstat_core.board.ranking.rank_distribution import drawn_strata, rank_steps
from nlpstat_core.board.settled import settled
from nlpstat_core.config import AnalysisConfig
from nlpstat_core.engine.resampling import one_blas_thread, stratified_chunks
from nlpstat_core.engine.swaps.many_orders import swapped_tails
from nlpstat_core.engine.swaps.order import Worth, tie_limits, worth_of_places
from nlpstat_core.errors import AnalysisError, ConfigError, shown, unknown
from nlpstat_core.methods.composite.weighted_mean import Weights, track_weights
from nlpstat_core.methods.corrections import adjust_p_values
from nlpstat_core.results.ranks import RankDistribution
from nlpstat_core.results.tracks import ByOrder, TrackRanking
from nlpstat_core.scores.documents import block_ids
from nlpstat_core.scores.matrix import ScoreMatrix
from nlpstat_core.stopping import ShouldStop, stoppable

_STREAM = "rank-tracks"
_UNITS = {"mean-rank": -1.0}
# Pairs whose numbers are held at a time.
_AT_ONCE = 64


def rank_tracks(
    boards: Mapping[str, ScoreMatrix | Any],
    *,
    combine: ByOrder = "mean-rank",
    weights: Weights | Literal["items"] = None,
    missing_tracks: Literal["refuse", "exclude", "shared", "worst"] = "refuse",
    shared_items: bool = False,
    config: AnalysisConfig | None = None,
    should_stop: ShouldStop | None = None,
) -> TrackRanking:
    """Systems ranked by their places in several tracks, with claims about other items of these tracks.

    Parameters
    ----------
    boards : mapping of str to ScoreMatrix or data frame
        A track each; see `composite`.
    combine : {"mean-rank", "borda", "win-rate", "bests"}
        Mean of ranks; of how many other systems, or which share of them, a system is ahead of; share of
        tracks it is the best one of. Equal systems share.
    weights, missing_tracks, shared_items
        As in `composite`.
    config : AnalysisConfig, optional
        Correction, alpha, confidence level, resamples, seed and documents; all else must be as it is.
    should_stop : callable, optional
        Asked now and then; true ends in `Cancelled`.

    Returns
    -------
    TrackRanking

    Raises
    ------
    AnalysisError
        As `composite` does; no item of a track that all systems have.
    ConfigError
        A way of combining that isn't one of places, settings that say nothing here.

    Notes
    -----
    A place depends on all systems, so items that some system lacks are left out. Items (documents, where they
    are named) are drawn anew within each track, all systems together, and the composite is made anew:
    percentile intervals, ranks, and how often each system is first. A pair's p-value exchanges its two
    systems' scores item by item, the other systems staying; where more than 16 items differ, swaps are drawn,
    `resamples` of them, and p is (1 + hits)/(1 + resamples), with `p_error` its relative standard error.
    Null hypothesis: scores of the two systems for an item could
    be exchanged, in every track. Two systems that have no other between them in any resample can only change
    places, so that over T tracks their p is 2^(1 − T) at least, however many items there are.
    Cost O(B·(n·S + T·S²·log S)).

    References
    ----------
    Colombo, P. et al. (2022). What are the best systems? New perspectives on NLP benchmarking. NeurIPS.

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> def track(n):
    ...     return ScoreMatrix(values=rng.normal(size=(n, 3)) + [0, 0.5, 2], systems="ABC")
    >>> found = rank_tracks({"en": track(60), "de": track(40)})
    >>> found.systems, found.score.tolist(), found.top_group  # two tracks can't show more
    (('C', 'B', 'A'), [1.0, 2.0, 3.0], ('C', 'B'))
    """
    if combine not in get_args(ByOrder):
        raise ConfigError(unknown("way to combine places", str(combine), get_args(ByOrder)))
    config = config or AnalysisConfig()
    _check_settings(config)
    boards = as_boards(boards, "rank_tracks")
    board = composite(boards, weights=weights, missing_tracks=missing_tracks)
    config = settled(board, config)
    board, left_out = _complete(board)
    if shared_items:
        _refuse_without_ids(boards, board)
    names = tuple(dict.fromkeys(board.labels[TRACK]))
    groups, strata = _drawn_together(board, config, shared_items)
    order = board.canonical_order
    label = np.array(board.labels[TRACK])[order]
    sign = -1.0 if board.lower_is_better else 1.0
    rows = [np.flatnonzero(label == name) for name in names]
    values = sign * board.values[order]
    tracks = [values[own] for own in rows]
    signs = [groups[order][own] for own in rows]
    shares = _shares(boards, weights, names)
    drawn_apart = [np.unique(own).size for own in signs]
    worth: Worth = "first" if combine == "bests" else "ahead"
    with one_blas_thread(), stoppable(should_stop):
        score = _composites(tracks, signs, np.ones((1, strata.size)), shares, worth)[:, 0]
        drawn, steps = _resampled(tracks, signs, strata, shares, worth, config)
        left, right = map(np.array, zip(*combinations(range(board.n_systems), 2), strict=True))
        p, error = swapped_tails(
            tracks, signs, shares, worth, left, right, draws=config.resamples, seed=config.seed
        )
    adjusted = adjust_p_values(p, config.correction)
    found = adjusted <= config.alpha
    decided = np.where(found, score[left] - score[right], 0.0)
    place = np.argsort(-score, kind="stable")
    back = np.argsort(place)
    n_systems = board.n_systems
    # From systems ahead of, or shares of first places, to the composite's unit.
    start, unit = float(n_systems) * (combine == "mean-rank"), _UNITS.get(combine, 1.0)
    unit = unit / (n_systems - 1) if combine == "win-rate" else unit
    ranks = RankDistribution(
        systems=tuple(board.systems[i] for i in place),
        shares=np.cumsum(steps[place], axis=1)[:, :-1] / config.resamples,
        resamples=config.resamples,
        resampled="units" if config.block_column is None else "blocks",
    )
    a, b = back[left], back[right]
    turned = a > b
    a, b = np.where(turned, b, a), np.where(turned, a, b)
    pairs = np.lexsort((b, a))
    difference = unit * np.where(turned, -1.0, 1.0) * (score[left] - score[right])
    return TrackRanking(
        combine=combine,
        metric=WAYS[combine].metric,
        lower_is_better=bool(WAYS[combine].lower),
        systems=ranks.systems,
        score=start + unit * score[place],
        interval=np.sort(start + unit * _ends(drawn[place], config.level), axis=1),
        rank_interval=open_ranks(n_systems, left, right, decided)[place],
        ranks=ranks,
        system_a=a[pairs],
        system_b=b[pairs],
        difference=difference[pairs],
        difference_interval=_of_pairs(unit * drawn[place], a[pairs], b[pairs], config.level),
        p_value=p[pairs],
        p_error=error[pairs],
        p_adjusted=adjusted[pairs],
        significant=found[pairs],
        tracks=names,
        shares=tuple(shares.tolist()),
        items=tuple(own.size for own in rows),
        documents=config.block_column or "",
        shared_items=shared_items,
        correction=config.correction,
        alpha=config.alpha,
        level=config.level,
        resamples=config.resamples,
        seed=config.seed,
        reading={
            **board.reading,
            "composite": {**board.reading["composite"], "combine": combine, "shared_items": shared_items},
        },
        notes=(
            *notes_kept(board, shared_items),
            *notes_of_items(left_out, dict(zip(names, drawn_apart, strict=True))),
        ),
    )


def _check_settings(config: AnalysisConfig) -> None:
    """Refuse settings that a ranking by places has no use for."""
    usual = AnalysisConfig()
    strange = [
        one.name
        for one in fields(config)
        if one.name not in SETTINGS_OF_PLACES and getattr(config, one.name) != getattr(usual, one.name)
    ]
    if strange:
        raise ConfigError(f"A ranking by places doesn't use {', '.join(strange)}; leave out what isn't used.")
    correction_of_p_values(config.correction, "a ranking by places")


def _complete(board: ScoreMatrix) -> tuple[ScoreMatrix, int]:
    """The items that all systems have, and how many others there are."""
    there = board.present.all(axis=1)
    kept = np.flatnonzero(there)
    left = {board.labels[TRACK][row] for row in kept.tolist()}
    for name in dict.fromkeys(board.labels[TRACK]):
        if name not in left:
            raise AnalysisError(
                f"No item of track {shown(name)} has scores of all systems, so there are no places; leave it "
                "out."
            )
    return (board, 0) if there.all() else (board.rows(kept), int((~there).sum()))


def _drawn_together(board: ScoreMatrix, config: AnalysisConfig, shared: bool) -> tuple[IntArray, IntArray]:
    """Number of what each row is drawn with, and the stratum of each of these."""
    ids = block_ids(board, config)
    if not shared:
        if ids is None:
            ids = np.empty(board.n_units, dtype=np.int64)
            ids[board.canonical_order] = np.arange(board.n_units)
            return ids, drawn_strata(board, None)
        return ids, drawn_strata(board, ids)
    named = board.labels[config.block_column] if config.block_column else board.units or ()
    own = [name[len(track) + 2 :] for name, track in zip(named, board.labels[TRACK], strict=True)]
    _, numbers = np.unique(own, return_inverse=True)
    return numbers.astype(np.int64), np.zeros(int(numbers.max()) + 1, dtype=np.int64)


def _shares(boards: Mapping[str, ScoreMatrix], weights: Weights | str, names: Sequence[str]) -> FloatArray:
    """Weights of the tracks that count."""
    told: Any = weights
    if isinstance(weights, str):
        told = {name: float(board.present.any(axis=1).sum()) for name, board in boards.items()}
    every = dict(zip(boards, track_weights(list(boards), told), strict=True))
    shares = np.array([every[name] for name in names])
    return np.asarray(shares / shares.sum())


def _composites(
    tracks: Sequence[FloatArray],
    groups: Sequence[IntArray],
    drawn: FloatArray,
    shares: FloatArray,
    worth: Worth,
) -> FloatArray:
    """Weighted worth of all systems' places in every resample, shape (n_systems, B).

    drawn (float array, shape (B, n_groups)): How often what is drawn together is drawn.
    """
    sums = np.stack([(drawn[:, own] @ values).T for values, own in zip(tracks, groups, strict=True)])
    return np.asarray(np.einsum("t,tsb->sb", shares, worth_of_places(sums, tie_limits(tracks), worth)))


def _resampled(
    tracks: Sequence[FloatArray],
    groups: Sequence[IntArray],
    strata: IntArray,
    shares: FloatArray,
    worth: Worth,
    config: AnalysisConfig,
) -> tuple[FloatArray, FloatArray]:
    """Composites of all resamples, and changes along the ranks of how often each system has them."""
    n_systems = tracks[0].shape[1]
    found = np.empty((n_systems, config.resamples))
    steps = np.zeros((n_systems, n_systems + 1))
    for which, drawn in stratified_chunks(strata, config.resamples, config.seed, _STREAM):
        found[:, which] = _composites(tracks, groups, drawn, shares, worth)
        steps += rank_steps(-found[:, which]).reshape(steps.shape)
    return found, steps


def _parts(n_pairs: int) -> Iterator[slice]:
    """Pairs, some at a time."""
    return (slice(start, min(start + _AT_ONCE, n_pairs)) for start in range(0, n_pairs, _AT_ONCE))


def _ends(drawn: FloatArray, level: float) -> FloatArray:
    """Percentile intervals of rows, shape (n, 2)."""
    tail = (1 - level) / 2
    return np.asarray(np.quantile(drawn, [tail, 1 - tail], axis=1).T)


def _of_pairs(drawn: FloatArray, a: IntArray, b: IntArray, level: float) -> FloatArray:
    """Percentile intervals of pairs' differences, shape (n_pairs, 2)."""
    found = np.empty((a.size, 2))
    for which in _parts(a.size):
        found[which] = _ends(drawn[a[which]] - drawn[b[which]], level)
    return found


def _refuse_without_ids(boards: Mapping[str, ScoreMatrix], board: ScoreMatrix) -> None:
    """Raises AnalysisError: A track that counts has no ids to match its items by."""
    if any(boards[name].units is None for name in dict.fromkeys(board.labels[TRACK])):
        raise AnalysisError(WITHOUT_IDS)
