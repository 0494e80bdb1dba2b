"""The sidebar: complete, kept over page changes, explained when it can't work."""

from __future__ import annotations

from dataclasses import fields

import pytest
from ui.driver import button, finished, go, open_app, score_file, upload, words

from dashboard.session.results import chosen_config
from dashboard.session.state import LABELS
from nlpstat_core.config import AnalysisConfig
from nlpstat_core.methods.corrections import CORRECTIONS
from nlpstat_core.methods.significance import TESTS

WIDGETS = ("selectbox", "number_input", "checkbox", "multiselect")


def keys(at) -> set[str]:
    return {item.key for kind in WIDGETS for item in at.sidebar.get(kind)}


def test_every_field_of_the_configuration_has_its_widget(app) -> None:
    assert set(LABELS) <= keys(app)
    wanted = {field.name for field in fields(AnalysisConfig)} - {"skewness_limits"}
    assert wanted | {"skewness_slight", "skewness_high"} == set(LABELS)


def test_untouched_settings_are_the_defaults(app, monkeypatch) -> None:
    upload(app, score_file(3))
    assert AnalysisConfig().signature in words(app).replace("\\", "")
    assert chosen_config is not None


def test_settings_survive_page_changes_and_new_data(app) -> None:
    upload(app, score_file(3))
    app.selectbox(key="test").set_value("sign").run()
    app.number_input(key="unit_size").set_value(3).run()
    app.number_input(key="equivalence_margin").set_value(0.25).run()
    app.multiselect(key="effects").set_value(["hedges-g"]).run()
    for page in ("heatmap", "methods", "pair", "scores", "report"):
        go(app, page)
        assert app.selectbox(key="test").value == "sign"
        assert app.number_input(key="unit_size").value == 3
        assert app.number_input(key="equivalence_margin").value == 0.25
        assert list(app.multiselect(key="effects").value) == ["hedges-g"]
    go(app, "scores")
    upload(app, score_file(5))
    assert app.selectbox(key="test").value == "sign"
    assert "of 10 pairs are found to differ" in words(app)
    button(app, "Reset settings")()
    assert app.selectbox(key="test").value == "recommended"
    assert AnalysisConfig().signature in words(app).replace("\\", "")


def test_baseline_and_blocks_come_from_the_data(app) -> None:
    assert app.selectbox(key="baseline").options == ["none: all pairs"]
    lines = [f"u{i},doc{i // 5},{i % 7},{i % 5},{i % 3 + 1}" for i in range(40)]
    upload(app, "\n".join(["item,doc,A,B,C", *lines]).encode())
    assert app.selectbox(key="baseline").options == ["none: all pairs", "A", "B", "C"]
    assert app.selectbox(key="block_column").options == ["auto", "none", "doc"]
    finished(app.selectbox(key="baseline").set_value("B").run())
    assert "Against B: " in words(app)
    go(app, "pair")
    assert not app.exception
    go(app, "scores")
    upload(app, score_file(3))
    assert app.selectbox(key="baseline").value is None
    assert not app.exception


def test_one_click_takes_up_the_proposed_blocks(app) -> None:
    """Eight documents aren't compared unasked, and repositories aren't documents."""
    for name, size in (("doc", 5), ("repo", 3)):
        lines = [f"u{i},doc{i // size},{i % 7},{i % 5},{i % 3 + 1}" for i in range(40)]
        upload(app, "\n".join([f"item,{name},A,B,C", *lines]).encode())
        assert "comparing" not in words(app)
        button(app, f"Compare whole documents (column {name})")()
        assert app.selectbox(key="block_column").value == name
        assert not app.exception


def test_documents_are_compared_and_one_click_treats_units_as_independent(app) -> None:
    lines = [f"u{i},d{i // 5},{i % 7},{i % 5},{i % 3 + 1}" for i in range(60)]
    upload(app, "\n".join(["item,doc,A,B,C", *lines]).encode())
    said = "comparing 12 documents (column doc)"
    assert said in words(app)
    assert app.selectbox(key="block_column").value == "auto"
    for page in ("leaderboard", "report", "scores"):
        go(app, page)
        assert said in words(app)
        button(app, "Undo: treat all items as independent")()
        assert not app.exception
        assert app.selectbox(key="block_column").value == "none"
        assert said not in words(app)
        button(app, "Compare whole documents (column doc)")()
        assert app.selectbox(key="block_column").value == "doc"
        assert said in words(app)
    finished(app.selectbox(key="test").set_value("t").run())
    assert [one for one in app.button if one.label == "Undo: treat all items as independent"]
    finished(app.selectbox(key="block_column").set_value("auto").run())
    assert said not in words(app)  # a test by name stays that test
    assert [one for one in app.button if one.label == "Compare whole documents (column doc)"]
    upload(app, score_file(3))
    assert app.selectbox(key="block_column").options == ["auto", "none"]
    assert not app.exception


def test_settings_that_cannot_work_are_explained_and_lose_nothing(app) -> None:
    upload(app, score_file(3))
    app.number_input(key="skewness_high").set_value(0.1).run()
    assert not app.exception
    assert any("skewness_limits" in error.value for error in app.error)
    assert "results of the previous settings" in words(app)
    assert "of 3 pairs are found to differ" in words(app)
    app.number_input(key="skewness_high").set_value(1.0).run()
    assert not app.error


def test_a_test_that_fits_no_pair_is_explained(app) -> None:
    upload(app, score_file(3))
    finished(app.selectbox(key="test").set_value("mcnemar").run())
    assert not app.exception
    assert any("0 and 1" in error.value for error in app.error)
    assert "of 3 pairs are found to differ" in words(app)


@pytest.mark.parametrize("key", TESTS.keys)
def test_every_test_can_be_chosen(app, key: str) -> None:
    lines = [f"u{i},doc{i // 3},{int(i % 3 == 0)},{int(i % 4 == 0)},{int(i % 5 > 0)}" for i in range(30)]
    upload(app, "\n".join(["item,doc,A,B,C", *lines]).encode())
    finished(app.selectbox(key="test").set_value(key).run())
    assert not app.exception


@pytest.mark.parametrize("key", CORRECTIONS.keys)
def test_every_correction_can_be_chosen(app, key: str) -> None:
    upload(app, score_file(4))
    finished(app.selectbox(key="test").set_value("t").run())
    finished(app.selectbox(key="correction").set_value(key).run())
    assert not app.exception
    assert "of 6 pairs are found to differ" in words(app)


def test_settings_in_the_address_are_taken_up() -> None:
    # Streamlit writes what the menu shows into the address, not the key.
    at = open_app("leaderboard", test=TESTS["wilcoxon"].label, correction="Bonferroni", alpha="0.01")
    assert at.selectbox(key="test").value == "wilcoxon"
    assert at.selectbox(key="correction").value == "bonferroni"
    assert at.number_input(key="alpha").value == 0.01


def test_a_preset_sets_what_it_names_and_can_be_changed(app) -> None:
    upload(app, score_file(3))
    button(app, "NLPStatTest figure 4")()
    assert app.selectbox(key="test").value == "wilcoxon"
    assert app.selectbox(key="correction").value == "bonferroni"
    assert (app.number_input(key="unit_size").value, app.number_input(key="shuffle_seed").value) == (15, 13)
    app.selectbox(key="correction").set_value("holm").run()
    assert chosen_signature(app).startswith("test:wilcoxon|adj:holm")


def chosen_signature(at) -> str:
    text = words(at).replace("\\", "")
    return text[text.index("test:") :]
