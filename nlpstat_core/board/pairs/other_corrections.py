"""One pair under every correction of the catalogue, for exploration."""

from dataclasses import dataclass, replace

import numpy as np

from nlpstat_core.board.pairs.decision import claims_exclude, decide, told_apart
from nlpstat_core.config import AnalysisConfig
from nlpstat_core.errors import AnalysisError, ConfigError
from nlpstat_core.methods.corrections import CORRECTIONS, Adjusted, Comparisons, Family
from nlpstat_core.methods.corrections.adjust import adjust_claims
from nlpstat_core.methods.corrections.max_t import resamples_units
from nlpstat_core.methods.significance.documents import as_run
from nlpstat_core.results.analysis import AnalysisData
from nlpstat_core.results.columns import SHORT_OF_DELTA, PairTable
from nlpstat_core.scores.direction import advantage
from nlpstat_core.stopping import ShouldStop, stop_if_asked, stoppable

# About a second of work each; the analysis' own correction is there already, whatever it cost.
MOST_PRODUCTS = 2_000_000_000
LARGEST_SQUARED_FAMILY = 20_000

OTHER_TEST, AS_HOLM, COSTLY, REFUSED = "other-test", "as-holm", "costly", "refused"


@dataclass(frozen=True, eq=False, kw_only=True)
class OtherCorrection:
    """What one correction makes of a pair.

    correction: Key.
    p_adjusted: Over the family of the analysis; NaN where left out, or where the pair's p is undefined.
    significant: At the level of the analysis.
    separated: Significant, and the test's direction is that of the means.
    better: The better system by the metric's direction, None where not significant.
    notes: Codes of what this correction remarks on the pair.
    left_out: "" where computed; else "other-test" (the correction goes with other tests), "as-holm"
        (Shaffer's logic does not hold, the numbers would be Holm's), "costly" or "refused".
    problem: Where refused: why these scores can't be corrected this way.
    """

    correction: str
    p_adjusted: float
    significant: bool
    separated: bool
    better: str | None = None
    notes: tuple[str, ...] = ()
    left_out: str = ""
    problem: str = ""


def other_corrections(
    analysis: AnalysisData, row: int, *, should_stop: ShouldStop | None = None
) -> tuple[OtherCorrection, ...]:
    """The adjusted p-value and the decision of a pair under every correction that goes with the test.

    Returns: In catalogue order, the analysis' own among them.

    The family's p-values are those of the analysis; only max-T looks at the scores again, with the seed and
    the resamples of the analysis.
    """
    with stoppable(should_stop):
        return tuple(_under(analysis, row, key) for key in CORRECTIONS.keys)


def _under(analysis: AnalysisData, row: int, key: str) -> OtherCorrection:
    stop_if_asked()
    pairs = analysis.pairs
    if key == analysis.config.correction:
        notes = {code: pairs.notes[code] for code in CORRECTIONS[key].notes if code in pairs.notes}
        return _decided(analysis, row, key, Adjusted(p_values=pairs.p_adjusted, notes=notes))
    try:
        config = as_run(replace(analysis.config, correction=key), runs=analysis.units.runs is not None)
    except ConfigError:
        return _left_out(key, OTHER_TEST)
    if _costly(analysis, config):
        return _left_out(key, COSTLY)
    known = Comparisons(units=analysis.units, left=pairs.left, right=pairs.right, config=config)
    try:
        adjusted, _ = adjust_claims(
            Family(p_values=pairs.p_value, comparisons=known),
            pairs.p_equivalence,
            key,
            exclusive=claims_exclude(pairs.test_code, config),
        )
    except AnalysisError as error:
        return _left_out(key, REFUSED, str(error))
    return _decided(analysis, row, key, adjusted)


def _decided(analysis: AnalysisData, row: int, key: str, adjusted: Adjusted) -> OtherCorrection:
    notes = tuple(sorted(code for code, mask in adjusted.notes.items() if mask[row]))
    if "shaffer-as-holm" in notes:
        return _left_out(key, AS_HOLM)
    pairs, at = analysis.pairs, slice(row, row + 1)
    significant = decide(adjusted.p_values[at], analysis.config.alpha)
    separated, unclear = told_apart(
        significant, pairs.direction[at], pairs.difference[at], analysis.config.delta
    )
    return OtherCorrection(
        correction=key,
        p_adjusted=float(adjusted.p_values[row]),
        significant=bool(significant[0]),
        separated=bool(separated[0]) and _in_order(analysis, row),
        better=_ahead(pairs, row) if significant[0] and not unclear[SHORT_OF_DELTA][0] else None,
        notes=notes,
    )


def _in_order(analysis: AnalysisData, row: int) -> bool:
    """Whether the test of a pair speaks for the system that stands higher on the board."""
    pairs, board = analysis.pairs, analysis.leaderboard
    score = dict(zip(board.column.tolist(), board.score.tolist(), strict=True))
    ahead = score[int(pairs.left[row])] - score[int(pairs.right[row])]
    return bool(pairs.direction[row] * ahead > 0)


def _ahead(pairs: PairTable, row: int) -> str:
    """The system that a significant test speaks for."""
    ahead = pairs.left if advantage(pairs.direction[row], pairs.lower_is_better) > 0 else pairs.right
    name: str = pairs.systems[int(ahead[row])]
    return name


def _left_out(key: str, why: str, problem: str = "") -> OtherCorrection:
    return OtherCorrection(
        correction=key, p_adjusted=np.nan, significant=False, separated=False, left_out=why, problem=problem
    )


def _costly(analysis: AnalysisData, config: AnalysisConfig) -> bool:
    """Whether a correction takes more than about a second."""
    n_pairs = len(analysis.pairs)
    if CORRECTIONS[config.correction].squared_cost:
        return n_pairs > LARGEST_SQUARED_FAMILY
    if not CORRECTIONS[config.correction].resamples:
        return False
    columns = n_pairs if resamples_units(config.test) else analysis.units.n_systems
    sums = analysis.units.n_units * columns + 5 * n_pairs
    return config.resamples * sums > MOST_PRODUCTS
