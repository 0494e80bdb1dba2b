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

from nlpstat_core.cli.analyse import analyse_command
from nlpstat_core.cli.arguments import ArgumentMissing, Parser, one_line, with_forms, with_numbers
from nlpstat_core.cli.audit import add_audit_options
from nlpstat_core.cli.boards import add_boards_options
from nlpstat_core.cli.changes import add_changes_options
from nlpstat_core.cli.commands import (
    audit_command,
    board_power_command,
    boards_command,
    changes_command,
    compare_command,
    composite_command,
    cost_command,
    diagnose_command,
    gate_command,
    metrics_command,
    posterior_command,
    power_curve_command,
    submissions_command,
)
from nlpstat_core.cli.completion import SHELLS, completion_script
from nlpstat_core.cli.composite import add_composite_options
from nlpstat_core.cli.correlate import add_correlate_options, correlate_text
from nlpstat_core.cli.cost import add_cost_options
from nlpstat_core.cli.examples import EXAMPLES
from nlpstat_core.cli.gate import BROKEN, add_gate_options
from nlpstat_core.cli.judge import add_judge_options, judge_text
from nlpstat_core.cli.listings import list_formats, list_methods, print_example
from nlpstat_core.cli.metrics import add_metrics_options
from nlpstat_core.cli.options import add_progress, add_reading, add_settings, as_option
from nlpstat_core.cli.output import add_output, tell_asides
from nlpstat_core.cli.piped import with_standard_input
from nlpstat_core.cli.posterior import add_posterior_options
from nlpstat_core.cli.power_plan import add_plan_options, plan_text
from nlpstat_core.cli.power_scores import add_board_options, add_curve_options
from nlpstat_core.cli.preferences import add_preferences_options, preferences_text
from nlpstat_core.cli.serve import add_serve_options, serve
from nlpstat_core.cli.several_boards import add_boards
from nlpstat_core.cli.submissions import add_gold, add_score_options, add_submissions_options, score_text
from nlpstat_core.errors import NlpstatError
from nlpstat_core.version import VERSION


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


def _parser() -> argparse.ArgumentParser:
    parser = Parser(
        prog="nlpstat",
        description="Which systems on a leaderboard really differ.",
    )
    parser.examples = EXAMPLES[""]
    parser.add_argument("--version", action="version", version=VERSION)
    commands = parser.add_subparsers(
        dest="command", required=True, parser_class=Parser, metavar="COMMAND", prog="nlpstat"
    )

    def command(name: str, run: Callable[[argparse.Namespace], str], teaches: str) -> Parser:
        made: Parser = commands.add_parser(name, help=teaches, description=teaches)
        made.examples = EXAMPLES[name]
        made.set_defaults(run=run)
        return made

    analyse = command("analyse", analyse_command, "Compare all pairs of systems in a score file.")
    analyse.add_argument(
        "files",
        nargs="+",
        metavar="FILE",
        help="score file, items × systems (see `formats`), or one per system; - is standard input",
    )
    add_reading(analyse)
    add_settings(analyse)
    add_boards(analyse)
    analyse.add_argument("--out", metavar="DIR", help="write JSON, CSV and reports to this folder")
    analyse.add_argument(
        "--also",
        metavar="FILES",
        help="more files in --out, separated by commas: xlsx (workbook), figures (SVG), methods, replay, "
        "zip, participants (a page each), participants-hidden-names, or all; further sections of the report: "
        "posterior, audit, and metrics (with --each metric)",
    )
    analyse.add_argument(
        "--human", metavar="METRIC", help="with --also metrics: the metric given by people (default: guessed)"
    )
    add_output(analyse, csv=True)
    analyse.add_argument(
        "--save",
        metavar="TITLE",
        help="save scores and settings as the next version of this board in NLPSTAT_DATABASE",
    )
    analyse.add_argument("--workers", default="1", help="number of threads; results don't depend on it")
    analyse.add_argument(
        "--pairs-out",
        metavar="DIR",
        help="write the pairs to Parquet files in a new folder, for boards whose pairs don't fit into memory",
    )
    add_progress(analyse)

    compare = command("compare", compare_command, "One pair in four steps: data, test, effect sizes, power.")
    compare.add_argument("file", metavar="FILE", help="score file, for example two columns of numbers")
    compare.add_argument("systems", nargs="*", metavar="SYSTEM", help="the two systems, if the file has more")
    add_reading(compare)
    add_settings(compare)
    add_progress(compare)
    compare.add_argument("--points", default="5", help="number of sizes on the power curve")
    compare.add_argument("--iterations", default="500", help="simulated test sets per size")
    add_output(compare)

    add_changes_options(
        command(
            "changes",
            changes_command,
            "Show what changed between two boards: systems, settings, decisions, ranks.",
        )
    )

    gate = command(
        "gate",
        gate_command,
        "Check that a new system is at most a margin worse than a baseline, for CI builds.",
    )
    add_gate_options(gate)

    add_metrics_options(
        command("metrics", metrics_command, "Show which metric agrees best with people on systems and items.")
    )

    add_correlate_options(
        command("correlate", correlate_text, "Test a correlation, or whether two correlations differ.")
    )

    composite = command(
        "composite", composite_command, "Rank systems by a weighted mean over several tracks."
    )
    composite.later = add_composite_options  # which name the ways to combine

    add_cost_options(
        command("cost", cost_command, "Set scores against cost, time or length: who is beaten on both?")
    )

    add_judge_options(
        command("judge", judge_text, "Correct a judge's scores by people's scores on some items.")
    )

    add_preferences_options(
        command("preferences", preferences_text, "Rank systems by pairwise preferences (A or B, ties).")
    )

    add_score_options(command("score", score_text, "Score the outputs of systems against gold."))

    add_submissions_options(
        command(
            "submissions",
            submissions_command,
            "Compare all pairs of systems by a measure of their outputs against gold.",
        )
    )

    diagnose = command(
        "diagnose",
        diagnose_command,
        "Describe the differences of every pair: skewness, normality, suitable tests.",
    )
    diagnose.add_argument("files", nargs="+", metavar="FILE", help="score file, or one per system")
    diagnose.add_argument("-q", "--quiet", action="store_true", help="no progress")
    add_reading(diagnose)
    add_settings(diagnose)
    add_progress(diagnose)

    posterior = command(
        "posterior", posterior_command, "Bayesian answer: the probability of a difference that matters."
    )
    add_posterior_options(posterior)
    add_reading(posterior)
    add_gold(posterior)
    add_settings(posterior)

    audit = command(
        "audit", audit_command, "Measure how often this procedure claims a difference where none exists."
    )
    add_audit_options(audit)
    add_reading(audit)
    add_settings(audit)
    add_progress(audit)

    power = commands.add_parser(
        "power",
        help="Plan a test set, or see how power grows with its size.",
        description="Plan a test set, or see how power grows with its size.",
    )
    power.examples = (*EXAMPLES["power plan"], *EXAMPLES["power curve"], *EXAMPLES["power board"])
    kinds = power.add_subparsers(
        dest="kind", required=True, parser_class=Parser, metavar="plan|curve|board", prog="nlpstat power"
    )
    plan = kinds.add_parser("plan", help="items, power, difference or level from the other three")
    plan.examples = EXAMPLES["power plan"]
    plan.set_defaults(run=plan_text)
    plan.later = add_plan_options
    curve = kinds.add_parser("curve", help="power of the test of one pair, by the number of items")
    curve.examples = EXAMPLES["power curve"]
    curve.set_defaults(run=power_curve_command)
    add_curve_options(curve)
    add_reading(curve)
    add_settings(curve)
    add_progress(curve)
    board = kinds.add_parser(
        "board", help="what differences a test set could find, and the items needed to separate neighbours"
    )
    board.examples = EXAMPLES["power board"]
    board.set_defaults(run=board_power_command)
    add_board_options(board)
    add_reading(board)
    add_gold(board)
    add_settings(board)
    add_progress(board)

    add_boards_options(
        command("boards", boards_command, "Manage saved boards: list, show, export, import, delete, verify."),
        Parser,
    )
    add_serve_options(command("serve", serve, "Open the dashboard in a browser, with a score file if given."))
    command("formats", list_formats, "List the score files that can be read, with an example of each.")
    command("methods", list_methods, "List tests, effect sizes, corrections, diagnostics and presets.")
    example = command("example", print_example, "Print a small score file to start from.")
    example.add_argument(
        "format", nargs="?", metavar="FORMAT", help="a few lines in this format (see `formats`)"
    )
    completion = command("completion", print_completion, "Print a shell-completion script.")
    completion.add_argument("shell", choices=SHELLS, metavar="SHELL", help=", ".join(SHELLS))
    return parser


def print_completion(options: argparse.Namespace) -> str:
    """The script for one shell."""
    return completion_script(_parser(), options.shell)
