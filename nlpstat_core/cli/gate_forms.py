"""The forms of a gate's answer: text, Markdown, CSV or JSON, and JUnit beside it."""

import argparse
from collections.abc import Callable
from pathlib import Path
from typing import Protocol, TypeVar

from nlpstat_core.cli.output import write_text


class _Answer(Protocol):
    def to_dict(self) -> dict[str, object]: ...


G = TypeVar("G", bound=_Answer)


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
