"""What worker processes do to say what changed since an earlier board. No Streamlit in here."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, TypedDict

from dashboard.background.cores import cores_here

if TYPE_CHECKING:
    from dashboard.background.worker_talk import Progress, ShouldStop
    from nlpstat_core.analysis.changes import Changes
    from nlpstat_core.analysis.result import Analysis
    from nlpstat_core.scores.matrix import ScoreMatrix

MOST_LISTED = 500


class Flipped(TypedDict):
    """A decision that flipped; verdicts and differences are about system a."""

    system_a: str
    system_b: str
    before: str
    after: str
    same_scores: bool
    p_adjusted_before: float
    p_adjusted_after: float
    difference_before: float | None
    difference_after: float | None


class Moved(TypedDict):
    """A rank that moved."""

    system: str
    rank_before: int | None
    rank_after: int | None
    same_scores: bool
    score_before: float | None
    score_after: float | None


class Drawn(TypedDict):
    """What of `Changes.to_dict` is drawn; its lists are cut, the numbers tell how long they are."""

    settings: dict[str, dict[str, object]]
    sentences: list[str]
    alpha: dict[str, float]
    flipped: list[Flipped]
    n_flipped: int
    moved: list[Moved]
    n_moved: int


# What is drawn, and the files that hold all of it, by their names.
Summary = tuple[Drawn, dict[str, str]]


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
        before = analyse(earlier, config, workers=cores_here(), progress=progress, should_stop=should_stop)
    except NlpstatError as error:
        raise AnalysisError(
            "The settings of this board can't be used with the earlier one: ", error.sentence
        ) from error
    return summary(changes(before, analysis))


def summary(found: Changes) -> Summary:
    """What changed between two analyses, for a page and to take away; the lists of what is drawn are cut."""
    from nlpstat_core.report.exports.data.changes import changes_file
    from nlpstat_core.report.exports.data.plain import json_text

    whole = found.to_dict()
    drawn: Drawn = {
        "settings": whole["settings"],
        "sentences": whole["sentences"],
        "alpha": whole["alpha"],
        "flipped": whole["flipped"][:MOST_LISTED],
        "n_flipped": whole["n_flipped"],
        "moved": whole["moved"][:MOST_LISTED],
        "n_moved": len(whole["moved"]),
    }
    return drawn, {"changes.txt": changes_file(found), "changes.json": json_text(whole)}
