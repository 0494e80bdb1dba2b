"""`analyse --each`: every metric or data set of an upload, and what they say together."""

from __future__ import annotations

import argparse
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from nlpstat_core.cli.bounds import reading_bounds, tidy_end
from nlpstat_core.cli.options import metrics_turned
from nlpstat_core.cli.output import mind
from nlpstat_core.config import AnalysisConfig
from nlpstat_core.errors import ConfigError, shown, unknown

if TYPE_CHECKING:
    from nlpstat_core.analysis.several_boards.boards import Boards
    from nlpstat_core.board.pairs.columns import Progress
    from nlpstat_core.results.several_boards import Replicability

# Option, help. The names are those under `boards` in a configuration file.
OPTIONS = {
    "--each": "metric or dataset: analyse every one of the file, and all of them together",
    "--family": "with --each: 'each' corrects every board separately (default), 'all' over all of them "
    "together",
    "--combination": "with --each dataset: bonferroni (default), or fisher for independent data sets",
    "--lower": "with --each: names whose lower scores are better, separated by commas (or none)",
}
MOST_ROWS = 40
SHOWN = {
    "Better": "better",
    "Systems": "systems",
    "Items": "items",
    "Pairs found to differ": "pairs found to differ",
}


def add_boards(parser: argparse.ArgumentParser) -> None:
    """Options about several metrics or data sets."""
    group = parser.add_argument_group("several metrics or data sets in one upload")
    for option, teaches in OPTIONS.items():
        group.add_argument(option, help=teaches)


def boards_choices(options: argparse.Namespace, from_config: Any) -> dict[str, Any] | None:
    """What was said about several boards: by a configuration, then by the options.

    from_config: `boards` of a configuration file, None without.
    Returns: Keywords each, family, combination, lower; None when one board is to be analysed.
    Raises ConfigError: Something else than a mapping, unknown names, or choices without `each`.
    """
    keys = [option[2:] for option in OPTIONS]
    if from_config is not None and not isinstance(from_config, Mapping):
        raise ConfigError("boards must be a mapping, for example {each: metric, family: all}.")
    from_file = dict(from_config or {})
    for key in from_file:
        if key not in keys:
            raise ConfigError(unknown("choice about boards", key, keys))
    for key in keys:
        value = getattr(options, key)
        if value is not None:
            from_file[key] = metrics_turned(value) if key == "lower" else value
    lower = from_file.get("lower")
    if lower is not None and not (isinstance(lower, list) and all(isinstance(name, str) for name in lower)):
        raise ConfigError(f"lower must be a list of names, not {shown(lower)}.")
    if from_file and from_file.get("each") is None:
        raise ConfigError(f"--{next(iter(from_file))} goes with --each metric or --each dataset.")
    return from_file or None


def analyse_each(
    options: argparse.Namespace,
    config: AnalysisConfig,
    reading: Mapping[str, Any],
    chosen: Mapping[str, Any],
    workers: int,
    progress: Progress | None,
    also: Sequence[str] = (),
    *,
    judged: bool = False,
) -> str:
    """Read and analyse every board; `judged`: add a section that judges the metrics by the human one."""
    from nlpstat_core.analysis.meta_evaluation import meta_evaluate
    from nlpstat_core.analysis.several_boards import analyse_boards
    from nlpstat_core.readers import read_boards
    from nlpstat_core.report.exports.data.plain import json_text
    from nlpstat_core.report.exports.documents.sections import metrics_section
    from nlpstat_core.report.exports.several_boards_folder import write_boards

    with reading_bounds(options):
        scores = read_boards(options.files, each=chosen["each"], lower=chosen.get("lower"), **reading)
    found = analyse_boards(
        scores,
        config,
        family=chosen.get("family", "each"),
        combination=chosen.get("combination", "bonferroni"),
        workers=workers,
        progress=progress,
    )
    boards = replace(found, notes=(*found.notes, *options.setting_notes))
    if options.out is not None:
        sections = []
        if judged:
            people = meta_evaluate(
                scores, options.human, alpha=config.alpha, seed=config.seed, progress=progress
            )
            sections = [metrics_section(people)]
        with tidy_end():
            write_boards(boards, Path(options.out), also, sections)
    if options.json:
        return json_text(boards.to_dict())
    mind(options, boards.notes)
    return boards_summary(boards)


def boards_summary(boards: Boards) -> str:
    """The answer over all boards, each of them, and what to mind."""
    from nlpstat_core.cli.terminal import in_options, plain_name, table
    from nlpstat_core.report.exports.tables.several_boards import boards_table
    from nlpstat_core.report.exports.tables.table import words
    from nlpstat_core.report.wording import several_boards, top_group

    if several_boards.boards_waiting(boards):
        return "\n".join([in_options(several_boards.boards_headline(boards)), "", boards.signature])
    tops = (tuple(map(plain_name, top_group(one.leaderboard))) for one in boards.analyses.values())
    heads = {several_boards.ONE[boards.each].capitalize(): several_boards.ONE[boards.each], **SHOWN}
    columns = (
        *boards_table(boards).under(heads).columns,
        words("top group", (several_boards.listed(top, 3) for top in tops)),
    )
    lines = [several_boards.boards_headline(boards), several_boards.family_phrase(boards), ""]
    lines += table(columns)
    if boards.replicability is not None:
        lines += ["", *_counts(boards.replicability)]
    if boards.pooled is not None:
        lines += ["", *several_boards.pooled_sentences(boards.pooled)]
    return "\n".join([*lines, "", boards.signature])


def _counts(found: Replicability) -> Sequence[str]:
    """Directions that hold in at least one data set together with all others, most data sets first."""
    from nlpstat_core.cli.terminal import table
    from nlpstat_core.report.exports.tables.table import counts, names, written
    from nlpstat_core.report.wording.several_boards import MEANS, confidence_sentence

    order = (-found.at_least_together).argsort(kind="stable")
    kept = [int(row) for row in order if found.at_least_together[row] > 0]
    rows = kept[:MOST_ROWS]
    together = found.at_least_together[rows]
    texts = (f"{n} of {of}" for n, of in zip(together, found.n_datasets[rows], strict=True))
    columns = (
        names("beats", (found.systems[found.better[row]] for row in rows)),
        names("", (found.systems[found.worse[row]] for row in rows)),
        written("in at least", texts, together),
        counts("alone", found.at_least[rows]),
    )
    lines = table(columns) if rows else []
    if len(kept) > MOST_ROWS:
        lines.append(f"… and {len(kept) - MOST_ROWS:,} more (replicability.csv holds all)")
    none = [] if rows else ["No system is shown to beat another in any data set."]
    return [*none, *lines, confidence_sentence(found, True), MEANS]
