"""The pair page: address, menus, steps, exploration; and opening it from the heatmap."""

from __future__ import annotations

from ui.driver import button, choose, finished, go, open_app, score_file, show, unfold, upload, words

from dashboard.scores.reading_form import OPEN_REFUSED


def test_the_address_names_the_pair() -> None:
    at = open_app("pair", a="sys002", b="sys000")
    assert "No scores yet" in words(at)
    go(at, "scores")
    at.query_params["a"], at.query_params["b"] = "sys002", "sys000"
    upload(at, score_file(4))
    go(at, "pair")
    assert (at.selectbox(key="a").value, at.selectbox(key="b").value) == ("sys002", "sys000")


def test_an_address_with_unknown_systems_is_ignored() -> None:
    at = open_app("pair", a="nobody", b="<script>")
    button(at, "Try the example")()
    assert not at.exception
    assert "H0 for" in words(at)


def test_the_four_steps_are_there(app) -> None:
    upload(app, score_file(4))
    go(app, "pair")
    said = words(app)
    assert "1. The data" in said
    assert "Skewness" in said
    assert "Recommended" in said
    assert "H0 for" in said
    assert len(app.get("plotly_chart")) == 3
    tables = [table.value for table in app.table]
    assert any("Effect size" in table.columns for table in tables)


def test_the_same_system_twice_is_explained(app) -> None:
    upload(app, score_file(3))
    go(app, "pair")
    app.selectbox(key="a").set_value("sys000").run()
    finished(app.selectbox(key="b").set_value("sys000").run())
    assert not app.exception
    assert "two different systems" in words(app)


def test_a_chosen_pair_survives_page_changes(app) -> None:
    upload(app, score_file(4))
    go(app, "pair")
    finished(app.selectbox(key="b").set_value("sys000").run())
    go(app, "methods")
    go(app, "pair")
    assert app.selectbox(key="b").value == "sys000"


def test_pairs_outside_the_baseline_are_explained(app) -> None:
    upload(app, score_file(4))
    finished(app.selectbox(key="baseline").set_value("sys000").run())
    go(app, "pair")
    assert not app.exception
    finished(app.selectbox(key="b").set_value("sys000").run())
    assert "H0 for" in words(app)


def test_other_tests_and_corrections_are_marked_as_exploration(app) -> None:
    upload(app, score_file(3))
    finished(app.selectbox(key="question").set_value("each-pair").run())
    go(app, "pair")
    assert "Exploration only" in words(app)
    finished(app.toggle(key="other tests").set_value(True).run())
    tests, corrections = (table.value for table in app.table[-2:])
    assert "How computed" in tests.columns
    assert len(tests) >= 3
    assert list(corrections["Correction"][:4]) == [
        "No correction",
        "Bonferroni",
        "Šidák",
        "Holm (this analysis)",
    ]
    assert "max-T is left out: it goes with one of these tests" in words(app)
    verdict = next(metric for metric in app.metric if metric.label == "Adjusted p")
    assert corrections["Adjusted p"][3] == verdict.value


def test_corrections_of_one_fixed_test_are_all_there(app) -> None:
    upload(app, score_file(4))
    finished(app.selectbox(key="test").set_value("t").run())
    finished(app.selectbox(key="correction").set_value("max-t").run())
    go(app, "pair")
    finished(app.toggle(key="other tests").set_value(True).run())
    corrections = app.table[-1].value
    assert corrections["Correction"].iloc[-1] == "Westfall–Young max-T (this analysis)"
    assert len(corrections) == 11
    assert "left out" not in words(app)
    assert "of 11 corrections (Paired t test, 6 pairs corrected together)" in words(app)


def test_the_address_says_what_the_menus_say(app) -> None:
    upload(app, score_file(4))
    go(app, "pair")
    assert app.query_params == {"a": "sys003", "b": "sys002"}
    finished(app.selectbox(key="b").set_value("sys000").run())
    assert app.query_params == {"a": "sys003", "b": "sys000"}
    go(app, "power")
    assert app.query_params == {"a": "sys003", "b": "sys000"}
    go(app, "methods")
    assert app.query_params == {}
    app.query_params = {"a": "sys001", "b": "nobody"}
    go(app, "pair")
    assert app.query_params == {"a": "sys001", "b": "sys000"}


def links_to_pairs(at) -> list[str]:
    return [link.proto.query_string for link in at.main.get("page_link") if "a=" in link.proto.query_string]


def test_a_cell_of_the_heatmap_opens_its_pair(app) -> None:
    upload(app, score_file(4))
    go(app, "heatmap")
    assert links_to_pairs(app) == []
    app.session_state["heatmap chart"] = {"selection": {"points": [{"x": 3, "y": 0}]}}
    app.run()
    assert links_to_pairs(app) == ["a=sys003&b=sys000"]  # the browser follows it: tests/app/test_address.py
    app.session_state["heatmap chart"] = {"selection": {"points": [{"x": 2, "y": 2}]}}
    app.run()
    assert links_to_pairs(app) == []


def test_a_cell_of_the_table_can_be_opened(app) -> None:
    upload(app, score_file(4))
    unfold(go(app, "heatmap"))
    app.session_state["heatmap table"] = {"selection": {"cells": [[1, "sys000"]]}}
    app.run()
    assert app.title[0].value == "Heatmap"  # arrow keys choose every cell on their way
    assert links_to_pairs(app) == ["a=sys002&b=sys000"]


def test_missing_scores_and_disjoint_systems(app) -> None:
    lines = [f"u{i},{i},{i + 1 if i < 10 else ''},{i * 2 if i >= 10 else ''}" for i in range(20)]
    upload(app, "\n".join(["item,A,B,C", *lines]).encode())
    assert "missing" in words(app)
    for page in ("leaderboard", "heatmap", "report", "pair"):
        go(app, page)
        assert not app.exception, page
    app.selectbox(key="a").set_value("B").run()
    finished(app.selectbox(key="b").set_value("C").run())
    assert not app.exception


def test_the_board_shows_the_fit_beside_the_score_on_own_units(app) -> None:
    lines = [f"u{i},{i + i % 3},{i + 1 + i % 2 if i < 10 else ''},{i}" for i in range(20)]
    upload(app, "\n".join(["item,A,B,C", *lines]).encode())
    go(app, "leaderboard")
    board = next(frame.value for frame in app.dataframe if "Rank" in frame.value.columns)
    row = board.set_index("System").loc["B"]
    assert row["On own items"] == 6.0
    assert row["Score"] > 10
    assert board["System"][0] == "B"
    assert "least-squares fit" in words(app)


def test_correcting_the_reading(app) -> None:
    upload(app, score_file(3))
    show(app)
    direction = next(box for box in app.selectbox if box.label == "Direction")
    assert direction.value is None
    direction.set_value(True)
    button(app, "Read again")()
    assert not app.exception
    assert "lower is better" in words(app)
    board = next(frame.value for frame in app.dataframe if "Rank" in frame.value.columns)
    assert board["System"][0] == "sys000"


def test_a_refused_file_can_be_read_another_way(app) -> None:
    upload(app, b"item,A,B\n1,2,3\n1,3,4\n2,4,5\n2,7,5\n3,1,2\n")
    assert any("This file can't be used" in error.value for error in app.error)
    show(app, OPEN_REFUSED)
    choose(app, item="label")
    button(app, "Read the file with these roles")()
    assert not app.exception
    assert not any("This file can't be used" in error.value for error in app.error)
    assert "**2 systems**" in words(app)
    assert "Label columns: item" in words(app)


def test_a_wrong_correction_is_explained(app) -> None:
    upload(app, score_file(3))
    show(app)
    next(box for box in app.selectbox if box.label == "Between columns").set_value(";")
    button(app, "Read again")()
    assert not app.exception
    assert any("can't be used" in error.value for error in app.error)
    assert "of 3 pairs are found to differ" in words(app)


def test_independent_samples_are_shown_as_such(app) -> None:
    rows = [f"u{i},{i % 2}," for i in range(30)] + [f"v{i},,{int(i % 3 > 0)}" for i in range(24)]
    upload(app, "\n".join(["item,A,B", *rows]).encode())
    go(app, "pair")
    assert "were not compared" in words(app)
    finished(app.selectbox(key="test").set_value("welch-t").run())
    said = words(app)
    assert not app.exception
    assert "Independent samples" in said
    assert "F test of equal variances" in said
    assert "Cramér's V" in said
    assert "Skewness" not in said
    assert len(app.get("plotly_chart")) >= 2
    tables = [table.value for table in unfold(app).table if "Effect size" in table.value.columns]
    chosen, others = (set(table["Effect size"]) for table in tables)  # those of the settings, then the rest
    assert "Cohen's d (unpaired)" in chosen
    assert "Cliff's delta (unpaired)" in others
    assert any("(" in str(value) for table in tables for value in table["Value"])


def test_simultaneous_intervals_stand_on_the_pair_and_on_the_leaderboard(app) -> None:
    upload(app, score_file(4))
    finished(app.multiselect(key="intervals").set_value(["simultaneous"]).run())
    go(app, "pair")
    facts = [label for table in app.table for label in map(str, table.value.index)]
    assert any("simultaneous 95% interval" in label for label in facts)
    go(app, "leaderboard")
    assert not app.exception
    assert "Differences with simultaneous intervals" in words(app)
    assert "all 6 compared pairs" in words(app)
    tables = [frame.value for frame in app.dataframe if "Difference" in frame.value.columns]
    assert len(tables[0]) == 3
    finished(app.multiselect(key="intervals").set_value([]).run())
    assert "simultaneous" not in words(app)


def solved_file() -> bytes:
    """40 tasks: both solve ten, only Ada seven, only Bob three."""
    cells = [(1, 1)] * 10 + [(1, 0)] * 7 + [(0, 1)] * 3 + [(0, 0)] * 20
    return "\n".join(["item,Ada,Bob", *(f"t{i},{a},{b}" for i, (a, b) in enumerate(cells))]).encode()


def test_solved_tasks_are_a_table_of_four_and_lists_of_those_only_one_solves(app) -> None:
    upload(app, solved_file())
    app.query_params["a"], app.query_params["b"] = "Bob", "Ada"
    go(app, "pair")
    table = next(t.value for t in app.table if "Ada fails" in t.value.columns)
    assert table.loc["Bob solves"].tolist() == ["10", "3", "13"]
    assert table.loc["Bob fails"].tolist() == ["7", "20", "27"]
    cards = {metric.label: metric.value for metric in app.metric}
    assert cards["Difference of means"] == "-10 pp"
    assert cards["Mean of Bob"] == "32.5 %"
    assert "solves 10 percentage points less of 40 items" in words(app)
    button(app, "List the 7 only Ada solves")()
    listed = next(f.value for f in app.dataframe if "difference" in f.value)
    assert len(listed) == 7
    assert (listed["difference"] == -1).all()


def test_p_of_the_pair_alone_stands_beside_that_of_the_family(app) -> None:
    upload(app, score_file(4))
    go(app, "pair")
    cards = {metric.label: metric.value for metric in app.metric}
    assert {"p, this pair alone", "Adjusted p"} <= set(cards)
    finished(app.selectbox(key="correction").set_value("none").run())
    assert "p" in {metric.label for metric in app.metric}


def test_the_order_that_was_chosen_holds_everywhere(app) -> None:
    upload(app, score_file(4))
    for pair in (("sys003", "sys000"), ("sys000", "sys003")):
        app.query_params["a"], app.query_params["b"] = pair
        go(app, "pair")
        card = next(metric.value for metric in app.metric if metric.label == "Difference of means")
        assert card.startswith("-") == (pair[0] == "sys000")
        assert f"H0 for {pair[0]} − {pair[1]}" in words(app)
        assert f"Differences are {pair[0]} minus {pair[1]}" in words(app)
        go(app, "methods")
