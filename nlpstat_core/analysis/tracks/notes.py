"""What to mind about tracks: one that decides, some that can't separate, copies, few items."""

from collections.abc import Iterator, Mapping

import numpy as np

from nlpstat_core.arrays import FloatArray
from nlpstat_core.errors import shown, some_shown
from nlpstat_core.formatting import count_of
from nlpstat_core.notes import Note
from nlpstat_core.scores.matrix import ScoreMatrix

LARGE_SHARE = 0.8  # of the composite's variance, from which on one track is told of
FEW_ITEMS = 10


def of_scales(parts: Mapping[str, FloatArray], shares: FloatArray, tracks: str) -> list[Note]:
    """A caution where one track is the composite: its share of the variance of differences.

    tracks: "fixed": variance by items; "sampled": between systems, for tracks are the items then.
    """
    if len(parts) < 2:
        return []
    notes = []
    flat = [name for name, values in parts.items() if _says_nothing(values, tracks)]
    if flat:
        what = "the same score on every item" if tracks == "fixed" else "the same mean"
        text = f"All systems have {what} of {some_shown(flat)}, which therefore can't separate them."
        notes.append(Note("track-without-differences", "caution", text))
    if len(parts) - len(flat) < 2:
        return notes
    if tracks == "sampled":
        spreads = [np.nanmean(values, axis=0).var(ddof=1) for values in parts.values()]
    elif any((np.isfinite(values).sum(axis=0) < 2).any() for values in parts.values()):
        return notes
    else:
        rests = [values - np.nanmean(values, axis=1, keepdims=True) for values in parts.values()]
        spreads = [np.nanvar(rest, axis=0, ddof=1).mean() / len(rest) for rest in rests]
    variances = (shares**2 * spreads).tolist()
    total = sum(variances)
    if not total > 0:
        return notes
    most = int(np.argmax(variances))
    if variances[most] < LARGE_SHARE * total:
        return notes
    name = list(parts)[most]
    text = (
        f"Track {shown(name)} makes {100 * variances[most] / total:.0f} % of the composite's variance, by "
        "its scale or its few items; z-scores put tracks on one scale."
    )
    return [*notes, Note("one-track-decides", "caution", text)]


def _says_nothing(values: FloatArray, tracks: str) -> bool:
    """Whether no system differs from another: on any item, or in its mean where tracks are the items."""
    there = values[np.isfinite(values).any(axis=1)]
    told = there if tracks == "fixed" else np.nanmean(there, axis=0, keepdims=True)
    return bool((np.nanmax(told, axis=1) == np.nanmin(told, axis=1)).all())


def of_copies(boards: Mapping[str, ScoreMatrix]) -> list[Note]:
    """A caution where two tracks hold the same scores."""
    groups: dict[tuple[object, ...], list[str]] = {}
    for name, board in boards.items():
        groups.setdefault((board.systems, board.values.shape, board.values.tobytes()), []).append(name)
    copies = [some_shown(names) for names in groups.values() if len(names) > 1]
    if not copies:
        return []
    text = (
        f"These tracks hold the same scores: {'; '.join(copies)}. Each counts, as if its items were others; "
        "leave out copies."
    )
    return [Note("tracks-alike", "caution", text)]


def notes_kept(board: ScoreMatrix, shared: bool) -> Iterator[Note]:
    """Of the composite of means, those that hold for places, too."""
    of_means = {"composite", "one-track-decides", "tracks-turned"}
    of_means |= {"metrics-of-same-items"} if shared else set()
    return (note for note in board.notes if note.code not in of_means)


def notes_of_items(left_out: int, drawn_apart: Mapping[str, int]) -> Iterator[Note]:
    """What was left out, and tracks of so few items that resamples hardly vary.

    drawn_apart: Of each track how many items (or documents) are drawn.
    """
    few = [f"{name} ({number:,})" for name, number in drawn_apart.items() if number < FEW_ITEMS]
    if few:
        text = (
            f"Tracks with fewer than {FEW_ITEMS} items or documents: {some_shown(few)}. Resamples of so few "
            "vary too little, so that intervals and how often a system is first are too sure."
        )
        yield Note("few-items-of-a-track", "caution", text)
    if left_out:
        text = (
            f"{count_of(left_out, 'item')} without scores of all systems {'does' if left_out == 1 else 'do'} "
            "not count: a place is among all."
        )
        yield Note("items-not-of-all", "caution", text)
