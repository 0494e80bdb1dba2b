"""What the numbers of a board are called: by the measure of submissions, else as scores."""

from nlpstat_core.scores.matrix import ScoreMatrix


def measure_name(scores: ScoreMatrix) -> str | None:
    """The measure of gold and outputs that a board is made of; None for scores."""
    return scores.metric if scores.reading.get("format") == "submissions" else None


def in_front(name: str) -> str:
    """A measure at the beginning of a heading; abbreviations and names stay as they are.

    >>> in_front("accuracy"), in_front("chrF++"), in_front("macro-F1")
    ('Accuracy', 'chrF++', 'Macro-F1')
    """
    keeps = name[1:2].isupper() or name.startswith("chr")
    return name if keeps else name[:1].upper() + name[1:]
