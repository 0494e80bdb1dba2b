"""From what a format found to a checked ScoreMatrix with its notes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from nlpstat_core.arrays import FloatArray
from nlpstat_core.errors import ScoreFileError, shown
from nlpstat_core.notes import Note
from nlpstat_core.readers.audit import audit
from nlpstat_core.readers.columns import Columns
from nlpstat_core.readers.direction import settle_direction
from nlpstat_core.readers.record import Probe
from nlpstat_core.scores import ScoreMatrix


def make_matrix(
    probe: Probe,
    *,
    values: FloatArray,
    systems: Sequence[str],
    units: Sequence[str] | None,
    labels: Mapping[str, Sequence[str]],
    metric: str | None,
    reading: Mapping[str, Any],
    notes: Sequence[Note] = (),
) -> ScoreMatrix:
    """Check what every format must hold, settle the direction and audit the scores.

    Parameters
    ----------
    probe : Probe
    values : float array, shape (n_units, n_systems)
    systems : sequence of str
    units : sequence of str, or None
    labels : mapping of str to sequence of str
    metric : str or None
    reading : mapping
        The format's own part of `ScoreMatrix.reading`.
    notes : sequence of Note

    Returns
    -------
    ScoreMatrix

    Raises
    ------
    ScoreFileError
        No numbers, fewer than two systems, fewer than two units with scores.
    """
    _check(values, systems, notes)
    lower, told = settle_direction(probe.choices.lower_is_better, metric, probe.name, values)
    scores = ScoreMatrix(
        values=values,
        systems=tuple(systems),
        units=None if units is None else tuple(units),
        labels={name: tuple(cells) for name, cells in labels.items()},
        lower_is_better=lower,
        metric=metric,
        source=probe.name,
        reading={**reading, "metric": metric, "lower_is_better": lower},
    )
    encoding = probe.decoded.notes if probe.is_text else ()
    object.__setattr__(scores, "notes", (*encoding, *notes, *told, *audit(scores)))
    return scores


def _check(values: FloatArray, systems: Sequence[str], notes: Sequence[Note]) -> None:
    present = ~np.isnan(values)
    if not present.any():
        raise ScoreFileError("no numbers where scores should stand; give every system a column of numbers.")
    if len(systems) < 2:
        hint = next((f" {note.text}" for note in notes if note.code == "id-column-guessed"), "")
        raise ScoreFileError(
            f"there is only one system, {shown(systems[0])}; a comparison needs at least two.{hint}"
        )
    scored = int(present.any(axis=1).sum())
    if scored < 2:
        raise ScoreFileError(f"there is only {scored} unit with scores; a comparison needs at least two.")


def comment_notes(columns: Columns) -> tuple[Note, ...]:
    """Say how many lines were left out as comments.

    Parameters
    ----------
    columns : Columns

    Returns
    -------
    tuple of Note
    """
    if not columns.comments:
        return ()
    many, first = len(columns.comments), columns.comments[0]
    lines = f"line {first} begins" if many == 1 else f"{many:,} lines (the first is line {first}) begin"
    text = (
        f"{lines} with # and was left out as a comment."
        if many == 1
        else f"{lines} with # and were left out."
    )
    return (Note("comment-lines", "info", text),)
