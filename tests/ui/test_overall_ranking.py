"""Several metrics or data sets as one overall ranking: chosen on their page, then the board of all pages."""

from __future__ import annotations

import io
import json
import zipfile

import numpy as np
import pytest
from ui.driver import button, finished, go, upload, words
from ui.test_several_boards import long_file

import nlpstat_core as ns
from dashboard.background import upload_tasks
from dashboard.boards.places import config_of_places
from dashboard.figures.weights import weights_figure
from dashboard.session.state import _KEY
from nlpstat_core.analysis.composite_outlook import composite_outlook
from nlpstat_core.analysis.tracks.means import track_means
from nlpstat_core.readers import read_boards
from nlpstat_core.report.wording.tracks import ranking_headline, separated_sentence


def open_overall(app, each="dataset"):
    go(app, "boards")
    finished(app.segmented_control(key="across each").set_value(each).run())
    app.session_state["fold overall"] = True
    return finished(app.run())


def held(app):
    return app.session_state[_KEY]


def test_a_click_makes_the_composite_the_board_of_all_pages_and_another_brings_the_tracks_back(app) -> None:
    upload(app, long_file())
    before = held(app).scores
    open_overall(app)
    assert not app.exception
    text = words(app)
    assert "**First ranks**: 1 sysC, 2 sysB, 3 sysA" in text
    assert "sysC stays first without any one of the tracks, and at every share of any one track" in text
    button(app, "Show this ranking on all pages")()
    assert not app.exception
    boards = read_boards((long_file(), "scores.csv"), each="dataset")
    expected = ns.composite(boards)
    assert held(app).scores.fingerprint == expected.fingerprint
    assert held(app).raw is None
    assert "All pages show one overall ranking" in words(app)
    for page in ("leaderboard", "heatmap", "pair", "items", "report", "scores"):
        go(app, page)
        assert not app.exception, page
        assert not app.error, page
    go(app, "boards")
    button(app, "Back to the single boards")()
    assert held(app).scores is before
    assert held(app).raw is not None
    assert held(app).composed is None
    assert "Correction" in [control.label for control in app.segmented_control]


def test_weights_by_hand_and_tracks_as_a_sample(app) -> None:
    upload(app, long_file())
    open_overall(app, "metric")
    finished(app.segmented_control(key="overall weights").set_value("hand").run())
    app.session_state["overall weights of 2"] = {
        "edited_rows": {0: {"Weight": 3.0}},
        "added_rows": [],
        "deleted_rows": [],
    }
    finished(app.run())
    finished(app.radio(key="overall tracks").set_value("sampled").run())
    finished(app.selectbox(key="overall combine sampled").set_value("win-rate").run())
    button(app, "Show this ranking on all pages")()
    assert not app.exception
    expected = ns.composite(
        read_boards((long_file(), "scores.csv"), each="metric"),
        weights={"bleu": 3, "ter": 1},
        tracks="sampled",
        combine="win-rate",
    )
    assert held(app).scores.fingerprint == expected.fingerprint
    assert "With fewer than 6 no pair can reach a level of 5 %" in words(go(app, "leaderboard"))


def test_the_geometric_mean_of_these_tracks_is_a_board_of_all_pages(app) -> None:
    upload(app, long_file())
    open_overall(app)
    finished(app.selectbox(key="overall combine fixed").set_value("geometric").run())
    button(app, "Show this ranking on all pages")()
    assert not app.exception
    expected = ns.composite(read_boards((long_file(), "scores.csv"), each="dataset"), combine="geometric")
    assert held(app).scores.fingerprint == expected.fingerprint
    for page in ("leaderboard", "heatmap", "pair", "items", "power", "report", "scores"):
        go(app, page)
        assert not app.exception, page
    assert "geometric mean over 3 tracks" in words(go(app, "leaderboard"))


def test_places_on_these_tracks_are_ranked_and_tested_beside_their_rules(app) -> None:
    upload(app, long_file())
    open_overall(app)
    finished(app.selectbox(key="overall combine fixed").set_value("mean-rank").run())
    assert not app.exception
    assert not app.error
    expected = ns.rank_tracks(read_boards((long_file(), "scores.csv"), each="dataset"))
    text = words(app)
    assert ranking_headline(expected) in text
    assert separated_sentence(expected) in text
    assert "can't be saved, gated or planned for" in text
    assert "Show this ranking on all pages" not in [one.label for one in app.button]
    frames = [frame.value for frame in app.dataframe]
    board = next(frame for frame in frames if "First, %" in frame)
    assert board["System"].tolist() == list(expected.systems)
    assert board["First, %"].tolist() == pytest.approx(100 * expected.ranks.best)
    pairs = next(frame for frame in frames if "Adjusted p" in frame)
    assert len(pairs) == 3
    assert "without scores of all systems" not in text


def test_places_are_corrected_by_holm_where_the_chosen_correction_needs_scores() -> None:
    config, instead = config_of_places(ns.AnalysisConfig(correction="max-t", alpha=0.1, test="t"))
    assert instead
    assert (config.correction, config.alpha, config.test) == ("holm", 0.1, "recommended")
    assert not config_of_places(ns.AnalysisConfig(correction="bonferroni"))[1]


def test_every_file_of_a_ranking_by_places_is_in_its_archive() -> None:
    found = ns.rank_tracks(read_boards((long_file(), "scores.csv"), each="dataset"), combine="borda")
    made = upload_tasks.placed_archive(found, lambda done, total: None, lambda: False)
    with zipfile.ZipFile(io.BytesIO(made)) as archive:
        files = {name: archive.read(name).decode() for name in archive.namelist()}
    assert set(files) == {
        "ranking.json",
        "ranking.csv",
        "ranking_pairs.csv",
        "report.html",
        "report.md",
        "report.tex",
    }
    assert json.loads(files["ranking.json"])["combine"] == "borda"
    assert separated_sentence(found) in files["report.md"]


def test_items_of_several_metrics_are_one_item_unless_told_otherwise(app) -> None:
    upload(app, long_file())
    open_overall(app, "metric")
    button(app, "Show this ranking on all pages")()
    assert held(app).scores.n_units == 90
    go(app, "pair")
    assert not app.exception


def ragged_file() -> bytes:
    """sysC, the best on news and talks, isn't on wiki."""
    lines = long_file().decode().split("\n")
    return "\n".join(line for line in lines if not (line.startswith("wiki") and "sysC" in line)).encode()


def test_what_every_rule_for_missing_tracks_does_stands_beside_it(app) -> None:
    upload(app, ragged_file())
    open_overall(app)
    text = words(app)
    assert "Left out of the overall ranking: 1 sysB, 2 sysA" in text
    assert "Ranked over the tracks that all systems have: 1 sysC, 2 sysB, 3 sysA" in text
    assert "Given the worst mean of the track on each of its items: 1 sysC" in text
    finished(app.radio(key="overall missing").set_value("shared").run())
    button(app, "Show this ranking on all pages")()
    assert held(app).scores.systems == ("sysA", "sysB", "sysC")
    assert set(held(app).scores.labels["track"]) == {"news", "talks"}


@pytest.mark.parametrize("n_tracks", [2, 3])
def test_the_weights_are_drawn_in_the_parts_where_each_system_is_first(n_tracks) -> None:
    rng = np.random.default_rng(5)
    boards = {
        f"<i>{t}</i>": ns.ScoreMatrix(values=rng.normal(size=(4, 4)), systems=("<b>A</b>", "B", "C", "D"))
        for t in range(n_tracks)
    }
    found = composite_outlook(track_means(boards))
    figure = weights_figure(found)
    assert len(figure.data) == len(found.regions) + 1
    assert "<b>A</b>" not in figure.to_json().replace("\\u003c", "<")
    assert list(figure.data[-1].x) == pytest.approx([0.5])
