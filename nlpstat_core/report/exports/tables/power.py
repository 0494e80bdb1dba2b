"""A simulated power curve, and what neighbours on a board need, as tables."""

import numpy as np

from nlpstat_core.arrays import FloatArray
from nlpstat_core.power import Neighbours, PowerCurve
from nlpstat_core.report.exports.tables.table import Column, counts, fixed, intervals, names
from nlpstat_core.report.wording.power import units_text


def curve_columns(curve: PowerCurve) -> tuple[Column, ...]:
    """One row a size: units, documents where the curve has them, power and its band."""
    documents = [] if curve.documents is None else [counts("documents", curve.documents)]
    ends = np.column_stack([curve.lower, curve.upper])
    return (
        counts("items", curve.sizes),
        *documents,
        fixed("power", curve.power, 3),
        intervals("95 % band", ends, 3),
    )


def neighbour_columns(found: Neighbours) -> tuple[Column, ...]:
    """One row a pair of neighbours: its effect with the interval, and the items it takes."""
    per_document = np.where(found.n_documents > 0, found.n_a / np.maximum(found.n_documents, 1), 0.0)

    def units(needed: FloatArray) -> list[str]:
        return [units_text(n, of_one) for n, of_one in zip(needed, per_document, strict=True)]

    return (
        names("upper", found.upper),
        names("lower", found.lower),
        fixed("effect", found.effect, 3),
        intervals("interval", found.interval, 3),
        names("items now", units(found.n_a.astype(float))),
        names("needed", units(found.needed)),
        names("at least", units(found.needed_least)),
        names("at most", units(found.needed_most)),
    )
