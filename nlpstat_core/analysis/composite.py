"""composite: several tracks as one board, ranked by their weighted mean."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Literal

import numpy as np
from scipy.stats import rankdata

from nlpstat_core.arrays import FloatArray, IntArray
from nlpstat_core.errors import AnalysisError, ConfigError, Remedy, shown, some_shown, unknown
from nlpstat_core.formatting import listed_names
from nlpstat_core.methods.composite.weighted_mean import Weights, track_weights
from nlpstat_core.notes import Note, doubts
from nlpstat_core.readers.roles.documents import document_columns
from nlpstat_core.scores.matrix import ScoreMatrix

Combine = Literal["mean", "z-score", "min-max", "mean-rank"]
COMBINE = ("mean", "z-score", "min-max", "mean-rank")
TRACKS = ("fixed", "sampled")
MISSING = ("refuse", "exclude", "worst")
TRACK = "track"
FEW_TRACKS = 6
LARGE_SHARE = 0.8  # of the composite's variance, from which on one track is told of


def composite(
    boards: Mapping[str, ScoreMatrix],
    *,
    weights: Weights = None,
    combine: Combine = "mean",
    tracks: Literal["fixed", "sampled"] = "fixed",
    missing_tracks: Literal["refuse", "exclude", "worst"] = "refuse",
    shared_items: bool = False,
) -> ScoreMatrix:
    """Several tracks as one board, whose score is the official one: a weighted mean over tracks.

    The null hypothesis its permutation test has: with fixed tracks, differences of items are symmetric
    about 0 in every track; with sampled ones, differences of tracks are.

    Parameters
    ----------
    boards : mapping of str to ScoreMatrix
        A track each, as `read_boards` gives them: data sets, languages or metrics.
    weights : sequence or mapping of float, optional
        0 or more, scaled to sum 1; 0 drops a track. Equal where not given.
    combine : {"mean", "z-score", "min-max", "mean-rank"}
        What is averaged: scores as they stand; scores less the mean of the systems' means in units of their
        standard deviation; from 0 for the worst system of a track to 1 for the best (both take a track's
        unit as given); ranks in the tracks, for sampled tracks only.
    tracks : {"fixed", "sampled"}
        What a claim is about: other items of these tracks, or other tracks like these, which then are the
        items of the board.
    missing_tracks : {"refuse", "exclude", "worst"}
        Systems that lack a track: refused, left out, or given the track's worst mean on each of its items.
    shared_items : bool
        Items with the same id in several tracks (translations, several metrics of one output) are one item,
        and so are documents of the same name.

    Returns
    -------
    ScoreMatrix
        For `analyse`, `gate`, `power_curve` and the rest. With fixed tracks an item's score is
        w_t·N/n_t times its own, so that the mean over all N items is the weighted mean over tracks, and its
        exact permutation test that of `composite_p_value`; the label column "track" names the track.

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
    if combine == "mean-rank" and tracks == "fixed":
        raise ConfigError(
            'Mean ranks have no test for fixed tracks here; choose tracks="sampled", or combine="z-score".'
        )
    if len(boards) < 2:
        raise AnalysisError("A composite needs two tracks or more.")
    shares = track_weights(list(boards), weights)
    kept = {name: board for (name, board), share in zip(boards.items(), shares, strict=True) if share > 0}
    shares = shares[shares > 0]
    for name, board in kept.items():
        if board.counts is not None or board.measured is not None:
            raise AnalysisError(f"Track {shown(name)} isn't ranked by means of item scores; leave it out.")
    lower = next(iter(kept.values())).lower_is_better
    turned = [name for name, board in kept.items() if board.lower_is_better != lower]
    systems, notes = _systems(kept, missing_tracks)
    parts = {
        name: _values(board, systems) * (-1.0 if name in turned else 1.0) for name, board in kept.items()
    }
    parts = {name: _combined(name, values, combine, lower) for name, values in parts.items()}
    if combine == "min-max":
        lower = False
    notes += [] if combine != "mean" else _of_scales(parts, shares)
    if turned:
        text = f"Scores of {some_shown(turned)} count with the other sign: their direction is another."
        notes.append(Note("tracks-turned", "info", text))
    if any(board.runs is not None for board in kept.values()):
        text = "Several runs of a system are averaged in a composite: claims hold for these runs."
        notes.append(Note("composite-of-runs", "caution", text))
    told = (
        "equal weights"
        if np.ptp(shares) == 0
        else listed_names([f"{name} {share:.3g}" for name, share in zip(kept, shares, strict=True)])
    )
    what = {"mean": "mean", "z-score": "mean z-score", "min-max": "mean of min–max scores"}
    metric = "mean rank" if combine == "mean-rank" else f"{what[combine]} over {len(kept)} tracks ({told})"
    if tracks == "sampled":
        values = np.stack([np.nanmean(part, axis=0) for part in parts.values()])
        values = values * (shares * len(kept))[:, None]
        text = f"The {len(kept)} tracks are the items: claims are about tracks like these."
        few = len(kept) < FEW_TRACKS
        severity: Literal["info", "caution"] = "caution" if few else "info"
        text += f" With fewer than {FEW_TRACKS} no pair can reach a level of 5 %." if few else ""
        return ScoreMatrix(
            values=values,
            systems=systems,
            units=tuple(kept),
            lower_is_better=combine == "mean-rank" or lower,
            metric=metric,
            source=listed_names([board.source or name for name, board in kept.items()]),
            notes=(*_questions(kept), *notes, Note("composite", severity, text)),
        )
    text = (
        f"The score is the {metric}: claims are about other items of these tracks, not about other tracks. "
        "Effect sizes are of weighted items."
    )
    rows = _shared(kept, parts, shares) if shared_items else _apart(kept, parts, shares)
    values, units, labels = rows
    return ScoreMatrix(
        values=values,
        systems=systems,
        units=units,
        labels=labels,
        lower_is_better=lower,
        metric=metric,
        source=listed_names([board.source or name for name, board in kept.items()]),
        notes=(*_questions(kept), *notes, Note("composite", "info", text)),
    )


def _systems(boards: Mapping[str, ScoreMatrix], missing: str) -> tuple[tuple[str, ...], list[Note]]:
    """Systems of the composite, and what was done with those that lack a track."""
    every = tuple(dict.fromkeys(system for board in boards.values() for system in board.systems))
    lacks = {
        system: tracks
        for system in every
        if (tracks := [name for name, board in boards.items() if not _took_part(board, system)])
    }
    if not lacks:
        return every, []
    some = some_shown([f"{system} ({', '.join(tracks)})" for system, tracks in lacks.items()])
    if missing == "refuse":
        raise AnalysisError(
            f"Systems lack tracks: {some}; leave them out",
            Remedy("missing_tracks", "exclude", "aside"),
            " or give them the worst score of the track",
            Remedy("missing_tracks", "worst", "aside"),
            ", as the rules of the task say.",
        )
    if missing == "worst":
        text = f"Systems that lack a track have its worst mean on each of its items: {some}."
        return every, [Note("tracks-missing", "caution", text)]
    kept = tuple(system for system in every if system not in lacks)
    if len(kept) < 2:
        raise AnalysisError(f"Fewer than two systems took part in all tracks; others lack some: {some}.")
    return kept, [Note("tracks-missing", "caution", f"Left out because they lack a track: {some}.")]


def _took_part(board: ScoreMatrix, system: str) -> bool:
    return system in board.systems and bool(board.present[:, board.systems.index(system)].any())


def _values(board: ScoreMatrix, systems: Sequence[str]) -> FloatArray:
    """A track's scores by these systems; one that took no part has the worst mean on each item."""
    means = np.array([np.nanmean(column) for column in board.values.T if np.isfinite(column).any()])
    worst = float(means.max() if board.lower_is_better else means.min())
    columns = [
        board.values[:, board.systems.index(system)]
        if _took_part(board, system)
        else np.full(board.n_units, worst)
        for system in systems
    ]
    return np.stack(columns, axis=1)


def _combined(name: str, values: FloatArray, combine: str, lower: bool) -> FloatArray:
    """A track's scores in the unit that is averaged."""
    if combine == "mean":
        return values
    means = np.nanmean(values, axis=0)
    if combine == "mean-rank":
        ranks = rankdata(means if lower else -means)
        return np.asarray(ranks[None, :])
    if np.ptp(means) == 0:
        raise AnalysisError(f"All systems have the same mean in track {shown(name)}; leave it out.")
    if combine == "z-score":
        return np.asarray((values - means.mean()) / means.std(ddof=1))
    worst, best = (means.max(), means.min()) if lower else (means.min(), means.max())
    return np.asarray((values - worst) / (best - worst))


def _of_scales(parts: Mapping[str, FloatArray], shares: FloatArray) -> list[Note]:
    """A caution where one track is the composite: its share of the variance of differences."""
    variances = []
    for values, share in zip(parts.values(), shares, strict=True):
        rest = values - np.nanmean(values, axis=1, keepdims=True)
        variances.append(float(share**2 * np.nanvar(rest, axis=0, ddof=1).mean() / len(values)))
    total = sum(variances)
    if not total > 0:
        return []
    most = int(np.argmax(variances))
    if variances[most] < LARGE_SHARE * total:
        return []
    name = list(parts)[most]
    text = (
        f"Track {shown(name)} makes {100 * variances[most] / total:.0f} % of the composite's variance, by "
        'its scale or its few items; combine="z-score" puts tracks on one scale.'
    )
    return [Note("one-track-decides", "caution", text)]


def _questions(boards: Mapping[str, ScoreMatrix]) -> list[Note]:
    """What isn't settled on how tracks are read, with the track's name."""
    return [
        replace(note, text=f"Track {shown(name)}: {note.text}")
        for name, board in boards.items()
        for note in doubts(board.notes)
    ]


def _apart(
    boards: Mapping[str, ScoreMatrix], parts: Mapping[str, FloatArray], shares: FloatArray
) -> tuple[FloatArray, tuple[str, ...] | None, dict[str, tuple[str, ...]]]:
    """Every item of every track as an item, scaled so that the mean is the weighted mean over tracks.

    An item without a score of any system counts in no track.
    """
    rows = {name: np.flatnonzero(np.isfinite(values).any(axis=1)) for name, values in parts.items()}
    total = sum(map(len, rows.values()))
    values = np.concatenate(
        [
            parts[name][rows[name]] * (share * total / len(rows[name]))
            for name, share in zip(parts, shares, strict=True)
        ]
    )
    units = [f"{name}: {unit}" for name, board in boards.items() for unit in (board.unit_names(rows[name]))]
    labels: dict[str, tuple[str, ...]] = {
        TRACK: tuple(name for name in boards for _ in rows[name]),
        **_labels(boards, rows),
    }
    return values, tuple(units), labels


def _labels(boards: Mapping[str, ScoreMatrix], rows: Mapping[str, IntArray]) -> dict[str, tuple[str, ...]]:
    """Label columns that all tracks have; documents of one name in two tracks are two."""
    first = next(iter(boards.values()))
    common = [name for name in first.labels if all(name in board.labels for board in boards.values())]
    documents = {name for board in boards.values() for name in document_columns(board)}
    return {
        name: tuple(
            f"{track}: {board.labels[name][row]}" if name in documents else board.labels[name][row]
            for track, board in boards.items()
            for row in rows[track]
        )
        for name in common
        if name != TRACK
    }


def _shared(
    boards: Mapping[str, ScoreMatrix], parts: Mapping[str, FloatArray], shares: FloatArray
) -> tuple[FloatArray, tuple[str, ...] | None, dict[str, tuple[str, ...]]]:
    """Items of one id in several tracks as one item: the sum of their weighted scores."""
    if any(board.units is None for board in boards.values()):
        raise AnalysisError("Shared items are matched by their ids; a track has none.")
    places: dict[str, int] = {}
    for board in boards.values():
        for unit in board.units or ():
            places.setdefault(unit, len(places))
    values = np.zeros((len(places), next(iter(parts.values())).shape[1]))
    for (name, board), share in zip(boards.items(), shares, strict=True):
        rows = np.array([places[unit] for unit in board.units or ()])
        there = np.isfinite(parts[name]).any(axis=1)
        # A system without a score of an item has none of it in the whole.
        values[rows[there]] += parts[name][there] * (share * len(places) / int(there.sum()))
    labels: dict[str, tuple[str, ...]] = {}
    for column in next(iter(boards.values())).labels:
        found = [""] * len(places)
        for board in boards.values():
            for unit, label in zip(board.units or (), board.labels.get(column, ()), strict=False):
                found[places[unit]] = found[places[unit]] or label
        labels[column] = tuple(found)
    return values, tuple(places), labels
