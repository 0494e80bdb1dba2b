"""A settings file in the sidebar sets everything, reading choices included; a bad one changes nothing."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest
from ui.driver import button, finished, open_app, score_file, settings_field, show, upload, words

import nlpstat_core as ns
from dashboard.session.settings_upload import FIELD
from nlpstat_core.config import SETTINGS

# Nothing at its default, every kind of widget.
EVERYTHING = ns.AnalysisConfig(
    question="each-pair",
    test="block-t",
    correction="bonferroni",
    alpha=0.0123,
    seed=7,
    alternative="greater",
    delta=0.25,
    confidence_level=0.9,
    baseline="B",
    effects=("hodges-lehmann",),
    intervals=("estimate",),
    resamples=500,
    unit_size=2,
    unit_metric="median",
    unit_remainder="drop",
    shuffle_seed=3,
    block_column="doc",
    missing="complete",
    equivalence_margin=0.5,
    normality_alpha=0.01,
    skewness_limits=(0.3, 2.0),
    zero_method="pratt",
    continuity=True,
    mcnemar="mid-p",
    runs="samples",
    pooled_runs=True,
)


def documents() -> bytes:
    rows = [f"u{i},doc{i // 5},{i % 7},{i % 5 + 0.5},{i % 3 + 1}" for i in range(60)]
    return "\n".join(["item,doc,A,B,C", *rows]).encode()


def load_settings(at, content: str | bytes, name: str = "replay.json"):
    data = content.encode() if isinstance(content, str) else content
    settings_field(at).upload(name, data, "application/json").run()
    return finished(at)


def in_use(at) -> ns.AnalysisConfig:
    """The configuration the widgets stand at."""
    found = {name: at.session_state[name] for name in SETTINGS if name != "skewness_limits"}
    found["skewness_limits"] = (at.session_state["skewness_slight"], at.session_state["skewness_high"])
    return ns.AnalysisConfig(
        **{key: tuple(value) if isinstance(value, list) else value for key, value in found.items()}
    )


def test_the_upload_field_for_scores_stays_the_first(app) -> None:
    assert app.file_uploader[0].key is not None
    assert not app.file_uploader[0].key.startswith(FIELD)
    assert app.sidebar.get("file_uploader")[0].key.startswith(FIELD)


def test_no_field_is_at_its_default_in_this_test() -> None:
    default = ns.AnalysisConfig()
    assert not [name for name in SETTINGS if getattr(EVERYTHING, name) == getattr(default, name)]


@pytest.mark.parametrize("data_first", [True, False])
def test_a_replay_file_sets_everything(app, data_first: bool) -> None:
    reading = dict(ns.read_scores((documents(), "scores.csv")).reading)
    if data_first:
        upload(app, documents())
    load_settings(app, json.dumps({**EVERYTHING.to_dict(), "reading": reading}))
    if not data_first:
        assert in_use(app) == replace(EVERYTHING, baseline=None, block_column="auto")
        upload(app, documents())
    assert not app.exception
    assert in_use(app) == EVERYTHING
    assert "Shuffled items mix the documents" in words(app)  # what the core says of exactly these settings
    button(app, "Reset settings")()
    assert in_use(app) == ns.AnalysisConfig()


@pytest.mark.parametrize("data_first", [True, False])
def test_reading_choices_are_part_of_it(app, data_first: bool) -> None:
    content = json.dumps({"reading": {"lower_is_better": True, "id_column": False}, "test": "sign"})
    if data_first:
        upload(app, score_file(3))
        assert "higher is better" in words(app)
    load_settings(app, content)
    if not data_first:
        upload(app, score_file(3))
    assert "lower is better" in words(app)
    assert app.selectbox(key="test").value == "sign"
    upload(app, score_file(4))  # they belong to one file
    assert "higher is better" in words(app)


def test_reading_choices_that_do_not_fit_are_told_and_left_out(app) -> None:
    upload(app, score_file(3))
    load_settings(app, json.dumps({"reading": {"metric": "BLEU", "format": "trec-eval"}, "test": "sign"}))
    assert not app.exception
    assert not app.error
    assert any("don't fit" in caption.value for caption in app.sidebar.caption)
    assert app.selectbox(key="test").value == "sign"
    assert "of 3 pairs are found to differ" in words(app)


def test_a_whole_analysis_and_their_yaml_will_do(app) -> None:
    upload(app, score_file(3))
    analysis = ns.analyse(ns.read_scores((score_file(3), "scores.csv")), ns.AnalysisConfig(test="t", seed=4))
    load_settings(app, json.dumps(analysis.to_dict()), "analysis.json")
    chosen = in_use(app)
    assert chosen.block_column == "none"  # of the menu
    assert replace(chosen, block_column=None) == analysis.config
    assert analysis.signature in words(app).replace("\\", "")
    load_settings(app, "sig_test_name: wilcoxon\nsig_test_alpha: 0.1\npower_B: 20\n", "config.yml")
    text = "\n".join(caption.value for caption in app.sidebar.caption).replace("\\", "")
    assert "sig_test_alpha is now called alpha." in text
    assert "power_B has no effect here: see the curve on the Power page." in text
    assert in_use(app) == ns.AnalysisConfig(test="wilcoxon", alpha=0.1)


@pytest.mark.parametrize(
    ("content", "text"),
    [
        ("{", "neither YAML nor JSON"),
        ("tset: sign", "Did you mean 'test'"),
        ("alpha: 7", "alpha"),
        ("seed: 9007199254740993", "seed"),
        ("reading: {max_bytes: 1}", "max_bytes"),
        ("reading: {lower_is_better: perhaps}", "lower_is_better"),
        ("a: &a [1]\nb: [*a, *a]", "has the reference '*a'"),
    ],
)
def test_a_bad_settings_file_gets_one_sentence_and_loses_nothing(app, content: str, text: str) -> None:
    upload(app, score_file(3))
    finished(app.selectbox(key="test").set_value("sign").run())
    before = in_use(app)
    load_settings(app, content, "bad.yml")
    assert not app.exception
    assert [text in error.value.replace("\\", "") for error in app.sidebar.error] == [True]
    assert in_use(app) == before
    assert "of 3 pairs are found to differ" in words(app)


def test_an_example_keeps_its_description_when_it_is_read_again(app) -> None:
    shown = next(item for item in app.button if (item.key or "").startswith("example "))
    finished(shown.click().run())
    described = [caption.value for caption in app.main.caption]
    load_settings(app, json.dumps({"reading": {"lower_is_better": True}}))
    assert "lower is better" in words(app)
    assert described[0] in [caption.value for caption in app.main.caption]


def test_a_name_these_scores_lack_is_told(app) -> None:
    upload(app, score_file(3))
    load_settings(app, json.dumps({"baseline": "Nobody"}))
    assert not app.exception
    assert any("Nobody" in caption.value for caption in app.sidebar.caption)
    other = open_app()
    load_settings(other, json.dumps({"baseline": "sys001"}))
    assert not any("sys001" in caption.value for caption in other.sidebar.caption)
    upload(other, score_file(3))
    assert other.selectbox(key="baseline").value == "sys001"


def test_choices_in_other_words_than_the_forms_stand_in_the_form() -> None:
    """A reader takes what the form never tells: one name alone, a number as text, a default by its name."""
    at = upload(open_app(), b"item,A,B\nu1,1,2\nu2,2,3\nMean,3,1\nMax,4,5\n")
    told = {"drop_rows": "Mean", "bad_cells": "refuse", "systems_as_rows": False, "header_row": "1"}
    load_settings(at, json.dumps({"reading": told}))
    assert "**3 items**" in words(at)
    show(at)
    assert not at.exception
    (rows,) = [field for field in at.text_input if field.label == "Rows to leave out"]
    (line,) = [field for field in at.number_input if field.label == "Line of the header"]
    (shape,) = [menu for menu in at.selectbox if menu.label.startswith("Rows of a table")]
    assert (rows.value, line.value, shape.value) == ("Mean", 1, False)
    button(at, "Read again")()
    assert not at.exception
    assert "**3 items**" in words(at)
    assert at.session_state["_session"].choices["systems_as_rows"] is False


def test_names_that_the_scores_lack_are_told_in_one_sentence():
    at = open_app()
    upload(at, documents())
    load_settings(at, json.dumps({"config": {"block_column": "talk", "baseline": "B"}}))
    said = "\n".join(str(element.value) for element in at.sidebar.caption)
    assert said.count("talk") == 1
    assert "are in use without the column 'talk', which these scores don't have" in said


def test_reading_again_keeps_what_the_form_does_not_ask() -> None:
    """Quotation marks and runs are told elsewhere: by a settings file, a link, a click above the data."""
    lines = [f"u{i},{i % 7},{i % 3},{i % 5}" for i in range(12)]
    told = {"quotes": False, "run_column": "names"}
    at = open_app()
    load_settings(at, json.dumps({"reading": told}))
    upload(at, "\n".join(["item,A seed1,A seed2,B", *lines]).encode())
    show(at)
    assert {key: at.session_state["_session"].choices[key] for key in told} == told
    next(menu for menu in at.selectbox if menu.label == "Direction").set_value(True)
    button(at, "Read again")()
    assert not at.exception
    assert "lower is better" in words(at)
    assert dict(at.session_state["_session"].choices) == {**told, "lower_is_better": True}
    assert at.session_state["_session"].scores.systems == ("A", "B")
