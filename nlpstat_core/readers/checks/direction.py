"""Whether lower scores are better, from the name of the metric."""

import re

import numpy as np

from nlpstat_core.arrays import FloatArray
from nlpstat_core.errors import shown
from nlpstat_core.notes import Note
from nlpstat_core.readers.roles.names import normal
from nlpstat_core.readers.roles.statistics import ranks

FEWEST_RANKED, FEWEST_PLACES = 5, 3  # rows and systems from which on ranks are known as such

# A file name says many things ("error_analysis", "loss_of_data"), so only abbreviations count there.
IN_FILE_NAMES = re.compile("ter|wer|cer|hter|perplexity|ppl|nll|mse|rmse|mae|mqm|metricx")
LOWER = re.compile(
    f"{IN_FILE_NAMES.pattern}|per|mer|wil|der|eer|ser|loss|errors?|bpb|bpc|latency|brier|ece|ranks?|autorank|distances?|perplexities|regret|"
    "hallucinations?|toxicity|fid|wder|tokens|cost|err|duration|runtime|time|"
    "[nrsmw]*(?:mase|mape|msis|msle)|rmsse|wape|wql|crps|owa|[a-z]*logloss"
)
HIGHER = re.compile(
    "acc|accuracy|neg|negative|negated|minus|inverse|reduction|correct|recall|precision|"
    "recip|reciprocal|mrr|corr|correlation|non"
)


def guess_direction(metric: str | None, file_name: str, values: FloatArray) -> str | None:
    """Why lower scores seem better, or None.

    metric: Name of the metric when it is known; else the file's name is looked at.
    values: Scores; when none is above 0 the metric has been negated, and higher is better.

    >>> import numpy as np
    >>> guess_direction("sentence TER", "", np.array([0.4, 0.6]))
    "the metric is called 'sentence TER'"
    >>> guess_direction("TER", "", np.array([-0.4, -0.6])) is None
    True
    """
    if not (values > 0).any():
        return None
    if metric is None and _are_ranks(values):
        return f"every row ranks the systems, from 1 to {values.shape[1]}"
    name, known = (metric, LOWER) if metric else (file_name, IN_FILE_NAMES)
    words = {*normal(name).split("_"), *re.split(r"[\W_]+", name.lower())}  # "valLoss" and "MetricX"
    if not any(map(known.fullmatch, words)) or any(map(HIGHER.fullmatch, words)):
        return None
    return f"the metric is called {shown(name)}" if metric else f"the file is called {shown(name)}"


def _are_ranks(values: FloatArray) -> bool:
    """Whether every row without gaps holds the places of the systems in it."""
    whole = values[np.isfinite(values).all(axis=1)]
    if len(whole) < FEWEST_RANKED or values.shape[1] < FEWEST_PLACES or not 1 == whole.min() < whole.max():
        return False
    return any(np.array_equal(whole, made) for made in ranks(whole))


def settle_direction(
    given: bool | None, metric: str | None, file_name: str, values: FloatArray
) -> tuple[bool, tuple[Note, ...]]:
    """The direction of a metric and what to tell of it, by the outcome only: replays tell the same."""
    reason = guess_direction(metric, file_name, values)
    lower = reason is not None if given is None else given
    if lower and reason:
        text = f"Lower scores count as better because {reason}."
        return lower, (Note("direction-guessed", "caution", text),)
    if lower:
        return lower, (Note("lower-is-better", "info", "Lower scores count as better, as chosen."),)
    if reason:
        text = f"Higher scores count as better, as chosen, although {reason}."
        return lower, (Note("direction-doubtful", "caution", text),)
    return lower, ()
