"""A simulated power curve as a table."""

import numpy as np

from nlpstat_core.power import PowerCurve
from nlpstat_core.report.exports.tables.table import Column, counts, fixed, intervals


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
