"""`preferences`: a board of systems from battles."""

from __future__ import annotations

import argparse
import math
from typing import TYPE_CHECKING

from nlpstat_core.cli.output import add_output, mind
from nlpstat_core.errors import ConfigError, shown

if TYPE_CHECKING:
    from nlpstat_core.results.preferences import Preferences

MOST_PAIRS, MOST_NAMES = 20, 8


def add_preferences_options(parser: argparse.ArgumentParser) -> None:
    """What `preferences` is given."""
    add = parser.add_argument
    add("files", nargs="+", metavar="FILE", help="battles: two systems and the winner in every row or record")
    add("--ties", default="half", help="half (a tie is half a win for both) or davidson (a parameter)")
    add("--clusters", help="column whose battles belong together, two by a comma, or none (the prompts)")
    add("--correction", default="holm", help="over all pairs (holm)")
    add("--alpha", default="0.05", help="level of decisions (0.05)")
    add("--baseline", metavar="SYSTEM", help="whom Arena-Hard compares with, where the file doesn't say it")
    add(
        "--from-scores",
        action="store_true",
        help="FILE has scores: on every item the better of two systems wins",
    )
    add_output(parser)


def preferences_text(options: argparse.Namespace) -> str:
    """Read, rank and print."""
    from nlpstat_core.analysis.preferences import rank_preferences
    from nlpstat_core.readers import read_board
    from nlpstat_core.readers.battles import read_battles
    from nlpstat_core.report.exports.data.plain import json_text
    from nlpstat_core.scores.score_battles import battles_of_scores

    files = options.files if len(options.files) > 1 else options.files[0]
    if options.from_scores:
        battles = battles_of_scores(read_board(files))
    else:
        battles = read_battles(files, baseline=options.baseline)
    found = rank_preferences(
        battles,
        ties=options.ties,
        clusters=_clusters(options.clusters),
        correction=options.correction,
        alpha=_number(options.alpha),
    )
    if options.json:
        return json_text(found.to_dict())
    mind(options, found.notes)
    return _text(found)


def _clusters(given: str | None) -> str | tuple[str, ...] | None:
    if given is None or given == "none":
        return "auto" if given is None else None
    named = tuple(name.strip() for name in given.split(",") if name.strip())
    if len(named) not in (1, 2):
        raise ConfigError("--clusters takes one column, two separated by a comma, or none.")
    return named if len(named) == 2 else named[0]


def _number(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        raise ConfigError(f"--alpha must be a number, not {shown(text)}.") from None


def _some(names: list[str]) -> str:
    """The first names, and how many more there are: the board marks them all."""
    more = len(names) - MOST_NAMES
    return ", ".join(names) if more <= 1 else f"{', '.join(names[:MOST_NAMES])} and {more:,} more"


def _text(found: Preferences) -> str:
    from nlpstat_core.cli.terminal import plain_name, table
    from nlpstat_core.report.exports.tables.preferences import preference_tables

    board, pairs = preference_tables(found)
    by = f"errors by {plain_name(found.clusters)}" if found.clusters else "every battle taken alone"
    ties = "ties as half wins" if found.treatment == "half" else "ties with their own parameter"
    differ = int(found.significant.sum())
    lines = [
        f"{found.n_battles:,} battles of {len(found.systems):,} systems; {ties}, {by}",
        "",
        *table(board.columns),
        "",
        f"{differ:,} of {found.p_value.size:,} pairs {'is' if differ == 1 else 'are'} found to differ "
        f"({found.correction}, alpha {found.alpha:g}). Top group: "
        f"{_some(list(map(plain_name, found.top_group)))}.",
        "Strengths are natural logarithms with mean zero; ● no other is found to be stronger.",
    ]
    if found.p_value.size <= MOST_PAIRS:
        lines += ["", *table(pairs.columns)]
    if not all(map(math.isfinite, found.p_value)):
        lines += ["", "Undefined: pairs whose battles leave no variance."]
    return "\n".join(lines)
