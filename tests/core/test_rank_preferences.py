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
    assert found.degrees_of_freedom == {None: 299, "prompt": 39}.get(clusters, 8)
    for place, row in enumerate(found.pairs_frame().itertuples()):
        expected = ns.bradley_terry_difference(
            TABLE, row.system_a, row.system_b, clusters=clusters, ties=ties
        )
        assert (row.difference, row.standard_error) == pytest.approx(expected, rel=1e-9)
        freedom, error = float(found.pair_freedom[place]), float(found.pair_adjusted_error[place])
        assert 1 <= row.degrees_of_freedom == freedom <= found.degrees_of_freedom
        assert error >= row.standard_error
        t = abs(row.difference / error)
        assert row.p_value == row.p_adjusted == pytest.approx(2 * stats.t.sf(t, freedom), rel=1e-9)
        margin = stats.t.ppf(0.975, freedom) * error
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


@pytest.mark.parametrize("busy", [False, True])
def test_clusters_are_counted_by_the_battles_they_hold(busy):
    """30 raters are enough unless two of them gave most battles."""
    rng = np.random.default_rng(3)
    weights = np.ones(30) / 30
    if busy:
        weights = np.r_[0.4, 0.4, np.full(28, 0.2 / 28)]
    raters = rng.choice(30, 600, p=weights)
    names = np.array([rng.permutation(list("ABCD"))[:2] for _ in range(600)])
    table = pd.DataFrame(
        {"model_a": names[:, 0], "model_b": names[:, 1], "winner": rng.choice(["model_a", "model_b"], 600)}
    ).assign(rater=[f"r{i}" for i in raters])
    found = {note.code: note for note in ns.rank_preferences(table, clusters="rater").notes}
    assert list(found) == (["uneven-clusters"] if busy else [])
    if busy:
        sizes = np.bincount(raters)
        effective = sizes.sum() ** 2 / (sizes**2).sum()
        assert f"as about {effective:.0f} of equal size" in str(found["uneven-clusters"])


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
        ({"correction": "shaffer"}, ns.ConfigError, "correction of preferences 'shaffer'"),
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
    assert "5 of 15 pairs are found to differ (holm, alpha 0.05). Top group: ant, bee, dog." in shown
    assert main(["preferences", str(FILE), "--ties", "davidson", "--clusters", "none", "--json", "-"]) == 0
    data = json.loads(capsys.readouterr().out)
    assert data == json.loads(
        json.dumps(ns.rank_preferences(ns.read_battles(FILE), ties="davidson", clusters=None).to_dict())
    )
    assert math.isclose(data["leaderboard"][0]["strength"], 1.0491538080135707, rel_tol=1e-9)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--alpha", "x"], "--alpha must be a finite number"),
        (["--clusters", "a,b,c"], "--clusters takes one column"),
        (["--ties", "elo"], "Unknown treatment of ties 'elo'"),
    ],
)
def test_options_that_cannot_be_used(arguments, message, capsys):
    assert main(["preferences", str(FILE), *arguments]) == 2
    printed = capsys.readouterr()
    assert message in printed.err
    assert printed.out == ""


@pytest.mark.parametrize("clusters", ["prompt", None, ("prompt", "rater")])
def test_a_board_is_made_again_from_its_settings(clusters):
    board = ns.rank_preferences(TABLE, ties="davidson", clusters=clusters, correction="max-t", alpha=0.1)
    told = json.loads(json.dumps(board.to_dict()))["config"]
    assert ns.rank_preferences(TABLE, **told).to_dict() == board.to_dict()


def test_categories_are_boards_of_their_own(capsys):
    table = TABLE.assign(topic=np.where(np.arange(300) < 170, "maths", "law"))
    table.loc[0, "topic"] = "alone"
    boards = ns.preference_boards(table, "topic", correction="none")
    assert list(boards) == ["maths", "law", "alone"]
    for name in ("maths", "law"):
        alone = ns.rank_preferences(table[table["topic"] == name], correction="none")
        assert boards[name].top_group == alone.top_group
        for column in ("strength", "standard_error", "lower", "rank_high"):
            found, expected = (one.leaderboard_frame()[column].tolist() for one in (boards[name], alone))
            assert found == pytest.approx(expected, rel=1e-9)
    assert "There is one" in boards["alone"] or "infinite" in boards["alone"]
    with pytest.raises(ns.ScoreError, match="no column 'subject'"):
        ns.preference_boards(table, "subject")
    with pytest.raises(ns.ScoreError, match="more than 100 boards"):
        ns.preference_boards(table.assign(n=np.arange(300)), "n")
    assert main(["preferences", str(FILE), "--by", "winner"]) == 2
    assert "no column 'winner'" in capsys.readouterr().err


def test_the_command_writes_checks_and_reports(tmp_path, capsys):
    file = tmp_path / "battles.csv"
    TABLE.assign(length_a=np.arange(300) % 11, length_b=np.arange(300) % 7).to_csv(file, index=False)
    assert main(["preferences", str(file), "--checks", "--out", str(tmp_path / "out")]) == 0
    shown = capsys.readouterr().out
    for said in (
        "No misfit is found: in none of 15 pairs that met",
        "shown first",
        "clusters by prompt and rater",
        "without rater '3'",
        "To separate neighbours on the board, the most informative next battle is eel against dog.",
    ):
        assert said in shown
    written = {path.name: path.read_text() for path in (tmp_path / "out").iterdir()}
    assert set(written) == {
        *("preferences.json", "leaderboard.csv", "pairs.csv", "misfit.csv"),
        *("report.html", "report.md", "report.tex"),
    }
    data = json.loads(written["preferences.json"])
    assert data["checks"]["next_pair"] == ["eel", "dog"]
    for said in (
        "Bradley and Terry's model with ties as half wins was fitted to 300 battles of 6 systems",
        "clusters by prompt (40 clusters) (Liang and Zeger, 1986)",
        "corrected by the method of Holm (",
        "5 of 15 pairs are found to differ",
    ):
        assert said in written["report.md"]
    assert main(["preferences", str(file), "--checks", "--styles", "width"]) == 2
    assert "no columns of numbers for 'width'" in capsys.readouterr().err


def test_names_in_reports_are_text_and_nothing_else(tmp_path, capsys):
    names = ["<b>x</b>", "=1+1", "a\\b & c_d"]
    rows = [(names[i], names[(i + 1) % 3], "a") for i in range(3)] * 4 + [
        (names[i], names[(i + 1) % 3], "b") for i in range(3)
    ] * 3
    file = tmp_path / "b.csv"
    pd.DataFrame(rows, columns=["model_a", "model_b", "winner"]).to_csv(file, index=False)
    assert main(["preferences", str(file), "--out", str(tmp_path / "out")]) == 0
    capsys.readouterr()
    assert "<b>x</b>" not in (tmp_path / "out" / "report.html").read_text()
    assert "c\\_d" in (tmp_path / "out" / "report.tex").read_text()


def test_battles_without_an_entry_are_said_to_be_on_no_board():
    battles = {
        **{"model_a": list("uvuv") * 9, "model_b": list("vuvu") * 9, "winner": list("aabb") * 9},
        "topic": ["x", "x", "y", None] * 9,
    }
    boards = ns.preference_boards(battles, "topic", clusters=None)
    texts = [note.text for note in boards["x"].notes if note.code == "battles-on-no-board"]
    assert texts == ["9 of 36 battles have nothing in 'topic' and are on no board."]
    with pytest.raises(ns.ScoreError, match="Column 'topic' is empty"):
        ns.preference_boards({**battles, "topic": [None] * 36}, "topic")


def test_prompts_with_a_gap_are_told_where_battles_count_as_independent():
    """One empty cell among hundreds makes the default forget the prompts: that is said, with its remedy."""
    prompts = [f"q{i}" for i in range(18)] * 2
    battles = {"model_a": list("uv") * 18, "model_b": list("vu") * 18, "winner": list("aabb") * 9}
    whole = ns.rank_preferences({**battles, "prompt": prompts})
    assert whole.clusters == "prompt"
    gap = ns.rank_preferences({**battles, "prompt": [None, *prompts[1:]]})
    assert gap.clusters == ""
    text = next(note.text for note in gap.notes if note.code == "battles-alone")
    assert text.endswith(
        "'prompt' names prompts, but 1 battle lacks one: fill these cells or leave the battles out, and "
        "errors are by prompt."
    )
    plain = ns.rank_preferences(battles)
    assert next(note.text for note in plain.notes).endswith("Name their column as clusters.")
