"""Pairs of a judged board corrected together by max-T."""

from dataclasses import replace

import numpy as np

from nlpstat_core.analysis.judged.pairs import corrected_pairs
from nlpstat_core.analysis.judged.sides import Sides
from nlpstat_core.arrays import BoolArray, FloatArray, IntArray
from nlpstat_core.methods.judged.corrected import CorrectedMeans
from nlpstat_core.methods.judged.max_t import RESAMPLES, DocumentSigns, Signed, max_t_p_values
from nlpstat_core.methods.judged.retuned import RetunedSigns
from nlpstat_core.results.judge import PairsOfBoard


def pairs_by_max_t(
    sides: Sides, left: IntArray, right: IntArray, alpha: float, resamples: int = RESAMPLES
) -> PairsOfBoard:
    """The pairs with p-values adjusted by signs of items, or of documents, that all pairs share."""
    pairs, signed = (
        _by_item(sides, left, right, alpha)
        if sides.documents is None
        else _by_document(sides, left, right, alpha)
    )
    statistic = np.full(left.size, np.nan)
    np.divide(np.abs(pairs.difference), pairs.error, out=statistic, where=~np.isnan(pairs.p_value))
    adjusted = max_t_p_values(statistic, pairs.p_value, signed, resamples)
    return replace(pairs, p_adjusted=adjusted, significant=adjusted <= alpha)


def _by_item(sides: Sides, left: IntArray, right: IntArray, alpha: float) -> tuple[PairsOfBoard, Signed]:
    """Items with a label come first, so that what is about these only has no other rows."""
    labelled = sides.labelled.any(axis=1)
    place = np.empty(labelled.size, dtype=np.int64)
    place[np.argsort(~labelled, kind="stable")] = np.arange(labelled.size)
    signed = RetunedSigns.empty(labelled.size, int(labelled.sum()), left.size)

    def seen(
        some: IntArray, rows: IntArray, y: FloatArray, f: FloatArray, of: BoolArray, mean: CorrectedMeans
    ) -> None:
        signed.fill(some, place[rows], y, f, of)

    return corrected_pairs(sides, left, right, alpha, seen)[0], signed


def _by_document(sides: Sides, left: IntArray, right: IntArray, alpha: float) -> tuple[PairsOfBoard, Signed]:
    """What the items of a document add together."""
    assert sides.documents is not None
    codes = sides.documents
    influence, counts = (np.zeros((int(codes.max()) + 1, left.size)) for _ in range(2))

    def seen(
        some: IntArray, rows: IntArray, y: FloatArray, f: FloatArray, of: BoolArray, mean: CorrectedMeans
    ) -> None:
        np.add.at(influence, np.ix_(codes[rows], some), mean.influence)
        np.add.at(counts, np.ix_(codes[rows[of]], some), 1.0)

    pairs, _ = corrected_pairs(sides, left, right, alpha, seen)
    return pairs, DocumentSigns(influence, counts > 0)
