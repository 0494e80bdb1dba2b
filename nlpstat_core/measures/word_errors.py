"""Word and character error rates, as jiwer counts them."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np

from nlpstat_core.arrays import FloatArray
from nlpstat_core.measures.record import Column, Encoded, Law, Measure
from nlpstat_core.measures.texts import library, single_references, texts_of


def by_jiwer(
    gold: Column, outputs: Sequence[Column], options: Mapping[str, Any], *, function: str, label: str
) -> Encoded:
    """Edits and the lengths of references, counted by a function of jiwer."""
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


def error_rate(gold: FloatArray, own: FloatArray) -> FloatArray:
    """Edits over length; the edits themselves where references are empty."""
    edits, length = own
    found: FloatArray = edits / np.where(length > 0, length, 1.0)
    return found


WER = Measure(
    key="wer",
    label="WER",
    kind="texts",
    lower_is_better=True,
    bounds=(0.0, np.inf),
    summary="Word error rate as jiwer has it: words to substitute, delete and insert, over the references' "
    "words.",
    formula=r"\frac{S + D + I}{\text{words of references}}",
    encode=partial(by_jiwer, function="process_words", label="WER"),
    law=Law(value=error_rate, linear=True),
    reference="jiwer's wer",
    extra="text",
    library="jiwer",
)


CER = replace(
    WER,
    key="cer",
    label="CER",
    summary="Character error rate as jiwer has it: characters to substitute, delete and insert, over the "
    "references' characters.",
    formula=r"\frac{S + D + I}{\text{characters of references}}",
    encode=partial(by_jiwer, function="process_characters", label="CER"),
    reference="jiwer's cer",
)
