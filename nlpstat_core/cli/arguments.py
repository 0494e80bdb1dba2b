"""Arguments of the command line: a parser that raises one sentence, and numbers below 0."""

import argparse
import re
from collections.abc import Callable, Sequence
from typing import Any, NoReturn

from nlpstat_core.errors import NlpstatError

REQUIRED = "required"  # the group of options that have to be given, here or in a file
_TABLES = (["leaderboard"], ["pairs"])
_NEGATIVE = re.compile(r"-(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?|-(?:inf|infinity|nan)", re.IGNORECASE)


class UsageError(NlpstatError):
    """The command line itself is wrong."""


class ArgumentMissing(UsageError):
    """Something has to be given and isn't."""


class Parser(argparse.ArgumentParser):
    """argparse that raises one sentence instead of printing a usage block and leaving.

    A command whose options name what the statistics offer gets them when it is the one that is used: `--help`
    of the program loads none of them.
    """

    later: Callable[[argparse.ArgumentParser], None] | None = None
    examples: tuple[str, ...] = ()

    @property
    def usage(self) -> str:
        """What has to be given, in a line: all options stand below it, one by one."""
        return " ".join((self.prog, *map(_called, filter(_needed, self._actions)), "[options]"))

    @usage.setter
    def usage(self, text: str | None) -> None:
        """argparse sets what it was made with: nothing."""

    def format_help(self) -> str:
        """The help, with examples at its end."""
        lines = ["Examples:", *(f"  {line}" for line in self.examples), ""] if self.examples else []
        return f"{super().format_help()}" + "\n".join(["", *lines] if lines else [])

    def parse_known_args(self, args: Any = None, namespace: Any = None) -> Any:
        """Parse, with all options."""
        self.complete()
        return super().parse_known_args(args, namespace)

    def complete(self) -> None:
        """Add the options that were left for later."""
        if self.later is not None:
            add, self.later = self.later, None
            add(self)

    def error(self, message: str) -> NoReturn:
        """One sentence."""
        if message.startswith("the following arguments are required"):
            raise ArgumentMissing(f"{message[:1].upper()}{message[1:]}. See `{self.prog} --help`.")
        unknown = message.partition("unrecognized arguments: ")[2].split()
        if unknown and not any(word.startswith("-") for word in unknown):
            # --markdown gate.md reads as if it named the file to write
            message += f" (files stand before the options; to keep what is printed, use > {unknown[-1]})"
        raise UsageError(f"{message[:1].upper()}{message[1:]}. See `{self.prog} --help`.")


def _needed(action: argparse.Action) -> bool:
    group = getattr(action, "container", None)
    return not action.option_strings or action.required or getattr(group, "title", None) == REQUIRED


def _called(action: argparse.Action) -> str:
    """How an argument is written on the command line."""
    name = action.metavar if isinstance(action.metavar, str) else action.dest.upper()
    if action.option_strings:
        return f"{action.option_strings[-1]} {name}"
    more = {"+": f"{name} [{name} …]", "*": f"[{name} …]", "?": f"[{name}]", argparse.PARSER: f"{name} …"}
    return more.get(str(action.nargs), name)


def with_forms(arguments: Sequence[str]) -> list[str]:
    """Arguments in which `--json` takes nothing, as before 0.2.0 `-`, and `--csv` no file for its table.

    >>> with_forms(["analyse", "a.csv", "--json", "-"]), with_forms(["analyse", "--csv", "a.csv"])
    (['analyse', 'a.csv', '--json'], ['analyse', '--csv=leaderboard', 'a.csv'])
    """
    found: list[str] = []
    for place, text in enumerate(arguments):
        if text == "-" and place and arguments[place - 1] == "--json":
            continue
        if text == "--json=-":
            text = "--json"
        if (
            text == "--csv"
            and arguments[0] not in ("gate", "cost")
            and arguments[place + 1 : place + 2] not in _TABLES
        ):
            text = "--csv=leaderboard"
        found.append(text)
    return found


def with_numbers(arguments: Sequence[str]) -> list[str]:
    """Arguments in which a negative number is the value of the option before it: argparse knows few of them.

    >>> with_numbers(["--delta", "-1e-3", "--seed", "4"])
    ['--delta=-1e-3', '--seed', '4']
    """
    found: list[str] = []
    for text in arguments:
        if _NEGATIVE.fullmatch(text) and found and found[-1].startswith("--") and "=" not in found[-1]:
            found[-1] = f"{found[-1]}={text}"
        else:
            found.append(text)
    return found


def one_line(message: str) -> str:
    """A message without line breaks or control characters."""
    return "".join(
        char if char.isprintable() else " " for char in message.encode("utf-8", "replace").decode("utf-8")
    )
