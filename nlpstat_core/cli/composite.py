"""`composite`: several tracks as one board, ranked by their weighted mean."""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from nlpstat_core.cli.bounds import reading_bounds, tidy_end
from nlpstat_core.cli.configured import (
    TOLD,
    analysed,
    by_places,
    configuration_of,
    told_of_tracks,
    workers_and_files,
    written_board,
)
from nlpstat_core.cli.options import add_reading, add_settings, add_workers, metrics_turned, reading_choices
from nlpstat_core.cli.output import add_output, mind
from nlpstat_core.errors import ConfigError, shown
from nlpstat_core.notes import Note

if TYPE_CHECKING:
    from nlpstat_core.config import AnalysisConfig
    from nlpstat_core.readers.boards import ScoreBoards
    from nlpstat_core.results.tracks import TrackRanking

MOST_PAIRS = 20


def add_composite_options(parser: argparse.ArgumentParser) -> None:
    """What `composite` is given."""
    from nlpstat_core.analysis.tracks.combining import COMBINE

    add = parser.add_argument
    add(
        "files",
        nargs="+",
        metavar="FILE",
        help="scores of several data sets or metrics, or one file per track",
    )
    add("--each", help="what the tracks are: dataset (default; also files), or metric")
    add("--lower", metavar="NAMES", help="tracks whose lower scores are better, separated by commas, or none")
    add("--weights", metavar="NAME=W,…", help="weights of tracks (default 1; 0 drops one), or items: by size")
    add("--combine", help=f"how tracks are combined: mean (default), {', '.join(COMBINE[1:])}")
    add("--tracks", help="fixed (default): claims about these tracks; sampled: about tracks like these")
    add("--missing-tracks", help="systems that lack a track: refuse (default), exclude, shared or worst")
    add(
        "--shared-items",
        action="store_const",
        const=True,
        help="the same id in several tracks is the same item",
    )
    add("--out", metavar="DIR", help="write JSON, CSV and reports to this folder")
    add_workers(parser)
    add_output(parser, csv=True)
    add_reading(parser)
    add_settings(parser)


def composite_command(options: argparse.Namespace) -> str:
    """`composite`: compare all pairs of systems by their weighted mean over tracks."""
    from nlpstat_core.analysis.composite import composite

    config, reading = configuration_of(options)
    workers, _ = workers_and_files(options)
    with reading_bounds(options):
        boards, chosen = _tracks(options, reading)
    rules = _rules_of(boards, chosen)
    if by_places(chosen):
        with tidy_end(), _saying_rules(rules):
            return _with_rules(options, _ranking_answer(options, boards, chosen, config), rules)
    with _saying_rules(rules):
        scores = composite(boards, **chosen)
    return _with_rules(options, written_board(options, analysed(options, scores, config, workers)), rules)


def _tracks(options: argparse.Namespace, reading: Mapping[str, Any]) -> tuple[ScoreBoards, dict[str, Any]]:
    """The tracks that were given, and keywords of `composite`. `reading`: of a configuration."""
    from nlpstat_core.readers import read_boards

    left = dict(reading)
    chosen = {**TOLD, **told_of_tracks(left.pop("composite", {}))}
    if "lower" in left:
        chosen["lower"] = left.pop("lower")
    for name in TOLD:
        given = getattr(options, name)
        if given is not None:
            chosen[name] = given
    if options.lower is not None:
        chosen["lower"] = metrics_turned(options.lower)
    if options.weights is not None:
        chosen["weights"] = _weights(options.weights)
    each, lower = chosen.pop("each"), chosen.pop("lower")
    boards = read_boards(options.files, each=each, lower=lower, **reading_choices(options, left))
    return boards, chosen


def _ranking_answer(
    options: argparse.Namespace, boards: ScoreBoards, chosen: Mapping[str, Any], config: AnalysisConfig
) -> str:
    """A ranking by places in the form that was asked for."""
    from nlpstat_core.analysis.rank_tracks import rank_tracks
    from nlpstat_core.report.exports.data.csv_text import csv_text
    from nlpstat_core.report.exports.data.files import write_files
    from nlpstat_core.report.exports.data.plain import json_text
    from nlpstat_core.report.exports.documents.tracks import ranking_files

    left = {name: value for name, value in chosen.items() if name != "tracks"}
    found = rank_tracks(boards, config=config, **left)
    if options.out is not None:
        write_files(ranking_files(found).items(), Path(options.out))
    if options.json:
        return json_text(found.to_dict())
    mind(options, found.notes)
    if options.csv is not None:
        return csv_text(found.leaderboard_frame() if options.csv == "leaderboard" else found.pairs_frame())
    return _ranking_text(found)


def _rules_of(boards: ScoreBoards, chosen: Mapping[str, Any]) -> tuple[str, ...]:
    """What each rule for systems that lack a track does to the first ranks; nothing where none lacks any."""
    from nlpstat_core.analysis.composite_outlook import under_each_rule
    from nlpstat_core.analysis.tracks.means import track_means
    from nlpstat_core.errors import NlpstatError
    from nlpstat_core.report.wording.tracks import rules_lines

    left = {name: value for name, value in chosen.items() if name not in ("tracks", "missing_tracks")}
    try:
        return tuple(rules_lines(under_each_rule(track_means(boards), **left)))
    except NlpstatError:  # which the composite itself says
        return ()


@contextmanager
def _saying_rules(rules: Sequence[str]) -> Iterator[None]:
    """Where the composite is refused, the rules are told with it."""
    from nlpstat_core.errors import AnalysisError

    try:
        yield
    except AnalysisError as error:
        if not rules:
            raise
        raise AnalysisError(error.sentence, f" First ranks by rule: {'; '.join(rules)}.") from None


def _with_rules(options: argparse.Namespace, answer: str, rules: Sequence[str]) -> str:
    """An answer for reading with the rules below; beside tables and JSON they are told as notes are."""
    if not rules:
        return answer
    head = "First ranks under each rule for systems that lack a track (--missing-tracks):"
    if options.json or options.csv is not None:
        mind(options, [Note("missing-rules", "info", f"{head} {'; '.join(rules)}.")])
        return answer
    return "\n".join([answer, "", head, *(f"  {one}" for one in rules)])


def _ranking_text(found: TrackRanking) -> str:
    """A ranking by places as text."""
    from nlpstat_core.cli.terminal import small, table
    from nlpstat_core.report.exports.tables.tracks import ranking_pairs_table, ranking_table
    from nlpstat_core.report.wording.tracks import (
        ranking_headline,
        ranking_legend,
        ranking_method,
        ranking_pairs_legend,
        separated_sentence,
    )

    lines = [
        ranking_headline(found),
        "",
        *table(small(ranking_table(found).columns)),
        "",
        ranking_legend(found),
        ranking_method(found),
        separated_sentence(found),
    ]
    if found.p_value.size <= MOST_PAIRS:
        lines += ["", *table(small(ranking_pairs_table(found).columns)), ranking_pairs_legend(found)]
    return "\n".join(lines)


def _weights(text: str) -> dict[str, float] | str:
    if text == "items":
        return text
    found: dict[str, float] = {}
    for part in text.split(","):
        name, _, weight = part.rpartition("=")
        try:
            value = float(weight)
        except ValueError:
            raise ConfigError(
                f"--weights takes NAME=NUMBER separated by commas, not {shown(part)}."
            ) from None
        if not name.strip():
            raise ConfigError(f"--weights takes NAME=NUMBER separated by commas, not {shown(part)}.")
        if name.strip() in found:
            raise ConfigError(f"--weights gives {shown(name.strip())} two weights; give each track one.")
        found[name.strip()] = value
    return found
