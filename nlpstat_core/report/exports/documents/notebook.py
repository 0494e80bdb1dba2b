"""How results show themselves in notebooks: the report's own tables."""

from nlpstat_core.formatting import (
    common_decimals,
    format_fixed,
    format_fixed_interval,
    format_p,
    interval_decimals,
)
from nlpstat_core.report.exports.documents import html, markdown
from nlpstat_core.report.exports.tables.board import board_table
from nlpstat_core.report.exports.tables.table import Table, words
from nlpstat_core.report.wording.magnitudes import effect_text
from nlpstat_core.report.wording.question import label_of_test
from nlpstat_core.report.wording.sentences import headline
from nlpstat_core.results.analysis import AnalysisData
from nlpstat_core.results.pair import PairData

MOST_ROWS = 50


def analysis_html(analysis: AnalysisData) -> str:
    """The headline and the leaderboard."""
    return f"<p>{html.text(headline(analysis))}</p>{html.table_html(board_table(analysis, MOST_ROWS))}"


def analysis_md(analysis: AnalysisData) -> str:
    """The headline and the leaderboard."""
    return f"{markdown.text(headline(analysis))}\n\n{markdown.table_md(board_table(analysis, MOST_ROWS))}"


def pair_html(pair: PairData) -> str:
    """One pair as a table."""
    return html.table_html(_pair_table(pair))


def pair_md(pair: PairData) -> str:
    """One pair as a table."""
    return markdown.table_md(_pair_table(pair))


def _pair_table(pair: PairData) -> Table:
    low, high = pair.interval
    places = max(common_decimals((pair.score_a, pair.score_b), 4), interval_decimals([pair.interval]))
    ends = format_fixed_interval(low, high, places)
    rows = [
        (pair.system_a, format_fixed(pair.score_a, places)),
        (pair.system_b, format_fixed(pair.score_b, places)),
        ("Difference", f"{format_fixed(pair.difference, places)} {ends}"),
        ("Test", "none" if pair.test is None else label_of_test(pair.test)),
        ("p", format_p(pair.p_value, pair.log10_p, alpha=pair.alpha)),
        ("p, adjusted", format_p(pair.p_adjusted, alpha=pair.alpha)),
        ("Verdict", pair.verdict),
        *((key, effect_text(key, effect)) for key, effect in pair.effects.items()),
        ("Items", f"{pair.n_units:,}"),
    ]
    labels, values = zip(*rows, strict=True)
    return Table(f"{pair.system_a} − {pair.system_b}", (words("", labels), words("", values)))
