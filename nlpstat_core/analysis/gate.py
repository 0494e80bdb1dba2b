"""A gate: are new systems at most a margin worse than a baseline, shown, refuted, or still open?"""

import math
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from scipy.special import ndtri

from nlpstat_core.analysis.analyse import analyse
from nlpstat_core.analysis.given import as_matrix
from nlpstat_core.analysis.result import Analysis
from nlpstat_core.board.preparation import baseline_column
from nlpstat_core.board.settled import settled
from nlpstat_core.config import RECOMMENDED, Alternative, AnalysisConfig
from nlpstat_core.errors import AnalysisError, ConfigError, shown
from nlpstat_core.methods.diagnosis.few_units import rests_on_few, wanted
from nlpstat_core.notes import doubts
from nlpstat_core.results.gate import Candidate, Decision, GateData
from nlpstat_core.scores.matrix import ScoreMatrix
from nlpstat_core.scores.means_only import refuse_measured

# Chance of deciding that the number of units is planned for.
PLANNED_POWER = 0.8
# Skewness moves p-values near the level; one so many times smaller stays below it.
PLAINLY = 100
# Candidates that a gate shows of itself.
MOST_SHOWN = 5
# Margins below it are no differences of scores.
SMALLEST = 1e-100


@dataclass(frozen=True, kw_only=True)
class Gate(GateData):
    """Every candidate against one baseline.

    Attributes
    ----------
    baseline : str
    margin : float
        A candidate may be worse by less than this, metric points.
    alpha : float
        Chance of letting through a candidate that is worse by the margin or more, over all candidates.
    lower_is_better : bool
    candidates : tuple of Candidate
    analysis : Analysis
        The comparison with the baseline that intervals come from.

    Examples
    --------
    >>> values = [[3, 3.2], [4, 4.1], [5, 5.3], [6, 6.1], [9, 9.2], [7, 7.1]]
    >>> found = gate(ScoreMatrix(values=values, systems=["main", "new"]), baseline="main", margin=0.5)
    >>> found.decision, found.candidates[0].superior
    ('pass', True)
    """

    analysis: Analysis

    def __repr__(self) -> str:
        decided = ", ".join(f"{one.system} {one.decision}" for one in self.candidates[:MOST_SHOWN])
        more = ", …" if len(self.candidates) > MOST_SHOWN else ""
        return (
            f"<Gate: {self.decision} (at most {self.margin:g} worse than {self.baseline}: {decided}{more})>"
        )


def gate(
    scores: ScoreMatrix | Any, *, baseline: str, margin: float, config: AnalysisConfig | None = None
) -> Gate:
    """Non-inferiority of every system to a baseline, and superiority.

    The null hypothesis of a pass: the candidate is worse than the baseline by `margin` or more.

    Parameters
    ----------
    scores : ScoreMatrix, data frame or mapping of columns
        Items × systems; all systems but the baseline are candidates. A frame is read as `read_scores` does.
    baseline : str
    margin : float
        Largest loss that doesn't matter, metric points; 0 asks for superiority.
    config : AnalysisConfig, optional
        Test, documents, missing scores, alpha …; the alternative is two-sided and the hypothesised difference
        0, since the gate sets both.

    Returns
    -------
    Gate

    Raises
    ------
    ConfigError
        A margin below 0, an alternative or difference of one's own, no such baseline.
    AnalysisError
        Scores that these settings can't compare.

    Notes
    -----
    Both one-sided questions are asked at alpha/k for k candidates (Bonferroni). A candidate passes where the
    test with the hypothesised difference −margin rejects and the lower end of the interval at level
    1 − 2·alpha/k lies above −margin, fails where both say the opposite, and is undecided otherwise: the
    interval that is shown never contradicts the decision. Tests of a mean pass too often where a few units
    lose much and too few are tested to show it (in simulations of lognormal losses 11 % at 5 % with 100
    units): with n < 25·skewness² units a pass or failure needs p ≤ alpha/(100·k). Cost: three analyses of k
    pairs.

    References
    ----------
    Schuirmann (1987), doi:10.1007/BF01068419;
    Cochran (1977), Sampling Techniques, section 2.15.

    Examples
    --------
    >>> values = [[3, 3.2], [4, 4.1], [5, 5.3], [6, 6.1], [9, 9.2], [7, 7.1]]
    >>> gate(ScoreMatrix(values=values, systems=["main", "new"]), baseline="main", margin=0.5).decision
    'pass'
    """
    scores = as_matrix(scores, "gate")
    config = config or AnalysisConfig()
    refuse_measured(scores, "A gate")
    if margin != 0 and not SMALLEST <= margin <= 1 / SMALLEST:
        raise ConfigError(f"The margin must be 0, or a number above 0 that isn't tiny, not {shown(margin)}.")
    if config.alternative != "two-sided" or config.delta:
        raise ConfigError(
            "The margin of a gate sets the alternative and the hypothesised difference; leave both out."
        )
    config = replace(
        config, baseline=baseline, effects=(), intervals=(), equivalence_margin=None, correction="none"
    )
    baseline_column(scores, config)
    config = settled(scores, config)
    k = scores.n_systems - 1
    level = config.alpha / k
    if level >= 0.5:
        raise ConfigError(f"A gate needs alpha below 0.5, not {config.alpha:g}.")
    shown_analysis = analyse(scores, replace(config, confidence_level=1 - 2 * level))
    sign = -1.0 if shown_analysis.pairs.lower_is_better else 1.0
    better: Alternative = "less" if sign < 0 else "greater"
    worse: Alternative = "greater" if sign < 0 else "less"
    shift = 0.0 - sign * margin
    not_worse = _p_values(scores, config, better, shift)
    is_worse = _p_values(scores, config, worse, shift)
    is_better = _p_values(scores, config, better, 0.0)
    pairs, waits = shown_analysis.pairs, bool(doubts(scores.notes))
    averaged = sign * pairs.mean_skewness
    skewed = np.where(np.isnan(averaged), sign * pairs.diagnosis.skewness, averaged * np.sqrt(pairs.n_units))
    units_wanted, few_units = wanted(averaged, pairs.n_units), rests_on_few(averaged)
    candidates = []
    scores_of, tests = np.stack([pairs.score_a, pairs.score_b], axis=1).tolist(), pairs.test
    for row in range(len(pairs)):
        low, high = sorted(sign * pairs.interval[row])  # ends of the gain over the baseline
        gain = sign * float(pairs.difference[row])
        # Skewness towards losses makes passing easy, towards gains failing.
        few = few_units[row]
        pass_level = level / PLAINLY if few and skewed[row] < 0 else level
        fail_level = level / PLAINLY if few and skewed[row] > 0 else level
        passes = _below(not_worse[row], level) and low > -margin
        fails = _below(is_worse[row], level) and high < -margin
        plain = _below(not_worse[row], pass_level) if passes else _below(is_worse[row], fail_level)
        too_skewed = (passes or fails) and not plain
        decision: Decision = "pass" if passes and plain else "fail" if fails and plain else "undecided"
        if waits:
            decision = "undecided"
        candidates.append(
            Candidate(
                system=str(pairs.system_a[row]),
                score=scores_of[row][0],
                baseline_score=scores_of[row][1],
                difference=float(pairs.difference[row]),
                interval=(float(pairs.interval[row, 0]), float(pairs.interval[row, 1])),
                n_units=int(pairs.n_units[row]),
                test=tests[row],
                p_non_inferior=not_worse[row],
                p_inferior=is_worse[row],
                p_superior=is_better[row],
                decision=decision,
                superior=not waits and bool(_below(is_better[row], pass_level) and low > 0),
                units_to_decide=math.ceil(units_wanted[row])
                if too_skewed
                else _units(gain + margin, high - low, level, int(pairs.n_units[row]))
                if decision == "undecided" and not waits
                else None,
                skewness=float(skewed[row]),
                too_skewed=too_skewed,
            )
        )
    if all(math.isnan(candidate.difference) for candidate in candidates):
        raise AnalysisError(f"No candidate shares an item with the baseline {shown(baseline)}.")
    return Gate(
        baseline=baseline,
        margin=float(margin),
        alpha=config.alpha,
        lower_is_better=pairs.lower_is_better,
        candidates=tuple(candidates),
        analysis=shown_analysis,
    )


def _p_values(
    scores: ScoreMatrix, config: AnalysisConfig, alternative: Alternative, delta: float
) -> list[float]:
    """One-sided p-values of all candidates; NaN where the scores are counts, whose tests know no shift."""
    if scores.counts is not None and delta and config.test in (RECOMMENDED, "block-permutation"):
        return [math.nan] * (scores.n_systems - 1)
    asked = replace(config, alternative=alternative, delta=delta)
    return [float(p) for p in analyse(scores, asked).pairs.p_value]


def _below(p_value: float, level: float) -> bool:
    """Whether p reaches the level; where there is none, the interval decides alone."""
    return math.isnan(p_value) or p_value <= level


def _units(distance: float, width: float, level: float, n_units: int) -> int | None:
    """Units with which an interval around such a difference leaves the margin out four times in five."""
    if not (math.isfinite(width) and distance and width > 0 and n_units > 1):
        return None
    error = width / 2 / -ndtri(level)
    needed = n_units * ((-ndtri(level) + ndtri(PLANNED_POWER)) * error / distance) ** 2
    return max(n_units + 1, math.ceil(min(needed, 1e15)))
