"""Character error rate."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from nlpstat_core.measures import wer
from nlpstat_core.measures.record import Column, Encoded


def encode(gold: Column, outputs: Sequence[Column], options: Mapping[str, Any]) -> Encoded:
    """Edited characters and the length of the reference, by jiwer."""
    return wer.by_jiwer("process_characters", gold, outputs, METHOD.label)


METHOD = replace(
    wer.METHOD,
    key="cer",
    label="CER",
    summary="Character error rate as jiwer has it: characters to substitute, delete and insert, over the "
    "references' characters.",
    formula=r"\frac{S + D + I}{\text{characters of references}}",
    encode=encode,
    reference="jiwer's cer",
)
