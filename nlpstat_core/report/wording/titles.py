"""Titles of figures and tables."""

import numpy as np

from nlpstat_core.formatting import count_of
from nlpstat_core.report.wording.documents import units_text
from nlpstat_core.report.wording.few_units import MARK, few_of, legend_words
from nlpstat_core.report.wording.question import label_of_test, title_of_test
from nlpstat_core.report.wording.ranks import drawn_text
from nlpstat_core.report.wording.sentences import correction_phrase, mixture
from nlpstat_core.results.analysis import AnalysisData
from nlpstat_core.results.ranks import RankDistribution
from nlpstat_core.scores.matrix import ScoreMatrix


def matrix_title(analysis: AnalysisData, drawn: int) -> str:
    """Title of the square of all pairs."""
    pairs = f"{scores_of(analysis)}: all pairs" if about(analysis) else "All pairs"
    return f"{pairs} {correction_phrase(analysis.config)}{first_of(drawn, analysis.units.n_systems)}"


def interval_title(analysis: AnalysisData, drawn: int) -> str:
    """Title of the plot of scores."""
    config, units = analysis.config, analysis.units
    direction = ", lower is better" if units.lower_is_better else ""
    level = f"{scores_of(analysis)} with {100 * config.level:g} % intervals"
    return f"{level}{direction}{first_of(drawn, units.n_systems)}"


def picture_title(analysis: AnalysisData, drawn: int) -> str:
    """Title of the picture of scores and pairs."""
    config, units = analysis.config, analysis.units
    direction = " (lower is better)" if units.lower_is_better else ""
    level = f"{scores_of(analysis)}{direction} with {100 * config.level:g} % intervals"
    return f"{level}, all pairs {correction_phrase(config)}{first_of(drawn, units.n_systems)}"


def forest_title(analysis: AnalysisData, drawn: int) -> str:
    """Title of the picture of `drawn` systems' differences to the baseline."""
    config, units = analysis.config, analysis.units
    direction = " (lower is better)" if units.lower_is_better else ""
    text = f"{scores_of(analysis)}{direction} minus the baseline {config.baseline}, with single "
    text += f"{100 * config.level:g} % intervals; decided {correction_phrase(config)}"
    return text + first_of(drawn + 1, units.n_systems)


def scores_of(analysis: AnalysisData) -> str:
    """What was scored, and on which data set: "Scores", "BLEU scores", "BLEU scores on cs-en"."""
    board = about(analysis)
    scored = f"{board['metric']} scores" if "metric" in board else "Scores"
    return f"{scored} on {board['dataset']}" if "dataset" in board else scored


def about(analysis: AnalysisData) -> dict[str, str]:
    """Metric and data set of a board, as far as the file names them; "metric", "dataset" or neither."""
    found = {"metric": analysis.scores.metric, "dataset": analysis.scores.reading.get("dataset")}
    return {key: str(value) for key, value in found.items() if value is not None}


def first_of(drawn: int, total: int) -> str:
    """What to add where not all systems are drawn.

    Returns: "" when all are.

    >>> first_of(60, 129)
    ' (the first 60 of 129 systems)'
    """
    return "" if drawn >= total else f" (the first {drawn:,} of {total:,} systems)"


def report_title(analysis: AnalysisData) -> str:
    """Title of a report."""
    board = about(analysis)
    parts = [
        analysis.scores.source,
        board.get("metric"),
        "dataset" in board and f"data set {board['dataset']}",
    ]
    named = ", ".join(part for part in parts if part)
    return f"Which systems really differ: {named}" if named else "Which systems really differ"


def with_direction(what: str, units: ScoreMatrix) -> str:
    """What was compared, with the direction that is better, in one pair of brackets.

    >>> from nlpstat_core.scores.matrix import ScoreMatrix
    >>> bleu = ScoreMatrix(values=[[1.0, 2.0]], systems=["A", "B"])
    >>> with_direction("BLEU", bleu), with_direction("mean over 2 tracks (equal weights)", bleu)
    ('BLEU (higher is better)', 'mean over 2 tracks (equal weights; higher is better)')
    """
    direction = f"{'lower' if units.lower_is_better else 'higher'} is better"
    return f"{what[:-1]}; {direction})" if what.endswith(")") else f"{what} ({direction})"


def board_title(analysis: AnalysisData) -> str:
    """Caption of the leaderboard."""
    units = analysis.units
    by = with_direction("Leaderboard" if units.metric is None else f"Leaderboard by {units.metric}", units)
    return f"{by.removesuffix(')')}, {units_text(analysis)})"


def board_remark(analysis: AnalysisData, shown: int, ranks: RankDistribution | None = None) -> str:
    """What to stand under the leaderboard. `ranks`: where it tells how often a system is the best."""
    board, parts = analysis.leaderboard, []
    if board.own_score is not None:
        parts.append(
            "Score: additive fit of item and system, as if every system had all items; own items: the score "
            "on those it has."
        )
    if board.group is not None:
        parts.append("Groups share no item, so they can't be compared; each has its own ranks.")
    if board.rank_interval is not None:
        parts.append(
            "Ranks: from 1 + the number of significantly better systems to the number of systems minus the "
            "significantly worse ones."
        )
    if board.cluster is not None and int(board.cluster[-1]) > 1:
        parts.append("A line ends a cluster: every system above it is separated from every one below.")
    if board.letters is not None:
        parts.append("Systems that share a letter are not separated.")
    if board.rank_interval is not None and np.isnan(board.score).any():
        parts.append("Systems without scores come last and were compared with no other.")
    if analysis.pairs.rests_on_few.any():
        parts.append(f"Pairs {MARK}: decided pairs that rest on a few {few_of(analysis)}.")
    if ranks is not None:
        parts.append(
            f"Best: share of {ranks.resamples:,} bootstrap resamples of the {drawn_text(ranks)} in which the "
            "system is first; not a p-value."
        )
    if shown < len(board):
        parts.append(f"The first {shown:,} of {len(board):,} systems; leaderboard.csv holds all.")
    return " ".join(parts)


def pairs_title(analysis: AnalysisData) -> str:
    """Caption of the pairs."""
    runs = analysis.units.runs is not None
    return f"Pairs {correction_phrase(analysis.config)}: {title_of_test(analysis.config, runs=runs)}"


def pairs_remark(analysis: AnalysisData, shown: int) -> str:
    """What to stand under the pairs."""
    pairs = analysis.pairs
    text = (
        "Differences and effect sizes are system A minus system B, in the order of the file; intervals are "
        "for single comparisons. If Better is empty, there is no evidence of a difference."
    )
    if bool(np.isnan(pairs.p_value).any()):
        text = f"{text.removesuffix('.')}, or the pair was not compared."
    if pairs.equivalent is not None:
        text += f" ≈: equivalent within ±{analysis.config.equivalence_margin:g}."
    if bool(pairs.contradicting.any()):
        text += " ✕: the test and the mean, or the order of the board, point in opposite directions."
    if marked := legend_words(analysis):
        text += f" {marked}."
    if len(mixture(pairs)) > 1:
        named = (
            f"{key}: {label_of_test(key)}, {count_of(count, 'pair')}" for key, count in mixture(pairs).items()
        )
        text += f" Tests: {'; '.join(named)}."
    count = len(pairs)
    if shown < count:
        text += f" The first {shown:,} of {count:,} pairs, high ranks first; pairs.csv holds all."
    return text


def systems_title(analysis: AnalysisData) -> str:
    """Caption of the summary statistics."""
    kind = "items" if analysis.config.unit_size == 1 else f"items of about {analysis.config.unit_size} rows"
    return f"Summary statistics of the scores on single {kind}"


def by_label_heading(one: str) -> str:
    """Over what is told of every label. `one`: "label" or "type"."""
    return "By type of span" if one == "type" else "By label"


def by_label_title(one: str) -> str:
    """Of the table of precision, recall and F1 of every label."""
    return f"Precision, recall and F1 of every {'type of span' if one == 'type' else 'label'}"


def by_label_remark(analysis: AnalysisData, shown: int, rows: int) -> str:
    """What to stand under precision, recall and F1 of every label."""
    one = "document" if analysis.config.block_column is not None else "item"
    text = (
        f"Intervals are of each F1 alone, at {100 * analysis.config.level:g} %, by the jackknife that leaves "
        f"out one {one} at a time; they are not adjusted, and undefined where nothing varies, as where "
        "nothing is right."
    )
    return text if shown == rows else f"{text} The first {shown:,} of {rows:,} rows; analysis.json has all."


def systems_remark(analysis: AnalysisData, shown: int) -> str:
    """What to stand under the summary statistics."""
    text = ""
    if analysis.units.counts is not None:
        text = "The leaderboard's scores are micro-averages over all items, not these means. "
    if shown < len(analysis.leaderboard):
        text += f"The first {shown:,} of {len(analysis.leaderboard):,} systems."
    return text.strip()
