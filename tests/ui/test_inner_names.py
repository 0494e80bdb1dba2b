"""No page shows the name of a keyword, a setting or a note: people read the words of the menus."""

from __future__ import annotations

import re

import pytest
from ui.driver import PAGE_NAMES, button, finished, go, upload, words
from ui.test_several_boards import long_file

from dashboard.parts.changes import settings_sentence
from nlpstat_core import AnalysisConfig, ScoreMatrix, analyse, changes
from nlpstat_core.config import SETTINGS
from nlpstat_core.readers.roles.choices import READING_KEYWORDS

INNER = sorted(name for name in {*SETTINGS, *READING_KEYWORDS} if "_" in name)
NAMES = re.compile(rf"(?<![\w`]){'|'.join(rf'{name}' for name in INNER)}(?!\w)|\(--\w")


def everything(at) -> str:
    """What is written, and what widgets say."""
    lines = [words(at)]
    for kind in ("selectbox", "multiselect", "number_input", "checkbox", "toggle", "button", "text_input"):
        lines += [f"{item.label}\n{getattr(item, 'help', '') or ''}" for item in at.get(kind)]
    for kind in ("caption", "markdown", "error", "warning", "info"):
        lines += [str(item.value) for item in at.sidebar.get(kind)]
    return "\n".join(lines)


@pytest.mark.parametrize("question", ["mean", "each-pair"])
def test_no_page_shows_an_inner_name(app, question) -> None:
    upload(app, long_file())
    finished(app.selectbox(key="question").set_value(question).run())
    for page in PAGE_NAMES:
        go(app, page)
        assert not app.exception
        assert NAMES.findall(everything(app)) == [], page


def test_no_page_about_runs_shows_one(app) -> None:
    """Runs in the names, and a system that has one run only."""
    data = b"u,A seed1,A seed2,B seed1,B seed2,C\n" + b"".join(
        b"%d,%d,%d,%d,%d,%d\n" % (i, i % 3, i % 4, i % 5, i % 2, i % 7) for i in range(12)
    )
    upload(app, data)
    for page in ("scores", "leaderboard", "power"):
        go(app, page)
        assert not app.exception
        assert NAMES.findall(everything(app)) == [], page
        assert "runs=" not in everything(app)


@pytest.mark.parametrize(
    "data",
    [
        b"item,A,B\nu1,0.5,6O.12\nu2,0.1,0.2\n",
        b"model,u1,u2,u3\nA,1,0,1\nB,0,0,1\nC,1,1,1\n",
        b"doc,comment\nx,hello\ny,foo\n",
        b"item,system,score\n1,A,0.5\n1,A,0.6\n",
        b"item,score\n1,0.5\n2,0.6\n",
    ],
)
def test_no_complaint_shows_an_inner_name(app, data) -> None:
    upload(app, data)
    assert not app.exception
    assert NAMES.findall(everything(app)) == []


def test_settings_that_do_not_fit_are_told_in_words(app) -> None:
    button(app, "Shared task")()
    finished(app.selectbox(key="test").set_value("block-t").run())
    assert not app.exception
    said = re.sub(r"\|block_column:\w+", "", everything(app))  # the signature names settings as they are
    assert NAMES.findall(said) == []


def test_settings_that_changed_are_named_as_the_sidebar_does() -> None:
    scores = ScoreMatrix(values=[[1, 2], [2, 4], [3, 3], [4, 6]], systems=["A", "B"])
    plain = AnalysisConfig()
    other = AnalysisConfig(
        test="t", correction="bonferroni", unit_size=2, runs="samples", alpha=0.1, effects=("cohen-d",)
    )
    given = changes(analyse(scores, plain), analyse(scores, other)).to_dict()["settings"]
    said = settings_sentence(given)
    assert len(given) == 6
    assert NAMES.findall(said) == []
    assert "Correction for many comparisons: Holm → Bonferroni" in said
    assert "Several runs of a system are: Training runs (seeds, folds) → Repeated samples" in said
