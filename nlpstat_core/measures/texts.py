"""Texts beside one or more references, and the numbers that sacreBLEU counts."""

from collections.abc import Sequence
from importlib import import_module
from typing import Any

import numpy as np

from nlpstat_core.errors import AnalysisError, shown
from nlpstat_core.installed import packages_problem
from nlpstat_core.measures.record import Column, Encoded


def references_of(gold: Column) -> list[tuple[str, ...]]:
    """The references of every item; one may come as a string. Raises AnalysisError where there is none."""
    found = [(right,) if isinstance(right, str) else tuple(str(text) for text in right) for right in gold]
    for item, texts in enumerate(found, start=1):
        if not texts:
            raise AnalysisError(f"Item {item} has no reference; give one, or leave the item out.")
    return found


def single_references(gold: Column, label: str) -> list[str]:
    """The one reference of every item; raises AnalysisError for several."""
    references = references_of(gold)
    if any(len(texts) != 1 for texts in references):
        raise AnalysisError(f"{label} needs one reference an item; give the first alone.")
    return [texts[0] for texts in references]


def texts_of(outputs: Sequence[Column]) -> list[list[str | None]]:
    """Outputs of all systems as they are; raises AnalysisError for what is no text."""
    for column in outputs:
        for text in column:
            if text is not None and not isinstance(text, str):
                raise AnalysisError(f"Outputs must be texts, and {shown(str(text))} is none.")
    return [list(column) for column in outputs]


def library(name: str, label: str) -> Any:
    """A module of the extra "text"; raises AnalysisError where it isn't here."""
    problem = packages_problem(f"{label} needs", "text")
    if problem is not None:
        raise AnalysisError(problem)
    return import_module(name)


def counted(metric: Any, gold: Column, outputs: Sequence[Column]) -> Encoded:
    """What a metric of sacreBLEU, that knows no references yet, counts in every segment."""
    references = references_of(gold)
    most = max(len(texts) for texts in references)
    streams = [[texts[k] if k < len(texts) else None for texts in references] for k in range(most)]
    metric._ref_cache = metric._cache_references(streams)  # as its constructor does, once for all systems
    parts = []
    for column in texts_of(outputs):
        counts = metric._extract_corpus_statistics([text or "" for text in column], None)
        table = np.array(counts, dtype=np.float64).T
        parts.append(np.where([text is not None for text in column], table, 0.0))
    return Encoded(gold=np.ones((1, len(gold))), outputs=np.concatenate(parts))
