"""F1 of one label."""

from collections.abc import Mapping, Sequence
from typing import Any

from nlpstat_core.measures.f_beta import FBeta, counted
from nlpstat_core.measures.record import Column, Encoded, Law, Measure


def encode(gold: Column, outputs: Sequence[Column], options: Mapping[str, Any]) -> Encoded:
    """Counts of the label."""
    return counted(gold, outputs, options, METHOD.label)


METHOD = Measure(
    key="f1",
    label="F1",
    kind="labels",
    bounds=(0.0, 1.0),
    summary="F1 of one label.",
    formula=r"\frac{2\,tp}{p + g}",
    options={"positive": None},
    encode=encode,
    law=Law(value=FBeta()),
    reference="scikit-learn's f1_score (pos_label=…)",
)
