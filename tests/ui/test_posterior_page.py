"""The posterior page, its part of the pair page, and the audit on the leaderboard."""

from __future__ import annotations

import numpy as np
import pytest
from ui.driver import finished, go, open_app, score_file, unfold, upload, words

from dashboard.figures.audit import histogram_figure
from dashboard.figures.posterior import density_figure, shrinkage_figure


@pytest.fixture
def loaded(app):
    return upload(app, score_file(4))


def test_without_data_the_page_says_how_to_get_some() -> None:
    at = open_app("posterior")
    assert not at.exception
    assert "No scores yet" in words(at)


def test_the_page_answers_with_every_model(loaded) -> None:
    at = go(loaded, "posterior")
    assert not at.exception
    said = words(at)
    assert "With posterior probability 0.95 or more" in said
    assert "is the best system with probability" in said
    assert len(at.get("plotly_chart")) == 2
    for model in ("mean", "partial-pooling", "bayesian-bootstrap"):
        finished(at.button_group(key="posterior model").set_value(model).run())
        assert not at.exception
        assert "With posterior probability" in words(at)
    frames = [frame.value for frame in at.dataframe]
    assert any("P(best)" in frame.columns and len(frame) == 4 for frame in frames)
    assert "significant" not in words(at).lower()


def test_right_and_wrong_answers_and_one_pair(app) -> None:
    rng = np.random.default_rng(1)
    lines = ["a,b", *(f"{x},{y}" for x, y in rng.integers(0, 2, (30, 2)))]
    at = go(upload(app, "\n".join(lines).encode()), "posterior")
    assert not at.exception
    assert "of 1 pair" in words(at)


def test_identical_systems_have_no_board(app) -> None:
    at = go(upload(app, b"a,b\n0.5,0.5\n0.25,0.25\n0.75,0.75\n"), "posterior")
    assert not at.exception
    assert "These scores have no model of the whole board" in words(at)


def test_the_pair_page_tells_it_when_asked(loaded) -> None:
    at = go(loaded, "pair")
    assert "Bayes factor" not in words(at)
    finished(at.toggle(key="pair posterior").set_value(True).run())
    assert not at.exception
    said = words(at)
    assert "Bayes factor BF10" in said
    assert "not more of it" in said


def test_the_audit_runs_when_asked(loaded) -> None:
    at = unfold(go(loaded, "leaderboard"))
    assert "boards like this one" not in words(at)
    at.checkbox(key="audit others").set_value(True).run()
    finished(at.toggle(key="audit").set_value(True).run())
    assert not at.exception
    assert "On 100 boards like this one" in words(at)


def test_the_methods_page_lists_the_models() -> None:
    at = open_app("methods")
    assert not at.exception
    assert any("JZS Bayes factor" in expander.label for expander in at.expander)


def test_figures_are_plain_data() -> None:
    x = np.linspace(-1, 2, 50)
    for margin in (0.0, 0.3, 5.0):
        density_figure(x, np.exp(-x * x), margin, "a<b>", "b").to_dict()
    shrinkage_figure(["a", "b"], x[:2], x[:2], np.stack([x[:2], x[:2]], axis=1)).to_dict()
    assert histogram_figure(np.zeros(20, dtype=np.int64)).data[0].y.max() == 0
