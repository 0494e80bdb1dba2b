"""`changes`: what differs between two score files, or two ways to analyse one."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from nlpstat_core.cli.battle_logs import battle_changes_text
from nlpstat_core.cli.bounds import reading_bounds
from nlpstat_core.cli.configured import board_of, settings_of
from nlpstat_core.cli.options import add_reading, add_settings
from nlpstat_core.cli.output import add_output, aside
from nlpstat_core.config import AnalysisConfig
from nlpstat_core.errors import ScoreError

if TYPE_CHECKING:
    from nlpstat_core.analysis.changes import Changes


def add_changes_options(parser: argparse.ArgumentParser) -> None:
    """What `changes` is given."""
    parser.add_argument("before", metavar="BEFORE", help="score file of the earlier board")
    parser.add_argument("after", metavar="AFTER", help="score file of the later board")
    parser.add_argument(
        "--config-before",
        metavar="FILE",
        help="settings of the earlier board (replay.json, analysis.json); else those of the later one",
    )
    add_output(parser)
    add_reading(parser)
    add_settings(parser)


def changes_command(options: argparse.Namespace) -> str:
    """`changes`: what differs between two boards; battles are known as such."""
    from nlpstat_core.analysis.analyse import analyse
    from nlpstat_core.analysis.changes import changes
    from nlpstat_core.cli.terminal import in_options
    from nlpstat_core.report.exports.data.changes import changes_text
    from nlpstat_core.report.exports.data.plain import json_text

    config, reading = settings_of(options, tracks=True)
    earlier, reading_before = config, dict(reading)
    if options.config_before is not None:
        from nlpstat_core.readers.settings_files import read_config, renamed

        found, _ = renamed(read_config(options.config_before))
        reading_before |= found.pop("reading", None) or {}
        if "lower" in reading_before and "composite" in reading_before:
            rules = {**reading_before["composite"], "lower": reading_before.pop("lower")}
            reading_before["composite"] = rules
        found.pop("boards", None)
        earlier = AnalysisConfig.from_mapping(found)
    with reading_bounds(options):
        try:
            before = board_of(options.before, reading_before)
            after = board_of(options.after, reading)
        except ScoreError as error:
            if error.sentence.remedy("preferences") is None:
                raise
            return battle_changes_text(options, earlier, config)
    made = changes(analyse(before, earlier), analyse(after, config))
    aside(options, _warnings(made))
    return json_text(made.to_dict()) if options.json else changes_text(made, words=in_options)


def _warnings(made: Changes) -> list[str]:
    """Cautions and problems of both analyses; those of one only say of which."""
    from nlpstat_core.cli.terminal import note_line
    from nlpstat_core.notes import warnings

    before, after = warnings(made.before.notes), warnings(made.after.notes)
    return [
        *(note_line(note) for note in after if note in before),
        *(f"before: {note_line(note)}" for note in before if note not in after),
        *(f"now: {note_line(note)}" for note in after if note not in before),
    ]
