"""What worker processes read and score of gold and the outputs of systems. No Streamlit in here.

Each function takes its arguments, then `progress(done, total)` and `should_stop()`, as those of `tasks.py`.
"""

from __future__ import annotations

import pickle
from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from dashboard.background.looks import File, Read
from dashboard.background.outputs import (
    MOST_LABELS,
    OPTIONS,
    SHOWN,
    Files,
    Outputs,
    ReadOutputs,
    chosen_options,
    cut,
)
from nlpstat_core.errors import AnalysisError, Sentence

if TYPE_CHECKING:
    from dashboard.background.given import BoardsOfOutputs
    from dashboard.background.worker_talk import Progress, ShouldStop
    from nlpstat_core.arrays import FloatArray
    from nlpstat_core.measures.record import Measure
    from nlpstat_core.scores.matrix import ScoreMatrix
    from nlpstat_core.scores.submissions import Submissions

FIRST_ITEMS, FIRST_SYSTEMS = 8, 12


def read(
    named: File,
    choices: Mapping[str, Any],
    files: Files,
    progress: Progress,
    should_stop: ShouldStop,
) -> ReadOutputs:
    """Gold and outputs, their measures, and the board of the one that is shown.

    named: Stands for the files where a name is needed; holds nothing.
    choices: Keywords of `read_submissions`, OPTIONS and SHOWN.
    """
    from nlpstat_core.analysis.reading_submissions import read_submissions
    from nlpstat_core.readers.open.memory import memory_at_most
    from nlpstat_core.stopping import stoppable

    told = {name: value for name, value in choices.items() if name not in (*OPTIONS, SHOWN)}
    with memory_at_most(), stoppable(should_stop):
        gold: Any = files.gold[0] if len(files.gold) == 1 else list(files.gold)
        if files.gold:
            board = read_submissions(gold, files.outputs, **told)
        else:
            assert files.outputs is not None
            board = read_submissions(files.outputs, **told)
        return _told(board, choices)


def boards_of_outputs(given: BoardsOfOutputs) -> dict[str, ScoreMatrix]:
    """A board of every measure, or of every data set."""
    from nlpstat_core.measures import measure_named

    board = unpacked(given.packed)
    found: dict[str, ScoreMatrix] = {}
    options, chosen = given.options, given.chosen
    if chosen.each == "metric":
        for key in given.keys:
            measure, fixed = measure_named(key)
            own = {**chosen_options(measure.options, options), **fixed}
            found[measure.label_with(own)] = _matrix(board, key, options)
    else:
        column = board.labels[str(chosen.column)]
        for value in dict.fromkeys(column):
            rows = [row for row, cell in enumerate(column) if cell == value]
            found[value or "(empty)"] = _matrix(board.rows(rows), given.keys[0], options)
    return found


def _told(board: Submissions, choices: Mapping[str, Any]) -> ReadOutputs:
    from dashboard.background.readings import facts_of
    from nlpstat_core.measures import MEASURES, measure_named

    options = chosen_options(OPTIONS, choices)
    named = [measure_named(key) for key in board.measures]
    measures = [measure for measure, _ in named]
    shown = choices.get(SHOWN)
    if shown not in board.measures:
        shown = board.measures[0]
    titles = {one.key: one.label for one in MEASURES.values() if _fits(board, one)}
    titles |= {
        key: one.label_with({**chosen_options(one.options, options), **fixed})
        for key, (one, fixed) in zip(board.measures, named, strict=True)
    }
    missing = {
        system: gone
        for system, column in board.outputs.items()
        if (gone := sum(one is None for one in column))
    }
    scores, problem = None, Sentence()
    try:
        scores = _matrix(board, shown, options)
    except AnalysisError as error:
        if len(board.systems) > 1:
            raise
        problem = error.sentence
    outputs = Outputs(
        packed=packed(board),
        fingerprint=board.fingerprint,
        kind=board.kind,
        reason=str(board.reading["reason"]),
        n_items=board.n_items,
        systems=board.systems,
        gold_labels=board.gold_labels[:MOST_LABELS],
        label_columns=tuple(board.labels),
        measures=board.measures,
        shown=shown,
        titles=titles,
        options={one.key: tuple(one.options) for one in MEASURES.values() if _fits(board, one)},
        means=tuple(one.label for one in MEASURES.values() if one.is_mean and _fits(board, one)),
        values=np.stack([_values(board, key, options, scores, shown) for key in board.measures], axis=1),
        lower=tuple(one.lower_is_better for one in measures),
        by_order=tuple(board.reading["by_order"]),
        by_sentence=board.kind in ("tags", "trees")
        and board.items == tuple(map(str, range(1, board.n_items + 1))),
        missing=missing,
        head=_head(board),
        source=board.source,
    )
    if scores is None:
        return ReadOutputs(outputs, None, problem)
    if len(measures) > 1:
        names = [titles[key] for key in board.measures]
        scores = replace(scores, reading={**scores.reading, "metrics": names})
    return ReadOutputs(outputs, Read(scores, facts_of(scores)))


def _values(
    board: Submissions, key: str, options: Mapping[str, Any], scores: ScoreMatrix | None, shown: str
) -> FloatArray:
    """One measure of every system, shape (n_systems,).

    scores: The board of the measure `shown`: what it is made of isn't counted again.
    """
    from nlpstat_core.analysis.submissions import measure_values
    from nlpstat_core.engine.swaps.values import values_of
    from nlpstat_core.measures import measure_named

    if scores is not None and key == shown and not board.has_missing:
        if scores.measured is None:
            means: FloatArray = scores.values.mean(axis=0)
            return means
        return values_of(scores.measured).weighted(np.ones((board.n_items, 1)))[:, 0]
    alone = replace(board, measures=(key,))
    return measure_values(alone, **chosen_options(measure_named(key)[0].options, options))[:, 0]


def _matrix(board: Submissions, key: str, options: Mapping[str, Any]) -> ScoreMatrix:
    """The board of one measure; raises AnalysisError where it can't be compared."""
    from nlpstat_core.analysis.submissions import submission_scores
    from nlpstat_core.measures import measure_named

    # A settings file of this board brings this measure first.
    others = [other for other in board.reading.get("measure", ()) if other != key]
    alone = replace(board, measures=(key,), reading={**board.reading, "measure": [key, *others]})
    return submission_scores(alone, **chosen_options(measure_named(key)[0].options, options))


def _fits(board: Submissions, measure: Measure) -> bool:
    from nlpstat_core.analysis.submissions import fits

    return fits(board, measure)


def _head(board: Submissions) -> dict[str, tuple[str, ...]]:
    """The first items as they were understood."""
    from nlpstat_core.board.submissions.differing import as_text, words_of

    first = board.rows(range(min(FIRST_ITEMS, board.n_items)))
    words = words_of(first)

    def cells(column: tuple[Any, ...]) -> tuple[str, ...]:
        pairs = zip(column[:FIRST_ITEMS], words, strict=True)
        found = ("" if one is None else as_text(board.kind, one, own) for one, own in pairs)
        return tuple(cut(text) for text in found)

    columns = {"Item": tuple(cut(item) for item in board.items[:FIRST_ITEMS])}
    columns["Gold"] = cells(board.gold)
    return columns | {
        f"system {system}": cells(board.outputs[system]) for system in board.systems[:FIRST_SYSTEMS]
    }


def packed(board: Submissions) -> bytes:
    """Submissions for the server, which holds them and doesn't look into them."""
    import zlib

    return zlib.compress(pickle.dumps(board, protocol=pickle.HIGHEST_PROTOCOL), 1)


def unpacked(data: bytes) -> Submissions:
    """What `packed` has packed."""
    import zlib

    found: Submissions = pickle.loads(zlib.decompress(data))
    return found
