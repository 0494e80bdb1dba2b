"""Boards of connected groups: strongly connected components, each ranked alone, with what is left out."""

import json

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

import nlpstat_core as ns
from nlpstat_core.analysis.preference_boards import battles_of_group, connected_groups
from nlpstat_core.cli import main
from nlpstat_core.scores.battle_tables import as_battles

ROWS = (
    [("u", "v", "a"), ("v", "u", "a"), ("v", "w", "tie")] * 9
    + [("x", "y", "a"), ("y", "x", "a")] * 7
    + [("x", "u", "a"), ("loser", "u", "b")] * 4
)


def reached(battles, start):
    """Systems that a chain of wins or ties leads to."""
    beats = {
        (a, b) for a, b, one in zip(battles.left, battles.right, battles.outcome, strict=True) if one >= 0
    }
    beats |= {
        (b, a) for a, b, one in zip(battles.left, battles.right, battles.outcome, strict=True) if one <= 0
    }
    seen, new = {start}, {start}
    while new:
        new = {b for a, b in beats if a in new} - seen
        seen |= new
    return seen


@given(st.integers(0, 10_000))
def test_groups_reach_each_other_both_ways(seed):
    rng = np.random.default_rng(seed)
    pairs = [rng.choice(6, 2, replace=False) for _ in range(int(rng.integers(3, 12)))]
    battles = as_battles([(f"s{a}", f"s{b}", rng.choice(["a", "b", "tie"])) for a, b in pairs])
    n = battles.n_systems
    to = [reached(battles, place) for place in range(n)]
    expected = {frozenset(b for b in range(n) if b in to[a] and a in to[b]) for a in range(n)}
    expected = {group for group in expected if len(group) > 1}
    found = {
        frozenset(battles.systems.index(name) for name in battles_of_group(battles, first).systems)
        for first in connected_groups(battles)
    }
    assert found == expected
    assert list(connected_groups(battles)) == [
        battles.systems[min(group)] for group in sorted(expected, key=min)
    ]


def test_each_group_is_ranked_as_if_it_were_alone():
    boards = ns.connected_boards(ROWS, clusters=None)
    assert list(boards) == ["u", "x"]
    alone = ns.rank_preferences([row for row in ROWS if set(row[:2]) <= set("uvw")], clusters=None)
    assert boards["u"].leaderboard_frame().equals(alone.leaderboard_frame())
    assert boards["u"].pairs_frame().equals(alone.pairs_frame())
    said = {note.code: str(note) for note in boards["u"].notes}["connected-group"]
    assert "27 of 49 battles among the 3 systems" in said
    assert "left out: 'x', 'y', 'loser'" in said


def test_connected_battles_are_one_board_without_a_note():
    battles = [("u", "v", "a"), ("v", "w", "a"), ("w", "u", "tie")] * 9
    boards = ns.connected_boards(battles, clusters=None)
    assert boards["u"].to_dict() == ns.rank_preferences(battles, clusters=None).to_dict()


def test_what_has_no_board_is_said():
    with pytest.raises(ns.AnalysisError, match="No two systems have beaten or tied"):
        ns.connected_boards([("u", "v", "a"), ("v", "w", "a")])
    with pytest.raises(ns.ScoreError, match="connected to no other system"):
        battles_of_group(as_battles(ROWS), "loser")
    with pytest.raises(ns.AnalysisError, match="rank every connected group alone"):
        ns.rank_preferences(ROWS)
    table = pd.DataFrame(ROWS, columns=["model_a", "model_b", "winner"]).assign(rater="one")
    assert "one cluster of 'rater' only" in ns.connected_boards(table, clusters="rater")["u"]


def test_the_command(tmp_path, capsys):
    file = tmp_path / "battles.csv"
    pd.DataFrame(ROWS, columns=["model_a", "model_b", "winner"]).to_csv(file, index=False)
    assert main(["preferences", str(file), "--connected"]) == 0
    shown = capsys.readouterr().out
    assert "The group of u\n\n27 battles of 3 systems" in shown
    assert "The group of x\n\n14 battles of 2 systems" in shown
    assert main(["preferences", str(file), "--connected", "--json"]) == 0
    data = json.loads(capsys.readouterr().out)
    boards = ns.connected_boards(ns.read_battles(file))
    assert data == json.loads(json.dumps({name: board.to_dict() for name, board in boards.items()}))
    assert main(["preferences", str(file), "--connected", "--by", "rater"]) == 2
    assert "Choose --by or --connected" in capsys.readouterr().err
    assert main(["preferences", str(file), "--connected", "--checks"]) == 2
    assert "are of one board" in capsys.readouterr().err
