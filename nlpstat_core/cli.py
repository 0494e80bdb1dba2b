"""The command line: `python -m nlpstat_core COMMAND …`, also installed as `nlpstat`.

Results go to standard output, progress to standard error and only to a terminal. Exit status 0, or 2
with one line on standard error; then nothing stands on standard output and nothing under --out.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, NoReturn

from nlpstat_core.config import RECOMMENDED, AnalysisConfig
from nlpstat_core.errors import ConfigError, NlpstatError, shown
from nlpstat_core.power_cli import add_curve_options, add_plan_options, curve_text, plan_text
from nlpstat_core.version import VERSION


class UsageError(NlpstatError):
    """The command line itself is wrong."""


class _Parser(argparse.ArgumentParser):
    """argparse that raises one sentence instead of printing a usage block and leaving."""

    def error(self, message: str) -> NoReturn:
        raise UsageError(f"{message[:1].upper()}{message[1:]}. See `{self.prog} --help`.")


# Option, AnalysisConfig field, help. Values stay text: AnalysisConfig converts or refuses them.
_SETTINGS: tuple[tuple[str, str, str], ...] = (
    ("--test", "test", "test for every pair, or 'recommended' (see `methods`)"),
    ("--correction", "correction", "correction for multiple comparisons (see `methods`)"),
    ("--alpha", "alpha", "significance level of the family"),
    ("--seed", "seed", "seed of every random number"),
    ("--alternative", "alternative", "two-sided, greater or less: system a relative to b"),
    ("--delta", "delta", "hypothesised difference a − b"),
    ("--confidence-level", "confidence_level", "level of the intervals (default 1 − alpha)"),
    ("--baseline", "baseline", "compare every system with this one only"),
    ("--effects", "effects", "effect sizes for all pairs, separated by commas"),
    ("--intervals", "intervals", "costly intervals for all pairs, separated by commas"),
    ("--resamples", "resamples", "resamples of bootstrap, max-T and Monte Carlo"),
    ("--unit-size", "unit_size", "adjacent rows that form one evaluation unit"),
    ("--unit-metric", "unit_metric", "mean or median of the rows of a unit"),
    ("--unit-remainder", "unit_remainder", "left-over rows: spread or drop"),
    ("--shuffle-seed", "shuffle_seed", "shuffle rows before they form units"),
    ("--block-column", "block_column", "label column that names the documents"),
    ("--missing", "missing", "missing scores: pairwise, complete or error"),
    ("--equivalence-margin", "equivalence_margin", "differences smaller than this are equivalent"),
    ("--normality-alpha", "normality_alpha", "level of the Shapiro–Wilk test"),
    ("--zero-method", "zero_method", "zeros in Wilcoxon's test: wilcox, pratt or zsplit"),
    ("--mcnemar", "mcnemar", "variant: exact, mid-p, asymptotic or continuity"),
)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command.

    Parameters
    ----------
    arguments : sequence of str or None
        Without the program's name; None takes the process's own.

    Returns
    -------
    int
        Exit status: 0, or 2 after one line on standard error.
    """
    try:
        options = _parser().parse_args(arguments)
        text = options.run(options)
    except NlpstatError as error:
        print(one_line(str(error)), file=sys.stderr)
        return 2
    if text:
        sys.stdout.buffer.write((text.rstrip("\n") + "\n").encode("utf-8", "replace"))
        sys.stdout.flush()
    return 0


def one_line(message: str) -> str:
    """A message without line breaks or control characters.

    Parameters
    ----------
    message : str

    Returns
    -------
    str
    """
    return "".join(
        char if char.isprintable() else " " for char in message.encode("utf-8", "replace").decode("utf-8")
    )


def _parser() -> argparse.ArgumentParser:
    parser = _Parser(
        prog="nlpstat",
        description="Which systems on a leaderboard really differ.",
        epilog="Example: nlpstat analyse scores.csv --correction holm --out results/",
    )
    parser.add_argument("--version", action="version", version=VERSION)
    commands = parser.add_subparsers(dest="command", required=True, parser_class=_Parser, metavar="COMMAND")

    def command(name: str, run: Callable[[argparse.Namespace], str], teaches: str) -> argparse.ArgumentParser:
        made: argparse.ArgumentParser = commands.add_parser(name, help=teaches, description=teaches)
        made.set_defaults(run=run)
        return made

    analyse = command("analyse", _analyse, "Compare all pairs of systems in a score file.")
    analyse.add_argument("file", help="score file, items × systems (see `formats`)")
    _add_reading(analyse)
    _add_settings(analyse)
    analyse.add_argument("--out", metavar="DIR", help="write analysis.json, leaderboard.csv, pairs.csv here")
    analyse.add_argument("--json", choices=["-"], help="print the JSON alone on standard output")
    analyse.add_argument("--workers", default="1", help="threads; the numbers don't depend on it")

    diagnose = command("diagnose", _diagnose, "Look at the data of every pair: skewness, normality, tests.")
    diagnose.add_argument("file", help="score file")
    _add_reading(diagnose)
    _add_settings(diagnose)

    power = commands.add_parser("power", help="Plan a test set, or see how power grows with its size.")
    kinds = power.add_subparsers(dest="kind", required=True, parser_class=_Parser, metavar="plan|curve")
    plan = kinds.add_parser("plan", help="items, power, difference or level from the other three")
    plan.set_defaults(run=plan_text)
    add_plan_options(plan)
    curve = kinds.add_parser("curve", help="power of a test for a pair by the number of items")
    curve.set_defaults(run=_power_curve)
    add_curve_options(curve)
    _add_reading(curve)
    _add_settings(curve)

    command("formats", _formats, "List the score files that can be read, with an example of each.")
    command("methods", _methods, "List tests, effect sizes and corrections.")
    example = command("example", _example, "Print a small score file to start from.")
    example.add_argument("format", nargs="?", help="name of a format (see `formats`)")
    return parser


def _add_reading(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("reading")
    group.add_argument("--format", help="format of the file when the guess is wrong (see `formats`)")
    group.add_argument("--metric", help="metric to read when the file has several")
    group.add_argument("--id-column", help="column that holds the unit ids")
    group.add_argument("--label-columns", help="label columns, separated by commas")
    group.add_argument("--lower-is-better", action="store_true", default=None, help="lower scores are better")
    group.add_argument("--max-bytes", help="refuse larger files")


def _add_settings(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("settings")
    for option, field, teaches in _SETTINGS:
        group.add_argument(option, dest=field, help=teaches)
    group.add_argument(
        "--continuity", action="store_true", default=None, help="continuity correction (Wilcoxon)"
    )
    group.add_argument("--config", help="YAML or JSON file with these settings; options win over it")


def _settings(options: argparse.Namespace) -> tuple[AnalysisConfig, dict[str, Any]]:
    """The configuration and the reading choices: from --config, then from the options."""
    data = {} if options.config is None else read_config(Path(options.config))
    reading = data.pop("reading", None) or {}
    if not isinstance(reading, dict):
        raise ConfigError(f"reading must be a mapping, not {shown(reading)}.")
    for field in [field for _, field, _ in _SETTINGS] + ["continuity"]:
        value = getattr(options, field)
        if value is not None:
            data[field] = value
    return AnalysisConfig.from_mapping(data), _reading(options, reading)


def _reading(options: argparse.Namespace, from_config: dict[str, Any]) -> dict[str, Any]:
    from nlpstat_core.readers import reading_keywords

    reading = reading_keywords(from_config)
    for key in ("format", "metric", "id_column", "lower_is_better"):
        if getattr(options, key) is not None:
            reading[key] = getattr(options, key)
    if options.label_columns is not None:
        reading["label_columns"] = [name.strip() for name in options.label_columns.split(",") if name.strip()]
    if options.max_bytes is not None:
        reading["max_bytes"] = whole_number("--max-bytes", options.max_bytes)
    return reading


def whole_number(option: str, text: str) -> int:
    """A positive whole number from an option.

    Parameters
    ----------
    option : str
    text : str

    Returns
    -------
    int

    Raises
    ------
    UsageError
    """
    try:
        value = int(text)
    except ValueError:
        value = 0
    if value < 1:
        raise UsageError(f"{option} must be a whole number, at least 1, not {shown(text)}.")
    return value


def read_config(path: Path) -> dict[str, Any]:
    """A YAML or JSON configuration as a mapping.

    Parameters
    ----------
    path : Path

    Returns
    -------
    dict
        Field names of AnalysisConfig, and `reading`.

    Raises
    ------
    ConfigError
        The file can't be read or is not a mapping.
    """
    import yaml

    try:
        text = path.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        reason = getattr(error, "strerror", None) or "it is not UTF-8 text"
        raise ConfigError(f"The configuration {shown(path)} can't be read: {reason}.") from error
    try:
        data = yaml.safe_load(text)
    except (yaml.YAMLError, RecursionError, ValueError) as error:
        raise ConfigError(f"The configuration {shown(path)} is neither YAML nor JSON.") from error
    if data is None:
        return {}
    if not isinstance(data, dict):
        raise ConfigError(f"The configuration {shown(path)} must hold settings as 'name: value' lines.")
    return {str(key): value for key, value in data.items()}


def _analyse(options: argparse.Namespace) -> str:
    from nlpstat_core.analysis import analyse
    from nlpstat_core.exports.folder import write_folder
    from nlpstat_core.exports.plain import json_text
    from nlpstat_core.readers import read_scores
    from nlpstat_core.terminal import summary

    config, reading = _settings(options)
    workers = whole_number("--workers", options.workers)
    scores = read_scores(options.file, **reading)
    analysis = analyse(scores, config, workers=workers, progress=_progress())
    if options.out is not None:
        write_folder(analysis, Path(options.out))
    if options.json is not None:
        return json_text(analysis.to_dict())
    return summary(analysis)


def _progress(what: str = "pairs") -> Callable[[int, int], None] | None:
    """Progress on standard error when somebody is watching it."""
    if not sys.stderr.isatty():
        return None

    def tell(done: int, total: int) -> None:
        end = "\n" if done >= total else ""
        print(f"\r{done:,} of {total:,} {what}", end=end, file=sys.stderr, flush=True)

    return tell


def _diagnose(options: argparse.Namespace) -> str:
    from nlpstat_core.analysis import analyse
    from nlpstat_core.readers import read_scores
    from nlpstat_core.terminal import diagnosis_table

    config, reading = _settings(options)
    return diagnosis_table(analyse(read_scores(options.file, **reading), config))


def _power_curve(options: argparse.Namespace) -> str:
    from nlpstat_core.readers import read_scores

    if options.config is None:  # one pair, one test, uncorrected, unless something else is asked for
        options.test = options.test or "t"
        options.correction = options.correction or "none"
    config, reading = _settings(options)
    scores = read_scores(options.file, **reading)
    return curve_text(options, config, scores, _progress("test sets"))


def _formats(options: argparse.Namespace) -> str:
    from nlpstat_core.readers import describe_formats

    return describe_formats()


def _methods(options: argparse.Namespace) -> str:
    from nlpstat_core.corrections import CORRECTIONS
    from nlpstat_core.effects import EFFECTS
    from nlpstat_core.significance import TESTS

    lines = [f"Tests (--test; default {RECOMMENDED})"]
    lines += [f"  {method.key:<20} {method.label}: {method.summary}" for method in TESTS]
    lines += ["", "Corrections (--correction; default holm)"]
    lines += [f"  {method.key:<20} {method.label}: {method.summary}" for method in CORRECTIONS]
    lines += ["", "Effect sizes (--effects)"]
    lines += [f"  {method.key:<20} {method.label}: {method.summary}" for method in EFFECTS]
    return "\n".join(lines)


def _example(options: argparse.Namespace) -> str:
    from nlpstat_core.readers import example_text

    return example_text(options.format)
