"""`boards`: saved boards, for whoever runs the database. What it needs is imported when it is used."""

from __future__ import annotations

import argparse
import importlib
from typing import TYPE_CHECKING, Any

from nlpstat_core.errors import NlpstatError
from nlpstat_core.installed import packages_problem

if TYPE_CHECKING:
    from nlpstat_core.analysis.result import Analysis

# Command, what it is given, what it does.
COMMANDS: tuple[tuple[str, tuple[str, ...], str], ...] = (
    ("list", ("as", "json"), "list saved boards"),
    ("show", ("board", "version", "against", "as", "out", "json"), "show a version of a board"),
    ("export", ("board", "file"), "write everything about a board to one signed file"),
    ("import", ("given", "with-members", "trusted-key"), "import such a file as a draft"),
    ("delete", ("board", "yes"), "delete everything about a board"),
    (
        "verify",
        ("board?",),
        "check logs and scores; exit status 1 if anything was changed outside the program",
    ),
    ("vacuum", (), "delete boards unchanged for NLPSTAT_KEEP_DAYS, and free the space"),
    ("backup", ("file",), "copy an SQLite database while it is in use"),
    ("key", (), "print the fingerprint of the key that signs exports"),
)
_OPTIONS: dict[str, tuple[str, dict[str, Any]]] = {
    "board": ("board", {"metavar": "BOARD", "help": "id or title of the board"}),
    "board?": ("board", {"metavar": "BOARD", "nargs": "?", "help": "id or title (default: all boards)"}),
    "file": ("file", {"metavar": "FILE", "help": "file to write"}),
    "given": ("file", {"metavar": "FILE", "help": "file that `boards export` wrote"}),
    "version": ("--version", {"metavar": "N", "help": "number of the version (default: the latest)"}),
    "against": ("--against", {"metavar": "N", "help": "show what changed since that version"}),
    "as": ("--as", {"dest": "viewer", "metavar": "WHO", "help": "as this member sees it, by e-mail address"}),
    "out": ("--out", {"metavar": "DIR", "help": "write the files of this version to this folder"}),
    "json": ("--json", {"action": "store_true", "help": "print JSON alone on standard output"}),
    "yes": ("--yes", {"action": "store_true", "help": "really delete it"}),
    "with-members": (
        "--with-members",
        {"action": "store_true", "help": "give its members their roles on this server"},
    ),
    "trusted-key": ("--trusted-key", {"metavar": "KEY", "help": "refuse files signed with any other key"}),
}


def add_boards_options(parser: argparse.ArgumentParser) -> None:
    """The commands of `boards`."""
    names = "|".join(name for name, _, _ in COMMANDS)
    commands = parser.add_subparsers(
        dest="deed", required=True, parser_class=type(parser), metavar=names, prog="nlpstat boards"
    )
    for name, options, teaches in COMMANDS:
        made = commands.add_parser(name, help=teaches, description=teaches)
        made.add_argument("--database", metavar="FILE_OR_URL", help="instead of NLPSTAT_DATABASE")
        for option in options:
            flag, more = _OPTIONS[option]
            made.add_argument(flag, **more)


def boards_command(options: argparse.Namespace) -> str:
    """`boards`: saved boards; the exit status is 1 where `verify` found something."""
    text: str
    text, options.status = _package().run(options)
    return text


def saved(analysis: Analysis, title: str) -> str:
    """Save an analysis, for `analyse --save`."""
    text: str = _package().save(analysis.scores, analysis.config, title)
    return text


def check_packages() -> None:
    """Raise NlpstatError where packages of saved boards aren't installed."""
    if problem := packages_problem("Saved boards need", "boards"):
        raise NlpstatError(problem)


def _package() -> Any:
    check_packages()
    return importlib.import_module("nlpstat_core.cli.saved_boards")
