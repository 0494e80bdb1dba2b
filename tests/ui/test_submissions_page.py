"""Gold and outputs on the landing page: how they come in, what is said of them, their board."""

from __future__ import annotations

import io
import zipfile

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest
from ui.driver import button, finished, go, upload, words

from dashboard.parts.folded import FOLD
from dashboard.scores.submissions import FIELDS

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
    for page in ("leaderboard", "heatmap", "pair", "items", "power", "report"):
        go(app, page)
        assert not app.exception, page


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
    assert "is here as gold. Now drop the outputs" in words(app)
    button(app, "It has the outputs, too")()
    assert "**2 systems** · **60 items**" in words(app)


def test_scores_dropped_afterwards_are_another_board(app: AppTest) -> None:
    gold, outputs = task()
    submit(app, outputs, gold)
    upload(app, b"item,A,B\n" + b"".join(b"u%d,%d,%d\n" % (i, i % 3, i % 2) for i in range(20)))
    assert "**2 systems**" in words(app)
    assert "accuracy" not in words(app)
