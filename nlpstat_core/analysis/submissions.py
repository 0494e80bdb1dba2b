"""Submissions by their measures: the values of every system, and the board that is compared."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from nlpstat_core.arrays import FloatArray
from nlpstat_core.board.submissions.by_label import label_counts, labels_told
from nlpstat_core.engine.swaps.units import item_values
from nlpstat_core.engine.swaps.values import values_of
from nlpstat_core.errors import AnalysisError, ConfigError, shown, some_shown
from nlpstat_core.formatting import count_of
from nlpstat_core.measures import measure_named
from nlpstat_core.measures.by_label import of_all_labels
from nlpstat_core.measures.ordered import ROC_AUC
from nlpstat_core.measures.record import Encoded, Measure
from nlpstat_core.notes import Note
from nlpstat_core.scores.label_counts import LabelCounts
from nlpstat_core.scores.matrix import ScoreMatrix
from nlpstat_core.scores.measured import Measured
from nlpstat_core.scores.submissions import Kind, Submissions

# Labels of gold, and outputs, up to which a board keeps what is told by label.
MOST_LABELS, MOST_OUTPUTS = 200, 2_000_000
# The measure of each kind where none was named.
USUAL: Mapping[Kind, str] = {
    "labels": "accuracy",
    "label-sets": "multilabel-macro-f1",
    "numbers": "pearson",
    "texts": "bleu",
    "tags": "span-f1",
    "trees": "las",
}


def measure_values(board: Submissions, **options: Any) -> FloatArray:
    """The measures of every system, each on the items it has an output for.

    Parameters
    ----------
    board : Submissions
    **options
        Of the measures; each takes those it has.

    Returns
    -------
    float array, shape (n_systems, n_measures)
        NaN where a measure is undefined.

    Raises
    ------
    ConfigError
        An option that none of the measures has.
    AnalysisError
        Outputs that a measure can't use.

    Examples
    --------
    >>> import nlpstat_core as ns
    >>> outputs = {"A": ("x", "y", "x")}
    >>> board = Submissions(
    ...     kind="labels", items=("1", "2", "3"), gold=("x", "y", "y"), outputs=outputs, measures=("mcc",)
    ... )
    >>> ns.measure_values(board).round(3).tolist()
    [[0.5]]
    """
    measures = [measure_named(key) for key in board.measures]
    known = {name for measure, _ in measures for name in measure.options}
    for name in options:
        if name not in known:
            raise ConfigError(
                f"None of the measures ({', '.join(board.measures)}) has the option {shown(name)}."
            )
    columns = [_values(board, measure, fixed, options) for measure, fixed in measures]
    return np.array(columns, dtype=np.float64).T.reshape(len(board.systems), len(measures))


def _values(
    board: Submissions, measure: Measure, fixed: Mapping[str, Any], options: Mapping[str, Any]
) -> list[float]:
    """One measure of every system; systems without gaps together, since libraries prepare gold once."""
    told = {name: value for name, value in options.items() if name in measure.options} | dict(fixed)
    found: dict[str, float] = {}
    whole = [system for system, column in board.outputs.items() if None not in column]
    alone = [[system] for system in board.systems if system not in whole]
    for systems in ([whole] if whole else []) + alone:
        column = board.outputs[systems[0]]
        there = [place for place in range(board.n_items) if column[place] is not None]
        outputs = [[board.outputs[system][place] for place in there] for system in systems]
        measured = measure.measured([board.gold[place] for place in there], outputs, **told)[0]
        values = values_of(measured).weighted(np.ones((len(there), 1)))[:, 0]
        found |= dict(zip(systems, values.tolist(), strict=True))
    return [found[system] for system in board.systems]


def submission_scores(board: Submissions, **options: Any) -> ScoreMatrix:
    """What the official measure is made of, as a board that `analyse` takes.

    Parameters
    ----------
    board : Submissions
    **options
        Of the measure.

    Returns
    -------
    ScoreMatrix
        The items' own scores where the measure is their mean; else what each item adds to the measure of its
        system (pseudo-values of the jackknife), with the measure behind them in `measured`.

    Raises
    ------
    AnalysisError
        Outputs that the measure can't use, or fewer than two systems.

    Examples
    --------
    >>> board = Submissions(
    ...     kind="labels",
    ...     items=["1", "2", "3"],
    ...     gold=["a", "b", "b"],
    ...     outputs={"A": ["a", "a", "b"], "B": ["b", "b", "b"]},
    ...     measures=["macro-f1"],
    ... )
    >>> found = submission_scores(board)
    >>> found.metric, found.measured.signature
    ('macro-F1', 'macro-f1')
    """
    measure, fixed = measure_named(_official(board))
    if len(board.systems) < 2:
        raise AnalysisError("A comparison needs the outputs of two systems or more; there is one.")
    measured, encoded = measure.measured(board.gold, list(board.outputs.values()), **{**options, **fixed})
    if measure.is_mean:
        numbers = np.stack([measured.of_system(system)[0] for system in range(measured.n_systems)], axis=1)
        return ScoreMatrix(
            values=np.where(measured.present, numbers, np.nan),
            notes=board.notes,
            label_counts=_label_counts(board),
            **_about(board, measure, measured, options),
        )
    return ScoreMatrix(
        values=item_values(measured),
        measured=measured,
        notes=(*board.notes, *_encoding_notes(measured, encoded)),
        label_counts=_label_counts(board),
        **_about(board, measure, measured, options),
    )


def _label_counts(board: Submissions) -> LabelCounts | None:
    """What reports tell by label; None where there are no labels, or too many to be read."""
    if board.kind not in ("labels", "tags"):
        return None
    many = len(labels_told(board))
    few = 0 < many <= MOST_LABELS and board.n_items * len(board.systems) <= MOST_OUTPUTS
    return label_counts(board) if few else None


def _encoding_notes(measured: Measured, encoded: Encoded) -> list[Note]:
    """What the labels of outputs have to do with the measure, where they go beyond gold's."""
    if "measure-stray-labels" not in encoded.notes:
        return []
    return [_of_strays(measured.label, encoded.notes["measure-stray-labels"]["labels"])]


def stray_notes(board: Submissions) -> list[Note]:
    """What labels beyond gold's have to do with the official measure, where its value depends on it."""
    measure = measure_named(board.measures[0])[0] if board.measures else None
    if board.kind != "labels" or measure is None or measure.encode is not of_all_labels:
        return []
    given = {label for column in board.outputs.values() for label in column if label is not None}
    stray = sorted(given - set(board.gold))
    return [_of_strays(measure.label, stray)] if stray else []


def _of_strays(measure: str, stray: Sequence[str]) -> Note:
    text = (
        f"Outputs have {count_of(len(stray), 'label')} that gold doesn't have ({some_shown(stray, 3)}): each "
        f"is an error of its item, and {measure} is over gold's labels. Libraries that take the "
        "labels of gold and outputs give other values."
    )
    return Note("measure-stray-labels", "caution", text)


def _about(
    board: Submissions, measure: Measure, measured: Measured, options: Mapping[str, Any]
) -> dict[str, Any]:
    """What a board of a measure says of itself."""
    return {
        "systems": board.systems,
        "units": board.items,
        "labels": board.labels,
        "lower_is_better": measure.lower_is_better,
        "metric": measured.label,
        "source": board.source,
        "reading": {"format": "submissions", **board.reading, **options},
    }


def _official(board: Submissions) -> str:
    return board.measures[0] if board.measures else USUAL[board.kind]


def fits(board: Submissions, measure: Measure) -> bool:
    """Whether a measure is one of such outputs."""
    if measure.kind == "chances":
        two = board.kind == "numbers" and set(board.gold) <= {0.0, 1.0}
        values = (output for column in board.outputs.values() for output in column if output is not None)
        if two and measure.key == ROC_AUC.key:
            return True  # it is about the order alone, and its mid-ranks are exchanged
        return two and all(0 <= value <= 1 for value in values)
    return measure.kind in (board.kind, "any")
