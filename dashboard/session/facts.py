"""What pages tell of the scores on the page beyond what stands in them."""

from __future__ import annotations

from typing import TYPE_CHECKING

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
