"""Reports in every format: self-contained, complete, and safe whatever a system is called."""

import re
from dataclasses import replace
from html.parser import HTMLParser

import numpy as np
import pytest
from core.boards import HOSTILE, big_board, hostile_board, matrix, plain_board, two_board
from core.tex import compile_tex

import nlpstat_core as ns
from nlpstat_core.formatting import format_score
from nlpstat_core.methods.references import REFERENCES
from nlpstat_core.power import board_power
from nlpstat_core.report.exports.data.names import visible
from nlpstat_core.report.exports.documents.bibtex import bibtex, citation, entry
from nlpstat_core.report.exports.documents.latex_text import text as latex
from nlpstat_core.report.exports.documents.markdown import text as markdown
from nlpstat_core.report.exports.documents.report import (
    methods_text,
    references_bib,
    report_html,
    report_md,
    report_tex,
)
from nlpstat_core.report.exports.folder import FILES, write_folder
from nlpstat_core.report.exports.tables.board import board_table
from nlpstat_core.report.exports.tables.pairs import pairs_table
from nlpstat_core.report.wording import magnitude, pair_headline
from nlpstat_core.report.wording.methods import cited, methods
from nlpstat_core.report.wording.top_pair import top_row

RENDERERS = (report_html, report_md, report_tex)
BOARDS = (plain_board, hostile_board, big_board, two_board)


class Page(HTMLParser):
    """Tags, attributes and text of a page."""

    def __init__(self, text):
        super().__init__()
        self.tags, self.attributes, self.words, self.hidden = [], [], [], 0
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        self.tags.append(tag)
        self.attributes += [(tag, *attribute) for attribute in attributes]
        self.hidden += tag in ("style", "script")

    def handle_endtag(self, tag):
        self.hidden -= tag in ("style", "script")

    def handle_data(self, data):
        if not self.hidden:
            self.words.append(data)


@pytest.mark.parametrize("render", RENDERERS)
@pytest.mark.parametrize("board", BOARDS)
def test_reports_carry_signature_and_fingerprint_and_are_reproducible(render, board):
    analysis = board()
    text = render(analysis)
    bare = text.replace("\\allowbreak{}", "").replace("{}", "").replace("\\", "")
    assert analysis.fingerprint in bare
    assert str(analysis.config.seed) in text
    assert text == render(analysis)
    assert "Holm" in text or analysis.config.correction != "holm"


def test_html_runs_nothing_but_its_own_script():
    page = Page(report_html(hostile_board()))
    assert page.tags.count("script") == 1
    assert not {"img", "iframe", "link", "object", "form", "base"} & set(page.tags)
    names = {name for _, name, _ in page.attributes}
    assert not {name for name in names if name.startswith("on")}
    assert not {"style", "src", "href"} & names
    policy = next(
        value for tag, name, value in page.attributes if tag == "meta" and "default-src" in str(value)
    )
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy
    words = "".join(page.words)
    for name in HOSTILE:
        assert visible(name) in words


def test_html_tables_sort_by_values():
    page = Page(report_html(plain_board()))
    keys = [value for tag, name, value in page.attributes if (tag, name) == ("td", "data-k")]
    assert len(keys) > 20
    assert all(re.fullmatch(r"-?(\d|inf|nan).*", key) for key in keys)


@pytest.mark.parametrize("name", HOSTILE)
def test_markdown_names_stay_in_their_cell(name):
    escaped = markdown(name)
    assert not re.search(r"(?<!\\)[|`*_\[<$]", escaped)
    assert "\n" not in escaped


def test_markdown_tables_have_as_many_cells_as_heads():
    for table in re.findall(r"(?:^\|.*\n)+", report_md(hostile_board()), flags=re.MULTILINE):
        counts = {len(re.findall(r"(?<!\\)\|", line)) for line in table.splitlines()}
        assert len(counts) == 1


SCRIPTS = ("🦜 parrot 日本語", "שלום נמר", "نظام الترجمة", "Система-1", "Ελληνικά", "Ünïcödé łódź", "हिन्दी")


@pytest.mark.parametrize("name", [*HOSTILE, *SCRIPTS])
def test_latex_names_hold_no_command(name):
    # Letters of other scripts stand as an argument that pdfLaTeX throws away, and hold nothing else.
    other = r"\\othertext(?:right)?\{[0-9A-F]+\}\{\{\[\}[0-9A-F ]+\{\]\}\}\{([^\x00-\x7f]+)\}"
    bare = re.sub(other, "", latex(name))
    bare = re.sub(r"\\(text\w+|ldots)\b|\\[{}$&#%_]|\$\\?\S+?\$", "", bare)
    assert not re.search(r"[\\$&#%_^~]", bare)
    assert not re.search(r"[^\x00-\u024f\u2010-\u2026]", bare)


@pytest.mark.parametrize(
    ("engine", "board"),
    [("pdflatex", hostile_board), ("pdflatex", plain_board), ("xelatex", hostile_board)],
    ids=lambda value: getattr(value, "__name__", value),
)
def test_latex_compiles(engine, board, tmp_path):
    assert compile_tex(report_tex(board()), engine, tmp_path).stat().st_size > 10_000


def test_latex_braces_are_balanced():
    bare = re.sub(r"\\[{}]", "", report_tex(hostile_board()))
    assert bare.count("{") == bare.count("}")


def test_big_boards_are_bounded_and_say_so():
    analysis = big_board()
    table = pairs_table(analysis, 100)
    assert len(table.rows) == 100
    assert "first 100 of 2,415 pairs" in table.remark
    assert "pairs.csv" in table.remark
    assert "leaderboard.csv" in board_table(analysis, 10).remark
    assert all(len(render(analysis)) < 2_000_000 for render in RENDERERS)


def test_pairs_stand_in_the_order_of_the_leaderboard():
    analysis = plain_board()
    first = {analysis.leaderboard.system[0], analysis.leaderboard.system[1]}
    assert {cell.text for cell in pairs_table(analysis, 1).rows[0][:2]} == first


def test_the_folder_holds_every_file(tmp_path):
    written = write_folder(plain_board(), tmp_path / "out")
    names = [path.name for path in written]
    assert names == [name for name, _ in FILES]
    assert names == [
        "analysis.json",
        "leaderboard.csv",
        "pairs.csv",
        "report.html",
        "report.md",
        "report.tex",
    ]


# --- the methods paragraph ---


def test_methods_state_what_a_report_owes():
    analysis = plain_board()
    text = methods_text(analysis)
    pair = analysis.pair("Alpha", "Beta")
    for owed in (
        *(
            "60 items",
            "permutation test of the mean",
            "Alpha − Beta",
            "significance level is 0.05",
        ),
        *(
            "6 p-values",
            "Holm",
            "two-sided",
            f"n = {pair.n_units}",
            "Cohen's d",
            "95 %",
            "Friedman",
            "assumes",
        ),
        *("Minimum detectable difference", "power of 80 %", ns.__version__, "seed 0", analysis.fingerprint),
    ):
        assert owed in text, owed


def test_results_state_what_was_found_in_full():
    analysis = ns.analyse(matrix("ABC"), ns.AnalysisConfig(test="wilcoxon", equivalence_margin=0.2))
    methods_part, results = methods_text(analysis).strip().split("\n\n")
    row = top_row(analysis)
    pair = analysis.pair(analysis.pairs.system_a[row], analysis.pairs.system_b[row])
    summary = pair.diagnosis.summaries["a"]
    for owed in (
        *("equivalent within ±0.2", "remain undecided" if "undecided" in analysis.pairs.verdict else ""),
        *("Iman and Davenport", "repeated-measures", "pseudo-median", f"(SD {format_score(summary.sd)})"),
        f"pseudo-median {format_score(pair.estimate.value)}",
        f"the null hypothesis is {'' if pair.significant else 'not '}rejected at 0.05",
        f"finds a true difference of {format_score(board_power(analysis, 0.8).detectable[row])} with a power",
        f"({magnitude('cohen-d', pair.effects['cohen-d'].value)})",
    ):
        assert owed in results, owed
    assert "The Wilcoxon signed-rank test assumes: items are independent" in methods_part


def test_one_comparison_needs_no_correction():
    text = methods_text(two_board(test="t"))
    assert "nothing to correct for" in text
    assert "adjusted p" not in text
    pair = two_board(test="t").pair("Ours", "Baseline")
    assert "adjusted p" not in pair_headline(pair, two_board(test="t").config, family=1)


def test_independent_samples_are_told_as_such():
    values = matrix("AB").values.copy()
    values[:30, 0], values[30:, 1] = np.nan, np.nan
    scores = ns.ScoreMatrix(values=values, systems="AB")
    assert "1 of 1 pair shares no item and was not compared" in methods_text(ns.analyse(scores))
    text = methods_text(ns.analyse(scores, ns.AnalysisConfig(test="welch-t")))
    assert "1 of 1 pair shares no item and was compared as independent samples" in text
    assert "assumes: all items are independent, also between the systems" in text


def test_columns_share_their_decimals():
    for table in (board_table(plain_board(), 99), pairs_table(plain_board(), 99)):
        for place, column in enumerate(table.columns):
            if column.label in ("Score", "A − B", "Cohen's d"):
                assert len({len(row[place].text.partition(".")[2]) for row in table.rows}) == 1


def test_methods_say_that_tests_were_chosen_from_the_data():
    each = replace(hostile_board().config, question="each-pair", test="recommended")
    assert "chosen from the data" in methods_text(ns.analyse(hostile_board().scores, each))
    assert "chosen from the data" not in methods_text(plain_board())
    asked = methods_text(ns.analyse(matrix("ABC"), ns.AnalysisConfig()))
    assert "Every pair was tested for the same question, whether the two mean scores differ" in asked


SETTINGS = (
    {"test": "t", "correction": "none", "alternative": "greater", "delta": 0.1, "baseline": "B"},
    {"test": "wilcoxon", "baseline": "B", "correction": "benjamini-hochberg"},
    {"test": "bootstrap-mean", "unit_size": 3, "shuffle_seed": 5, "correction": "max-t", "resamples": 500},
    {"test": "sign", "effects": (), "equivalence_margin": 0.2},
)


@pytest.mark.parametrize("settings", SETTINGS)
def test_methods_name_every_setting_that_matters(settings):
    analysis = ns.analyse(matrix("ABC"), ns.AnalysisConfig(**settings))
    text = methods_text(analysis)
    assert "undefined" not in text
    assert "{" not in text
    assert ".." not in text
    if "baseline" in settings:
        assert "baseline B only" in text
    if "unit_size" in settings:
        assert "20 items" in text
        assert "seed 5" in text
    if "equivalence_margin" in settings:
        assert "±0.2" in text
    for render in RENDERERS:
        assert render(analysis)


def test_citations_have_entries():
    keys = cited(methods(hostile_board()))
    assert keys
    assert set(keys) <= set(REFERENCES)
    text = references_bib(hostile_board())
    assert text.count("@") == len(keys)


@pytest.mark.parametrize("key", REFERENCES)
def test_every_reference_is_a_bibtex_entry(key):
    text = bibtex([key])
    assert re.match(r"@(article|book|inproceedings|incollection|misc|phdthesis)\{\w+,\n", text)
    assert text.count("{") == text.count("}")
    assert f"year = {{{REFERENCES[key].year}}}" in text
    assert citation(key).endswith(str(REFERENCES[key].year))
    assert len(re.findall(r" and ", REFERENCES[key].authors)) <= len(
        re.findall(r" and ", text.split("\n")[1])
    )


def test_the_settings_in_methods_stay_on_the_page(tmp_path):
    """A signature of many settings is one word, which ran off the page."""
    values = np.random.default_rng(2).normal(size=(60, 3)).round(3)
    labels = {"document": tuple(f"d{i // 5}" for i in range(60))}
    config = ns.AnalysisConfig(block_column="document", equivalence_margin=0.3, resamples=1234)
    scores = ns.ScoreMatrix(values=values, systems="ABC", labels=labels)
    compile_tex(report_tex(ns.analyse(scores, config)), "pdflatex", tmp_path)
    log = (tmp_path / "paper.log").read_text(encoding="latin-1")
    assert "Overfull \\hbox" not in log


@pytest.mark.parametrize(
    ("key", "kind", "fields"),
    [
        ("bell2002", "article", ["journal = {Survey Methodology}", "volume = {28}", "pages = {169--181}"]),
        ("bradley1952", "article", ["journal = {Biometrika}", "volume = {39}", "number = {3/4}"]),
        ("welch1947", "article", ["volume = {34}", "number = {1--2}"]),
        ("angelopoulos2023b", "misc", ["howpublished = {arXiv:2311.01453}"]),
        ("nemenyi1963", "phdthesis", ["school = {Princeton University}"]),
        ("jeffreys1961", "book", ["edition = {3rd}", "publisher = {Oxford}"]),
    ],
)
def test_venues_are_told_apart(key, kind, fields):
    text = entry(key)
    assert text.startswith(f"@{kind}{{{key},")
    assert all(field in text for field in fields)


def test_no_book_is_published_by_a_journal():
    for key in REFERENCES:
        text = entry(key)
        if not text.startswith(("@article", "@inproceedings", "@misc")):
            assert not re.search(r"publisher = \{[^}]*\d", text), text
