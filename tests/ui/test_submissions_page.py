"""Gold and outputs on the landing page: how they come in, what is said of them, their board."""

from __future__ import annotations

import io
import zipfile

import numpy as np
import pytest
from sklearn.metrics import f1_score
from streamlit.testing.v1 import AppTest
from ui.driver import PAGE_NAMES, button, finished, go, unfold, upload, words

from dashboard.parts.folded import FOLD
from dashboard.scores.submissions import FIELDS
from dashboard.session.taking_back import _size

LABELS = ("happy", "sad", "angry")
N = 60


def answers(rng: np.random.Generator, gold: list[str], right: float) -> list[str]:
    return [one if rng.random() < right else str(rng.choice(LABELS)) for one in gold]


def task(teams: int = 3) -> tuple[list[str], dict[str, list[str]]]:
    """Gold and the outputs of some teams, the first the best."""
    rng = np.random.default_rng(5)
    gold = [str(label) for label in rng.choice(LABELS, N, p=[0.6, 0.3, 0.1])]
    return gold, {f"team{k}": answers(rng, gold, 0.9 - 0.25 * k) for k in range(teams)}


def table(column: list[str], head: str = "label", rows: slice = slice(None)) -> bytes:
    lines = [f"i{place},{cell}" for place, cell in enumerate(column)][rows]
    return "\n".join([f"id,{head}", *lines]).encode()


def archive(files: dict[str, bytes]) -> bytes:
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w") as written:
        for name, data in files.items():
            written.writestr(name, data)
    return target.getvalue()


def platform_export(outputs: dict[str, list[str]]) -> bytes:
    """As a competition platform packs submissions: a folder a team, an archive an attempt."""
    files = {}
    for team, column in outputs.items():
        for attempt in (1, 2):
            given = column if attempt == 2 else column[::-1]
            inner = archive({"answer/predictions.csv": table(given), "metadata": b"x"})
            files[f"export/{team}/{attempt}/answer.zip"] = inner
    return archive(files)


def drop(at: AppTest, what: str, *files: tuple[str, bytes]) -> AppTest:
    at.session_state[FOLD.format(FIELDS)] = True
    at.run()
    field = next(field for field in at.file_uploader if str(field.key).startswith(f"{what}-"))
    field.set_value([(name, data, "text/csv") for name, data in files]).run()
    return finished(at)


def submit(at: AppTest, outputs: dict[str, list[str]] | bytes, gold: list[str]) -> AppTest:
    drop(at, "gold", ("gold.csv", table(gold)))
    if isinstance(outputs, bytes):
        return drop(at, "outputs", ("export.zip", outputs))
    return drop(at, "outputs", *((f"{team}.csv", table(column)) for team, column in outputs.items()))


def leaderboard(at: AppTest):
    return next(frame.value for frame in at.dataframe if "Rank interval" in frame.value.columns)


def test_gold_and_a_platforms_export_become_a_board(app: AppTest) -> None:
    gold, outputs = task()
    submit(app, platform_export(outputs), gold)
    assert not app.exception
    assert not app.error
    said = words(app)
    assert "**3 systems** · **60 items** with labels · joined by ids · no output missing" in said
    assert "by **accuracy** (higher is better)" in said
    frame = leaderboard(app)
    shares = {team: np.mean(np.array(column) == np.array(gold)) for team, column in outputs.items()}
    assert dict(zip(frame["System"], frame["Score"], strict=True)) == pytest.approx(shares)
    go(app, "pair")
    said = words(app)
    differ = sum(a != b for a, b in zip(outputs["team0"], outputs["team1"], strict=True))
    right = [
        sum(own == label != other for label, own, other in zip(gold, outputs[a], outputs[b], strict=True))
        for a, b in (("team0", "team1"), ("team1", "team0"))
    ]
    assert f"their answers differ on **{differ}**" in said
    assert f"on **{sum(right)}**: team0 on {right[0]}, team1 on {right[1]}." in said
    assert {metric.label for metric in app.metric} >= {"Accuracy of team0", "Difference in accuracy"}
    items = frame_with(app, "influence")
    assert len(items) == sum(right)
    assert set(items["right"]) == {"team0", "team1"}
    labels = frame_with(app, "share").set_index("label")
    assert labels["items"].to_dict() == {label: gold.count(label) for label in LABELS}


def test_a_measure_that_is_no_mean_on_every_page(app: AppTest) -> None:
    gold, outputs = task()
    submit(app, outputs, gold)
    measures = next(menu for menu in app.multiselect if menu.label.startswith("Measures"))
    finished(measures.set_value(["macro-f1", "accuracy"]).run())
    assert "by **macro-F1** (higher is better)" in words(app)
    assert "differ in macro-F1" in words(app)
    expected = {team: f1_score(gold, column, average="macro") for team, column in outputs.items()}
    frame = leaderboard(app)
    assert dict(zip(frame["System"], frame["Score"], strict=True)) == pytest.approx(expected)
    values = frame_with(app, "macro-F1").set_index("System")
    assert values["macro-F1"].to_dict() == pytest.approx(expected)
    for page in PAGE_NAMES[1:]:
        unfold(go(app, page))
        assert not app.exception, page
        if page == "leaderboard":
            column = next(frame.value for frame in app.dataframe if "angry " in frame.value.columns)
            one = f1_score(gold, outputs["team0"], average=None, labels=["angry"])[0]
            assert float(column["angry "].iloc[0].partition(" [")[0]) == pytest.approx(one, abs=0.005)
        if page == "power":
            assert "true differences in macro-F1 below" in words(app)
            assert f"{N} test items are needed to find" in words(app)
            assert (
                "in macro-F1 with power 0.8 (Swap test of macro-F1 in the form of a t test, two-sided"
                in words(app)
            )
            assert "Filled in from this board: Swap test of macro-F1" in words(app)
            assert "Paired t test" not in words(app)
            assert {"Needed", "At most"} <= set(frame_with(app, "Needed").columns)
        if page == "items":
            moves = frame_with(app, "influence")
            biggest = moves.iloc[0]
            assert moves["influence"].is_monotonic_decreasing
            assert biggest["influence"] == pytest.approx(largest_change(gold, outputs, biggest["item"]))
        if page == "boards":
            assert not app.error
            cells = " ".join(str(frame.value.to_dict()) for frame in app.dataframe)
            assert "macro-F1" in cells
            assert "accuracy" in cells
    menu = next(box for box in app.selectbox if "accuracy" in box.options)
    finished(menu.set_value("accuracy").run())
    go(app, "scores")
    assert "by **accuracy** (higher is better)" in words(app)


def largest_change(gold: list[str], outputs: dict[str, list[str]], item: str) -> float:
    """How far leaving an item out changes the difference of some pair, by definition."""
    place = int(item[1:])
    changes = []
    for column in outputs.values():
        rest = [[*cells[:place], *cells[place + 1 :]] for cells in (gold, column)]
        changes.append(f1_score(gold, column, average="macro") - f1_score(*rest, average="macro"))
    return max(changes) - min(changes)


def frame_with(at: AppTest, column: str):
    return next(frame.value for frame in at.dataframe if column in frame.value.columns)


def test_one_system_has_its_measures_and_nothing_to_compare(app: AppTest) -> None:
    gold, outputs = task(1)
    submit(app, outputs, gold)
    assert "there is one" in app.info[0].value
    share = np.mean(np.array(outputs["team0"]) == np.array(gold))
    assert frame_with(app, "accuracy")["accuracy"].tolist() == pytest.approx([share])
    button(app, "Start again")()
    assert not app.info


def test_reading_that_fails_keeps_the_board_and_can_be_mended(app: AppTest) -> None:
    gold, outputs = task(2)
    submit(app, outputs, gold)
    submit(app, outputs, ["happy\0"] * N)
    assert app.error[0].value.startswith("These outputs can't be used.")
    assert "Still showing gold.csv" in app.error[0].value
    assert "**2 systems**" in words(app)
    button(app, "Start again")()
    assert not app.error
    box = next(box for box in app.selectbox if box.label == "Outputs are")
    box.set_value("texts")
    button(app, "Read again")()
    assert "**60 items** with texts" in words(app)
    assert "by **BLEU**" in words(app)


def test_the_tab_that_comes_back_has_its_outputs_again(app: AppTest) -> None:
    gold, outputs = task(2)
    submit(app, outputs, gold)
    here = app.session_state["_session"]
    assert here.submitted.files.size == len(table(gold)) + len(here.submitted.files.outputs[0])
    assert _size(here) >= here.submitted.files.size + len(here.submitted.outputs.packed)
    here.rest()
    go(app, "pair")
    assert "What the two systems answered" in words(app)
    button(app, "Forget my data")()
    assert app.session_state["_session"].submitted is None
    assert "What the two systems answered" not in words(app)
    button(app, "Undo")()
    assert "What the two systems answered" in words(app)


def test_missing_outputs_are_asked_about(app: AppTest) -> None:
    gold, outputs = task()
    drop(app, "gold", ("gold.csv", table(gold)))
    files = [
        (f"{team}.csv", table(column, rows=slice(3 * (team == "team1"), None)))
        for team, column in outputs.items()
    ]
    drop(app, "outputs", *files)
    assert "'team1' has no output for 3 of 60 items" in app.error[0].value
    button(app, "Leave these items out")()
    assert "**3** of 180 outputs missing" in words(app)
    assert not app.error


def test_one_table_has_gold_and_outputs(app: AppTest) -> None:
    gold, outputs = task(2)
    rows = zip(gold, *outputs.values(), strict=True)
    lines = [f"i{place},{','.join(cells)}" for place, cells in enumerate(rows)]
    data = "\n".join([",".join(["id", "gold", *outputs]), *lines]).encode()
    drop(app, "gold", ("task.csv", data))
    assert "is loaded as gold. Now drop the outputs" in words(app)
    button(app, "It also has the outputs")()
    assert "**2 systems** · **60 items**" in words(app)


def test_scores_dropped_afterwards_are_another_board(app: AppTest) -> None:
    gold, outputs = task()
    submit(app, outputs, gold)
    upload(app, b"item,A,B\n" + b"".join(b"u%d,%d,%d\n" % (i, i % 3, i % 2) for i in range(20)))
    assert "**2 systems**" in words(app)
    assert "accuracy" not in words(app)
