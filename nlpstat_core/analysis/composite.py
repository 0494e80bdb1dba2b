"""composite: several tracks as one board, ranked by their weighted mean."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Literal

import numpy as np

from nlpstat_core.analysis.given import as_boards
from nlpstat_core.analysis.tracks.combining import (
    COMBINE,
    OF_ORDER,
    WAYS,
    Combine,
    combined,
    geometric_measured,
)
from nlpstat_core.analysis.tracks.notes import of_copies, of_scales
from nlpstat_core.analysis.tracks.rows import items_apart, items_shared, row_places
from nlpstat_core.arrays import FloatArray
from nlpstat_core.board.preparation import refuse_overflow
from nlpstat_core.engine.swaps.units import item_values
from nlpstat_core.errors import AnalysisError, ConfigError, Remedy, shown, some_shown, unknown
from nlpstat_core.formatting import count_of, listed_names
from nlpstat_core.methods.composite.weighted_mean import Weights, track_weights
from nlpstat_core.notes import Note, doubts
from nlpstat_core.readers.boards import ScoreBoards
from nlpstat_core.scores.matrix import ScoreMatrix
from nlpstat_core.scores.names_alike import notes_on_names

TRACKS = ("fixed", "sampled")
MISSING = ("refuse", "exclude", "shared", "worst")
BY_ITEMS = "items"
FEW_TRACKS = 6


def composite(
    boards: Mapping[str, ScoreMatrix | Any],
    *,
    weights: Weights | Literal["items"] = None,
    combine: Combine = "mean",
    tracks: Literal["fixed", "sampled"] = "fixed",
    missing_tracks: Literal["refuse", "exclude", "shared", "worst"] = "refuse",
    shared_items: bool = False,
) -> ScoreMatrix:
    """Several tracks as one board, whose score is the official one: a weighted mean over tracks.

    The null hypothesis its permutation test has: with fixed tracks, differences of items are symmetric
    about 0 in every track; with sampled ones, differences of tracks are.

    Parameters
    ----------
    boards : mapping of str to ScoreMatrix or data frame
        A track each, as `read_boards` gives them: data sets, languages or metrics.
    weights : sequence or mapping of float, or "items", optional
        0 or more, scaled to sum 1; 0 drops a track. Equal where not given; tracks that a mapping doesn't name
        have weight 1; "items": by the items of a track.
    combine : {"mean", "z-score", "min-max", "geometric", "mean-rank", "borda", "win-rate", "bests"}
        What is averaged: scores as they stand; scores less the mean of the systems' means in units of their
        standard deviation; from 0 for the worst system of a track to 1 for the best (both take a track's
        unit as given); logarithms of means, which with fixed tracks give the geometric mean as a measure that
        is no mean of items. For sampled tracks also: ranks in the tracks; how many other systems, or which
        share of them, a system is ahead of; 1 for the best system of a track (for fixed tracks see
        `rank_tracks`).
    tracks : {"fixed", "sampled"}
        What a claim is about: other items of these tracks, or other tracks like these, which then are the
        items of the board.
    missing_tracks : {"refuse", "exclude", "shared", "worst"}
        Systems that lack a track: refused, left out, ranked over the tracks that all of them have, or given
        the track's worst mean on each of its items.
    shared_items : bool
        Items with the same id in several tracks (translations, several metrics of one output) are one item,
        and so are documents of the same name.

    Returns
    -------
    ScoreMatrix
        For `analyse`, `gate`, `power_curve` and the rest. With fixed tracks an item's score is the mean of
        the board and w_t·N/n_t times its distance from the mean of its track: the mean over all N items is
        the weighted mean over tracks, and its exact permutation test that of `composite_p_value`; the label
        column "track" names the track.

    Raises
    ------
    AnalysisError
        No two tracks or systems in common, tracks that can't be combined, systems that lack a track.
    ConfigError
        Weights or choices that can't be used.

    Examples
    --------
    >>> en = ScoreMatrix(values=[[3, 1], [5, 2], [4, 4]], systems="AB")
    >>> de = ScoreMatrix(values=[[30, 10], [20, 20]], systems="AB")
    >>> board = composite({"en": en, "de": de}, weights={"en": 3, "de": 1})
    >>> board.values.mean(axis=0).tolist(), board.labels["track"]
    ([9.25, 5.5], ('en', 'en', 'en', 'de', 'de'))
    """
    for name, value, choices in (
        ("combine", combine, COMBINE),
        ("tracks", tracks, TRACKS),
        ("missing_tracks", missing_tracks, MISSING),
    ):
        if value not in choices:
            raise ConfigError(unknown(name, str(value), choices))
    if tracks == "fixed" and combine in OF_ORDER:
        raise ConfigError(
            f"The {WAYS[combine].metric} is a matter of all systems together, of which items of fixed tracks "
            "make no board: `rank_tracks` ranks by it. For a board take a mean, z-scores, min–max scores, a "
            "geometric mean, or tracks as a sample",
            Remedy("tracks", "sampled", "aside"),
            ".",
        )
    boards = as_boards(boards, "composite")
    if len(boards) < 2:
        raise AnalysisError("A composite needs two tracks or more.")
    told = weights
    if isinstance(weights, str):
        if weights != BY_ITEMS:
            raise ConfigError(f'Weights are numbers or "{BY_ITEMS}", not {shown(weights)}.')
        weights = {name: float(board.present.any(axis=1).sum()) for name, board in boards.items()}
    shares = track_weights(list(boards), weights)
    kept = {name: board for (name, board), share in zip(boards.items(), shares, strict=True) if share > 0}
    for name, board in kept.items():
        if board.counts is not None or board.measured is not None:
            raise AnalysisError(f"Track {shown(name)} isn't ranked by means of item scores; leave it out.")
        refuse_overflow(board)
    alike = notes_on_names(system for board in kept.values() for system in board.systems)
    systems, kept, notes = _systems(kept, missing_tracks)
    shares = np.array([share for name, share in zip(boards, shares, strict=True) if name in kept])
    shares = shares / shares.sum()
    lower = next(iter(kept.values())).lower_is_better
    turned = [name for name, board in kept.items() if board.lower_is_better != lower]
    geometric = combine == "geometric" and tracks == "fixed"
    parts = {
        name: combined(name, _values(board, systems), "mean" if geometric else combine, board.lower_is_better)
        for name, board in kept.items()
    }
    way = WAYS[combine]
    if way.lower is not None:
        lower, turned = way.lower, []
    if not geometric:
        parts = {name: -part if name in turned else part for name, part in parts.items()}
    notes += [*alike, *of_copies(kept)]
    notes += [] if combine != "mean" else of_scales(parts, shares, tracks)
    if turned:
        text = (
            f"Scores of {some_shown(turned)} count with the opposite sign, because their direction is the "
            f"opposite."
        )
        notes.append(Note("tracks-turned", "info", text))
    if tracks == "fixed" and not shared_items and isinstance(boards, ScoreBoards) and boards.each == "metric":
        text = (
            "Metrics of the same items are taken as independent of each other, which p-values and intervals "
            "rest on; matched by their ids, the scores of one item by all metrics count as one item."
        )
        notes.append(Note("metrics-of-same-items", "caution", text))
    if any(board.runs is not None for board in kept.values()):
        text = "Several runs of a system are averaged in a composite: claims hold for these runs."
        notes.append(Note("composite-of-runs", "caution", text))
    by_weight = (
        "equal weights"
        if np.ptp(shares) == 0
        else listed_names([f"{name} {share:.3g}" for name, share in zip(kept, shares, strict=True)])
    )
    metric = (
        f"{'geometric mean' if geometric else way.metric} over {count_of(len(kept), 'track')} ({by_weight})"
    )
    source = listed_names(list(dict.fromkeys(board.source or name for name, board in kept.items())))
    reading = {
        **(boards.reading if isinstance(boards, ScoreBoards) else {}),
        "composite": {
            **({"each": boards.each} if isinstance(boards, ScoreBoards) else {}),
            "weights": _as_told(told, boards),
            "combine": combine,
            "tracks": tracks,
            "missing_tracks": missing_tracks,
            "shared_items": shared_items,
        },
    }
    if tracks == "sampled":
        values = np.stack([np.nanmean(part, axis=0) for part in parts.values()])
        values = values * (shares * len(kept))[:, None]
        are = "one track is the item" if len(kept) == 1 else f"{len(kept)} tracks are the items"
        text = f"The {are}: claims are about tracks like these."
        few = len(kept) < FEW_TRACKS
        severity: Literal["info", "caution"] = "caution" if few else "info"
        text += f" With fewer than {FEW_TRACKS} no pair can reach a level of 5 %." if few else ""
        return ScoreMatrix(
            values=values,
            systems=systems,
            units=tuple(kept),
            lower_is_better=lower,
            metric=metric,
            source=source,
            reading=reading,
            notes=(*_questions(kept), *notes, Note("composite", severity, text)),
        )
    text = f"The score is the {metric}: claims are about other items of these tracks, not about other tracks."
    text += "" if geometric else " Effect sizes are of weighted items."
    rows = items_shared(kept, parts, shares) if shared_items else items_apart(kept, parts, shares)
    values, units, labels = rows
    measured = None
    if geometric:
        exponents = shares * np.array([-1.0 if name in turned else 1.0 for name in kept])
        places = row_places(kept, parts, shared_items)
        measured = geometric_measured(parts, places, exponents, values)
        values = item_values(measured)
    return ScoreMatrix(
        values=values,
        systems=systems,
        units=units,
        labels=labels,
        lower_is_better=lower,
        metric=metric,
        source=source,
        reading=reading,
        notes=(*_questions(kept), *notes, Note("composite", "info", text)),
        measured=measured,
    )


def _as_told(weights: Weights | str, boards: Mapping[str, ScoreMatrix]) -> str | dict[str, float] | None:
    """The weights as plain data that say them again."""
    if weights is None or isinstance(weights, str):
        return weights
    pairs = weights.items() if isinstance(weights, Mapping) else zip(boards, weights, strict=False)
    return {str(name): float(weight) for name, weight in pairs}


def _systems(
    boards: Mapping[str, ScoreMatrix], missing: str
) -> tuple[tuple[str, ...], dict[str, ScoreMatrix], list[Note]]:
    """Systems and tracks of the composite, and what was done with systems that lack a track."""
    every = tuple(dict.fromkeys(system for board in boards.values() for system in board.systems))
    lacks = {
        system: tracks
        for system in every
        if (tracks := [name for name, board in boards.items() if not _took_part(board, system)])
    }
    if not lacks:
        return every, dict(boards), []
    some = some_shown([f"{system} ({', '.join(tracks)})" for system, tracks in lacks.items()])
    if missing == "refuse":
        raise AnalysisError(
            f"Systems lack tracks: {some}; leave them out",
            Remedy("missing_tracks", "exclude", "aside"),
            ", rank them over the tracks that all have",
            Remedy("missing_tracks", "shared", "aside"),
            " or give them the worst score of the track",
            Remedy("missing_tracks", "worst", "aside"),
            ", as the rules of the task say.",
        )
    if missing == "worst":
        text = f"Systems that lack a track have its worst mean on each of its items: {some}."
        return every, dict(boards), [Note("tracks-missing", "caution", text)]
    if missing == "shared":
        gone = {track for tracks in lacks.values() for track in tracks}
        shared = {name: board for name, board in boards.items() if name not in gone}
        if not shared:
            raise AnalysisError(f"No track has all systems; some lack some: {some}.")
        text = f"Tracks that some system lacks don't count: {some_shown(sorted(gone))} ({some})."
        return every, shared, [Note("tracks-missing", "caution", text)]
    kept = tuple(system for system in every if system not in lacks)
    if len(kept) < 2:
        raise AnalysisError(f"Fewer than two systems took part in all tracks; others lack some: {some}.")
    text = f"Left out because they lack a track: {some}."
    return kept, dict(boards), [Note("tracks-missing", "caution", text)]


def _took_part(board: ScoreMatrix, system: str) -> bool:
    return system in board.systems and bool(board.present[:, board.systems.index(system)].any())


def _values(board: ScoreMatrix, systems: Sequence[str]) -> FloatArray:
    """A track's scores by these systems; one that took no part has the worst mean on each item."""
    there = [_took_part(board, system) for system in systems]
    if all(there):
        return board.values[:, [board.systems.index(system) for system in systems]]
    means = np.array([np.nanmean(column) for column in board.values.T if np.isfinite(column).any()])
    worst = float(means.max() if board.lower_is_better else means.min())
    columns = [
        board.values[:, board.systems.index(system)] if present else np.full(board.n_units, worst)
        for system, present in zip(systems, there, strict=True)
    ]
    return np.stack(columns, axis=1)


def _questions(boards: Mapping[str, ScoreMatrix]) -> list[Note]:
    """What isn't settled on how tracks are read, with the track's name."""
    return [
        replace(note, text=f"Track {shown(name)}: {note.text}")
        for name, board in boards.items()
        for note in doubts(board.notes)
    ]
