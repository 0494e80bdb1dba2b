"""NLPStatTest's procedure for one pair as text: data, significance, effect sizes, power."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from nlpstat_core.board.pairs.columns import Progress
from nlpstat_core.cli.options import as_option
from nlpstat_core.cli.terminal import in_options, plain_name, table
from nlpstat_core.errors import AnalysisError, NlpstatError
from nlpstat_core.formatting import common_decimals, format_interval, format_p, format_score, format_statistic
from nlpstat_core.report import wording
from nlpstat_core.report.exports.data.frames import provenance
from nlpstat_core.report.exports.tables.pairs import effects_table
from nlpstat_core.report.exports.tables.power import curve_columns
from nlpstat_core.report.exports.tables.table import counts, fixed, words
from nlpstat_core.report.wording.computed import computed_text
from nlpstat_core.report.wording.power import curve_sentence, power_note
from nlpstat_core.report.wording.statements import power_statement
from nlpstat_core.report.wording.top_pair import adjusted_differs

if TYPE_CHECKING:
    from nlpstat_core.analysis.pair import PairResult
    from nlpstat_core.analysis.result import Analysis
    from nlpstat_core.config import AnalysisConfig
    from nlpstat_core.notes import Note
    from nlpstat_core.power import PowerCurve

_LISTS = (
    ("recommended", "recommended"),
    ("non_preferred", "less preferred"),
    ("inappropriate", "inappropriate"),
)


def chosen_pair(analysis: Analysis, a: str | None, b: str | None) -> PairResult:
    """The pair that was asked for; a file of two systems needs no names.

    Raises AnalysisError: More than two systems and not two names.
    Raises ScoreError: No system has this name.
    """
    systems = analysis.units.systems
    if a is None or b is None:
        if len(systems) > 2 or a is not None:
            raise AnalysisError(
                f"compare looks at one pair, and this file has {len(systems):,} systems: name two of "
                "them after the file, or use `analyse` for all pairs."
            )
        a, b = systems
    return analysis.pair(a, b)


def simulated_power(
    analysis: Analysis, pair: PairResult, points: int, iterations: int, progress: Progress | None = None
) -> PowerCurve | str:
    """Power of the pair's own test by test set size, at the observed difference; or why there is none."""
    from nlpstat_core.power import pair_curve

    if pair.test is None:
        return "No test could be used for this pair."
    names = (pair.system_a, pair.system_b)
    config = replace(analysis.config, test=pair.test)
    try:
        return pair_curve(
            analysis.units,
            names,
            config,
            analysis.family_size,
            points=points,
            iterations=iterations,
            progress=progress,
        )
    except NlpstatError as error:
        return error.sentence.in_words(as_option)


def compared(analysis: Analysis, pair: PairResult, curve: PowerCurve | str) -> dict[str, Any]:
    """The pair as in analysis.json, settings, fingerprint and power (or why there is none) as plain data."""
    about = {
        "version": analysis.version,
        **provenance(analysis),
        "config": {**analysis.config.to_dict(), "reading": dict(analysis.scores.reading)},
    }
    power = None if isinstance(curve, str) else curve.to_dict()
    reason = curve if isinstance(curve, str) else None
    return {**pair.to_dict(), **about, "power": power, "power_undefined": reason}


def four_steps(analysis: Analysis, pair: PairResult, curve: PowerCurve | str) -> str:
    """The whole procedure as text. `curve`: why power can't be simulated."""
    steps: tuple[tuple[str, list[str]], ...] = (
        ("Step 1: data analysis", _data(pair, analysis.config)),
        ("Step 2: significance test", _test(analysis, pair)),
        ("Step 3: effect sizes", _effects(analysis, pair)),
        ("Step 4: power", _power(analysis, pair, curve)),
    )
    lines = [in_options(wording.pair_answer(pair, analysis))]
    if wording.withheld(analysis) is not None:
        steps = steps[:1]
    for title, text in steps:
        lines += ["", title, *(f"  {line}".rstrip() for line in text)]
    return "\n".join([*lines, "", analysis.signature, analysis.fingerprint])


def pair_notes(analysis: Analysis, pair: PairResult) -> list[Note]:
    """What to mind about a pair, without what three systems would be needed for."""
    notes = (*pair.notes, *analysis.notes)
    if wording.withheld(analysis) is not None:
        notes = analysis.scores.notes  # notes on pairs speak of what was decided
    return [note for note in dict.fromkeys(notes) if note.code != "omnibus-undefined"]


def _data(pair: PairResult, config: AnalysisConfig) -> list[str]:
    diagnosis = pair.diagnosis
    called = {"a": plain_name(pair.system_a), "b": plain_name(pair.system_b), "difference": "difference"}
    summaries = [diagnosis.summaries[key] for key in called]
    decimals = common_decimals((abs(one.sd) for one in summaries), 3)
    decimals = max(decimals, common_decimals((one.mean for one in summaries), 4))
    statistics = ("mean", "median", "sd", "min", "max")
    lines = table(
        [
            words("", called.values()),
            counts("items", (one.n for one in summaries)),
            *(fixed(name, (getattr(one, name) for one in summaries), decimals) for name in statistics),
        ]
    )
    if diagnosis.variances is not None:
        lines += ["", wording.variance_sentence(diagnosis.variances)]
    lines += [
        "",
        f"skewness of the differences: {format_score(diagnosis.skewness)}",
        f"Shapiro–Wilk test of normality: p {format_p(diagnosis.normality_p)}",
        f"centre to compare: {diagnosis.central_tendency or 'none'}",
    ]
    text = wording.single_units_sentence(config)
    lines += [text] if text else []
    for field, title in _LISTS:
        keys = getattr(diagnosis.lists, field)
        lines += ["", f"{title}:" if keys else f"{title}: none"]
        lines += [f"  {wording.label_of_test(key)}: {diagnosis.reasons[key]}" for key in keys]
    return lines


def _test(analysis: Analysis, pair: PairResult) -> list[str]:
    config = analysis.config
    if pair.test is None:
        return [wording.pair_headline(pair, config, family=analysis.family_size)]
    level = f"{100 * config.level:g} %"
    a, b = plain_name(pair.system_a), plain_name(pair.system_b)
    null = wording.null_hypothesis(pair.test, a, b, config.delta)
    lines = [
        f"test: {wording.label_of_test(pair.test)} ({config.alternative})",
        null,
        f"statistic: {format_statistic(pair.statistic)}",
        f"p-value: {format_p(pair.p_value, pair.log10_p, alpha=config.alpha)} ({computed_text(pair.p_kind)})",
    ]
    if adjusted_differs(analysis, pair):
        adjusted = format_p(pair.p_adjusted, alpha=config.alpha)
        lines.append(f"adjusted p-value: {adjusted} ({analysis.family_size:,} pairs)")
    ends = format_interval(*pair.interval)
    lines.append(f"mean difference: {format_score(pair.difference)}, {level} interval {ends}")
    if pair.estimate is not None and pair.estimate.of != "mean":
        ends = format_interval(*pair.estimate.interval)
        achieved = wording.achieved_text(pair.estimate)
        lines.append(
            f"{pair.estimate.of}: {format_score(pair.estimate.value)}, {level} interval {ends}{achieved}"
        )
    lines.append(f"{'reject' if pair.significant else 'do not reject'} H0 at {config.alpha:g}")
    return lines


def _effects(analysis: Analysis, pair: PairResult) -> list[str]:
    heads = {"Effect size": "", "Value": "value", "Interval": f"{100 * analysis.config.level:g} % interval"}
    return [*table(effects_table(pair).under(heads).columns), "", wording.CAUTION]


def _power(analysis: Analysis, pair: PairResult, curve: PowerCurve | str) -> list[str]:
    a, b = (analysis.units.index(name) for name in (pair.system_a, pair.system_b))
    row = analysis.pairs.find(a, b)
    lines = [] if row is None else [f"{statement.text}." for statement in power_statement(analysis, row)]
    if isinstance(curve, str):
        return [*lines, f"Power could not be simulated: {curve}"]
    return [
        *lines,
        "",
        curve_sentence(curve),
        *table(curve_columns(curve)),
        *(power_note(code) for code in curve.notes),
    ]
