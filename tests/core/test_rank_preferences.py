"""A board of preferences: its pairs one by one, corrections, ranks that stay open, notes, the command."""

import json
import math

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
BOARD = ns.rank_preferences(TABLE)


@pytest.mark.parametrize("ties", ["half", "davidson"])
@pytest.mark.parametrize("clusters", [None, "prompt", ("prompt", "rater")])
def test_pairs_are_those_of_the_single_comparison(ties, clusters):
    found = ns.rank_preferences(TABLE, ties=ties, clusters=clusters, correction="none")
    freedom = {None: 299, "prompt": 39}.get(clusters, 8)
    assert found.degrees_of_freedom == freedom
    for row in found.pairs_frame().itertuples():
        expected = ns.bradley_terry_difference(
            TABLE, row.system_a, row.system_b, clusters=clusters, ties=ties
        )
        assert (row.difference, row.standard_error) == pytest.approx(expected, rel=1e-9)
        t = abs(row.difference / row.standard_error)
        assert row.p_value == row.p_adjusted == pytest.approx(2 * stats.t.sf(t, freedom), rel=1e-9)
        margin = stats.t.ppf(0.975, freedom) * row.standard_error
        assert (row.lower, row.upper) == pytest.approx((row.difference - margin, row.difference + margin))


def test_errors_of_strengths_follow_from_those_of_all_differences():
    """Strengths sum to 0: Σ_j var(θ_i − θ_j) = m·var(θ_i) + Σ var(θ_j)."""
    m = len(BOARD.systems)
    squares = np.zeros((m, m))
    squares[BOARD.left, BOARD.right] = squares[BOARD.right, BOARD.left] = BOARD.difference_error**2
    total = squares.sum() / (2 * m)
    assert BOARD.error**2 == pytest.approx((squares.sum(axis=1) - total) / m, rel=1e-9)
    assert dict(zip(BOARD.systems, BOARD.strength, strict=True)) == pytest.approx(
        ns.bradley_terry_strengths(TABLE)
    )


def test_records_of_pairs_are_counted():
    for row in BOARD.pairs_frame().itertuples():
        wins = {row.system_a: 0, row.system_b: 0, "tie": 0}
        for battle in TABLE.itertuples():
            if {battle.model_a, battle.model_b} == {row.system_a, row.system_b}:
                wins[{"model_a": battle.model_a, "model_b": battle.model_b, "tie": "tie"}[battle.winner]] += 1
        assert (row.wins_a, row.wins_b, row.ties) == tuple(wins.values())


@given(st.integers(0, 10_000), st.sampled_from(["holm", "none", "benjamini-hochberg", "hommel"]))
def test_ranks_follow_from_decided_pairs(seed, correction):
    rng = np.random.default_rng(seed)
    n = 120
    pairs = np.array([rng.choice(5, 2, replace=False) for _ in range(n)])
    names = np.array(list("vwxyz"), dtype=object)
    won = rng.random(n) < 1 / (1 + np.exp(0.6 * (pairs[:, 0] - pairs[:, 1])))
    table = {
        "model_a": names[pairs[:, 0]],
        "model_b": names[pairs[:, 1]],
        "winner": np.where(rng.random(n) < 0.3, "tie", np.where(won, "model_a", "model_b")),
    }
    found = ns.rank_preferences(table, clusters=None, correction=correction)
    assert found.p_adjusted == pytest.approx(ns.adjust_p_values(found.p_value, correction))
    assert (found.significant == (found.p_adjusted <= 0.05)).all()
    better = dict.fromkeys(found.systems, 0)
    worse = dict(better)
    for row in found.pairs_frame().itertuples():
        if row.significant:
            stronger, weaker = (
                (row.system_a, row.system_b) if row.difference > 0 else (row.system_b, row.system_a)
            )
            worse[stronger] += 1
            better[weaker] += 1
    board = found.leaderboard_frame()
    for row in board.itertuples():
        assert (row.rank_low, row.rank_high) == (1 + better[row.system], 5 - worse[row.system])
        assert row.rank == 1 + (board["strength"] > row.strength).sum()
    assert board["strength"].is_monotonic_decreasing
    assert found.top_group == tuple(row.system for row in board.itertuples() if not better[row.system])


def test_prompts_are_found_by_their_name_or_their_lack_is_told():
    assert BOARD.clusters == "prompt"
    assert BOARD.notes == ()
    alone = ns.rank_preferences(TABLE.drop(columns="prompt"))
    assert (alone.clusters, [note.code for note in alone.notes]) == ("", ["battles-alone"])
    few = ns.rank_preferences(TABLE, clusters="rater")
    assert [note.code for note in few.notes] == ["few-clusters"]
    apart = TABLE[~(TABLE["model_a"].isin(["dog", "fox"]) & TABLE["model_b"].isin(["dog", "fox"]))]
    assert [note.code for note in ns.rank_preferences(apart).notes] == ["never-met"]


def test_equal_systems_share_a_rank_and_ties_alone_decide_nothing():
    found = ns.rank_preferences([("u", "v", "tie"), ("v", "w", "tie")] * 5)
    assert found.rank.tolist() == [1, 1, 1]
    assert np.isnan(found.p_value).all()
    assert found.top_group == ("u", "v", "w")
    assert json.loads(json.dumps(found.to_dict()))["pairs"][0]["p_value"] is None


@pytest.mark.parametrize(
    ("settings", "error", "message"),
    [
        ({"ties": "none"}, ns.ConfigError, "treatment of ties"),
        ({"alpha": 1}, ns.ConfigError, "alpha must be"),
        ({"correction": "max-t"}, ns.ConfigError, "correction of preferences 'max-t'"),
        ({"correction": ["holm"]}, ns.ConfigError, "correction of preferences"),
        ({"correction": "holmes"}, ns.ConfigError, "Did you mean 'holm'"),
        ({"clusters": "topic"}, ns.ScoreError, "no column 'topic'"),
    ],
)
def test_settings_that_cannot_be_used(settings, error, message):
    with pytest.raises(error, match=message):
        ns.rank_preferences(TABLE, **settings)


def test_the_command(capsys):
    assert main(["preferences", str(FILE)]) == 0
    shown = capsys.readouterr().out
    assert "300 battles of 6 systems; ties as half wins, errors by prompt" in shown
    assert "6 of 15 pairs are found to differ (holm, alpha 0.05). Top group: ant, bee." in shown
    assert main(["preferences", str(FILE), "--ties", "davidson", "--clusters", "none", "--json", "-"]) == 0
    data = json.loads(capsys.readouterr().out)
    assert data == json.loads(
        json.dumps(ns.rank_preferences(ns.read_battles(FILE), ties="davidson", clusters=None).to_dict())
    )
    assert math.isclose(data["leaderboard"][0]["strength"], 1.0491538080135707, rel_tol=1e-9)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--alpha", "x"], "--alpha must be a number"),
        (["--clusters", "a,b,c"], "--clusters takes one column"),
        (["--ties", "elo"], "Unknown treatment of ties 'elo'"),
    ],
)
def test_options_that_cannot_be_used(arguments, message, capsys):
    assert main(["preferences", str(FILE), *arguments]) == 2
    printed = capsys.readouterr()
    assert message in printed.err
    assert printed.out == ""
