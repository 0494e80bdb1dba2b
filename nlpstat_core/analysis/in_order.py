"""One pair in the order that a reader chose: the first minus the second, everywhere."""

from dataclasses import replace
from typing import Any

import numpy as np

from nlpstat_core.analysis.result import Analysis
from nlpstat_core.config import Alternative
from nlpstat_core.errors import AnalysisError, shown

_MIRRORED: dict[Alternative, Alternative] = {"two-sided": "two-sided", "greater": "less", "less": "greater"}
# What was decided with the other pairs of the board, and p itself, which doesn't depend on the order.
_OF_BOARD = (
    "p_value",
    "log10_p",
    "p_kind_code",
    "error",
    "p_adjusted",
    "significant",
    "separated",
    "equivalent",
    "p_equivalence",
    "p_equivalence_adjusted",
)


def in_order(analysis: Analysis, first: str, second: str) -> Analysis:
    """The analysis as one pair in the order that was asked for.

    Returns: The analysis itself where its table has the pair in this order; else a board of the two systems,
        with differences, intervals, effect sizes and one-sided alternatives about first − second, and with
        the p-values, decisions and family size of the whole board.
    Raises ScoreError: No system has this name.
    Raises AnalysisError: The pair was not compared.
    """
    from nlpstat_core.analysis.analyse import analyse

    units, config = analysis.units, analysis.config
    row = analysis.pairs.find(units.index(first), units.index(second))
    if row is None:
        raise AnalysisError(f"{shown(first)} and {shown(second)} were not compared in this analysis.")
    if analysis.pairs.left[row] == units.index(first):
        return analysis
    swapped = replace(
        config,
        alternative=_MIRRORED[config.alternative],
        delta=0.0 - config.delta,
        baseline=None,
        correction="none",
        unit_size=1,
        shuffle_seed=None,
        missing="pairwise",
    )
    alone = analyse(units.columns([units.index(first), units.index(second)]), swapped)
    known = {name: getattr(analysis.pairs, name) for name in _OF_BOARD}
    chosen: dict[str, Any] = {
        name: None if column is None else column[[row]] for name, column in known.items()
    }
    together = analysis.pairs.interval_simultaneous
    if together is not None:
        chosen["interval_simultaneous"] = 0.0 - together[[row], ::-1]
    notes = dict(alone.pairs.notes) | {
        code: np.array([True]) for code, mask in analysis.pairs.notes.items() if mask[row]
    }
    return replace(
        alone,
        config=replace(swapped, correction=config.correction),
        pairs=replace(alone.pairs, **chosen, notes=notes),
        family_size=analysis.family_size,
    )
