"""From what a format found to a checked ScoreMatrix with its notes."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from nlpstat_core.errors import ScoreFileError, shown
from nlpstat_core.readers.audit import audit
from nlpstat_core.readers.choices import told
from nlpstat_core.readers.datasets import dataset_column, dataset_names, one_dataset
from nlpstat_core.readers.direction import settle_direction
from nlpstat_core.readers.part import Part
from nlpstat_core.readers.record import Probe
from nlpstat_core.scores import ScoreMatrix


def assemble(probe: Probe, part: Part) -> ScoreMatrix:
    """Check what every file must hold, settle the direction and audit the scores.

    Parameters
    ----------
    probe : Probe
    part : Part

    Returns
    -------
    ScoreMatrix

    Raises
    ------
    ScoreFileError
        No numbers, fewer than two systems, fewer than two units with scores, no such data set.
    """
    datasets = _datasets(part, probe)
    part = one_dataset(part, probe.choices)
    _check(part)
    lower, remarks = settle_direction(probe.choices.lower_is_better, part.metric, probe.name, part.values)
    scores = ScoreMatrix(
        values=part.values,
        systems=tuple(part.systems),
        units=None if part.units is None else tuple(part.units),
        labels={name: tuple(cells) for name, cells in part.labels.items()},
        lower_is_better=lower,
        metric=part.metric,
        source=probe.name,
        reading={**part.reading, "metric": part.metric, "lower_is_better": lower, **datasets},
        counts=part.counts,
    )
    return replace(scores, notes=(*part.notes, *remarks, *audit(scores)))


def _datasets(part: Part, probe: Probe) -> dict[str, list[str]]:
    """The names of the data sets where the file or the files hold several."""
    column = dataset_column(part.labels, probe.choices.dataset_column)
    inside = () if column is None else dataset_names(part.labels[column])
    names = part.datasets or inside
    return told(datasets=names) if len(names) > 1 else {}


def _check(part: Part) -> None:
    present = ~np.isnan(part.values)
    if not present.any():
        raise ScoreFileError("no numbers where scores should stand; give every system a column of numbers.")
    if len(part.systems) < 2:
        hint = next((f" {note.text}" for note in part.notes if note.code.endswith("-column-guessed")), "")
        raise ScoreFileError(
            f"there is only one system, {shown(part.systems[0])}; give two or more, side by side or one a "
            f"file.{hint}"
        )
    scored = int(present.any(axis=1).sum())
    if scored < 2:
        raise ScoreFileError(f"there is only {scored} unit with scores; give at least two rows of scores.")
