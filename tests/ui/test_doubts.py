"""A file that may have been read wrong gets no result before the question is settled by one click."""

from __future__ import annotations

import numpy as np
import pytest
from ui.driver import button, go, upload, words

RNG = np.random.default_rng(2)
N = 40
BOARD = {name: (100 * RNG.uniform(0.3, 0.6 + i / 10, N)).round(1) for i, name in enumerate("ABC")}


def table(**columns: np.ndarray) -> bytes:
    own = {**BOARD, **columns}
    rows = [f"u{i}," + ",".join(str(values[i]) for values in own.values()) for i in range(N)]
    return "\n".join([",".join(["item", *own]), *rows]).encode()


def withheld(app) -> bool:
    return any("There is no result until 1 question" in error.value for error in app.error)


def typo() -> np.ndarray:
    values = BOARD["B"].copy()
    values[7] = 655
    return values


@pytest.mark.parametrize(
    ("columns", "asked", "label", "becomes"),
    [
        ({"B": typo()}, "655 stands among scores", "Leave the row u7 out", "**39 items**"),
        ({"B": typo()}, "655 stands among scores", "This is right", "to **655**"),
        ({"B": (BOARD["B"] / 100).round(3)}, "on the same scale", "× 100: B", "scores from **3"),
        ({"weight": BOARD["A"][::-1]}, "'weight'", "Leave out weight", "**3 systems**"),
        ({"weight": BOARD["A"][::-1]}, "'weight'", "This is right", "**4 systems**"),
        ({"Median": BOARD["A"][::-1]}, "named like statistics", "Leave out Median", "**3 systems**"),
    ],
)
def test_one_click_settles_the_question(app, columns, asked: str, label: str, becomes: str) -> None:
    upload(app, table(**columns))
    assert any(asked in error.value for error in app.error)
    assert withheld(app)
    button(app, label)()
    assert not app.error
    assert becomes in words(app)
    assert any("better than" in title.value or "Top group" in title.value for title in app.header)


def test_other_pages_say_nothing_either(app) -> None:
    upload(app, table(B=typo()))
    for page in ("leaderboard", "heatmap", "report", "pair", "posterior", "power"):
        go(app, page)
        assert withheld(app)


@pytest.mark.parametrize("page", ["leaderboard", "report"])
def test_the_sentence_for_a_paper_waits_and_is_settled_on_its_page(app, page: str) -> None:
    upload(app, table(B=typo()))
    go(app, page)
    assert "There is no sentence to copy before this is settled" in words(app)
    assert not any("systems were compared (higher" in code.value for code in app.main.code)
    button(app, "Leave the row u7 out")()
    assert not app.error
    assert "There is no sentence to copy" not in words(app)
    go(app, "report")
    said = "3 systems were compared (higher is better) on 39 items"
    assert any(said in code.value for code in app.main.code)


def test_columns_that_count_become_systems_by_one_click(app) -> None:
    counted = {str(i): RNG.uniform(0.5, 0.9, N).round(3) for i in range(12)}
    rows = [f"set {i}," + ",".join(str(own[i]) for own in counted.values()) for i in range(N)]
    upload(app, "\n".join([",".join(["dataset", *counted]), *rows]).encode())
    assert "'0' to '11' seem to be runs of one system" in app.warning[0].value
    assert not app.error
    button(app, "Each of these columns is a system")()
    assert "**12 systems**" in words(app)
