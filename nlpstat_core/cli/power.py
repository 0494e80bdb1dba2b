"""The power commands: `power plan`, `power curve` and `power board`."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from typing import TYPE_CHECKING

from nlpstat_core.cli.numbers import real_number
from nlpstat_core.cli.options import option_of
from nlpstat_core.cli.output import add_output, mind
from nlpstat_core.errors import ConfigError, shown

if TYPE_CHECKING:
    from nlpstat_core.analysis.result import Analysis
    from nlpstat_core.config import AnalysisConfig
    from nlpstat_core.scores.matrix import ScoreMatrix

Progress = Callable[[int, int], None]


def add_plan_options(parser: argparse.ArgumentParser) -> None:
    """Options of `power plan`; nothing is loaded for them."""
    add = parser.add_argument
    add("--units", "--n", dest="units", help="test items")
    add("--power", help="probability of finding the difference")
    add("--delta", help="difference, metric points (with --sd)")
    add("--sd", help="standard deviation of the differences between two systems")
    add("--effect", help="difference in standard deviations, in place of --delta and --sd")
    add("--win-share", help="sign, mcnemar: share of items without a tie that the better system wins")
    add("--decided", help="sign, mcnemar: share of items that only one of the systems wins (default 1)")
    add("--per-document", help="items per document, if items come in documents (test t)")
    add(
        "--design-effect",
        help="variance of the mean with documents, divided by that of as many independent items: from an "
        "analysis, or 1 + (m - 1) r for documents of m items with intraclass correlation r",
    )
    add("--alpha", help="significance level (default 0.05 unless it is to be computed)")
    add("--test", help="a test whose power has a formula; any other word lists them")
    add("--n-runs", help="test over runs: training runs of each system")
    add("--sd-items", help="test over runs: standard deviation of items × systems")
    add("--sd-runs", help="test over runs: standard deviation between runs of one system")
    add("--sd-residual", help="test over runs: standard deviation of what is left of a single score")
    add("--alternative", default="two-sided", help="two-sided, greater or less")
    add(
        "--correction",
        help="correction for multiple comparisons (see `methods`), planned at its strictest step; "
        "default: holm with --systems or --comparisons, else none",
    )
    add("--systems", help="number of systems; all pairs are corrected together")
    add("--comparisons", help="number of comparisons corrected together, in place of --systems")
    add_output(parser)


def add_curve_options(parser: argparse.ArgumentParser) -> None:
    """Options of `power curve`, beside those for reading and settings."""
    add = parser.add_argument
    add("file", metavar="FILE", help="score file, items × systems (see `formats`)")
    add("system_a", metavar="A", help="first system of the pair")
    add("system_b", metavar="B", help="second system of the pair")
    add("--points", default="10", help="number of sizes, evenly spaced up to 1.25 times the items there are")
    add("--sizes", help="these sizes instead, separated by commas")
    add("--iterations", default="1000", help="simulated test sets per size")
    add("--method", default="bootstrap", help="bootstrap (resample the pair's items) or normal")
    add("--shift", help="true difference A − B to assume; default: the observed one")
    add(
        "--n-runs",
        help="for systems with training runs: runs per system; several numbers separated by commas",
    )
    add_output(parser)


def add_board_options(parser: argparse.ArgumentParser) -> None:
    """Options of `power board`, beside those for reading and settings."""
    parser.add_argument("files", nargs="+", metavar="FILE", help="score file, or one per system")
    parser.add_argument("--power", default="0.8", help="probability of finding the difference (default 0.8)")
    add_output(parser)


def plan_text(options: argparse.Namespace) -> str:
    """Run `power plan`.

    Returns: A sentence, or JSON.
    Raises ConfigError: Numbers that can't be used or don't go together.
    """
    from nlpstat_core.power import plan
    from nlpstat_core.power.models import runs_test
    from nlpstat_core.report.exports.data.plain import json_text
    from nlpstat_core.report.wording.power import MODEL_LABELS, plan_sentence

    over_runs = [name for name in _OVER_RUNS if getattr(options, name) is not None]
    if options.test is None:
        options.test = runs_test() if over_runs else "t"
    if options.test == runs_test():
        return _runs_plan_text(options)
    if over_runs:
        raise ConfigError(f"--{over_runs[0].replace('_', '-')} goes with --test {runs_test()}.")
    sd = _number(options, "sd")
    if sd is not None and sd <= 0:
        raise ConfigError(f"--sd must be above 0, not {shown(options.sd)}.")
    units, power, alpha = _whole(options, "units"), _number(options, "power"), _number(options, "alpha")
    effect = _effect(options, sd)
    if alpha is None and None in (units, power, effect):
        alpha = 0.05
    found = plan(
        units=units,
        power=power,
        effect=effect,
        alpha=alpha,
        test=options.test,
        alternative=options.alternative,
        correction=_correction(options),
        comparisons=_comparisons(options),
        decided=1.0 if options.decided is None else _number(options, "decided") or 0.0,
        per_document=1.0 if options.per_document is None else _number(options, "per_document") or 0.0,
        design_effect=1.0 if options.design_effect is None else _number(options, "design_effect") or 0.0,
    )
    used = sd if found.effect_kind == "cohen-d" else None
    if options.json:
        in_points = None if used is None else found.effect * used
        return json_text({**found.to_dict(), "sd": used, "delta": in_points})
    return f"{plan_sentence(found, used)}\nComputed by: {MODEL_LABELS[found.model]}."


_OVER_RUNS = ("n_runs", "sd_items", "sd_runs", "sd_residual")
_NOT_OVER_RUNS = ("sd", "effect", "win_share", "decided", "per_document", "design_effect")


def _runs_plan_text(options: argparse.Namespace) -> str:
    """A plan of items and runs."""
    from nlpstat_core.power import plan_runs
    from nlpstat_core.report.exports.data.plain import json_text
    from nlpstat_core.report.wording.power import MODEL_LABELS, runs_plan_sentence

    for name in _NOT_OVER_RUNS:
        if getattr(options, name) is not None:
            raise ConfigError(
                f"--{name.replace('_', '-')} doesn't go with --test {options.test}, which takes --delta, "
                "--sd-items, --sd-runs and --sd-residual."
            )
    spreads = {name: _number(options, name) for name in _OVER_RUNS[1:]}
    missing = [name for name, value in spreads.items() if value is None]
    if missing:
        raise ConfigError(
            f"--test {options.test} needs --{missing[0].replace('_', '-')} (0: nothing varies there); the "
            "components of variance of an analysis are their squares."
        )
    units, runs = _whole(options, "units"), _whole(options, "n_runs")
    power, difference, alpha = (_number(options, name) for name in ("power", "delta", "alpha"))
    if alpha is None and None in (units, runs, power, difference):
        alpha = 0.05
    found = plan_runs(
        units=units,
        runs=runs,
        power=power,
        difference=difference,
        alpha=alpha,
        sd_items=spreads["sd_items"] or 0.0,
        sd_runs=spreads["sd_runs"] or 0.0,
        sd_residual=spreads["sd_residual"] or 0.0,
        alternative=options.alternative,
        correction=_correction(options),
        comparisons=_comparisons(options),
    )
    if options.json:
        return json_text(found.to_dict())
    return f"{runs_plan_sentence(found)}\nComputed by: {MODEL_LABELS['items-and-runs']}."


def board_power_text(options: argparse.Namespace, analysis: Analysis, progress: Progress | None) -> str:
    """Run `power board`.

    Returns: A sentence and a table of neighbours, or JSON with every pair.
    """
    from nlpstat_core.cli.terminal import table
    from nlpstat_core.power import board_power, neighbours
    from nlpstat_core.report.exports.data.plain import json_text
    from nlpstat_core.report.exports.data.power import board_power_to_dict
    from nlpstat_core.report.exports.tables.power import neighbour_columns
    from nlpstat_core.report.wording.power import board_sentence, family_phrase, models_sentence

    target = _number(options, "power") or 0.0
    board, near = board_power(analysis, target, progress=progress), neighbours(analysis, target)
    if options.json:
        return json_text(board_power_to_dict(analysis, board, near))
    mind(options, (note for note in analysis.notes if note.severity == "problem"))
    percent = analysis.units.solved_or_not
    level = family_phrase(analysis.config.correction, board.comparisons, board.comparison_alpha)
    measured = analysis.units.measured
    measure = "" if measured is None else measured.label
    lines = [
        board_sentence(board, percent=percent, measure=measure),
        f"Each pair's own test and spread, {level}.",
        "",
    ]
    if near.upper:
        lines += [
            f"Items needed to tell neighbours apart with a power of {100 * near.power:g} %: if the true "
            "effect is the estimate, and at the two ends of its interval (∞: it contains no difference).",
            "",
            *table(neighbour_columns(near)),
            "",
        ]
    return "\n".join([*lines, models_sentence(board)])


def curve_text(
    options: argparse.Namespace, config: AnalysisConfig, scores: ScoreMatrix, progress: Progress | None
) -> str:
    """Run `power curve`.

    Returns: A table, or JSON.
    Raises NlpstatError: Options that can't be used with these scores.
    """
    from nlpstat_core.cli.terminal import table
    from nlpstat_core.config import AUTO
    from nlpstat_core.power import power_curve
    from nlpstat_core.readers.roles.documents import compared_documents
    from nlpstat_core.report.exports.data.plain import json_text
    from nlpstat_core.report.exports.tables.power import curve_columns
    from nlpstat_core.report.wording.power import curve_sentence, power_note

    curves = [
        power_curve(
            scores,
            options.system_a,
            options.system_b,
            sizes=_sizes(options),
            points=_whole(options, "points") or 0,
            iterations=_whole(options, "iterations") or 0,
            method=options.method,
            shift=_number(options, "shift"),
            n_runs=n_runs,
            progress=progress,
            **config.to_dict(),
        )
        for n_runs in _numbers_of_runs(options)
    ]
    if options.json:
        found = [curve.to_dict() for curve in curves]
        return json_text(found[0] if len(found) == 1 else {"curves": found})
    lines: list[str] = []
    for curve in curves:
        lines += [*table(curve_columns(curve)), "", curve_sentence(curve), ""]
    lines = [*lines[:-1], *(power_note(code) for code in curves[0].notes)]
    documents = next(iter(compared_documents(scores)), None)
    if documents is not None and config.block_column == AUTO and curves[0].documents is None:
        lines.append(
            "This test takes all items as independent; `analyse` compares the documents of "
            f"{shown(documents)}: --test recommended says what power that has, which may be far less."
        )
    return "\n".join(lines)


def _numbers_of_runs(options: argparse.Namespace) -> list[int | None]:
    """The numbers of runs to draw a curve for; those that there are when none is given."""
    if options.n_runs is None:
        return [None]
    return [*_whole_numbers(options.n_runs, "--n-runs")]


def _effect(options: argparse.Namespace, sd: float | None) -> float | None:
    """The effect from whichever options tell it."""
    from nlpstat_core.power.models import planned_model

    effects = [name for name in ("delta", "effect", "win_share") if getattr(options, name) is not None]
    if len(effects) > 1:
        names = ", ".join(f"--{name.replace('_', '-')}" for name in effects)
        raise ConfigError(f"Give one of {names}, not several.")
    by_wins = planned_model(options.test).effect == "cohen-g"
    if effects and by_wins != (effects[0] == "win_share"):
        need = "--win-share" if by_wins else "--delta and --sd, or --effect"
        raise ConfigError(f"Test {shown(options.test)} takes its effect from {need}.")
    if not effects:
        return None
    value = _number(options, effects[0])
    if value is None:
        return None
    if effects[0] == "win_share":
        if not 0 <= value <= 1:
            raise ConfigError(f"--win-share must be between 0 and 1, not {shown(options.win_share)}.")
        return value - 0.5
    if effects[0] == "effect":
        return value
    if sd is None:
        raise ConfigError("--delta is in metric points and needs --sd, the spread of the differences.")
    return value / sd


def _correction(options: argparse.Namespace) -> str:
    """The correction that is asked for; where many comparisons are and none is named, the analysis's own."""
    from nlpstat_core.config import AnalysisConfig

    if options.correction is not None:
        return str(options.correction)
    together = options.systems is not None or options.comparisons is not None
    return AnalysisConfig().correction if together else "none"


def _comparisons(options: argparse.Namespace) -> int:
    if options.systems is not None and options.comparisons is not None:
        raise ConfigError("Give --systems or --comparisons, not both.")
    if options.systems is not None:
        systems = _whole(options, "systems") or 0
        if systems < 2:
            raise ConfigError(f"--systems must be at least 2, not {shown(options.systems)}.")
        return systems * (systems - 1) // 2
    return 1 if options.comparisons is None else _whole(options, "comparisons") or 0


def _sizes(options: argparse.Namespace) -> list[int] | None:
    return None if options.sizes is None else _whole_numbers(options.sizes, "--sizes")


def _whole_numbers(text: str, option: str) -> list[int]:
    try:
        return [int(part) for part in text.split(",")]
    except ValueError:
        raise ConfigError(f"{option} must be whole numbers separated by commas, not {shown(text)}.") from None


def _number(options: argparse.Namespace, name: str) -> float | None:
    text = getattr(options, name)
    return None if text is None else real_number(option_of(name), text)


def _whole(options: argparse.Namespace, name: str) -> int | None:
    text = getattr(options, name)
    try:
        return None if text is None else int(text)
    except ValueError:
        raise ConfigError(f"{option_of(name)} must be a whole number, not {shown(text)}.") from None
