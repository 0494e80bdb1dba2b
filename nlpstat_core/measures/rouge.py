"""ROUGE of items by rouge-score, of the best reference."""

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

import numpy as np

from nlpstat_core.errors import AnalysisError
from nlpstat_core.measures.record import MEAN_LAW, Column, Encoded, Measure
from nlpstat_core.measures.texts import library, references_of, texts_of


def of_rouge(
    gold: Column, outputs: Sequence[Column], options: Mapping[str, Any], *, kind: str, label: str
) -> Encoded:
    """F of one kind of ROUGE for every item, of the best reference."""
    module = library("rouge_score.rouge_scorer", label)
    scorer = module.RougeScorer([kind], use_stemmer=bool(options["stemmer"]))
    references = references_of(gold)
    _refuse_other_letters(references, scorer, label)
    table = [
        [
            0.0 if text is None else scorer.score_multi(texts, text)[kind].fmeasure
            for texts, text in zip(references, column, strict=True)
        ]
        for column in texts_of(outputs)
    ]
    return Encoded(gold=np.ones((1, len(gold))), outputs=np.array(table))


def _refuse_other_letters(references: Sequence[Sequence[str]], scorer: Any, label: str) -> None:
    """Refuse texts that rouge-score's words don't see: it takes everything but a–z and digits for gaps.

    Raises AnalysisError: A reference with letters and without a word, or texts mostly in other letters.
    """
    what = f"{label} counts words of a–z and digits only"
    instead = "choose chrf, which counts characters of every script."
    letters = other = 0
    for item, texts in enumerate(references, start=1):
        for text in texts:
            own = [letter for letter in text if letter.isalpha()]
            letters, other = letters + len(own), other + sum(not letter.isascii() for letter in own)
            if own and not scorer._tokenizer.tokenize(text):
                raise AnalysisError(f"{what}, and a reference of item {item} has none; {instead}")
    if 2 * other > letters:
        raise AnalysisError(f"{what}, and most letters of the references are others; {instead}")


def measure(key: str, kind: str, label: str, formula: str) -> Measure:
    """The record of one kind of ROUGE."""
    return Measure(
        key=key,
        label=label,
        kind="texts",
        bounds=(0.0, 1.0),
        is_mean=True,
        summary=f"The mean {label} F of the items, of the best reference, as rouge-score has it: words of "
        "a–z and digits; texts in other letters are refused.",
        formula=formula,
        options={"stemmer": False},
        encode=partial(of_rouge, kind=kind, label=label),
        law=MEAN_LAW,
        reference="rouge-score's RougeScorer",
        references=("lin2004rouge",),
        extra="text",
        library="rouge-score",
    )


ROUGE_1 = measure("rouge-1", "rouge1", "ROUGE-1", r"F_1 \text{ of single words}")
ROUGE_2 = measure("rouge-2", "rouge2", "ROUGE-2", r"F_1 \text{ of pairs of words}")
ROUGE_L = measure("rouge-l", "rougeL", "ROUGE-L", r"F_1 \text{ of the longest common subsequence}")
