"""What a board could tell apart, and what its neighbours need, as plain data."""

import math
from typing import Any

from nlpstat_core.power import BoardPower, Neighbours
from nlpstat_core.results.analysis import AnalysisData


def board_power_to_dict(analysis: AnalysisData, board: BoardPower, near: Neighbours) -> dict[str, Any]:
    """Detectable differences of all pairs and the items that neighbours need; infinity is "unreachable"."""
    pairs, measured = analysis.pairs, analysis.units.measured

    def told(value: float) -> float | str | None:
        return None if math.isnan(value) else "unreachable" if math.isinf(value) else value

    return {
        "measure": None if measured is None else measured.signature,
        "power": board.power,
        "comparison_alpha": board.comparison_alpha,
        "comparisons": board.comparisons,
        "pairs": [
            {
                "system_a": a,
                "system_b": b,
                "n_units": n_units,
                "difference": told(difference),
                "detectable": told(detectable),
                "model": model,
                "unreachable": unreachable,
            }
            for a, b, n_units, difference, detectable, model, unreachable in zip(
                pairs.system_a,
                pairs.system_b,
                pairs.n_units.tolist(),
                pairs.difference.tolist(),
                board.detectable.tolist(),
                board.model.tolist(),
                board.unreachable.tolist(),
                strict=True,
            )
        ],
        "neighbours": [
            {
                "upper": near.upper[row],
                "lower": near.lower[row],
                "effect": told(float(near.effect[row])),
                "interval": [told(float(end)) for end in near.interval[row]],
                "needed": told(float(near.needed[row])),
                "needed_at_least": told(float(near.needed_least[row])),
                "needed_at_most": told(float(near.needed_most[row])),
            }
            for row in range(len(near.upper))
        ],
    }
