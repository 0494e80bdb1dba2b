"""What holds for means of item scores alone says so of a measure that is none."""

from nlpstat_core.errors import AnalysisError
from nlpstat_core.scores.matrix import ScoreMatrix


def refuse_measured(scores: ScoreMatrix, what: str) -> None:
    """Refuse what is defined for means of item scores.

    what: The beginning of the sentence: "A posterior".
    Raises AnalysisError: The systems are compared by a measure that is no mean.
    """
    if scores.measured is not None:
        instead = "choose a measure that is a mean, such as accuracy"
        if "composite" in scores.reading:
            instead = "combine the tracks by a mean"
        raise AnalysisError(
            f"{what} is there for means of item scores only, and {scores.measured.label} is none; {instead}, "
            "to see one."
        )
