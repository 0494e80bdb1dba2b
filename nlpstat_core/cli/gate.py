"""`gate`: an exit status for builds: is the new system at most a margin worse than the baseline?"""

import argparse
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from nlpstat_core.cli.arguments import REQUIRED
from nlpstat_core.cli.battle_logs import battle_gate_text
from nlpstat_core.cli.configured import settings_of
from nlpstat_core.cli.gate_scores import gate_scores
from nlpstat_core.cli.options import add_reading, add_settings
from nlpstat_core.cli.output import add_output, in_form, mind
from nlpstat_core.config import AnalysisConfig
from nlpstat_core.errors import ConfigError, ScoreError, shown

if TYPE_CHECKING:
    from nlpstat_core.analysis.gate import Gate

# Exit status of each decision; broken input ends with BROKEN.
STATUS = {"pass": 0, "fail": 1, "undecided": 2}
BROKEN = 3


def add_gate_options(parser: argparse.ArgumentParser) -> None:
    """What `gate` is given: candidates, the baseline, the margin, forms of the answer."""
    parser.add_argument("files", nargs="+", metavar="FILE", help="scores of the candidates")
    needed = parser.add_argument_group(REQUIRED, "unless given in --config")
    parser.add_argument(
        "--candidate", action="append", metavar="SYSTEM", help="check this system only (may be repeated)"
    )
    parser.add_argument(
        "--baseline-system",
        metavar="SYSTEM",
        help="the baseline's system, if its file has several; it may have the candidate's name",
    )
    form = parser.add_mutually_exclusive_group()
    form.add_argument(
        "--markdown",
        action="store_true",
        help="print a Markdown table for a pull request (to keep it: > gate.md)",
    )
    form.add_argument("--csv", action="store_true", help="print only the candidates, as CSV")
    add_output(parser, form=form)
    parser.add_argument("--junit", metavar="FILE", help="also write JUnit XML for a build server")
    add_reading(parser)
    add_settings(
        parser, {"baseline": ("FILE|SYSTEM", "score file of the baseline, or a system of FILE", needed)}
    )
    needed.add_argument(
        "--margin", metavar="POINTS", help="largest loss that doesn't matter, in points of the metric"
    )
    ends = ", ".join(f"{status} {decision}" for decision, status in STATUS.items())
    parser.epilog = f"Exit status: {ends}, {BROKEN} invalid input."


def gate_command(options: argparse.Namespace) -> str:
    """`gate`: is a new system at most a margin worse? Battles, known as such, are compared by strength."""
    from nlpstat_core.analysis.gate import gate
    from nlpstat_core.cli.terminal import in_options
    from nlpstat_core.notes import warnings
    from nlpstat_core.report.exports.documents.gate import gate_csv, gate_junit, gate_md

    config, reading = settings_of(options, tracks=True)
    if config.baseline is None:
        raise ConfigError("A gate needs --baseline: a score file, or the name of a system in the file.")
    margin = _margin(options.margin, config)
    try:
        scores, baseline = gate_scores(options, config.baseline, reading)
    except ScoreError as error:
        if error.sentence.remedy("preferences") is None:
            raise
        text, decision = battle_gate_text(options, config, margin)
        options.status = STATUS[decision]
        return text
    found = gate(scores, baseline=baseline, margin=margin, config=replace(config, baseline=None))
    mind(options, warnings(found.analysis.notes))
    markdown = partial(gate_md, words=in_options)
    options.status = STATUS[found.decision]
    return in_form(options, found, junit=gate_junit, csv=gate_csv, markdown=markdown, plain=_answer)


def _answer(found: "Gate") -> str:
    """One candidate in a line; several in a table below what was decided about them all."""
    from nlpstat_core.cli.terminal import in_options, table
    from nlpstat_core.report.exports.documents.gate import gate_table
    from nlpstat_core.report.wording.gate import gate_line, gate_summary

    if len(found.candidates) == 1:
        return in_options(gate_line(found))
    return "\n".join([in_options(gate_summary(found)), "", *table(gate_table(found, signs=False).columns)])


def _margin(given: str | None, config: AnalysisConfig) -> float:
    if given is None:
        if config.equivalence_margin is None:
            raise ConfigError(
                "A gate needs --margin: the largest loss that doesn't matter, in points of the metric."
            )
        return config.equivalence_margin
    try:
        return float(given)
    except ValueError:
        raise ConfigError(f"--margin must be a number, 0 or more, not {shown(given)}.") from None
