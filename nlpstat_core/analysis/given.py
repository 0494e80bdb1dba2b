"""What procedures are given: scores of any shape as a matrix, boards by name, analyses."""

from collections.abc import Mapping
from typing import Any

from nlpstat_core.analysis.result import Analysis
from nlpstat_core.analysis.submissions import submission_scores
from nlpstat_core.errors import NlpstatError, shown
from nlpstat_core.scores.frames import FRAMES, is_frame, of_records
from nlpstat_core.scores.matrix import ScoreMatrix
from nlpstat_core.scores.submissions import Submissions


def as_matrix(scores: ScoreMatrix | Submissions | Any, what: str = "analyse") -> ScoreMatrix:
    """Scores as they are, read of a frame, or made of outputs.

    Raises TypeError: Scores of none of these kinds.
    """
    if isinstance(scores, ScoreMatrix):
        return scores
    if isinstance(scores, Submissions):
        return submission_scores(scores)
    records = of_records(scores)
    scores = scores if records is None else records
    if is_frame(scores):
        from nlpstat_core.readers import read_scores  # which the app's server never needs

        return read_scores(scores)
    raise TypeError(
        f"{what} takes a ScoreMatrix or {FRAMES}, not {type(scores).__name__}; read_scores reads files, "
        "two lists are compare(u, v), and an array is ScoreMatrix(values=array, systems=[…])."
    )


def as_boards(boards: Mapping[str, ScoreMatrix | Any], what: str) -> Mapping[str, ScoreMatrix]:
    """Boards by name, each of any shape; what can't be read carries its board's name.

    Raises TypeError: No mapping.
    """
    if not isinstance(boards, Mapping):
        raise TypeError(f"{what} takes a mapping of names to scores, not {type(boards).__name__}.")
    if all(isinstance(scores, ScoreMatrix) for scores in boards.values()):
        return boards  # with what its reader says of it
    found = {}
    for name, scores in boards.items():
        try:
            found[str(name)] = as_matrix(scores, what)
        except NlpstatError as error:
            raise type(error)(f"{shown(name)}: ", error.sentence) from None
    return found


def check_analysis(given: object, what: str) -> None:
    """Refuse what is no analysis. Raises TypeError."""
    if not isinstance(given, Analysis):
        raise TypeError(f"{what} takes an Analysis, as analyse gives it, not {type(given).__name__}.")
