"""Everything about one pair, computed when asked."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Any

from nlpstat_core.board.pairs.one_pair import pair_data
from nlpstat_core.methods.effects import EFFECTS
from nlpstat_core.report.wording import pair_notes
from nlpstat_core.results.pair import PairData

if TYPE_CHECKING:
    from nlpstat_core.analysis.result import Analysis


@dataclass(frozen=True, kw_only=True, repr=False)
class PairResult(PairData):
    """One pair with all effect sizes, all intervals and its diagnosis; names are those of the JSON.

    Attributes
    ----------
    system_a, system_b : str
        a stands before b in the file's column order.
    n_units : int
        Units both systems have.
    n_a, n_b : int
        Units of each system that the comparison used: the shared ones, or all of them where the two are
        compared as independent samples.
    score_a, score_b, difference : float
        Means over the units that were compared and a − b, metric points.
    interval : tuple of two floats
        Unadjusted interval of the difference.
    test, hypothesis, p_kind : str or None
    statistic, p_value, log10_p, error, p_adjusted : float
    p_equivalence, p_equivalence_adjusted : float or None
        The larger of the two one-sided p-values about the margin, alone and adjusted; None without a margin.
    interval_simultaneous : tuple of two floats, or None
        Interval of the difference that holds together with those of all other pairs; None where the settings
        don't name it.
    df : float or None
        Degrees of freedom where every pair has its own (test over items and runs).
    significant : bool
    better : str or None
    verdict : str
    estimate : Estimate or None
        The quantity the test is about.
    effects : mapping of str to Estimate
        Every effect size of the catalogue that the pair's design allows, and those of the configuration.
    diagnosis : Diagnosis
    notes : tuple of Note
    alpha : float or None
        Level that p_adjusted is compared with.

    Examples
    --------
    >>> from nlpstat_core import compare
    >>> pair = compare([3, 4, 5, 6, 9], [1, 3, 3, 5, 5], test="t")
    >>> pair.difference, pair.verdict, round(pair.effects["cohen-d"].value, 3)
    (2.0, 'better', 1.633)
    """

    def _repr_html_(self) -> str:
        from nlpstat_core.report.exports.documents.notebook import pair_html

        return pair_html(self)

    def _repr_markdown_(self) -> str:
        from nlpstat_core.report.exports.documents.notebook import pair_md

        return pair_md(self)

    def to_dict(self) -> dict[str, Any]:
        """The pair as plain data, in the shape of one entry of analysis.json."""
        from nlpstat_core.report.exports.data.plain import pair_to_dict

        return pair_to_dict(self)


def pair_result(
    analysis: Analysis, row: int, *, effect_keys: Collection[str] = EFFECTS.keys, estimated: bool = True
) -> PairResult:
    """Everything about the pair of one row of the table."""
    numbers, codes = pair_data(analysis, row, effect_keys=effect_keys, estimated=estimated)
    found = {field.name: getattr(numbers, field.name) for field in fields(numbers)}
    return PairResult(**{**found, "notes": pair_notes(analysis, row, codes)})
