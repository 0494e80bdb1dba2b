"""F of one label, recall weighted β² times as much as precision."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from nlpstat_core.arrays import FloatArray
from nlpstat_core.errors import ConfigError
from nlpstat_core.measures.encoding import labels_of, positive_label
from nlpstat_core.measures.record import Column, Encoded, Law, Measure


@dataclass(frozen=True)
class FBeta:
    """F of one set of counts: true positives and predictions of a system, gold's count."""

    beta: float = 1.0

    def __call__(self, gold: FloatArray, own: FloatArray) -> FloatArray:
        """From sums: gold (1, …), own (2, …); 0 where nothing is predicted and gold has nothing."""
        square = self.beta**2
        below = own[1] + square * gold[0]
        found: FloatArray = (1 + square) * own[0] / np.where(below > 0, below, 1.0)
        return found


def counted(gold: Column, outputs: Sequence[Column], options: Mapping[str, Any], label: str) -> Encoded:
    """True positives and predictions of the label in question.

    label: Of the measure, for messages.
    """
    labels = labels_of(gold, outputs)
    code, _ = positive_label(labels, options, label)
    predicted = labels.outputs == code
    table = np.stack([predicted & labels.right, predicted], axis=1).astype(np.float64)
    return Encoded(
        gold=(labels.gold == code).astype(np.float64)[None], outputs=table.reshape(-1, labels.gold.size)
    )


def encode(gold: Column, outputs: Sequence[Column], options: Mapping[str, Any]) -> Encoded:
    """Counts of the label, and F with the β asked for."""
    beta = options["beta"]
    if not isinstance(beta, int | float) or not 0 < beta < np.inf:
        raise ConfigError(f"beta must be a number above 0, not {beta!r}.")
    found = counted(gold, outputs, options, METHOD.label)
    return Encoded(gold=found.gold, outputs=found.outputs, law=Law(value=FBeta(float(beta))))


METHOD = Measure(
    key="f-beta",
    label="F-beta",
    kind="labels",
    bounds=(0.0, 1.0),
    summary="F of one label, in which recall weighs beta² times as much as precision.",
    formula=r"\frac{(1 + \beta^2)\,tp}{p + \beta^2 g}",
    options={"positive": None, "beta": 0.5},
    encode=encode,
    reference="scikit-learn's fbeta_score",
)
