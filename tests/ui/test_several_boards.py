"""Several metrics or data sets in one upload: said and chosen on the landing page, compared on the board."""

from __future__ import annotations

import io
import time
import zipfile
from types import SimpleNamespace

import numpy as np
import pytest
from ui.driver import button, finished, go, score_file, unfold, upload, words

from dashboard.background.given import BoardsChoice
from dashboard.background.readings import facts_of
from dashboard.boards.tables import agreement_table, counts_table, statements_table
from dashboard.figures.replicability import NOT_SHOWN, replicability_figure
from dashboard.session.facts import columns_of, kinds_of
from dashboard.text import plotly
from nlpstat_core.analysis.several_boards import analyse_boards
from nlpstat_core.readers import read_scores
from nlpstat_core.report.wording.several_boards import agreement_phrase
from nlpstat_core.scores.matrix import ScoreMatrix
from tests.ui import deeds


def long_file() -> bytes:
    """Two metrics and three test sets of 30 items; sysC is the best, ter is better when low."""
    rng = np.random.default_rng(3)
    rows = ["dataset,item,system,bleu,ter"]
    for name in ("news", "talks", "wiki"):
        for i in range(30):
            hard = rng.normal(0, 3)
            for k, system in enumerate(("sysA", "sysB", "sysC")):
                bleu = 50 + hard + 4 * k + rng.normal(0, 2)
                rows.append(f"{name},{name}{i},{system},{bleu:.1f},{100 - bleu + rng.normal(0, 1):.1f}")
    return "\n".join(rows).encode()


def archive() -> bytes:
    """One file for each test set, with the same systems."""
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w") as files:
        files.writestr("news.csv", score_file(3, seed=1))
        files.writestr("talks.csv", score_file(4, seed=2))
    return made.getvalue()


def compare(app):
    """The section switched on and its work done."""
    go(app, "boards")
    return finished(app.toggle(key="across").set_value(True).run())


def test_means_stand_there_while_the_rest_is_computed(app, monkeypatch) -> None:
    """Of metrics and of data sets; best by mean rank first, whichever direction a metric has."""
    monkeypatch.setattr("dashboard.background.upload_tasks.boards", deeds.never_analysed)
    upload(app, long_file())
    app.switch_page("../pages/boards.py").run()
    for each, names in (("metric", ["bleu", "ter"]), ("dataset", ["news", "talks", "wiki"])):
        app.session_state["across each"] = each
        app.run()
        for _ in range(100):
            if "So far: " in words(app):
                break
            time.sleep(0.2)
            app.run()
        (means,) = frames(app)
        assert list(means) == ["System", *names]
        assert list(means["System"]) == ["sysC", "sysB", "sysA"]
        assert any(button.label == "Cancel" for button in app.button)
    scores = read_scores((long_file(), "scores.csv"), metric="bleu", dataset="news")
    assert means["news"].to_list() == pytest.approx(scores.values.mean(axis=0)[::-1])


def frames(app):
    return [frame.value for frame in app.dataframe]


def test_the_landing_page_says_what_there_is_and_switches(app) -> None:
    upload(app, long_file())
    assert "This upload holds **2 metrics and 3 data sets** (bleu, ter; news, talks, wiki)" in words(app)
    box = next(box for box in app.selectbox if box.label == "Metric")
    assert box.value == "bleu"
    finished(box.set_value("ter").run())
    assert not app.exception
    assert "lower is better" in words(app)
    box = next(box for box in app.selectbox if box.label == "Data set")
    finished(box.set_value("talks").run())
    assert "**30 items**" in words(app)
    assert "lower is better" in words(app)
    box = next(box for box in app.selectbox if box.label == "Data set")
    assert box.value == "talks"
    finished(box.select_index(0).run())
    assert "**90 items**" in words(app)


def test_one_board_has_no_section(app) -> None:
    upload(app, score_file(4))
    assert "This upload holds" not in words(app)
    go(app, "boards")
    assert "This upload has one metric and one data set" in words(app)


def test_metrics_on_the_leaderboard(app) -> None:
    upload(app, long_file())
    compare(app)
    assert not app.exception
    assert "sysC is the top group on both metrics" in words(app)
    table = next(frame for frame in frames(app) if "Metric" in frame)
    assert table["Metric"].tolist() == ["bleu", "ter"]
    assert table["Better"].tolist() == ["higher", "lower"]
    app.multiselect(key="across lower").set_value([]).run()
    finished(app)
    table = next(frame for frame in frames(app) if "Metric" in frame)
    assert table["Better"].tolist() == ["higher", "higher"]
    assert "3 of 3 pairs are decided in opposite directions" in words(app)
    upload(go(app, "scores"), score_file(3), "other.csv")
    upload(app, long_file())
    compare(app)
    table = next(frame for frame in frames(app) if "Metric" in frame)
    assert table["Better"].tolist() == ["higher", "lower"]  # what was told belonged to the other upload


def test_data_sets_on_the_leaderboard(app) -> None:
    upload(app, long_file())
    go(app, "boards")
    app.segmented_control(key="across each").set_value("dataset").run()
    app.segmented_control(key="across family").set_value("all").run()
    finished(app.toggle(key="across").set_value(True).run())
    assert not app.exception
    text = words(app)
    assert "sysC is the top group on all 3 data sets" in text
    assert "One family of 9 comparisons over all data sets." in text
    assert "With 95 % confidence all 6 counts hold together, whatever the dependence" in text
    assert "Wilcoxon's signed-rank test" in text
    unfold(app)
    table = next(frame for frame in frames(app) if "Row beats column" in frame)
    assert table.set_index("Row beats column").loc["sysC", "sysA"] == 3
    finished(app.checkbox(key="across independent").check().run())
    assert "if the data sets are independent of each other (Fisher)" in words(app)
    finished(app.toggle(key="across together").set_value(False).run())
    assert "among many counts some will be too large" in words(app)


def test_settings_of_the_sidebar_are_used_and_refusals_name_the_board(app) -> None:
    upload(app, long_file())
    compare(app)
    finished(app.selectbox(key="correction").set_value("max-t").run())
    finished(app.selectbox(key="test").set_value("t").run())
    go(app, "boards")
    app.segmented_control(key="across each").set_value("dataset").run()
    finished(app.segmented_control(key="across family").set_value("all").run())
    assert any("choose another correction" in error.value for error in app.error)


def test_files_of_an_archive_are_boards(app) -> None:
    upload(app, archive(), "all.zip")
    assert not app.error
    assert "This upload holds **2 data sets** (news, talks)" in words(app)
    # Which board was read is told by the menu, not by a note as well.
    assert next(box.value for box in app.selectbox if box.label == "Data set") == "news"
    assert "The archive holds 2 boards" not in words(app)
    compare(app)
    finished(app.segmented_control(key="across each").set_value("dataset").run())
    assert not app.exception
    table = next(frame for frame in frames(app) if "Data set" in frame)
    assert table["Systems"].tolist() == [3, 4]


def test_the_example_is_one_click_away(app) -> None:
    button(app, "Several tracks and metrics")()
    assert "This upload holds **2 metrics and 6 data sets**" in words(app)
    compare(app)
    assert "Alder is the top group on both metrics" in words(app)


def scores_of(**labels) -> ScoreMatrix:
    values = np.arange(24.0).reshape(12, 2)
    return ScoreMatrix(values=values, systems=("A", "B"), labels={k: tuple(v) for k, v in labels.items()})


def kinds(scores: ScoreMatrix, *block: str) -> tuple[str, ...]:
    return kinds_of(scores, facts_of(scores), *block)


def test_what_the_boards_can_be() -> None:
    assert kinds(scores_of()) == ()
    assert kinds(scores_of(doc=[str(i) for i in range(12)])) == ()
    both = scores_of(domain=["x", "y"] * 6, testset=["u"] * 6 + ["v"] * 6)
    assert kinds(both) == ("dataset",)
    assert columns_of(facts_of(both)) == ("testset", "domain")
    file = read_scores((long_file(), "x.csv"))
    assert kinds(file) == ("metric", "dataset")
    assert kinds(read_scores((long_file(), "x.csv"), dataset="wiki")) == ("metric", "dataset")
    assert kinds(read_scores((archive(), "x.zip"), dataset="news")) == ("metric", "dataset")


def test_documents_are_no_reason_to_compare_data_sets() -> None:
    halves = ["x", "y"] * 6
    assert kinds(scores_of(document=halves)) == ()
    assert kinds(scores_of(domain=halves), "domain") == ()
    both = scores_of(document=halves, domain=halves)
    assert kinds(both) == ("dataset",)
    assert columns_of(facts_of(both)) == ("domain", "document")  # still in the menu, but not where it stands


def test_documents_alone_are_one_board_and_their_proposal_goes_once_it_is_taken_up(app) -> None:
    rng = np.random.default_rng(4)
    rows = [
        f"u{i},d{i // 5}," + ",".join(f"{value:.2f}" for value in rng.normal(50, 9, 3)) for i in range(150)
    ]
    upload(app, "\n".join(["item,document,A,B,C", *rows]).encode())
    assert "comparing 30 documents" in words(app)
    assert not [link for link in app.get("page_link") if "Compare all" in link.proto.label]
    go(app, "boards")
    assert "This upload has one metric and one data set" in words(app)
    go(app, "scores")
    button(app, "Undo: treat all items as independent")()
    assert "comparing 30 documents" not in words(app)
    button(app, "Compare whole documents (column document)")()
    assert not app.exception
    assert "compare whole documents?" not in words(app)


def test_what_is_decided_the_same_way_may_be_nothing() -> None:
    def phrase(for_a: list[int], neither: list[int]) -> str:
        made = SimpleNamespace(
            boards=np.full(len(for_a), 2),
            neither=np.array(neither),
            alike=np.maximum(np.maximum(for_a, neither), 2 - np.add(for_a, neither)),
            contradicting=np.zeros(len(for_a), dtype=bool),
        )
        return agreement_phrase(made, "dataset")

    everywhere = "undecided on every data set that compares them"
    assert phrase([0, 0], [2, 2]) == f"2 of 2 pairs are {everywhere}"
    assert phrase([0, 1], [2, 1]) == f"1 of 2 pairs is {everywhere}, none is decided the same way by all"
    alike = "pairs are decided the same way by all data sets that compare them"
    assert phrase([2, 2], [0, 0]) == f"2 of 2 {alike}"
    one = alike.replace("are", "is", 1)
    assert phrase([2, 1], [0, 1]) == f"1 of 2 {one}"
    assert phrase([2, 0], [0, 2]) == f"1 of 2 {one}; 1 more is undecided on every one"


def test_choices_of_one_board_are_left_out() -> None:
    choices = {"format": "long-csv", "metric": "ter", "dataset": "news", "lower_is_better": True}
    assert BoardsChoice(each="metric").reading(choices) == {"format": "long-csv", "dataset": "news"}
    one = BoardsChoice(each="dataset", column="domain").reading(choices)
    assert one == {"format": "long-csv", "metric": "ter", "lower_is_better": True, "dataset_column": "domain"}


def test_figure_and_tables_of_counts() -> None:
    rng = np.random.default_rng(8)
    sets = {
        f"set {i}": ScoreMatrix(
            values=rng.normal(0, 1, (80, 3)) + np.array([0, 0, 1.2]), systems=("<b>A</b>", "B", "C")
        )
        for i in range(4)
    }
    boards = analyse_boards(sets, each="dataset")
    found = boards.replicability
    table = counts_table(found, together=True)
    assert table["Row beats column"].iloc[0] == "C"
    statements = statements_table(found, together=True)
    assert set(statements["Better"]) == {"C"}
    assert statements["Data sets"].iloc[0] == "set 0, set 1, set 2, set 3"
    assert agreement_table(boards)["Compared on"].tolist() == [4, 4, 4]
    names = ("C", "<b>A</b>", "B")
    counts = np.array([[np.nan, 4, 3], [0, np.nan, 0], [0, 0, np.nan]])
    figure = replicability_figure(names, counts, 4)
    assert list(figure.data[1].text) == ["4", "3", *[NOT_SHOWN] * 4]  # read without colour
    shade = dict(zip(figure.data[1].text, figure.data[1].textfont.color, strict=True))
    assert shade["4"] == "#FFFFFF"  # on navy
    assert shade[NOT_SHOWN] == "#000000"
    shades = np.array(figure.data[0].z, dtype=float)
    assert shades[0, 1] > shades[0, 2] > shades[1, 0]
    assert np.isnan(np.diag(shades)).all()
    hover = figure.data[0].hovertext
    assert hover[0][1] == f"C beats {plotly('<b>A</b>')} in at least 4 of 4 data sets"
    assert hover[1][1] == ""


def test_average_ranks_of_enough_data_sets_are_drawn(app) -> None:
    button(app, "Several tracks and metrics")()
    go(app, "boards")
    app.segmented_control(key="across each").set_value("dataset").run()
    finished(app.toggle(key="across").set_value(True).run())
    assert not app.exception
    assert "A thick bar joins systems whose average ranks aren't found to differ." in words(app)
    ranks = next(frame for frame in frames(app) if "Bars" in frame)
    assert ranks["System"].iloc[0] == "Alder"
