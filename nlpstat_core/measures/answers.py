"""Answers as SQuAD compares them: without case, punctuation and articles."""

import re
import string
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

import numpy as np

from nlpstat_core.measures.record import MEAN_LAW, Column, Encoded, Measure
from nlpstat_core.measures.texts import references_of, texts_of

_ARTICLES = re.compile(r"\b(a|an|the)\b")
_WITHOUT_PUNCTUATION = str.maketrans("", "", string.punctuation)


def normalised(text: str) -> str:
    """Lower case without punctuation, articles and extra white space."""
    return " ".join(_ARTICLES.sub(" ", text.lower().translate(_WITHOUT_PUNCTUATION)).split())


def same(reference: str, answer: str) -> float:
    """1 where both are the same once normalised."""
    return float(normalised(reference) == normalised(answer))


def shared_words(reference: str, answer: str) -> float:
    """F1 of the words that both have; where one has none, whether both have none."""
    wanted, given = normalised(reference).split(), normalised(answer).split()
    if not wanted or not given:
        return float(wanted == given)
    common = (Counter(wanted) & Counter(given)).total()
    return 2 * common / (len(wanted) + len(given))


def best_reference(
    gold: Column, outputs: Sequence[Column], options: Mapping[str, Any], *, score: Callable[[str, str], float]
) -> Encoded:
    """The score of every item with the reference that suits it best."""
    references = references_of(gold)
    table = [
        [
            0.0 if answer is None else max((score(text, answer) for text in texts), default=0.0)
            for texts, answer in zip(references, column, strict=True)
        ]
        for column in texts_of(outputs)
    ]
    return Encoded(gold=np.ones((1, len(gold))), outputs=np.array(table))


EXACT_MATCH = Measure(
    key="exact-match",
    label="exact match",
    kind="texts",
    bounds=(0.0, 1.0),
    is_mean=True,
    summary="The share of answers that are one of the references, without case, punctuation and articles.",
    formula=r"\frac1n \sum_i \max_r [x_i = y_{ir}]",
    encode=partial(best_reference, score=same),
    law=MEAN_LAW,
    reference="SQuAD's evaluation script",
    references=("rajpurkar2016",),
)
TOKEN_F1 = Measure(
    key="token-f1",
    label="token F1",
    kind="texts",
    bounds=(0.0, 1.0),
    is_mean=True,
    summary="The mean F1 of the words of answers and the best reference, without case, punctuation and "
    "articles.",
    formula=r"\frac1n \sum_i \max_r F_1(x_i, y_{ir})",
    encode=partial(best_reference, score=shared_words),
    law=MEAN_LAW,
    reference="SQuAD's evaluation script",
    references=("rajpurkar2016",),
)
