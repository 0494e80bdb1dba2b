"""Attachment of dependency trees: the share of tokens with the right head (and relation)."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

import numpy as np

from nlpstat_core.arrays import FloatArray
from nlpstat_core.errors import AnalysisError
from nlpstat_core.measures.record import Column, Encoded, Law, Measure

Arc = tuple[int, str]


def same_head(arc: Arc, right: Arc) -> bool:
    """Whether the head is right."""
    return int(arc[0]) == int(right[0])


def same_arc(arc: Arc, right: Arc) -> bool:
    """Whether head and relation are right."""
    return same_head(arc, right) and arc[1] == right[1]


def attached(
    gold: Column, outputs: Sequence[Column], options: Mapping[str, Any], *, same: Callable[[Arc, Arc], bool]
) -> Encoded:
    """Tokens that are right, one number a system; gold has the tokens of every sentence."""
    table = np.zeros((len(outputs), len(gold)))
    for system, column in enumerate(outputs):
        for item, tree in enumerate(column):
            if tree is None:
                continue
            if len(tree) != len(gold[item]):
                raise AnalysisError(
                    f"Item {item + 1} has {len(tree):,} tokens where gold has {len(gold[item]):,}."
                )
            table[system, item] = sum(map(same, tree, gold[item]))
    return Encoded(gold=np.array([[float(len(tree)) for tree in gold]]), outputs=table)


def value(gold: FloatArray, own: FloatArray) -> FloatArray:
    """Right tokens over all; undefined without any."""
    share: FloatArray = own[0] / np.where(gold[0] > 0, gold[0], np.nan)
    return share


UAS = Measure(
    key="uas",
    label="UAS",
    kind="trees",
    bounds=(0.0, 1.0),
    summary="Unlabelled attachment score: the share of tokens with the right head.",
    formula=r"\frac{\#\text{right heads}}{\#\text{tokens}}",
    encode=partial(attached, same=same_head),
    law=Law(value=value, linear=True),
    reference="its definition, token by token",
    references=("buchholz2006",),
)
LAS = Measure(
    key="las",
    label="LAS",
    kind="trees",
    bounds=(0.0, 1.0),
    summary="Labelled attachment score: the share of tokens with the right head and relation.",
    formula=r"\frac{\#\text{right heads and relations}}{\#\text{tokens}}",
    encode=partial(attached, same=same_arc),
    law=Law(value=value, linear=True),
    reference="its definition, token by token",
    references=("buchholz2006",),
)
