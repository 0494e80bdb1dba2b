"""Every page in every state: empty, example, bad file, two systems, a hundred systems, hostile names."""

from __future__ import annotations

import json
import re

import pytest
from ui.driver import PAGE_NAMES, ROOT, button, go, open_app, score_file, unfold, upload, words

from dashboard.navigation import PAGES
from dashboard.session.uploads import examples
from nlpstat_core.methods.categorical import CATEGORICAL
from nlpstat_core.methods.corrections import CORRECTIONS
from nlpstat_core.methods.correlation import CORRELATION
from nlpstat_core.methods.diagnosis import DIAGNOSTICS
from nlpstat_core.methods.effects import EFFECTS
from nlpstat_core.methods.omnibus import OMNIBUS
from nlpstat_core.methods.significance import TESTS

DATA_PAGES = [name for name in PAGE_NAMES if name != "methods"]


def test_pages_are_the_files_of_the_folder() -> None:
    assert {entry.name for entry in PAGES} == {path.stem for path in (ROOT / "pages").glob("*.py")}


@pytest.mark.parametrize("page", [path.name for path in sorted((ROOT / "pages").glob("*.py"))])
def test_pages_are_short_and_define_nothing(page: str) -> None:
    text = (ROOT / "pages" / page).read_text(encoding="utf-8")
    assert len(text.splitlines()) < 80
    assert "\ndef " not in text
    assert "\nclass " not in text


@pytest.mark.parametrize("page", PAGE_NAMES)
def test_page_may_be_opened_first_without_data(page: str, monkeypatch) -> None:
    quick = next(example for example in examples() if example["key"] == "several-tracks")
    monkeypatch.setattr("dashboard.parts.panels.examples", lambda: [quick])
    at = open_app(page)
    assert not at.exception
    assert at.title
    if page not in ("scores", "methods", "preferences"):
        assert "No scores yet" in words(at)
        button(at, "Try the example")()
        assert not at.exception
        assert "No scores yet" not in words(at)
        if page in ("leaderboard", "heatmap", "report"):
            assert "pairs are found to differ" in words(at)


def test_upload_acts_without_a_button(app) -> None:
    upload(app, score_file(4))
    said = words(app)
    assert "**4 systems**" in said
    assert "**30 items**" in said
    assert "of 6 pairs are found to differ" in said
    assert app.get("plotly_chart")
    board = next(frame.value for frame in app.dataframe if "Rank" in frame.value.columns)
    assert list(board["System"]) == ["sys003", "sys002", "sys001", "sys000"]


def test_the_answer_stands_directly_below_what_was_read(app) -> None:
    upload(app, b"item,A,B\n" + b"".join(b"u%d,%d,%d\n" % (i, i % 7, i % 7) for i in range(40)))
    drawn = [str(getattr(element, "value", "")) for element in app.main if element.type != "button"]
    read = next(i for i, value in enumerate(drawn) if "**2 systems**" in value)
    answer = next(i for i, value in enumerate(drawn) if "No evidence of a difference" in value)
    between = [value for value in drawn[read + 1 : answer] if value]
    assert not between
    assert any("Identical scores" in value for value in drawn[answer:])
    assert not any("Identical scores" in value for value in drawn[:answer])


@pytest.mark.parametrize(("systems", "units"), [(2, 2), (2, 30), (100, 12)])
def test_all_pages_with_few_and_many_systems(app, systems: int, units: int) -> None:
    upload(app, score_file(systems, units))
    assert not app.exception
    for page in PAGE_NAMES:
        unfold(go(app, page))
        assert not app.exception, page
        assert "No scores yet" not in words(app)
        drawn = [*app.get("plotly_chart"), *app.get("arrow_data_frame")]
        assert drawn or page not in ("scores", "leaderboard", "heatmap", "pair", "power"), page
        for element in drawn:  # each has a text alternative
            assert len(element.proto.alt) > 8, (page, element)


def test_every_example_can_be_looked_at(app) -> None:
    examples = json.loads((ROOT / "data" / "examples.json").read_text(encoding="utf-8"))
    for example in examples:
        if example["units"] > 10_000:
            continue  # the same path, only slower
        button(app, example["title"])()
        assert not app.exception
        packed = example["file"].endswith(".zip")  # what is read are its members
        assert ("Read from gold." if packed else example["file"]) in words(app).replace("*", "")


@pytest.mark.parametrize(
    ("content", "text"),
    [
        (b"item,A,B\n1,0.5,0.6\n2,0.7,x9\n3,0.2,0.4\n", "line 3"),
        (b"item,A,A\n1,2,3\n2,3,4\n", "A"),
        (b"", "empty"),
        (b"\x00\x01\x02", "scores.csv"),
    ],
)
def test_a_bad_file_is_explained_and_loses_nothing(app, content: bytes, text: str) -> None:
    upload(app, score_file(3))
    before = words(app)
    upload(app, content)
    assert not app.exception
    assert any("can't be used" in error.value and text in error.value for error in app.error)
    assert "of 3 pairs are found to differ" in words(app)
    assert before.splitlines()[0] in words(app)
    upload(app, score_file(5))
    assert not any("can't be used" in error.value for error in app.error)
    assert "of 10 pairs are found to differ" in words(app)


def test_a_bad_file_first_shows_only_the_reason(app) -> None:
    upload(app, b"no numbers at all\n")
    assert not app.exception
    assert app.error
    assert not app.dataframe


HOSTILE = [
    "<img src=x onerror=alert(1)>",
    "$x^2$ *b* :red[c]",
    "=1+1",
    "javascript:alert(1)",
    "%{x}{0}",
    "a\\b`c`",
]


def test_hostile_names_change_nothing(app) -> None:
    header = ",".join(["item", *(f'"{name}"' for name in HOSTILE)])
    rows = [
        f"u{i}," + ",".join(str((7 * i + 3 * j) % 11 + 4 * j) for j in range(len(HOSTILE))) for i in range(20)
    ]
    upload(app, "\n".join([header, *rows]).encode(), "<b>x</b>*.csv")
    for page in PAGE_NAMES:
        unfold(go(app, page))
        assert not app.exception, page
        for chart in app.get("plotly_chart"):
            assert "<img" not in chart.proto.spec
        for text in app.main.markdown:
            assert "<img" not in text.value.replace("\\<img", "")
            assert not text.allow_html


def test_two_sessions_do_not_share_scores(app) -> None:
    upload(app, score_file(3))
    other = open_app("leaderboard")
    assert "No scores yet" in words(other)
    assert "of 3 pairs" in words(go(app, "leaderboard"))


def test_forget_my_data(app) -> None:
    upload(app, score_file(3))
    button(app, "Forget my data")()
    assert not app.exception
    assert not app.dataframe
    assert "No scores yet" in words(go(app, "report"))


def test_pages_never_call_systems_equal_and_name_what_p_belongs_to(app) -> None:
    upload(app, (ROOT / "data" / "several-tracks.csv").read_bytes())
    named = 0
    for page in PAGE_NAMES:
        unfold(go(app, page))
        text = words(app)
        if page != "methods":  # it speaks of true means that are equal
            assert not re.search(r"\b(are|is|as|were) equal(ly)?\b(?! to)|\bno difference between\b", text), (
                page
            )
        for p in re.finditer(r"adjusted p [=<≤]", text):
            assert re.search(r"Holm", text[p.start() : p.start() + 60]), page
            named += 1
    assert named > 1


def test_the_methods_page_shows_every_procedure(app) -> None:
    text = words(unfold(go(app, "methods")))
    catalogues = (TESTS, CORRECTIONS, EFFECTS, OMNIBUS, DIAGNOSTICS, CATEGORICAL, CORRELATION)
    for key in [key for catalogue in catalogues for key in catalogue.keys]:
        assert f"Key `{key}`" in text
    assert "Non-normality and tests on variances" in text


def test_the_methods_page_says_what_the_numbers_do_not_mean(app) -> None:
    text = words(go(app, "methods"))
    for number in ("P-value", "Adjusted p-value", "Confidence interval", "Power"):
        assert f"**{number}.**" in text
    for misreading in (
        "not the probability that the null hypothesis is true",
        "does not say that the true value lies in this particular interval",
        "not the probability that a significant difference is real",
    ):
        assert misreading in text
