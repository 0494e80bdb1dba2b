"""What of a board another file is to be read for: its metric, data set, sheet and direction."""

from dataclasses import dataclass

from nlpstat_core.scores.matrix import ScoreMatrix

# What a file may have several of, from the outside in: keyword of `read_scores`, key of `several`.
SEVERAL = (("sheet", "sheets"), ("dataset", "datasets"), ("metric", "metrics"))


@dataclass(frozen=True, kw_only=True)
class Like:
    """What of a board another file is to be read for."""

    metric: str | None = None
    dataset: str | None = None
    sheet: str | None = None
    lower_is_better: bool = False


def named(scores: ScoreMatrix, keyword: str) -> str | None:
    """The metric, data set or sheet of scores, as far as they have one by name."""
    found: str | None = scores.metric if keyword == "metric" else scores.reading.get(keyword)
    return found


def like(scores: ScoreMatrix) -> Like:
    """What an earlier file of this board is to be read for.

    >>> from nlpstat_core import read_scores
    >>> text = b"system,item,bleu,ter\\nA,1,3,1\\nA,2,4,2\\nB,1,1,5\\nB,2,2,6\\n"
    >>> like(read_scores((text, "scores.csv"), metric="ter"))
    Like(metric='ter', dataset=None, sheet=None, lower_is_better=True)
    """
    names = {keyword: named(scores, keyword) for keyword, _ in SEVERAL}
    return Like(**names, lower_is_better=scores.lower_is_better)
