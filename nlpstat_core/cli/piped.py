"""`-` as a file: the bytes of standard input."""

import argparse
import sys
from typing import Any

from nlpstat_core.cli.arguments import UsageError
from nlpstat_core.cli.options import whole_number

STDIN, NAME = "-", "standard input"
# Arguments that name files to read.
READ = ("files", "file", "gold", "before", "after")


def with_standard_input(options: argparse.Namespace) -> None:
    """Put what standard input holds where a command that reads scores was given `-`.

    Raises UsageError: `-` twice, or standard input that is closed.
    """
    if not hasattr(options, "quiet"):  # a command that reads no scores
        return
    given = {name: getattr(options, name) for name in READ if getattr(options, name, None) is not None}
    flat = [path for value in given.values() for path in (value if isinstance(value, list) else [value])]
    if STDIN not in flat:
        return
    if flat.count(STDIN) > 1:
        raise UsageError("- is standard input, which can be read only once; name files for the rest.")
    source = (_content(getattr(options, "max_bytes", None)), NAME)
    for name, value in given.items():
        if isinstance(value, list):
            setattr(options, name, [source if path == STDIN else path for path in value])
        elif value == STDIN:
            setattr(options, name, source)


def name_of(source: Any) -> str:
    """What a file is called in messages."""
    return str(source[1] if isinstance(source, tuple) else source)


def _content(limit: str | None) -> bytes:
    """One byte more than readers take is enough for them to refuse it."""
    from nlpstat_core.readers.open.limits import Limits

    most = Limits().max_bytes if limit is None else whole_number("--max-bytes", limit)
    if sys.stdin is None:
        raise UsageError("Standard input is closed: give a file, or send one.")
    return sys.stdin.buffer.read(most + 1)
