"""Accuracy: the share of items that are right."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from nlpstat_core.measures.encoding import labels_of
from nlpstat_core.measures.record import MEAN_LAW, Column, Encoded, Measure


def encode(gold: Column, outputs: Sequence[Column], options: Mapping[str, Any]) -> Encoded:
    """1 for every item that is right."""
    right = labels_of(gold, outputs).right.astype(np.float64)
    return Encoded(gold=np.ones((1, len(gold))), outputs=right)


METHOD = Measure(
    key="accuracy",
    label="accuracy",
    kind="labels",
    bounds=(0.0, 1.0),
    is_mean=True,
    summary="The share of items whose label is gold's.",
    formula=r"\frac1n \sum_i [x_i = y_i]",
    encode=encode,
    law=MEAN_LAW,
    reference="scikit-learn's accuracy_score",
)
