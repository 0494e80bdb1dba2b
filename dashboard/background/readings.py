"""The work that reads an upload, in a worker process of its own. No Streamlit in here."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

from dashboard.background.looks import Facts, File, Look, Read

if TYPE_CHECKING:
    from dashboard.background.worker_talk import Progress, ShouldStop
    from nlpstat_core.scores.like import Like
    from nlpstat_core.scores.matrix import ScoreMatrix

SUMMARY_NOTE = "summary-row"
FIRST_ROWS, LONGEST_CELL = 8, 500
FEWEST = 3  # pairs that are named as those that share the fewest items
MOST_DATASETS = 50  # a label with more values makes boards of a handful of items


def read(file: File, choices: Mapping[str, object], progress: Progress, should_stop: ShouldStop) -> Read:
    """The scores in a file, and what pages tell of them."""
    from nlpstat_core.readers import read_board
    from nlpstat_core.readers.open.memory import memory_at_most

    with memory_at_most():
        scores = read_board(file, **choices)
        return Read(scores, facts_of(scores))


def read_earlier(
    file: File,
    bounds: Mapping[str, int],
    board: Like,
    told: Mapping[str, object],
    instead: Mapping[str, str],
    progress: Progress,
    should_stop: ShouldStop,
) -> ScoreMatrix:
    """The scores in the file of an earlier board, read as the board was."""
    from nlpstat_core.readers.like import read_like
    from nlpstat_core.readers.open.memory import memory_at_most

    with memory_at_most():
        return read_like(file, board, told, instead, bounds)


def looked_at(file: File, choices: Mapping[str, object], progress: Progress, should_stop: ShouldStop) -> Look:
    """What a file looks like, whether it can be read or not."""
    from nlpstat_core.readers.open.memory import memory_at_most

    with memory_at_most():
        seen = look(file, choices, FIRST_ROWS)
    return replace(seen, rows=tuple(tuple(cell[:LONGEST_CELL] for cell in row) for row in seen.rows))


def look(file: File, choices: Mapping[str, object], rows: int) -> Look:
    """The same with so many first rows, for who is in a reading process already."""
    from nlpstat_core.readers import READERS, preview
    from nlpstat_core.readers.roles.names import Kind, says

    seen = preview(file, rows=rows, **choices)
    guess = seen.guess
    return Look(
        format=seen.format,
        header=seen.header,
        rows=seen.rows,
        sheets=seen.sheets,
        roles=None if guess is None else {name: str(role) for name, role in guess.roles.items()},
        reasons={} if guess is None else dict(guess.reasons),
        called_score=tuple(name for name in seen.header if says(Kind.SCORE, name)),
        formats={reader.key: reader.label for reader in READERS},
        read=None if seen.scores is None else Read(seen.scores, facts_of(seen.scores)),
        problem=seen.problem,
    )


def facts(scores: ScoreMatrix, progress: Progress, should_stop: ShouldStop) -> Facts:
    """What pages tell of scores beyond what stands in them, of a board that wasn't read from a file."""
    return facts_of(scores)


def facts_of(scores: ScoreMatrix) -> Facts:
    """The same, for who is in a reading process already."""
    from nlpstat_core.readers import fewest_shared, proposed_block, summary_units
    from nlpstat_core.readers.roles.documents import compared_documents, dataset_column
    from nlpstat_core.readers.roles.names import Kind, says

    fits = [name for name, cells in scores.labels.items() if _fits(cells)]
    named = dataset_column(scores.labels)
    shared = fewest_shared(scores, FEWEST) if scores.has_missing else []
    summed_up = any(note.code == SUMMARY_NOTE for note in scores.notes)
    return Facts(
        summary_units=summary_units(scores) if summed_up else (),
        proposed_block=next(iter(compared_documents(scores)), None) or proposed_block(scores),
        fewest_shared=tuple((pair.system_a, pair.system_b, pair.n_units) for pair in shared),
        datasets=tuple(sorted(fits, key=lambda name: name != named)),
        documents=tuple(name for name in fits if says(Kind.GROUPING, name)),
    )


def _fits(cells: tuple[str, ...]) -> bool:
    """Whether there are several values, not too many, each with at least two items on average."""
    values = set(cells) - {""}
    return 1 < len(values) <= min(MOST_DATASETS, len(cells) // 2)
