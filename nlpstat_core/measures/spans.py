"""F1 of typed spans in tags: as conlleval reads them, or strictly as IOB2."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

import numpy as np

from nlpstat_core.errors import AnalysisError
from nlpstat_core.measures.one_label import FBeta
from nlpstat_core.measures.record import Column, Encoded, Law, Measure

Span = tuple[str, int, int]


def lenient_spans(tags: Sequence[str]) -> set[Span]:
    """(type, first, last) of spans as conlleval has them: I- after O, or of another type, opens one."""
    spans, start, open_type, before = set(), 0, "", "O"
    for place, tag in enumerate([*tags, "O"]):
        mark, _, kind = tag.partition("-")
        kind = kind or "_"
        inside = mark != "O" and mark != "" and open_type == kind and not _opens(before, mark)
        if open_type and not inside:
            spans.add((open_type, start, place - 1))
            open_type = ""
        if mark not in ("O", "") and not open_type:
            start, open_type = place, kind
        before = mark
    return spans


def _opens(before: str, mark: str) -> bool:
    """Whether a span of the type of the one before begins anew here."""
    return mark in ("B", "S") or before in ("E", "S", "O", "")


def strict_spans(tags: Sequence[str]) -> set[Span]:
    """(type, first, last) of spans in IOB2: B-, then I- of the same type; what has no B- is none."""
    spans, start, open_type = set(), 0, ""
    for place, tag in enumerate([*tags, "O"]):
        mark, _, kind = tag.partition("-")
        kind = kind or "_"
        if open_type and not (mark == "I" and kind == open_type):
            spans.add((open_type, start, place - 1))
            open_type = ""
        if mark == "B":
            start, open_type = place, kind
    return spans


def of_spans(
    gold: Column,
    outputs: Sequence[Column],
    options: Mapping[str, Any],
    *,
    spans: Callable[[Sequence[str]], set[Span]],
) -> Encoded:
    """Right and predicted spans of every item, and gold's."""
    right = [spans(tags) for tags in gold]
    table = np.zeros((len(outputs), 2, len(gold)))
    for system, column in enumerate(outputs):
        for item, tags in enumerate(column):
            if tags is None:
                continue
            if len(tags) != len(gold[item]):
                raise AnalysisError(
                    f"Item {item + 1} has {len(tags):,} tags where gold has {len(gold[item]):,}."
                )
            found = spans(tags)
            table[system, :, item] = len(found & right[item]), len(found)
    n_gold = np.array([[float(len(own)) for own in right]])
    return Encoded(gold=n_gold, outputs=table.reshape(-1, len(gold)))


SPAN_F1 = Measure(
    key="span-f1",
    label="span F1",
    kind="tags",
    bounds=(0.0, 1.0),
    summary="F1 of typed spans, all types together, as conlleval reads them: I- after O opens a span.",
    formula=r"\frac{2\,tp}{p + g}",
    encode=partial(of_spans, spans=lenient_spans),
    law=Law(value=FBeta()),
    reference="seqeval's f1_score",
    references=("tjongkimsang2003",),
)
SPAN_F1_STRICT = Measure(
    key="span-f1-strict",
    label="strict span F1",
    kind="tags",
    bounds=(0.0, 1.0),
    summary="F1 of typed spans, all types together, strictly in IOB2: what doesn't begin with B- is not a "
    "span.",
    formula=r"\frac{2\,tp}{p + g}",
    encode=partial(of_spans, spans=strict_spans),
    law=Law(value=FBeta()),
    reference='seqeval\'s f1_score (mode="strict", scheme=IOB2)',
    references=("tjongkimsang2003",),
)
