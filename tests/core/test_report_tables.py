"""One table and one document behind every format: the same cells, decimals fixed within a column."""

import builtins
import html as html_text
import re
from html.parser import HTMLParser
from pathlib import Path

import hypothesis.strategies as st
import numpy as np
import pandas as pd
import pytest
from core.test_exports_reports import HOSTILE
from hypothesis import given

import nlpstat_core as ns
from dashboard.parts.result_table import decimal_format, frame_of
from nlpstat_core.cli.terminal import plain_name
from nlpstat_core.cli.terminal import table as terminal
from nlpstat_core.formatting import MOST_DECIMALS
from nlpstat_core.report.exports.data.names import visible
from nlpstat_core.report.exports.documents import html
from nlpstat_core.report.exports.documents.blocks import Document, Figure, Notes, Part, Prose
from nlpstat_core.report.exports.documents.html import document_html, table_html
from nlpstat_core.report.exports.documents.latex import document_tex, long_table
from nlpstat_core.report.exports.documents.latex_text import text as latex
from nlpstat_core.report.exports.documents.markdown import document_md, table_md
from nlpstat_core.report.exports.documents.markdown import text as markdown
from nlpstat_core.report.exports.tables.audit import audit_table
from nlpstat_core.report.exports.tables.board import board_table, systems_table
from nlpstat_core.report.exports.tables.pairs import pairs_table
from nlpstat_core.report.exports.tables.posterior import posterior_pairs, posterior_systems
from nlpstat_core.report.exports.tables.runs import variation_table
from nlpstat_core.report.exports.tables.table import (
    Column,
    Table,
    counts,
    fixed,
    intervals,
    names,
    p_values,
    ranges,
    words,
    written,
)
from nlpstat_core.report.wording import top_sentence
from nlpstat_core.report.wording.statements import Statement

DASHBOARD = Path(__file__).resolve().parents[2] / "dashboard"
numbers = st.floats(-1e6, 1e6) | st.just(float("nan"))


def shown() -> Table:
    """Every kind of column, with odd names."""
    n = len(HOSTILE)
    values = np.linspace(-1, 1, n)
    columns = (
        names("System", HOSTILE),
        words("Verdict", ["<i>", *["better"] * (n - 1)]),
        counts("Items", range(1000, 1000 + n)),
        fixed("a|b", values, 3),
        intervals("95 % interval", np.column_stack([values - 1, values + 1]), 2),
        ranges("Ranks", [(1, i + 1) for i in range(n)], n),
        p_values("p", np.linspace(0, 1, n), 0.05),
        written("Best", [f"{i} %" for i in range(n)], range(n)),
    )
    return Table("<title> & |more|", columns, "A remark with <b> and _this_.", lines=(1,))


class Cells(HTMLParser):
    """Texts of the cells of the tables in a page."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.rows: list[list[str]] = []
        self.inside = False
        self.feed(page)

    def handle_starttag(self, tag, attributes):
        if tag == "tr":
            self.rows.append([])
        self.inside = self.inside or tag in ("td", "th")
        if tag in ("td", "th"):
            self.rows[-1].append("")

    def handle_endtag(self, tag):
        self.inside = self.inside and tag not in ("td", "th")

    def handle_data(self, data):
        if self.inside:
            self.rows[-1][-1] += data


def texts(table: Table) -> list[list[str]]:
    return [[column.label for column in table.columns], *([cell.text for cell in row] for row in table.rows)]


def test_every_format_shows_the_same_cells():
    table = shown()
    wanted = [[visible(text) for text in row] for row in texts(table)]
    assert Cells(table_html(table)).rows == wanted
    lines = table_md(table).split("\n\n")[0].split("\n")
    del lines[1]
    cells = [re.split(r"(?<!\\) \| ", line[2:-2]) for line in lines]
    assert cells == [[markdown(text) for text in row] for row in wanted]
    tex = long_table(table, {})
    for name in HOSTILE:
        assert f"{{}}{latex(name)} & " in tex
    said = terminal(table.columns)
    assert len(said) == len(wanted)
    for line, name in zip(said[1:], HOSTILE, strict=True):
        assert plain_name(name).strip() in line
    frame = frame_of(table.columns)
    assert list(frame["Items"]) == list(range(1000, 1000 + len(HOSTILE)))
    assert list(frame["95 % interval"]) == [cell.text for cell in table.columns[4].cells]
    assert frame["a|b"].dtype == float


@given(values=st.lists(numbers, min_size=1, max_size=20), decimals=st.none() | st.integers(0, 12))
def test_numbers_of_a_column_share_their_decimals(values, decimals):
    column = fixed("x", values, decimals)
    found = {
        len(cell.text.partition(".")[2]) for cell in column.cells if re.fullmatch(r"-?[\d.]+", cell.text)
    }
    assert column.decimals is not None
    if column.decimals <= MOST_DECIMALS:
        assert found <= {column.decimals}
    for cell, value in zip(column.cells, values, strict=True):
        assert (cell.text == "undefined") == np.isnan(value)
        if column.decimals <= MOST_DECIMALS and not np.isnan(value):
            assert float(cell.text) == pytest.approx(value, abs=0.501 * 10.0**-column.decimals)


def test_decimals_are_those_of_a_typical_value():
    assert [cell.text for cell in fixed("x", [12.5, 3.14159, 100, np.nan], undefined="").cells] == [
        "12.50",
        "3.14",
        "100.00",
        "",
    ]
    tiny = fixed("x", [2.5e-9, 0, -1e-8])
    assert [cell.text for cell in tiny.cells] == ["2.500e-09", "0", "-1.000e-08"]


def test_ranges_sort_by_their_ends():
    column = ranges("Ranks", [(2, 9), (2, 2), (1, 9), (1, 1), (10, 10)], 10)
    order = sorted(range(5), key=lambda i: column.cells[i].key)
    assert [column.cells[i].text for i in order] == ["1", "1–9", "2", "2–9", "10"]


def test_columns_are_chosen_and_named_anew():
    table = shown()
    assert [column.label for column in table.under({"p": "P", "nothing": "x", "System": "s"}).columns] == [
        "P",
        "s",
    ]
    assert table.under(("Items", "p")).columns == (table.columns[2], table.columns[6])
    assert texts(table.row(1)) == [texts(table)[0], texts(table)[2]]


@pytest.fixture(scope="module")
def analysis():
    rng = np.random.default_rng(4)
    values = rng.normal(30, 9, (60, 5)) + np.arange(5) * 2
    return ns.analyse(ns.ScoreMatrix(values=values, systems="ABCDE"), ns.AnalysisConfig(resamples=200))


def same_decimals(column: Column) -> bool:
    """Whether numbers in a column, also the ends of its intervals, have one number of decimals."""
    plain = (re.sub(r" \(\d+\)$", "", cell.text) for cell in column.cells)
    found = {len(part) for text in plain for part in re.findall(r"\d\.(\d+)", text)}
    return len(found) <= 1


def test_decimals_are_fixed_in_every_table_of_a_report(analysis):
    posterior = ns.posterior(analysis)
    tables = [
        board_table(analysis, 99),
        pairs_table(analysis, 99),
        systems_table(analysis, 99),
        posterior_systems(posterior),
        posterior_pairs(posterior),
        audit_table(ns.audit(analysis, boards=20, also=("sign", "t"))),
    ]
    # p-values and Bayes factors have so many significant digits, the audit's rates a text for none or all.
    free = {"p", "Adjusted p", "BF10", "Boards with a false claim"}
    for table in tables:
        off = [column.label for column in table.columns if not same_decimals(column)]
        assert set(off) <= free


def test_components_of_variance_share_their_decimals(tmp_path):
    rng = np.random.default_rng(1)
    rows = [
        f"m{s},{r},u{u},{0.5 + 0.1 * rng.normal() + s / 20:.6f}"
        for s in range(3)
        for r in range(3)
        for u in range(30)
    ]
    path = tmp_path / "runs.csv"
    path.write_text("\n".join(["system,run,item,score", *rows]), encoding="utf-8")
    scores = ns.read_scores(path)
    table = variation_table(ns.analyse(scores), 99)
    assert table is not None
    assert all(same_decimals(column) for column in table.columns)
    assert table.columns[0].cells[0].text == "whole board"


def document() -> Document:
    """A report of hostile names in every place that takes text."""
    nasty = "</style><script>alert(1)</script>\n{{ 7 * 7 }}{% raw %}\\input{x}"
    drawn = {"html": lambda: "<svg></svg>", "latex": lambda: "% picture"}
    prose = Prose((Statement(nasty, ("holm1979",)),))
    note = ns.Note("code", "caution", nasty)
    blocks = (prose, Notes((note,)), shown(), Figure(drawn))
    return Document(
        title=nasty,
        headline=nasty,
        sentences=(nasty,),
        notes=(ns.Note("other", "info", "first"), note),
        parts=(Part(nasty.splitlines()[0], nasty, blocks), Part("", "", (Figure({}),))),
        cited=("holm1979",),
        settings=nasty,
        names=tuple(HOSTILE),
        footer=(nasty, "sha256:0"),
    )


def test_templates_draw_text_and_nothing_else():
    page = document_html(document())
    assert page.count("<script>") == 1
    assert page.count("</style>") == 1
    assert "49" not in page
    assert page.count("<svg></svg>") == 1
    assert html_text.escape("</style><script>alert(1)</script>") in page
    assert page.index("first") > page.index("<strong>caution</strong>")  # the most serious first
    environment = html._templates()
    assert environment.autoescape is True
    assert environment.from_string("{{ x }}").render(x="<&\x07") == "&lt;&amp;\ufffd"
    for name in environment.list_templates(extensions=["html"]):
        source = environment.loader.get_source(environment, name)[0]
        assert "safe" not in source
        assert "autoescape" not in source


def test_every_format_draws_the_whole_document():
    for draw in (document_html, document_md, document_tex):
        text = draw(document())
        for part in ("sha256:0", "first", "caution", "95"):
            assert part in text
    assert "svg" not in document_md(document())
    assert "% picture" in document_tex(document())
    assert document_html(Document("t", "h")).count("<p") == 2
    assert document_html(Document("t", "h"), sortable=False).count("script-src 'none'") == 1


def test_templates_are_read_from_the_disk_once(monkeypatch):
    first = document_html(document())

    def refuse(*arguments, **named):
        raise AssertionError("read again")

    monkeypatch.setattr(builtins, "open", refuse)
    assert document_html(document()) == first


def test_of_a_system_without_scores_nothing_is_claimed():
    """No rank, no interval of ranks, no cluster, no letter, no chance of being best: nothing was tested."""
    values = np.random.default_rng(1).normal([50, 53, 56, 50], 9, (60, 4))
    values[:, 3] = np.nan
    analysis = ns.analyse(pd.DataFrame(values, columns=["a", "b", "c", "void"]))
    row = {column.label: column.cells[-1].text for column in board_table(analysis, 10).columns}
    assert row.pop("System") == "void"
    assert row.pop("Score") == "undefined"
    assert row.pop("Items") == "0"
    assert set(row.values()) <= {"", "–"}
    assert {"Rank", "Ranks", "Cluster", "Best"} <= set(row)
    equal = ns.analyse(pd.DataFrame({"a": [0.1, 0.5] * 4, "b": [0.5, 0.1] * 4, "void": [np.nan] * 8}))
    assert top_sentence(equal).endswith("2 of 2 systems that have scores share the top.")


@given(st.lists(numbers, max_size=20), st.integers(1, 6))
def test_a_column_of_a_page_has_one_number_of_decimals(values, digits):
    plain, signed = decimal_format(values, digits), decimal_format(values, digits, sign="+")
    assert re.fullmatch(r"%\.\df", plain)
    assert signed == plain.replace("%", "%+")
    known = sorted(abs(value) for value in values if value and not np.isnan(value))
    if known and 1e-3 < known[len(known) // 2] < 1e6:
        assert float(plain % known[len(known) // 2]) == pytest.approx(
            known[len(known) // 2], rel=10.0**-digits * 6
        )


def test_no_table_of_a_page_lets_each_number_choose_its_decimals():
    """p-values alone span so many magnitudes that each has a form of its own."""
    loose = [
        (path.name, line.strip())
        for path in DASHBOARD.rglob("*.py")
        for line in path.read_text("utf-8").splitlines()
        if re.search(r"format=f?\"%[+]?\.\d+g\"", line)
    ]
    assert len(loose) == 1
    assert loose[0][0] == "page.py"
    assert "P_HELP" in loose[0][1]
