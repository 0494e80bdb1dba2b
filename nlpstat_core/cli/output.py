"""What every command prints: the answer on standard output, what to mind beside it on standard error."""

from __future__ import annotations

import argparse
import shutil
import sys
import textwrap
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

from nlpstat_core.cli.arguments import UsageError, one_line
from nlpstat_core.errors import NlpstatError, shown

if TYPE_CHECKING:
    from nlpstat_core.analysis.result import Analysis
    from nlpstat_core.notes import Note

TABLES = ("leaderboard", "pairs")
INDENT = "  "


def add_output(parser: argparse.ArgumentParser, *, csv: bool = False, form: Any = None) -> None:
    """Forms of the answer.

    csv: Whether the answer has a leaderboard and pairs.
    form: A mutually exclusive group that stands in for a new one.
    """
    form = form or parser.add_mutually_exclusive_group()
    form.add_argument("--json", action="store_true", help="print only the result, as JSON")
    if csv:
        form.add_argument(
            "--csv",
            nargs="?",
            const=TABLES[0],
            choices=TABLES,
            help="print only a table, as CSV: the leaderboard, or all pairs (--csv pairs)",
        )
    parser.add_argument(
        "-q",
        "--quiet",
        action="store_true",
        help="print only the answer: no notes, no progress, no sentences for a paper",
    )


def board_text(options: argparse.Namespace, analysis: Analysis) -> str:
    """A board in the form that was asked for; notes go beside it, but of JSON, which holds them."""
    from nlpstat_core.cli.terminal import summary
    from nlpstat_core.report.exports.data.csv_text import csv_text
    from nlpstat_core.report.exports.data.frames import leaderboard_frame, pairs_frame
    from nlpstat_core.report.exports.data.plain import json_text

    if options.json:
        return json_text(analysis.to_dict())
    mind(options, analysis.notes)
    if options.csv is not None:
        return csv_text({"leaderboard": leaderboard_frame, "pairs": pairs_frame}[options.csv](analysis))
    return summary(analysis, quiet=options.quiet)


def refuse_csv(options: argparse.Namespace, option: str) -> None:
    """No single leaderboard is there for `--csv`. Raises UsageError."""
    if options.csv is not None:
        raise UsageError(f"--csv prints a table of one board; leave out {option}.")


def mind(options: argparse.Namespace, notes: Iterable[Note]) -> None:
    """Notes that are told once the answer stands."""
    from nlpstat_core.cli.terminal import note_line

    aside(options, map(note_line, notes))


def aside(options: argparse.Namespace, lines: Iterable[str]) -> None:
    """Lines that are told once the answer stands."""
    options.asides = [*getattr(options, "asides", ()), *lines]


def tell_asides(options: argparse.Namespace) -> None:
    """What to mind, on standard error, unless it is to be quiet."""
    if not getattr(options, "quiet", False):
        tell(getattr(options, "asides", ()))


def tell(lines: Iterable[str]) -> None:
    """Lines on standard error, where there is one: the result stands alone on standard output.

    A terminal gets them wrapped at words; a log, where people search for them, as they are.
    """
    if sys.stderr is None:
        return
    folded: Callable[[str], str] = str
    if sys.stderr.isatty():
        width = max(shutil.get_terminal_size().columns, 40)

        def folded(line: str) -> str:
            return textwrap.fill(
                line, width, subsequent_indent=INDENT, break_long_words=False, break_on_hyphens=False
            )

    sys.stderr.writelines(f"{folded(one_line(line))}\n" for line in lines)


def check_out(options: argparse.Namespace) -> None:
    """Refuse `--out ""` before anything is computed. Raises UsageError."""
    if options.out == "":
        raise UsageError("--out needs the name of a folder.")


def write_text(path: Path, text: str) -> None:
    """Write a file that was asked for. Raises NlpstatError."""
    try:
        path.write_text(text, encoding="utf-8")
    except OSError as error:
        raise NlpstatError(f"{shown(path)} can't be written: {error.strerror}.") from error


class _Found(Protocol):
    def to_dict(self) -> dict[str, Any]: ...


G = TypeVar("G", bound=_Found)


def answered(
    options: argparse.Namespace,
    found: G,
    files: Callable[[G], Mapping[str, str]],
    plain: Callable[[G], str],
    notes: Iterable[Note],
) -> str:
    """What a command found: its files where --out says, then JSON, or text with its notes beside it."""
    from nlpstat_core.report.exports.data.files import write_files
    from nlpstat_core.report.exports.data.plain import json_text

    if options.out is not None:
        write_files(files(found).items(), Path(options.out))
    if options.json:
        return json_text(found.to_dict())
    mind(options, notes)
    return plain(found)


def in_form(
    options: argparse.Namespace,
    found: G,
    *,
    junit: Callable[[G], str],
    csv: Callable[[G], str],
    markdown: Callable[[G], str],
    plain: Callable[[G], str],
) -> str:
    """The answer in the form that the options ask for, after JUnit's file is written."""
    from nlpstat_core.report.exports.data.plain import json_text

    if options.junit is not None:
        write_text(Path(options.junit), junit(found))
    if options.json:
        return json_text(found.to_dict())
    if options.csv:
        return csv(found)
    return markdown(found) if options.markdown else plain(found)
