"""The leaderboard as a table to paste into a paper: at most thirty lines, its methods in its caption."""

from collections.abc import Sequence

import numpy as np

from nlpstat_core.errors import ConfigError, unknown
from nlpstat_core.formatting import common_decimals, count_of, format_fixed, format_p, on_its_side
from nlpstat_core.methods.corrections import CORRECTIONS
from nlpstat_core.report.exports.data.names import short_names
from nlpstat_core.report.exports.documents.latex import number_text
from nlpstat_core.report.exports.paper.floats import (
    DAGGER,
    LONGEST_NAME,
    MOST_ROWS,
    Column,
    floated,
    name_text,
)
from nlpstat_core.report.exports.tables.board import behind_best, board_columns, score_decimals
from nlpstat_core.report.wording import label_of_test, mixture
from nlpstat_core.report.wording.documents import units_text
from nlpstat_core.report.wording.few_units import second_line
from nlpstat_core.report.wording.sentences import mixture_text
from nlpstat_core.report.wording.titles import with_direction
from nlpstat_core.results.analysis import AnalysisData

FEWEST_MERGED = 3  # so many tests aren't named one by one in a caption
# Columns of the leaderboard that fit in a paper: head and alignment.
OF_BOARD = {
    "rank": ("Rank", "r"),
    "score": ("Score", "r"),
    "interval": ("Interval", "c"),
    "ranks": ("Ranks", "c"),
    "cluster": ("Cluster", "r"),
    "letters": ("Letters", "l"),
}
BETTER_MARK, WORSE_MARK = "$^{+}$", "$^{-}$"


def columns_of_paper_table(analysis: AnalysisData) -> dict[str, str]:
    """What a table of this analysis can hold besides the systems: heads by their keys, in order."""
    defined = board_columns(analysis, ())
    heads = {key: head for key, (head, _) in OF_BOARD.items() if key in defined}
    return heads | {"score": analysis.units.metric or "Score", "difference": "Δ", "p": "p"}


def paper_table(
    analysis: AnalysisData,
    *,
    columns: Sequence[str] | None = None,
    most: int = MOST_ROWS,
    wide: bool = False,
) -> str:
    """The leaderboard as a float for a paper, to be pasted.

    columns: Keys of `columns_of_paper_table`; None takes rank, score and rank interval, or the difference to
        the baseline and its p.
    most: Systems at most, 1 to 14; a baseline is shown wherever it stands.
    wide: Over both columns of a page (`table*`).
    Returns: At most thirty lines; it needs the package booktabs and nothing else.
    Raises ConfigError: An unknown column, or a number of systems outside 1 to 14.
    """
    known = columns_of_paper_table(analysis)
    against = analysis.config.baseline is not None
    if columns is None:
        columns = ("rank", "score", "difference", "p") if against else ("rank", "score", "ranks")
        columns = [key for key in columns if key in known]
    for key in columns:
        if key not in known:
            raise ConfigError(unknown("column of the table", key, list(known)))
    if not 1 <= most <= MOST_ROWS:
        raise ConfigError(f"The table can hold 1 to {MOST_ROWS} systems, not {most}.")
    shown = _rows(analysis, most)
    names = short_names(analysis.leaderboard.system, LONGEST_NAME)
    parts: list[Column] = [("System", "l", [name_text(names[i]) for i in shown])]
    of_board = board_columns(analysis, shown)
    for key in dict.fromkeys(columns):
        if key not in OF_BOARD:
            parts.append(_against(analysis, key, shown))
            continue
        texts = (number_text(cell.text) for cell in of_board[key].cells)
        cells = [text.replace(",{}", ",").replace("–", "--") for text in texts]
        if key == "score":
            cells = _marked(analysis, cells, shown)
        parts.append((name_text(known[key]), OF_BOARD[key][1], cells))
    rows = [" & ".join(cells) for cells in zip(*(cells for _, _, cells in parts), strict=True)]
    left = len(analysis.leaderboard) - len(shown)
    if left:
        rows.append(f"\\multicolumn{{{len(parts)}}}{{@{{}}l@{{}}}}{{\\emph{{and {left:,} more}}}}")
    text = caption(analysis, columns)
    about = f"{analysis.signature} {analysis.fingerprint}"
    return floated(parts, rows, text, "tab:leaderboard", wide=wide, about=about)


def _rows(analysis: AnalysisData, most: int) -> list[int]:
    """The first systems, and the baseline wherever it stands."""
    board = analysis.leaderboard
    shown = list(range(min(len(board), most)))
    if analysis.config.baseline is not None:
        place = board.system.index(analysis.config.baseline)
        if place not in shown:
            shown[-1] = place
    return shown


def _marked(analysis: AnalysisData, scores: list[str], shown: list[int]) -> list[str]:
    """Scores, the best in bold, with their marks of significance."""
    board = analysis.leaderboard
    cells = [f"\\textbf{{{t}}}" if board.rank[i] == 1 else t for i, t in zip(shown, scores, strict=True)]
    if analysis.config.baseline is None:
        behind = behind_best(analysis)
        return [t + (DAGGER if behind[i] else "") for i, t in zip(shown, cells, strict=True)]
    verdict = dict(zip(analysis.pairs.left.tolist(), analysis.pairs.verdict_code.tolist(), strict=True))
    sign = {1: BETTER_MARK, 2: WORSE_MARK}
    codes = [verdict.get(int(board.column[i]), 0) for i in shown]
    return [t + sign.get(code, "") for t, code in zip(cells, codes, strict=True)]


def _against(analysis: AnalysisData, key: str, shown: list[int]) -> Column:
    """Difference to the baseline or the best system, or the p-value of that comparison."""
    pairs, board, config = analysis.pairs, analysis.leaderboard, analysis.config
    reference = analysis.units.index(config.baseline) if config.baseline is not None else int(board.column[0])
    adjusted = config.correction != "none"
    rows = [
        None if board.column[i] == reference else pairs.find(int(board.column[i]), reference) for i in shown
    ]
    if key == "p":
        p = pairs.p_adjusted if adjusted else pairs.p_value
        head = "$p_\\mathrm{adj}$" if adjusted else "$p$"
        return (
            head,
            "r",
            ["--" if row is None else number_text(short_p(float(p[row]), config.alpha)) for row in rows],
        )
    gaps = [
        np.nan
        if row is None
        else float(pairs.difference[row]) * (1 if pairs.left[row] == board.column[i] else -1)
        for i, row in zip(shown, rows, strict=True)
    ]
    places = max(common_decimals(gaps, 2), min(score_decimals(analysis), 2))
    return (
        "$\\Delta$",
        "r",
        ["--" if np.isnan(gap) else number_text(format_fixed(gap, places)) for gap in gaps],
    )


def short_p(p_value: float, alpha: float) -> str:
    """A p-value with three decimals, more where it lies close to alpha."""
    if p_value < 0.001:
        return "< 0.001" if alpha >= 0.001 else format_p(p_value, alpha=alpha)
    return format_p(float(on_its_side(p_value, "{:.{}f}", 3, alpha)), alpha=alpha)


def caption(analysis: AnalysisData, columns: Sequence[str]) -> str:
    """What the table shows and by which methods, in one sentence, as LaTeX."""
    units, config = analysis.units, analysis.config
    what = f"Mean {name_text(units.metric or 'score')}"
    dataset = analysis.scores.reading.get("dataset")
    on = name_text(units_text(analysis))
    on += f" of {name_text(str(dataset))}" if isinstance(dataset, str) else ""
    lines = [f"{with_direction(what, units)} of {count_of(units.n_systems, 'system')} on {on}"]
    how = methods_phrase(analysis)
    if config.baseline is not None:
        about = f"than {name_text(config.baseline)}"
        if "score" in columns:
            lines.append(f"{BETTER_MARK}/{WORSE_MARK} significantly better/worse {about}")
        if "difference" in columns:
            lines.append(f"$\\Delta$: difference to {name_text(config.baseline)}")
    else:
        if "score" in columns:
            lines.append(f"{DAGGER} significantly worse than the best system")
        if "ranks" in columns:
            lines.append("ranks each system could hold by the significant differences")
        if "letters" in columns:
            lines.append("systems that share a letter are not separated")
        if "difference" in columns or "p" in columns:
            lines.append("comparisons with the best system")
    if claims := second_line(analysis):
        lines.append(name_text(claims.removesuffix(".")))
    if "interval" in columns:
        lines.append(f"{100 * config.level:g}\\% intervals of single scores")
    return f"{'; '.join(lines)} ({how})."


def methods_phrase(*analyses: AnalysisData) -> str:
    """Test, correction and level of a board, or of several with equal settings, in a few words of LaTeX."""
    config, tables = analyses[0].config, [analysis.pairs for analysis in analyses]
    used = {key for pairs in tables for key in mixture(pairs)}
    named = label_of_test(next(iter(used))) if len(used) == 1 else mixture_text(*tables)
    test = named if 0 < len(used) < FEWEST_MERGED else "each pair's own test"
    how = [name_text(test)]
    if config.correction == "none":
        how.append("not corrected")
    else:
        sizes = [analysis.family_size for analysis in analyses]
        family = f"{max(sizes):,}" if min(sizes) == max(sizes) else f"{min(sizes):,} to {max(sizes):,}"
        how.append(f"{name_text(CORRECTIONS[config.correction].label)} over {family} pairs")
    if config.block_column is not None:
        how.append(f"clustered by {name_text(config.block_column)}")
    return ", ".join([*how, f"$\\alpha = {config.alpha:g}$"])
