"""What pages tell of the scores beyond what stands in them, and which boards of an upload are compared."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from dashboard.background import readings
from dashboard.background.looks import Facts
from dashboard.session.results import ask
from dashboard.session.state import session

if TYPE_CHECKING:
    from nlpstat_core.scores.matrix import ScoreMatrix

FACTS = "facts"


def known_facts(scores: ScoreMatrix) -> Facts:
    """What came with the scores from the process that read them; of a saved board, found out now.

    Returns: Without anything in it as long as nothing is known.
    """
    here = session()
    if here.facts is None or here.scores is None or here.scores.fingerprint != scores.fingerprint:
        found: Facts | None = ask(FACTS, scores.fingerprint, readings.facts, scores, quick=True).value
        return Facts() if found is None else found
    return here.facts


def kinds_of(
    scores: ScoreMatrix, facts: Facts, block_column: str | None = None
) -> tuple[Literal["metric", "dataset"], ...]:
    """What the boards of an upload can be.

    facts: Of the scores.
    Returns: Empty when there is only one board.
    """
    several = scores.several
    found: list[Literal["metric", "dataset"]] = []
    if "metrics" in several or "sheets" in several:
        found.append("metric")
    columns = columns_of(facts, block_column)
    if "sheets" in several or columns or "datasets" in several:
        found.append("dataset")
        inside = bool(columns) or "dataset_column" in scores.reading
        if "datasets" in several and not inside and "metric" not in found:
            found.insert(0, "metric")  # files may be either
    return tuple(found)


def columns_of(facts: Facts, block_column: str | None = None) -> tuple[str, ...]:
    """Label columns whose values can be data sets, the one named so first and documents last.

    Returns: Empty where there are documents only: they are parts of a test set, and no reason to take it
        apart.
    """
    documents = {name for name in facts.datasets if name == block_column or name in facts.documents}
    if documents.issuperset(facts.datasets):
        return ()
    return tuple(sorted(facts.datasets, key=documents.__contains__))
