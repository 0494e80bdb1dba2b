"""The command line: `python -m nlpstat_core COMMAND …`, also installed as `nlpstat`.

Results go to standard output, notes on them to standard error. Progress goes there, too, to a terminal only
unless it is asked for.
Exit status 0, or 2 with one line on standard error; then nothing stands on standard output and nothing under
--out. 130 after Ctrl-C.
"""

import argparse
import os
import sys
from collections.abc import Callable, Sequence

from nlpstat_core.cli.analyse import (
    add_analyse_options,
    add_diagnose_options,
    analyse_command,
    diagnose_command,
)
from nlpstat_core.cli.arguments import ArgumentMissing, Parser, one_line, with_forms, with_numbers
from nlpstat_core.cli.audit import add_audit_options, audit_command
from nlpstat_core.cli.boards import add_boards_options, boards_command
from nlpstat_core.cli.changes import add_changes_options, changes_command
from nlpstat_core.cli.compare import add_compare_options, compare_command
from nlpstat_core.cli.completion import add_completion_options, completion_script
from nlpstat_core.cli.composite import add_composite_options, composite_command
from nlpstat_core.cli.correlate import add_correlate_options, correlate_command
from nlpstat_core.cli.cost import add_cost_options, cost_command
from nlpstat_core.cli.examples import EXAMPLES, TEACHES
from nlpstat_core.cli.gate import BROKEN, add_gate_options, gate_command
from nlpstat_core.cli.judge import add_judge_options, judge_command
from nlpstat_core.cli.listings import add_example_options, list_formats, list_methods, print_example
from nlpstat_core.cli.metrics import add_metrics_options, metrics_command
from nlpstat_core.cli.options import as_option
from nlpstat_core.cli.output import tell_asides
from nlpstat_core.cli.piped import with_standard_input
from nlpstat_core.cli.posterior import add_posterior_options, posterior_command
from nlpstat_core.cli.power_plan import add_plan_options, plan_command
from nlpstat_core.cli.power_scores import add_board_options, add_curve_options, board_command, curve_command
from nlpstat_core.cli.preferences import add_preferences_options, preferences_command
from nlpstat_core.cli.serve import add_serve_options, serve
from nlpstat_core.cli.submissions import (
    add_score_options,
    add_submissions_options,
    score_command,
    submissions_command,
)
from nlpstat_core.errors import NlpstatError
from nlpstat_core.version import VERSION

Run = Callable[[argparse.Namespace], str]
AddOptions = Callable[[Parser], None]


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command.

    arguments: Without the program's name; None takes the process's own.
    Returns: Exit status: 0, 2 after one line on standard error, or 130 when it was interrupted; `gate` has
        its own (0 pass, 1 fail, 2 undecided, 3 broken input).
    """
    given = sys.argv[1:] if arguments is None else list(arguments)
    broken = BROKEN if given[:1] == ["gate"] else 2
    if sys.stdout is None:
        return _refused("Standard output is closed: open it, or send it to a file.", broken)
    try:
        options = _options(with_numbers(given))
        with_standard_input(options)
        text = options.run(options)
    except NlpstatError as error:
        return _refused(error.sentence.in_words(as_option), broken)
    except SystemExit:  # --help and --version have printed what they have to say
        if problem := _written_out(""):
            return _refused(problem, broken)
        raise
    except MemoryError:
        return _refused("These data need more memory than is available.", broken)
    except KeyboardInterrupt:
        return _refused("Stopped.", 130)
    if text and (problem := _written_out(text.rstrip("\n") + "\n")):
        return _refused(problem, broken)
    tell_asides(options)
    return int(getattr(options, "status", 0))


def _options(given: list[str]) -> argparse.Namespace:
    """What was asked for; the `-` after `--json` is standard input where no other file is named."""
    alone = with_forms(given)
    try:
        return _parser().parse_args(alone)
    except ArgumentMissing:
        if len(alone) == len(given):
            raise
        return _parser().parse_args(given)


def _refused(message: str, status: int = 2) -> int:
    if sys.stderr is not None:  # `print` would take standard output instead
        print(one_line(message), file=sys.stderr)
    return status


def _written_out(text: str) -> str:
    """Write on standard output; why it can't be, else nothing. One who has seen enough is no problem."""
    try:
        sys.stdout.buffer.write(text.encode("utf-8", "replace"))
        sys.stdout.flush()
    except OSError as error:
        # Python flushes once more at its end and would complain then.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return "" if isinstance(error, BrokenPipeError) else f"The result can't be printed: {error.strerror}."
    return ""


def _add_nothing(parser: Parser) -> None:
    """A command without options."""


def _add_power(parser: Parser) -> None:
    """The commands of `power`."""
    parser.examples = (*EXAMPLES["power plan"], *EXAMPLES["power curve"], *EXAMPLES["power board"])
    kinds = parser.add_subparsers(
        dest="kind", required=True, parser_class=Parser, metavar="plan|curve|board", prog="nlpstat power"
    )
    for name, (add, run) in POWER.items():
        _complete(kinds.add_parser(name, help=TEACHES[f"power {name}"]), f"power {name}", add, run)


def _complete(parser: Parser, name: str, add: AddOptions, run: Run | None) -> None:
    """Give a command its examples and its options, or those that name what the statistics offer later."""
    parser.examples = EXAMPLES.get(name, ())
    parser.set_defaults(run=run)
    if add in LATER:
        parser.later = add
    else:
        add(parser)


def _parser() -> argparse.ArgumentParser:
    parser = Parser(prog="nlpstat", description="Which systems on a leaderboard really differ.")
    parser.examples = EXAMPLES[""]
    parser.add_argument("--version", action="version", version=VERSION)
    commands = parser.add_subparsers(
        dest="command", required=True, parser_class=Parser, metavar="COMMAND", prog="nlpstat"
    )
    for name, (add, run) in COMMANDS.items():
        made = commands.add_parser(name, help=TEACHES[name], description=TEACHES[name])
        _complete(made, name, add, run)
    return parser


def print_completion(options: argparse.Namespace) -> str:
    """The script for one shell."""
    return completion_script(_parser(), options.shell)


# What adds the options of each command and what it does, in the order of the help.
COMMANDS: dict[str, tuple[AddOptions, Run | None]] = {
    "analyse": (add_analyse_options, analyse_command),
    "compare": (add_compare_options, compare_command),
    "changes": (add_changes_options, changes_command),
    "gate": (add_gate_options, gate_command),
    "metrics": (add_metrics_options, metrics_command),
    "correlate": (add_correlate_options, correlate_command),
    "composite": (add_composite_options, composite_command),
    "cost": (add_cost_options, cost_command),
    "judge": (add_judge_options, judge_command),
    "preferences": (add_preferences_options, preferences_command),
    "score": (add_score_options, score_command),
    "submissions": (add_submissions_options, submissions_command),
    "diagnose": (add_diagnose_options, diagnose_command),
    "posterior": (add_posterior_options, posterior_command),
    "audit": (add_audit_options, audit_command),
    "power": (_add_power, None),
    "boards": (add_boards_options, boards_command),
    "serve": (add_serve_options, serve),
    "formats": (_add_nothing, list_formats),
    "methods": (_add_nothing, list_methods),
    "example": (add_example_options, print_example),
    "completion": (add_completion_options, print_completion),
}
POWER: dict[str, tuple[AddOptions, Run]] = {
    "plan": (add_plan_options, plan_command),
    "curve": (add_curve_options, curve_command),
    "board": (add_board_options, board_command),
}
# Options that name what the statistics offer: added when the command is used.
LATER = (add_composite_options, add_plan_options)
