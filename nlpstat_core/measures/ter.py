"""Translation edit rate."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from nlpstat_core.arrays import FloatArray
from nlpstat_core.measures.record import Column, Encoded, Law, Measure
from nlpstat_core.measures.texts import counted, library


def encode(gold: Column, outputs: Sequence[Column], options: Mapping[str, Any]) -> Encoded:
    """Edits with shifts, and the mean length of the references, by sacreBLEU."""
    return counted(library("sacrebleu.metrics", METHOD.label).TER(), gold, outputs)


def value(gold: FloatArray, own: FloatArray) -> FloatArray:
    """Edits over length, 0–100 and above; where references are empty, 100 with edits and 0 without."""
    edits, length = own
    there = length > 0
    found: FloatArray = 100 * np.where(there, edits / np.where(there, length, 1.0), np.sign(edits))
    return found


METHOD = Measure(
    key="ter",
    label="TER",
    kind="texts",
    lower_is_better=True,
    bounds=(0.0, float("inf")),
    summary="Translation edit rate as sacreBLEU has it, in percent of the references' length.",
    formula=r"100\,\frac{\text{edits}}{\text{length of references}}",
    encode=encode,
    law=Law(value=value, linear=True),
    reference="sacreBLEU's TER",
    references=("snover2006", "post2018"),
    extra="text",
    library="sacrebleu",
)
