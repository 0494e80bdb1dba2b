"""`preferences`: a board of systems from battles."""

from __future__ import annotations

import argparse
import math
from pathlib import Path
from typing import TYPE_CHECKING, Any

from nlpstat_core.cli.options import names_of, real_number
from nlpstat_core.cli.output import add_output, check_out, mind
from nlpstat_core.errors import ConfigError, shown, some_shown

if TYPE_CHECKING:
    from nlpstat_core.results.preference_checks import PreferenceChecks
    from nlpstat_core.results.preferences import Preferences
    from nlpstat_core.scores.battles import Battles

MOST_PAIRS, MOST_MISFIT = 20, 10
SETTINGS = ("ties", "clusters", "correction", "alpha")


def add_preferences_options(parser: argparse.ArgumentParser) -> None:
    """What `preferences` is given."""
    add = parser.add_argument
    add("files", nargs="+", metavar="FILE", help="battles: two systems and the winner in every row or record")
    add("--ties", help="half (default: a tie is half a win for both) or davidson (own parameter)")
    add(
        "--clusters",
        help="column whose battles are dependent, two separated by a comma, or none (default: the prompts)",
    )
    add("--correction", help="correction over all pairs (default holm)")
    add("--alpha", help="significance level (default 0.05)")
    add(
        "--config",
        metavar="FILE",
        help="settings of an earlier board (preferences.json); options override it",
    )
    add(
        "--baseline",
        metavar="SYSTEM",
        help="the system that Arena-Hard compares with, if the file doesn't name it",
    )
    add(
        "--from-scores",
        action="store_true",
        help="FILE has scores: on each item the system with the better score wins",
    )
    add(
        "--checks",
        action="store_true",
        help="also check the fit, cycles, order and style, other choices, and plan further battles",
    )
    add(
        "--styles",
        metavar="NAMES",
        help="styles to control for besides the order, separated by commas (default: all in the file)",
    )
    add("--by", metavar="COLUMN", help="a board for every value of a column: category, language …")
    add(
        "--connected",
        action="store_true",
        help="a board for every group of systems that wins and ties connect both ways",
    )
    add("--only", metavar="COLUMN=VALUE", help="only battles with this value, for example category=maths")
    add("--out", metavar="DIR", help="write JSON, CSV and reports, with the checks, to this folder")
    add_output(parser)


def preferences_command(options: argparse.Namespace) -> str:
    """`preferences`: a board of systems, or several, from battles."""
    from nlpstat_core.analysis.preference_checks import check_preferences
    from nlpstat_core.analysis.preferences import rank_preferences
    from nlpstat_core.readers import read_board
    from nlpstat_core.readers.battles import read_battles
    from nlpstat_core.report.exports.data.files import write_files
    from nlpstat_core.report.exports.data.plain import json_text
    from nlpstat_core.report.exports.documents.preferences import preference_files
    from nlpstat_core.scores.score_battles import battles_of_scores

    check_out(options)
    files = options.files if len(options.files) > 1 else options.files[0]
    if options.from_scores:
        battles = battles_of_scores(read_board(files))
    else:
        battles = read_battles(files, baseline=options.baseline)
    settings = _settings(options)
    if options.only is not None:
        column, equals, entry = options.only.partition("=")
        if not equals:
            raise ConfigError(f"--only takes COLUMN=ENTRY, as category=maths, not {shown(options.only)}.")
        battles = battles.only(column, entry)
    if options.by is not None or options.connected:
        return _several(options, battles, settings)
    found = rank_preferences(battles, **settings)
    if not options.json:
        mind(options, found.notes)
    if options.out is None and not options.checks:
        return json_text(found.to_dict()) if options.json else _text(found)
    styles = None if options.styles is None else names_of(options.styles)
    checks = check_preferences(battles, found, styles=styles)
    if options.out is not None:
        write_files(preference_files(found, checks).items(), Path(options.out))
    if options.json:
        return json_text({**found.to_dict(), "checks": checks.to_dict()})
    mind(options, checks.notes)
    return f"{_text(found)}\n\n{_checks_text(checks)}"


def _settings(options: argparse.Namespace) -> dict[str, Any]:
    """Keywords of `rank_preferences`: from --config, then the options."""
    found: dict[str, Any] = {}
    if options.config is not None:
        from nlpstat_core.readers.settings_files import read_config

        found = read_config(options.config)
        others = [str(name) for name in found if name not in SETTINGS]
        if others:
            raise ConfigError(
                f"{shown(options.config)} has no settings of preferences but {some_shown(others)}; there are "
                f"{', '.join(SETTINGS)}."
            )
    if options.clusters is not None:
        found["clusters"] = _clusters(options.clusters)
    if options.alpha is not None:
        found["alpha"] = real_number("--alpha", options.alpha)
    given = {"ties": options.ties, "correction": options.correction}
    return {**found, **{name: value for name, value in given.items() if value is not None}}


def _several(options: argparse.Namespace, battles: Battles, settings: dict[str, Any]) -> str:
    """A board for every entry of a column, or for every connected group."""
    from nlpstat_core.analysis.preference_boards import connected_boards, preference_boards
    from nlpstat_core.cli.terminal import in_options
    from nlpstat_core.report.exports.data.plain import json_text

    if options.by is not None and options.connected:
        raise ConfigError("Choose --by or --connected; --only picks an entry for either.")
    if options.out is not None or options.checks:
        raise ConfigError("--out and --checks are of one board: pick one with --only.")
    if options.connected:
        boards = connected_boards(battles, **settings)
    else:
        boards = preference_boards(battles, options.by, **settings)
    if options.json:
        return json_text(
            {name: one if isinstance(one, str) else one.to_dict() for name, one in boards.items()}
        )
    notes = [note for one in boards.values() if not isinstance(one, str) for note in one.notes]
    mind(options, dict.fromkeys(notes))
    parts = [
        f"{_titled(options, name)}\n\n{in_options(one) if isinstance(one, str) else _text(one)}"
        for name, one in boards.items()
    ]
    return "\n\n".join(parts)


def _titled(options: argparse.Namespace, name: str) -> str:
    from nlpstat_core.cli.terminal import plain_name

    return f"The group of {plain_name(name)}" if options.connected else name


def _clusters(given: str) -> str | tuple[str, ...] | None:
    if given == "none":
        return None
    named = tuple(names_of(given))
    if len(named) not in (1, 2):
        raise ConfigError("--clusters takes one column, two separated by a comma, or none.")
    return named if len(named) == 2 else named[0]


def _text(found: Preferences) -> str:
    from nlpstat_core.cli.terminal import plain_name, small, table
    from nlpstat_core.report.exports.tables.preferences import preference_tables
    from nlpstat_core.report.wording.preferences import some_names

    board, pairs = preference_tables(found)
    by = f"errors by {plain_name(found.clusters)}" if found.clusters else "battles taken as independent"
    ties = "ties as half wins" if found.treatment == "half" else "ties with their own parameter"
    differ = int(found.significant.sum())
    lines = [
        f"{found.n_battles:,} battles of {len(found.systems):,} systems; {ties}, {by}",
        "",
        *table(small(board.columns)),
        "",
        f"{differ:,} of {found.p_value.size:,} pairs {'is' if differ == 1 else 'are'} found to differ "
        f"({found.correction}, alpha {found.alpha:g}). Top group: "
        f"{some_names(list(map(plain_name, found.top_group)))}.",
        "Strengths are log odds with mean zero; ● no other system is found to be stronger.",
    ]
    if found.p_value.size <= MOST_PAIRS:
        lines += ["", *table(small(pairs.columns))]
    if not all(map(math.isfinite, found.p_value)):
        lines += [
            "",
            "Undefined: pairs whose battles have no variance, or that only one cluster has battles of.",
        ]
    return "\n".join(lines)


def _checks_text(checks: PreferenceChecks) -> str:
    """Fit, cycles, order and style, other choices and plans as text."""
    from nlpstat_core.cli.terminal import plain_name, small, table
    from nlpstat_core.report.exports.tables.preferences import (
        effects_table,
        misfit_table,
        plan_table,
        variants_table,
    )
    from nlpstat_core.report.wording.preferences import cycle_sentence, fit_sentence, plan_sentence

    lines = [fit_sentence(checks), "", *table(small(misfit_table(checks, MOST_MISFIT).columns))]
    lines += [cycle_sentence(one, plain_name) for one in checks.cycles]
    if checks.effects:
        lines += ["", "Order and style, as log odds of the answer shown first:", ""]
        lines += table(small(effects_table(checks).columns))
    if checks.variants:
        lines += ["", "The board with one choice changed:", "", *table(small(variants_table(checks).columns))]
    plan = plan_table(checks)
    lines += ["", plan.remark, "", *table(small(plan.columns)), "", plan_sentence(checks, plain_name)]
    return "\n".join(lines)
