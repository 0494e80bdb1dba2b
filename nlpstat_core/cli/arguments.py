"""Arguments of the command line: a parser that raises one sentence, and numbers below 0."""

import argparse
import re
from collections.abc import Callable, Sequence
from typing import Any, NoReturn

from nlpstat_core.errors import NlpstatError

_NEGATIVE = re.compile(r"-(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?|-(?:inf|infinity|nan)", re.IGNORECASE)


class UsageError(NlpstatError):
    """The command line itself is wrong."""


class Parser(argparse.ArgumentParser):
    """argparse that raises one sentence instead of printing a usage block and leaving.

    A command whose options name what the statistics offer gets them when it is the one that is used: `--help`
    of the program loads none of them.
    """

    later: Callable[[argparse.ArgumentParser], None] | None = None

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
        raise UsageError(f"{message[:1].upper()}{message[1:]}. See `{self.prog} --help`.")


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
