"""Which of several metrics is human, guessed from its name."""

import re
from collections.abc import Iterable

from nlpstat_core.errors import AnalysisError, Remedy, shown, unknown
from nlpstat_core.results.metrics import HumanMetric

# In the order of preference; what stands beside a word in a name has to be harmless: "COMET-MQM" is no human.
WORDS = ("mqm", "esa", "da", "human", "annotator", "annotators", "gold")
HARMLESS = {
    *("z", "raw", "score", "scores", "rating", "ratings", "judgement", "judgment", "judgements", "judgments"),
    *(
        "mean",
        "avg",
        "average",
        "wmt",
        "src",
        "ref",
        "expert",
        "experts",
        "error",
        "errors",
        "eval",
        "evaluation",
    ),
    *(
        "weighted",
        "google",
        "overall",
        "quality",
        "the",
        "of",
        "by",
        "a",
        "b",
        "en",
        "de",
        "zh",
        "ru",
        "cs",
        "ja",
    ),
}


def human_metric(names: Iterable[str], text: str | None = None) -> HumanMetric:
    """The human metric: the one that was told, else the one whose name says so.

    Raises AnalysisError: An unknown name, or no name that says so.

    >>> human_metric(["BLEU", "COMET-22-DA", "MQM"])
    HumanMetric(name='MQM', word='MQM', others=())
    """
    every = list(names)
    if text is not None:
        if text not in every:
            raise AnalysisError(unknown("metric", text, every))
        return HumanMetric(text, "")
    found = []
    for name in every:
        parts = [part for part in re.split(r"[^a-z]+", name.lower()) if part]
        words = [part for part in parts if part in WORDS]
        if words and all(part in WORDS or part in HARMLESS for part in parts):
            found.append((min(WORDS.index(word) for word in words), name))
    if not found:
        raise AnalysisError(
            "No metric's name says that it is human (MQM, ESA, DA, human, annotator, gold); ",
            Remedy("human", every[0] if every else "…"),
            f" where that one is. There are: {', '.join(map(shown, every[:10]))}"
            f"{', …' if len(every) > 10 else ''}.",
        )
    found.sort(key=lambda entry: entry[0])
    word, name = WORDS[found[0][0]], found[0][1]
    return HumanMetric(name, word.upper() if len(word) <= 3 else word, tuple(other for _, other in found[1:]))
