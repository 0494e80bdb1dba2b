"""Word error rate."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from nlpstat_core.arrays import FloatArray
from nlpstat_core.measures.record import Column, Encoded, Law, Measure
from nlpstat_core.measures.texts import library, single_references, texts_of


def encode(gold: Column, outputs: Sequence[Column], options: Mapping[str, Any]) -> Encoded:
    """Edited words and the length of the reference, by jiwer."""
    return by_jiwer("process_words", gold, outputs, METHOD.label)


def by_jiwer(function: str, gold: Column, outputs: Sequence[Column], label: str) -> Encoded:
    """Edits and lengths of references.

    function: Of jiwer.
    label: Of the measure, for messages.
    """
    process = getattr(library("jiwer", label), function)
    references, parts = single_references(gold, label), []
    for column in texts_of(outputs):
        found = process(references, [text or "" for text in column])
        edits = [
            sum(
                max(part.ref_end_idx - part.ref_start_idx, part.hyp_end_idx - part.hyp_start_idx)
                for part in aligned
                if part.type != "equal"
            )
            for aligned in found.alignments
        ]
        table = np.array([edits, [len(words) for words in found.references]], dtype=np.float64)
        parts.append(np.where([text is not None for text in column], table, 0.0))
    return Encoded(gold=np.ones((1, len(gold))), outputs=np.concatenate(parts))


def value(gold: FloatArray, own: FloatArray) -> FloatArray:
    """Edits over length; the edits themselves where references are empty."""
    edits, length = own
    found: FloatArray = edits / np.where(length > 0, length, 1.0)
    return found


METHOD = Measure(
    key="wer",
    label="WER",
    kind="texts",
    lower_is_better=True,
    bounds=(0.0, np.inf),
    summary="Word error rate as jiwer has it: words to substitute, delete and insert, over the references' "
    "words.",
    formula=r"\frac{S + D + I}{\text{words of references}}",
    encode=encode,
    law=Law(value=value, linear=True),
    reference="jiwer's wer",
    extra="text",
    library="jiwer",
)
