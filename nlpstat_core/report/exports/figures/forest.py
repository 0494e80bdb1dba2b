"""Every system's difference to the baseline with its interval as SVG: a forest plot, best system on top."""

import math

import numpy as np

from nlpstat_core.formatting import format_fixed, format_fixed_interval, format_p, interval_decimals
from nlpstat_core.report.exports.data.names import short_names
from nlpstat_core.report.exports.figures import svg
from nlpstat_core.report.exports.figures.intervals import BLUE, Scale, axis
from nlpstat_core.report.exports.figures.matrix import sign_path
from nlpstat_core.report.exports.figures.svg import ROW, TOP, text_columns
from nlpstat_core.report.exports.tables.square import EQUIVALENT, SIGN_WORDS, SIGNS, signs_used, square
from nlpstat_core.report.wording import headline, sentence_of_pair
from nlpstat_core.report.wording.few_units import MARK, legend_words
from nlpstat_core.report.wording.titles import forest_title
from nlpstat_core.results.analysis import AnalysisData

MOST_SYSTEMS = 60
PLOT = 300.0


def forest_svg(analysis: AnalysisData, most: int = MOST_SYSTEMS) -> str:
    """Differences of the first systems to the baseline, each minus the baseline.

    analysis: With a baseline.
    most: Systems at most beside the baseline; the title says how many are left out.
    Returns: An SVG document: rank, system, score, difference with interval as text and as a line, p and the
        sign of the verdict.
    """
    board, pairs, config = analysis.leaderboard, analysis.pairs, analysis.config
    baseline = str(config.baseline)
    place = board.system.index(baseline)
    others = [i for i in range(len(board)) if i != place][:most]
    # The last row and column of this square is the baseline.
    drawn = square(analysis, shown=[*others, place])
    of_pair, verdicts = drawn.pair[:-1, -1], drawn.verdict[:-1, -1]
    reference = analysis.units.index(baseline)
    compared = of_pair >= 0
    sign = np.where(pairs.left[of_pair] == reference, -1.0, 1.0)
    gap = np.where(compared, sign * pairs.difference[of_pair], np.nan)
    ends = np.where((sign < 0)[:, np.newaxis], -pairs.interval[of_pair][:, ::-1], pairs.interval[of_pair])
    ends = np.where(compared[:, np.newaxis], ends, np.nan)
    p_values = (pairs.p_value if config.correction == "none" else pairs.p_adjusted)[of_pair]
    places = interval_decimals(ends)
    columns = [
        ("", [str(board.rank[i]) for i in others], "end"),
        ("system", list(short_names([board.system[i] for i in others], 28)), "start"),
        ("score", [format_fixed(float(board.score[i]), places) for i in others], "end"),
        ("Δ", [format_fixed(float(value), places) for value in gap], "end"),
        (
            f"{100 * config.level:g} % interval of Δ",
            [format_fixed_interval(float(low), float(high), places) for low, high in ends],
            "end",
        ),
        (
            "p" if config.correction == "none" else "adjusted p",
            [
                format_p(float(p), alpha=config.alpha) if there else ""
                for p, there in zip(p_values, compared, strict=True)
            ],
            "end",
        ),
    ]
    parts, left = text_columns(columns)
    top, bottom = TOP, TOP + len(others) * ROW
    seen = np.concatenate([gap, ends.ravel(), [0.0]])
    seen = seen[np.isfinite(seen)]
    scale = Scale(float(seen.min()), float(seen.max()), left, PLOT)
    parts += axis(scale, top, bottom)
    margin = config.equivalence_margin
    for at, thick in ((0.0, 1.6), *(((-margin, 0.8), (margin, 0.8)) if margin is not None else ())):
        line = f"M{svg.number(scale.place(at))} {svg.number(top)}V{svg.number(bottom)}"
        parts.append(svg.element("path", d=line, stroke=svg.GREY, stroke_width=thick))
    for row, i in enumerate(others):
        y = top + (row + 0.5) * ROW
        sentence = f"{board.system[i]} and {baseline}: not compared"
        if compared[row]:
            pair = int(of_pair[row])
            sentence = sentence_of_pair(analysis, pair, swapped=bool(sign[row] < 0))
        parts.append(_row(sentence, gap[row], ends[row], int(verdicts[row]), scale, y))
        if drawn.few[row, -1]:
            parts.append(svg.words(scale.left + scale.wide + 22, y + 4, MARK, 11))
    wide = max(left + PLOT + 40, 560.0)
    used = [f"{SIGNS[code]} {SIGN_WORDS[code].replace('row', 'system')}" for code in signs_used(verdicts)]
    used += [marked] if (marked := legend_words(analysis)) else []
    explained = " · ".join([*used, f"no sign: {SIGN_WORDS[0]}"])
    parts.append(svg.words(8, bottom + 34, explained, 10, fill=svg.GREY))
    small, high = svg.provenance(analysis.signature, analysis.fingerprint, wide, bottom + 50)
    title = forest_title(analysis, len(others))
    parts.append(svg.words(8, 18, title, 13, font_weight="bold"))
    about = f"{analysis.signature} {analysis.fingerprint}"
    return svg.document((wide, high), f"{title}. {headline(analysis)}", about, [*parts, *small])


def _row(text: str, gap: float, ends: np.ndarray, verdict: int, scale: Scale, y: float) -> str:
    """Interval, difference and sign of one system, with its sentence."""
    parts = [svg.title(text)]
    low, high = float(ends[0]), float(ends[1])
    if math.isfinite(low) and math.isfinite(high):
        line = f"M{svg.number(scale.place(low))} {svg.number(y)}H{svg.number(scale.place(high))}"
        parts.append(svg.element("path", d=line, stroke=BLUE, stroke_width=2, fill="none"))
    if math.isfinite(gap):
        x = scale.place(float(gap))
        parts.append(svg.element("circle", cx=x, cy=y, r=4, fill=BLUE, stroke="#FFFFFF"))
    if verdict:
        path = sign_path(verdict, scale.left + scale.wide + 14, y, ROW * 0.9)
        filled = {"fill": "none", "stroke": svg.INK} if verdict >= EQUIVALENT else {"fill": svg.INK}
        parts.append(svg.element("path", d=path, **filled))
    return svg.element("g", "".join(parts))
