"""chrF, of characters alone or with words (chrF++)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from nlpstat_core.arrays import FloatArray
from nlpstat_core.measures.record import Column, Encoded, Law, Measure
from nlpstat_core.measures.texts import counted, library

_SQUARE = 4.0  # β = 2


@dataclass(frozen=True)
class NGrams:
    """n-grams of outputs, of references and of both, for each order, by sacreBLEU."""

    word_order: int

    def __call__(self, gold: Column, outputs: Sequence[Column], options: Mapping[str, Any]) -> Encoded:
        """Three numbers an order."""
        metrics = library("sacrebleu.metrics", METHOD.label)
        return counted(metrics.CHRF(word_order=self.word_order), gold, outputs)


def value(gold: FloatArray, own: FloatArray) -> FloatArray:
    """F with β = 2 of precision and recall averaged over the orders that both sides have, 0–100."""
    hypothesis, reference, matched = own[0::3], own[1::3], own[2::3]
    both = (hypothesis > 0) & (reference > 0)
    orders = np.maximum(both.sum(axis=0), 1)
    precision, recall = (
        np.where(both, matched / np.where(both, table, 1.0), 0.0).sum(axis=0) / orders
        for table in (hypothesis, reference)
    )
    below = _SQUARE * precision + recall
    found: FloatArray = 100 * (1 + _SQUARE) * precision * recall / np.where(below > 0, below, 1.0)
    return found


METHOD = Measure(
    key="chrf",
    label="chrF",
    kind="texts",
    bounds=(0.0, 100.0),
    summary="chrF as sacreBLEU has it: n-grams of up to six characters, β = 2, 0–100.",
    formula=r"100\,\frac{(1 + \beta^2) P R}{\beta^2 P + R}",
    encode=NGrams(word_order=0),
    law=Law(value=value),
    reference="sacreBLEU's CHRF",
    references=("popovic2015", "post2018"),
    extra="text",
    library="sacrebleu",
)
