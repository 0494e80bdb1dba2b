"""What worker processes do to say what changed since an earlier board. No Streamlit in here."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from dashboard.background.workers import Progress, ShouldStop
    from nlpstat_core.analysis.changes import Changes
    from nlpstat_core.analysis.result import Analysis
    from nlpstat_core.scores.matrix import ScoreMatrix

MOST_LISTED = 500
# What is drawn, and the files that hold all of it, by their names.
Summary = tuple[dict[str, Any], dict[str, str]]


def compared(
    earlier: ScoreMatrix, analysis: Analysis, progress: Progress, should_stop: ShouldStop
) -> Summary:
    """What changed since an earlier board, which is analysed under the settings of this one."""
    from nlpstat_core.analysis.analyse import analyse
    from nlpstat_core.analysis.changes import changes
    from nlpstat_core.config import AUTO
    from nlpstat_core.errors import AnalysisError, NlpstatError

    config = analysis.config
    if config.block_column not in (None, *earlier.labels):
        config = replace(config, block_column=AUTO)  # what differs is said with the changes
    try:
        before = analyse(earlier, config, progress=progress, should_stop=should_stop)
    except NlpstatError as error:
        raise AnalysisError(
            "The settings of this board can't be used with the earlier one: ", error.sentence
        ) from error
    return summary(changes(before, analysis))


def summary(found: Changes) -> Summary:
    """What changed between two analyses, for a page and to take away.

    Returns: The lists of what is drawn are cut.
    """
    from nlpstat_core.report.exports.changes import changes_file
    from nlpstat_core.report.exports.plain import json_text

    whole = found.to_dict()
    drawn = {**whole, "n_moved": len(whole["moved"])}
    for name in ("flipped", "moved"):
        drawn[name] = whole[name][:MOST_LISTED]
    return drawn, {"changes.txt": changes_file(found), "changes.json": json_text(whole)}
