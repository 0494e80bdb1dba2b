"""Previews are the files themselves; every page says where tests were chosen from the data."""

from __future__ import annotations

from base64 import b64decode

import pytest
from ui.driver import button, finished, go, score_file, show, upload, words

import nlpstat_core as ns
from dashboard.parts.folded import FOLD
from nlpstat_core.report.exports.documents.report import report_html, report_md, report_tex
from nlpstat_core.report.exports.paper.sentence import paper_sentence

CHOSEN = "test was chosen from that pair's data"


def test_previews_are_the_files(app) -> None:
    upload(app, score_file(4))
    go(app, "report")
    analysis = ns.analyse(ns.read_scores((score_file(4), "scores.csv")))
    for kind, make in (("Markdown", report_md), ("LaTeX", report_tex)):
        finished(app.segmented_control(key="preview kind").set_value(kind).run())
        assert not app.exception
        assert make(analysis)[:40_000].strip() in [code.value for code in app.main.code]
    finished(app.segmented_control(key="preview kind").set_value("HTML").run())
    address = app.get("iframe")[0].proto.src
    head, _, body = address.partition(",")
    assert head == "data:text/html;base64"
    assert b64decode(body).decode() == report_html(analysis)


def test_the_sentences_for_a_paper_are_copied_in_every_form(app) -> None:
    upload(app, score_file(4))
    said = paper_sentence(ns.analyse(ns.read_scores((score_file(4), "scores.csv"))))
    go(app, "leaderboard")
    assert said.text not in [code.value for code in app.main.code]  # folded
    for page in ("leaderboard", "report"):
        go(app, page)
        show(app, FOLD.format("paper")) if page == "leaderboard" else None
        for form, wanted in (
            ("Text", said.text),
            ("LaTeX", said.latex),
            ("Markdown", said.markdown),
            ("BibTeX", said.bibtex.strip()),
        ):
            finished(app.segmented_control(key="paper form").set_value(form).run())
            assert not app.exception
            assert wanted in [code.value.strip() for code in app.main.code]


@pytest.mark.parametrize("page", ["scores", "leaderboard", "heatmap", "pair", "power", "report"])
def test_every_page_says_that_pairs_have_their_own_questions_and_offers_one(app, page: str) -> None:
    upload(app, score_file(3))
    go(app, page)
    assert CHOSEN not in words(app)
    assert not any(item.label.startswith("Ask all pairs") for item in app.button)
    finished(app.selectbox(key="question").set_value("each-pair").run())
    assert CHOSEN in words(app)
    button(app, "Ask all pairs about the mean")()
    assert not app.exception
    assert app.selectbox(key="question").value == "mean"
    assert CHOSEN not in words(app)


def test_pairs_that_share_no_unit_are_left_out_and_said(app) -> None:
    # A and B share units, C was run on others.
    rows = [f"u{i},{i % 7},{i % 5}," for i in range(30)] + [f"v{i},,,{i % 4}" for i in range(30)]
    upload(app, "\n".join(["item,A,B,C", *rows]).encode())
    assert "2 of 3 pairs share no item" in words(app)
    assert "Welch" in words(app)


def test_sections_are_there_where_somebody_chose_them(app) -> None:
    upload(app, score_file(3))
    go(app, "report")
    assert "posterior" not in app.main.code[0].value
    finished(app.pills(key="report sections").set_value(["posterior"]).run())
    assert not app.exception
    text = words(app)
    assert "A Bayesian answer" in text
    assert "posterior.tex" in {item.proto.label for item in app.get("download_button")}
    assert any("Rouder et al., 2009" in code.value for code in app.main.code)
    finished(app.segmented_control(key="preview kind").set_value("Markdown").run())
    assert any("## A Bayesian answer" in code.value for code in app.main.code)
