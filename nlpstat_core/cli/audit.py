"""The audit command."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from nlpstat_core.cli.numbers import whole_number
from nlpstat_core.cli.output import add_output, check_out, mind

if TYPE_CHECKING:
    from nlpstat_core.analysis.result import Analysis

HEADS = {
    "Procedure": "procedure",
    "Boards with a false claim": "boards with a false claim",
    "False claims per board": "false claims per board",
}


def add_audit_options(parser: argparse.ArgumentParser) -> None:
    """Options of `audit`, beside those for reading and settings."""
    add = parser.add_argument
    add("files", nargs="+", metavar="FILE", help="score file, or one per system")
    add(
        "--null",
        help="how null boards are made: resampled, permuted, partial or runs (default: resampled; permuted "
        "for 0/1 scores and counts)",
    )
    add("--boards", dest="null_boards", default="400", help="number of null boards (default 400)")
    add(
        "--compare-tests",
        metavar="TESTS",
        help="further tests to run on the same boards, separated by commas",
    )
    add("--out", metavar="DIR", help="write JSON, CSV and a LaTeX table here")
    add_output(parser)


def audit_of(
    options: argparse.Namespace, analysis: Analysis, progress: Callable[[int, int], None] | None
) -> str:
    """Run `audit`.

    Returns: A sentence and a table, or JSON.
    Raises NlpstatError: Options that can't be used with these scores.
    """
    from nlpstat_core.analysis.audit import audit
    from nlpstat_core.cli.terminal import table
    from nlpstat_core.report.exports.data.files import write_files
    from nlpstat_core.report.exports.data.plain import json_text
    from nlpstat_core.report.exports.documents.audit import audit_files
    from nlpstat_core.report.exports.tables.audit import audit_table
    from nlpstat_core.report.wording.audit import NULL_LABELS, audit_sentence

    check_out(options)
    also = [part.strip() for part in (options.compare_tests or "").split(",") if part.strip()]
    found = audit(
        analysis, options.null, whole_number("--boards", options.null_boards), also=also, progress=progress
    )
    if options.out is not None:
        write_files(audit_files(found).items(), Path(options.out))
    if options.json:
        return json_text(found.to_dict())
    mind(options, found.notes)
    lines = [audit_sentence(found), "", *table(audit_table(found).under(HEADS).columns), ""]
    lines.append(f"Null boards: {NULL_LABELS[found.null]}.")
    return "\n".join(lines)
