"""`power plan`: how many items, or how much power, before there are scores."""

import argparse

from nlpstat_core.cli.options import real_option, whole_option
from nlpstat_core.cli.output import add_output
from nlpstat_core.errors import ConfigError, shown


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


def plan_command(options: argparse.Namespace) -> str:
    """`power plan`: items or power before there are scores."""
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
    sd = real_option(options, "sd")
    if sd is not None and sd <= 0:
        raise ConfigError(f"--sd must be above 0, not {shown(options.sd)}.")
    units, power, alpha = (
        whole_option(options, "units"),
        real_option(options, "power"),
        real_option(options, "alpha"),
    )
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
        decided=1.0 if options.decided is None else real_option(options, "decided") or 0.0,
        per_document=1.0 if options.per_document is None else real_option(options, "per_document") or 0.0,
        design_effect=1.0 if options.design_effect is None else real_option(options, "design_effect") or 0.0,
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
    spreads = {name: real_option(options, name) for name in _OVER_RUNS[1:]}
    missing = [name for name, value in spreads.items() if value is None]
    if missing:
        raise ConfigError(
            f"--test {options.test} needs --{missing[0].replace('_', '-')} (0: nothing varies there); the "
            "components of variance of an analysis are their squares."
        )
    units, runs = whole_option(options, "units"), whole_option(options, "n_runs")
    power, difference, alpha = (real_option(options, name) for name in ("power", "delta", "alpha"))
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
    value = real_option(options, effects[0])
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
        systems = whole_option(options, "systems") or 0
        if systems < 2:
            raise ConfigError(f"--systems must be at least 2, not {shown(options.systems)}.")
        return systems * (systems - 1) // 2
    return 1 if options.comparisons is None else whole_option(options, "comparisons") or 0
