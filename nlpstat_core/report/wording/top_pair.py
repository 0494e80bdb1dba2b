"""One pair with everything a report owes it, as a sentence."""

import math
from collections.abc import Iterator

from nlpstat_core.board.pairs.one_pair import pair_data
from nlpstat_core.formatting import format_interval, format_score, format_statistic, p_equals
from nlpstat_core.methods.corrections import CORRECTIONS
from nlpstat_core.methods.effects import EFFECTS, effect_for
from nlpstat_core.methods.significance import TESTS
from nlpstat_core.report.wording.magnitudes import CAUTION, effect_text, magnitude
from nlpstat_core.report.wording.question import label_of_test
from nlpstat_core.report.wording.statements import RESULTS, Statement
from nlpstat_core.results.analysis import AnalysisData
from nlpstat_core.results.pair import Estimate, PairData


def top_row(analysis: AnalysisData) -> int | None:
    """Row of the two best systems, or of the best and the baseline; None where they weren't compared."""
    board, config = analysis.leaderboard, analysis.config
    first, second = int(board.column[0]), int(board.column[1])
    if config.baseline is not None:
        baseline = analysis.units.index(config.baseline)
        first = int(next(column for column in board.column if column != baseline))
        second = baseline
    return analysis.pairs.find(first, second)


def pair_statements(analysis: AnalysisData, row: int) -> Iterator[Statement]:
    """One pair: data, test, decision, estimates with intervals, size of the effect in words."""
    code = int(analysis.pairs.test_code[row])
    about_mean = code < 0 or TESTS[analysis.pairs.tests[code]].hypothesis == "mean"
    keys = tuple(analysis.pairs.effects)
    pair, _ = pair_data(analysis, row, effect_keys=keys, estimated=not about_mean)
    shown = [key for key, effect in pair.effects.items() if not math.isnan(effect.value)]
    parts = [_data(analysis, pair), *_test(analysis, pair), _decision(analysis, pair)]
    yield Statement("; ".join(part for part in parts if part), (), RESULTS)
    unpaired = bool(analysis.pairs.unpaired[row])
    labels = {key: (effect_for(key, unpaired=unpaired) or EFFECTS[key]).label for key in shown}
    effects = "; ".join(
        f"{labels[key]} {effect_text(key, pair.effects[key])}{_ends(pair.effects[key])}" for key in shown
    )
    if effects:
        interval = f"{100 * analysis.config.level:g} % intervals"
        yield Statement(f"Effect sizes of this pair with {interval}: {effects}", (), RESULTS)
        if any(magnitude(key, pair.effects[key].value) for key in shown):
            yield Statement(CAUTION.removesuffix("."), (), RESULTS)


def _data(analysis: AnalysisData, pair: PairData) -> str:
    units = f"n = {pair.n_a:,}" if pair.n_a == pair.n_b else f"n = {pair.n_a:,} and {pair.n_b:,}"
    if analysis.units.measured is not None:
        values = f"{format_score(pair.score_a)} and {format_score(pair.score_b)}"
        return f"{pair.system_a} − {pair.system_b}: {units}, {analysis.units.measured.label} {values}"
    sides = ((pair.system_a, pair.score_a, "a"), (pair.system_b, pair.score_b, "b"))
    lines = [
        f"{name} {format_score(score)} (SD {format_score(pair.diagnosis.summaries[side].sd)})"
        for name, score, side in sides
    ]
    return f"{pair.system_a} − {pair.system_b}: {units}, means {' and '.join(lines)}"


def _test(analysis: AnalysisData, pair: PairData) -> Iterator[str]:
    level = f"{100 * analysis.config.level:g} %"
    ends = format_interval(*pair.interval)
    what = "mean difference" if analysis.units.measured is None else "difference"
    yield f"{what} {format_score(pair.difference)} (unadjusted {level} interval {ends})"
    if pair.estimate is not None and pair.estimate.of != "mean":
        yield f"{pair.estimate.of} {format_score(pair.estimate.value)}{_ends(pair.estimate)}"
    if pair.test is None:
        return
    alpha, statistic = analysis.config.alpha, f"statistic {format_statistic(pair.statistic)}"
    yield f"{label_of_test(pair.test)}, {statistic}, {p_equals(pair.p_value, alpha=alpha)}"
    if adjusted_differs(analysis, pair):
        label = CORRECTIONS[analysis.config.correction].label
        yield f"{p_equals(pair.p_adjusted, 'adjusted p', alpha=alpha)} ({label})"


def adjusted_differs(analysis: AnalysisData, pair: PairData) -> bool:
    """Whether the adjusted p says more than p: always in a family, hardly ever for a pair alone."""
    alone = analysis.family_size <= 1 and pair.p_adjusted == pair.p_value
    return analysis.config.correction != "none" and not math.isnan(pair.p_value) and not alone


def _decision(analysis: AnalysisData, pair: PairData) -> str:
    if pair.verdict == "equivalent":
        return f"the two are equivalent within ±{analysis.config.equivalence_margin:g}"
    if math.isnan(pair.p_value):
        return "the test is undefined"
    if not pair.significant:
        return f"the null hypothesis is not rejected at {analysis.config.alpha:g}"
    text = f"the null hypothesis is rejected at {analysis.config.alpha:g}"
    if pair.verdict == "undecided" and pair.better is None:
        return f"{text}, which doesn't say which of the two is better"
    if pair.verdict == "undecided":
        return f"{text}, but the test and the mean point in opposite directions"
    return f"{text}: {pair.better} is better"


def _ends(estimate: Estimate) -> str:
    return (
        "" if all(math.isnan(end) for end in estimate.interval) else f" {format_interval(*estimate.interval)}"
    )
