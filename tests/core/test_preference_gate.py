"""Gates, changes, parts and replays of boards of preferences."""

import json
import xml.etree.ElementTree as xml

import numpy as np
import pandas as pd
import pytest
from golden.golden import INPUTS
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

import nlpstat_core as ns
from nlpstat_core.cli import main

FILE = INPUTS / "battles.csv"
TABLE = pd.read_csv(FILE).assign(rater=np.arange(300) % 9)


@pytest.mark.parametrize("ties", ["half", "davidson"])
@pytest.mark.parametrize("clusters", [None, "prompt"])
@pytest.mark.parametrize("margin", [0, 0.4, 3])
def test_a_gate_decides_by_the_interval_of_the_single_comparison(ties, clusters, margin):
    found = ns.preference_gate(TABLE, baseline="dog", margin=margin, ties=ties, clusters=clusters)
    assert [one.system for one in found.candidates] == [s for s in found.board.systems if s != "dog"]
    level = 0.05 / 5
    board = ns.rank_preferences(TABLE, ties=ties, clusters=clusters)
    for one in found.candidates:
        difference, error = ns.bradley_terry_difference(TABLE, one.system, "dog", clusters, ties)
        assert (one.difference, one.error) == pytest.approx((difference, error), rel=1e-9)
        row = board.rows_of(
            np.array([board.systems.index(one.system)]), np.array([board.systems.index("dog")])
        )
        freedom = float(board.pair_freedom[row][0])
        error = float(board.pair_adjusted_error[row][0])
        assert error >= one.error
        expected = [
            stats.t.sf((difference + margin) / error, freedom),
            stats.t.cdf((difference + margin) / error, freedom),
            stats.t.sf(difference / error, freedom),
        ]
        assert [one.p_non_inferior, one.p_inferior, one.p_superior] == pytest.approx(expected, rel=1e-8)
        assert one.lower == pytest.approx(difference - stats.t.ppf(1 - level, freedom) * error)
        decided = "pass" if expected[0] < level else "fail" if expected[1] < level else "undecided"
        assert (one.decision, one.superior) == (decided, expected[2] < level)
        assert (one.battles_to_decide is None) == (decided != "undecided")
        if ties == "half":
            assert one.share == pytest.approx(1 / (1 + np.exp(-difference)))
    decisions = {one.decision for one in found.candidates}
    assert found.decision == next(d for d in ("fail", "undecided", "pass") if d in decisions)
    assert json.loads(json.dumps(found.to_dict()))["decision"] == found.decision


def test_so_many_battles_decide_a_gate_with_a_chance_of_80_percent():
    """With the error and the degrees of freedom that the gate decides by."""
    gate = ns.preference_gate(TABLE, baseline="dog", margin=0.1, candidates=["cat"])
    one, board = gate.candidates[0], gate.board
    assert one.decision == "undecided"
    places = [np.array([board.systems.index(name)]) for name in ("cat", "dog")]
    row = int(board.rows_of(*places)[0])
    error = board.pair_adjusted_error[row] * np.sqrt(300 / one.battles_to_decide)
    power = stats.norm.sf(stats.t.ppf(0.95, board.pair_freedom[row]) - abs(one.difference + 0.1) / error)
    assert power == pytest.approx(0.8, abs=1e-3)


def test_only_ties_decide_nothing():
    found = ns.preference_gate([("u", "v", "tie")] * 9, baseline="u", margin=1)
    assert (found.decision, found.candidates[0].battles_to_decide) == ("undecided", None)
    assert json.loads(json.dumps(found.to_dict()))["candidates"][0]["p_superior"] is None


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"margin": -1}, "margin must be a number"),
        ({"margin": "x"}, "margin must be a number"),
        ({"margin": float("nan")}, "margin must be a number"),
        ({"baseline": "gnu"}, "No battle has a system 'gnu'"),
        ({"candidates": ["gnu"]}, "No battle has a system 'gnu'"),
        ({"candidates": ["dog"]}, "needs a candidate beside its baseline 'dog'"),
        ({"candidates": []}, "needs a candidate beside its baseline 'dog'"),
        ({"candidates": ["cat"], "alpha": 0.6}, "alpha below 0.5"),
    ],
)
def test_gates_that_cannot_be_run(settings, message):
    with pytest.raises(ns.NlpstatError, match=message):
        ns.preference_gate(TABLE, **{"baseline": "dog", "margin": 0.1, **settings})


@given(st.integers(0, 10_000))
def test_changes_are_decisions_and_ranks_by_name(seed):
    rng = np.random.default_rng(seed)
    boards = []
    for names in (list("vwxyz"), list("zyxwu")):
        pairs = np.array([rng.choice(5, 2, replace=False) for _ in range(200)])
        won = rng.random(200) < 1 / (1 + np.exp(0.4 * (pairs[:, 0] - pairs[:, 1])))
        named = np.array(names, dtype=object)
        rows = zip(named[pairs[:, 0]], named[pairs[:, 1]], np.where(won, "a", "b"), strict=True)
        boards.append(ns.rank_preferences(list(rows), correction="none", clusters=None))
    found = ns.preference_changes(*boards)
    assert (found.added, found.removed, set(found.systems)) == (("u",), ("v",), set("wxyz"))
    assert (found.settings, found.n_compared) == ({}, 6)

    def verdicts(board):
        """What is found of each system against each other, from the table of pairs."""
        told = {}
        for row in board.pairs_frame().itertuples():
            sign = (row.difference > 0) - (row.difference < 0) if row.significant else 0
            told[row.system_a, row.system_b], told[row.system_b, row.system_a] = sign, -sign
        return told

    old, new = map(verdicts, boards)
    words = {1: "stronger", -1: "weaker", 0: "not found to differ"}
    common = found.systems
    expected = {
        (a, b, words[old[a, b]], words[new[a, b]])
        for i, a in enumerate(common)
        for b in common[i + 1 :]
        if old[a, b] != new[a, b]
    }
    assert set(found.flipped) == expected
    assert len(found.flipped) == len(expected)
    ranks = []
    for board in boards:
        order = [name for name in board.leaderboard_frame()["system"] if name in common]
        ranks.append({name: place for place, name in enumerate(order, 1)})
    assert set(found.ranks) == {
        (name, ranks[0][name], ranks[1][name]) for name in common if ranks[0][name] != ranks[1][name]
    }
    assert json.loads(json.dumps(found.to_dict()))["n_compared"] == 6


def test_boards_that_have_no_pair_in_common():
    board = ns.rank_preferences(TABLE)
    other = ns.rank_preferences([("ant", "x", "a"), ("ant", "x", "b")] * 9)
    with pytest.raises(ns.AnalysisError, match="no two systems in common"):
        ns.preference_changes(board, other)
    with pytest.raises(ns.AnalysisError, match="compares two boards"):
        ns.preference_changes(board, TABLE)


def test_the_commands_gate_and_changes_know_battles(tmp_path, capsys):
    old, new = tmp_path / "old.csv", tmp_path / "new.csv"
    TABLE[:150].to_csv(old, index=False)
    TABLE[150:].to_csv(new, index=False)
    arguments = ["gate", str(new), "--baseline", str(old), "--baseline-system", "dog", "--margin", "0.4"]
    junit = tmp_path / "gate.xml"
    found = ns.preference_gate(TABLE, baseline="dog", margin=0.4)
    status = {"pass": 0, "fail": 1, "undecided": 2}[found.decision]
    assert main([*arguments, "--junit", str(junit)]) == status
    shown = capsys.readouterr().out
    assert "at most 0.4 weaker than dog by battles (errors by prompt)?" in shown
    cases = xml.fromstring(junit.read_text()).findall("testcase")
    assert [case.get("name") for case in cases] == [one.system for one in found.candidates]
    assert main([*arguments, "--json"]) == status
    data = json.loads(capsys.readouterr().out)
    assert data["candidates"] == json.loads(json.dumps(found.to_dict()))["candidates"]
    assert main([*arguments, "--markdown", "--candidate", "ant"]) == 0
    assert "| ant | ✅ PASS |" in capsys.readouterr().out
    assert main([*arguments, "--csv"]) == status
    assert capsys.readouterr().out.count("\n") == 6
    assert main(["gate", str(new), "--baseline", str(old), "--margin", "1"]) == 3
    assert "--baseline-system" in capsys.readouterr().err
    assert main([*arguments, "--test", "t"]) == 3
    assert "nothing depends on test" in capsys.readouterr().err

    assert main(["changes", str(old), str(FILE), "--json", "-q"]) == 0
    data = json.loads(capsys.readouterr().out)
    boards = [ns.rank_preferences(ns.read_battles(file)) for file in (old, FILE)]
    assert data == json.loads(json.dumps(ns.preference_changes(*boards).to_dict()))
    assert main(["changes", str(old), str(FILE), "--correction", "none"]) == 0
    assert "150 battles before, 300 now." in capsys.readouterr().out


@pytest.mark.parametrize("kind", ["parquet", "xlsx"])
def test_gate_and_changes_know_battles_in_tables_with_types(kind, tmp_path, capsys):
    file = tmp_path / f"battles.{kind}"
    if kind == "parquet":
        TABLE.to_parquet(file)
    else:
        TABLE.to_excel(file, index=False)
    found = ns.preference_gate(TABLE, baseline="dog", margin=0.4, candidates=["ant"])
    assert (
        main(["gate", str(file), "--baseline", "dog", "--margin", "0.4", "--candidate", "ant", "--json"]) == 0
    )
    shown = json.loads(capsys.readouterr().out)["candidates"]
    assert shown == json.loads(json.dumps(found.to_dict()))["candidates"]
    assert main(["changes", str(file), str(FILE)]) == 0
    assert "300 battles before, 300 now." in capsys.readouterr().out
    with pytest.raises(ns.ScoreFileError, match="rank the systems by preferences"):
        ns.read_scores(file)


@pytest.mark.parametrize("options", [[], ["--ties", "davidson", "--clusters", "none", "--alpha", "0.1"]])
def test_a_report_is_made_again_by_its_command(options, tmp_path, capsys):
    first, second = tmp_path / "first", tmp_path / "second"
    assert main(["preferences", str(FILE), *options, "--out", str(first)]) == 0
    assert "preferences … --config preferences.json --checks" in (first / "report.md").read_text()
    replayed = ["preferences", str(FILE), "--config", str(first / "preferences.json")]
    assert main([*replayed, "--out", str(second)]) == 0
    for file in first.iterdir():
        assert file.read_bytes() == (second / file.name).read_bytes()
    capsys.readouterr()
    assert main([*replayed, "--alpha", "0.2", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["config"]["alpha"] == 0.2
    (tmp_path / "odd.json").write_text('{"test": "t"}')
    assert main(["preferences", str(FILE), "--config", str(tmp_path / "odd.json")]) == 2
    assert "no settings of preferences but 'test'" in capsys.readouterr().err


def test_a_part_of_the_battles(tmp_path, capsys):
    battles = ns.read_battles(FILE)
    table = TABLE.assign(topic=np.where(np.arange(300) < 170, "maths", "law"))
    file = tmp_path / "b.csv"
    table.to_csv(file, index=False)
    assert main(["preferences", str(file), "--only", "topic=maths", "--json"]) == 0
    data = json.loads(capsys.readouterr().out)
    alone = ns.rank_preferences(table[:170])
    assert data["top_group"] == list(alone.top_group)
    assert data["n_battles"] == 170
    assert [note["text"] for note in data["notes"]] == [
        "Only the 170 of 300 battles whose 'topic' is 'maths'."
    ]
    for entry, message in (("topic", "--only takes"), ("topic=art", "has 'art'"), ("x=1", "no column 'x'")):
        assert main(["preferences", str(file), "--only", entry]) == 2
        assert message in capsys.readouterr().err
    with pytest.raises(ns.ScoreError, match="no column"):
        battles.only("topic", "maths")
