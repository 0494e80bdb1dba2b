"""The audit command."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from nlpstat_core.cli.options import (
    add_progress,
    add_reading,
    add_settings,
    add_workers,
    names_of,
    whole_number,
    workers_of,
)
from nlpstat_core.cli.output import add_output, answered, check_out
from nlpstat_core.cli.progress import progress_of
from nlpstat_core.cli.submissions import quick_analysis

if TYPE_CHECKING:
    from nlpstat_core.results.audit import AuditData

HEADS = {
    "Procedure": "procedure",
    "Boards with a false claim": "boards with a false claim",
    "False claims per board": "false claims per board",
}


def add_audit_options(parser: argparse.ArgumentParser) -> None:
    """What `audit` is given."""
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
    add_reading(parser)
    add_settings(parser)
    add_workers(parser)
    add_progress(parser)


def audit_command(options: argparse.Namespace) -> str:
    """`audit`: how often the procedure errs on boards like these."""
    from nlpstat_core.analysis.audit import audit
    from nlpstat_core.report.exports.documents.audit import audit_files

    analysis = quick_analysis(options)
    check_out(options)
    boards, also = whole_number("--boards", options.null_boards), names_of(options.compare_tests or "")
    told = progress_of(options, "boards")
    found = audit(analysis, options.null, boards, also=also, workers=workers_of(options), progress=told)
    return answered(options, found, audit_files, _text, found.notes)


def _text(found: AuditData) -> str:
    from nlpstat_core.cli.terminal import table
    from nlpstat_core.report.exports.tables.audit import audit_table
    from nlpstat_core.report.wording.audit import NULL_LABELS, audit_sentence

    lines = [audit_sentence(found), "", *table(audit_table(found).under(HEADS).columns), ""]
    lines.append(f"Null boards: {NULL_LABELS[found.null]}.")
    return "\n".join(lines)
