"""What went wrong in a worker process, as plain data: the server unpickles no exception of a reader's."""

import sys
import traceback
from dataclasses import dataclass

from nlpstat_core.errors import (
    AnalysisError,
    BoundsExceeded,
    Cancelled,
    ConfigError,
    NlpstatError,
    ScoreError,
    ScoreFileError,
    Sentence,
)

LONGEST = 4_000


class RolesAsked(ScoreFileError):
    """The roles of a file's columns have to be told; nothing else is wrong with it."""


class UnforeseenError(AnalysisError):
    """A mistake in the program, in a sentence for whoever met it; the server's log has the place."""


# What an error of a worker is raised as in the server, by its name or that of its nearest ancestor here.
KINDS: dict[str, type[Exception]] = {
    "RolesNeeded": RolesAsked,
    "BoundsExceeded": BoundsExceeded,
    "ScoreFileError": ScoreFileError,
    "ScoreError": ScoreError,
    "ConfigError": ConfigError,
    "AnalysisError": AnalysisError,
    "NlpstatError": NlpstatError,
    "Cancelled": Cancelled,
}


@dataclass(frozen=True)
class Failure:
    """Why work wasn't done.

    kind: Key of KINDS; empty where nobody foresaw the error.
    text: The sentence with its remedies; of an unexpected error what it is called.
    """

    kind: str
    text: Sentence


def failure_of(error: Exception) -> Failure:
    """An error of work as data; the place of one that nobody foresaw goes to the server's log."""
    name = next((kind.__name__ for kind in type(error).__mro__ if kind.__name__ in KINDS), "")
    if name:
        text = error.sentence if isinstance(error, NlpstatError) else Sentence(str(error))
        return Failure(name, text if len(text) <= LONGEST else Sentence(text[:LONGEST]))
    # Without the message, in which something of a visitor's file may stand.
    lines = [f"{type(error).__name__} in a worker process:\n", *traceback.format_tb(error.__traceback__)]
    sys.stderr.write("".join(lines))
    sys.stderr.flush()
    return Failure("", Sentence(type(error).__name__))


def raised_again(failure: Failure, unforeseen: str) -> Exception:
    """The error that a failure is told by.

    unforeseen: What is said of an unexpected error, with its name as `error`.
    """
    if failure.kind in KINDS:
        return KINDS[failure.kind](failure.text)
    return UnforeseenError(unforeseen.format(error=failure.text))
