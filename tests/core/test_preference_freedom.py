"""Degrees of freedom of preferences: by whole matrices, golden values, few and odd clusters."""

import numpy as np
import pandas as pd
import pytest
from golden.golden import INPUTS, agree, load
from hypothesis import given
from hypothesis import strategies as st

import nlpstat_core as ns
from nlpstat_core.methods.preferences import shares
from nlpstat_core.methods.preferences.fit import fitted
from nlpstat_core.methods.preferences.freedom import degrees_of_freedom
from nlpstat_core.scores.battle_tables import as_battles

TABLE = pd.read_csv(INPUTS / "battles.csv").assign(rater=np.arange(300) % 9)


def defined(battles, ties, clusters):
    """Freedom and found share of every system and pair, from G by clusters and cross products by battles."""
    fit = fitted(battles, ties)
    m, n = battles.n_systems, battles.n_battles
    codes, number = battles.clusters(clusters)
    d = fit.strengths[battles.left] - fit.strengths[battles.right]
    if fit.model.tie_parameter:
        parts = np.exp(np.stack([d / 2, np.full(n, fit.parameters[-1]), -d / 2]))
        win, _, loss = parts / parts.sum(axis=0)
        residual = (battles.outcome - (win - loss)) / 2
        weight = (win + loss) / 4 - ((win - loss) / 2) ** 2
    else:
        p = 1 / (1 + np.exp(-d))
        residual, weight = (1 + battles.outcome) / 2 - p, p * (1 - p)
    design = np.zeros((n, m))
    design[np.arange(n), battles.left] += 1
    design[np.arange(n), battles.right] -= 1
    own = [(design[codes == c].T * weight[codes == c]) @ design[codes == c] for c in range(number)]
    scores = [design[codes == c].T @ residual[codes == c] for c in range(number)]
    inverse = np.linalg.inv(fit.information)[:m, :m]
    squares = sum(one @ one for one in own)
    noise = (residual @ residual) / weight.sum()
    of_noise = sum(np.trace(one - one @ inverse @ one) for one in own)
    of_taste = sum(
        np.trace(one @ one - 2 * one @ inverse @ one @ one + one @ inverse @ squares @ inverse @ one)
        for one in own
    )
    taste = max(0.0, (sum(u @ u for u in scores) - noise * of_noise) / of_taste)
    left, right = np.triu_indices(m, 1)
    contrasts = [np.eye(m)[i] - 1 / m for i in range(m)]
    contrasts += [np.eye(m)[i] - np.eye(m)[j] for i, j in zip(left, right, strict=True)]
    freedom, found = [], []
    for contrast in contrasts:
        w = inverse @ contrast
        share = np.array([w @ one @ w for one in own])
        g = noise * share + taste * np.array([w @ one @ one @ w for one in own])
        around = np.eye(number) - np.outer(share / share.sum(), np.ones(number))
        covariance = around @ np.diag(g) @ around.T
        trace = np.trace(covariance)
        freedom.append(trace**2 / np.trace(covariance @ covariance))
        found.append(min(1.0, number / (number - 1) * trace / g.sum()))
    return np.array(freedom), np.array(found)


def of(battles, ties="half", clusters="prompt"):
    left, right = np.triu_indices(battles.n_systems, 1)
    return degrees_of_freedom(fitted(battles, ties), battles, clusters, left, right)


@pytest.mark.parametrize("ties", ["half", "davidson"])
@pytest.mark.parametrize("clusters", ["prompt", "rater"])
def test_they_are_those_of_the_definition(ties, clusters):
    battles = as_battles(TABLE)
    known = of(battles, ties, clusters)
    freedom, found = defined(battles, ties, clusters)
    inside = np.clip(freedom, 1, battles.clusters(clusters)[1] - 1)
    if ties == "half":  # else Davidson's block of the inverse has a little besides the strengths' own
        assert known.freedom == pytest.approx(inside, rel=1e-8)
        assert known.found == pytest.approx(found, rel=1e-8)
    assert known.freedom == pytest.approx(inside, rel=2e-3)
    assert known.found == pytest.approx(found, rel=2e-3)


def test_golden_values():
    """By statsmodels' fit and cross products of its design matrix."""
    board = ns.rank_preferences(TABLE, clusters="prompt")
    found = load("preference_freedom", "satterthwaite")
    assert len(found) == 15
    for golden in found:
        row = board.rows_of(*(np.array([board.systems.index(str(golden.options[k]))]) for k in "ab"))[0]
        freedom = board.pair_freedom[row]
        share = (board.difference_error[row] / board.pair_adjusted_error[row]) ** 2
        agree(golden, rel=1e-8, freedom=freedom, found=share)


def even(copies, rng):
    """The same battles by every rater, each with its own outcomes."""
    pairs = np.array([(a, b) for a in range(4) for b in range(4) if a != b] * 3)
    names = np.array(list("wxyz"), dtype=object)
    return pd.DataFrame(
        {
            "model_a": np.tile(names[pairs[:, 0]], copies),
            "model_b": np.tile(names[pairs[:, 1]], copies),
            "winner": rng.choice(["model_a", "model_b", "tie"], copies * len(pairs)),
            "rater": np.repeat([f"r{i}" for i in range(copies)], len(pairs)),
        }
    )


@given(st.integers(0, 1000), st.integers(3, 12))
def test_clusters_that_are_alike_have_one_less_than_their_number(seed, copies):
    known = of(as_battles(even(copies, np.random.default_rng(seed))), clusters="rater")
    assert known.freedom == pytest.approx(copies - 1, rel=1e-9)
    assert known.found == pytest.approx(1, rel=1e-9)


@pytest.mark.parametrize("copies", [3, 40])
def test_small_clusters_alike_have_one_less_too(copies, monkeypatch):
    monkeypatch.setattr(shares, "LARGE", 2.0)
    known = of(as_battles(even(copies, np.random.default_rng(1))), clusters="rater")
    assert known.freedom == pytest.approx(copies - 1, rel=1e-9)
    assert known.found == pytest.approx(1, rel=1e-9)


def test_small_clusters_are_as_good_by_what_they_hold_of_each_system(monkeypatch):
    """Raters of whom some give four times as many battles as others, by either way."""
    rng = np.random.default_rng(4)
    raters = rng.choice(80, 2000, p=np.repeat([0.02, 0.005], 40))
    table = even(60, rng).head(2000).assign(rater=raters)
    exact = of(as_battles(table), clusters="rater")
    monkeypatch.setattr(shares, "LARGE", 2.0)
    local = of(as_battles(table), clusters="rater")
    assert local.freedom == pytest.approx(exact.freedom, rel=0.03)
    assert local.found == pytest.approx(exact.found, abs=0.002)
    assert (exact.freedom < 65).all()


def test_single_battles_are_clusters_by_either_way():
    table = TABLE.assign(own=np.arange(300).repeat(1))
    sums = of(as_battles(table), clusters=None)
    one_by_one = of(as_battles(pd.concat([table, table.iloc[[0]]])), clusters="own")
    assert sums.freedom == pytest.approx(one_by_one.freedom, rel=0.08)


def test_two_kinds_of_clusters_have_those_of_the_one_that_knows_less():
    battles = as_battles(TABLE)
    both, prompts, raters = (of(battles, clusters=one) for one in (("prompt", "rater"), "prompt", "rater"))
    assert both.freedom.tolist() == np.minimum(prompts.freedom, raters.freedom).tolist()
    assert (raters.freedom < prompts.freedom).all()
    assert both.found.tolist() == raters.found.tolist()


def test_a_system_that_one_rater_judged_is_not_tested():
    """Its scores sum to nothing within its one cluster: the sandwich finds no variance at all."""
    table = pd.concat([TABLE, TABLE, TABLE], ignore_index=True).assign(rater=np.arange(900) % 45)
    fox = (table["model_a"] == "fox") | (table["model_b"] == "fox")
    table = pd.concat([table[~fox], table[fox].head(30)], ignore_index=True)
    fox = (table["model_a"] == "fox") | (table["model_b"] == "fox")
    board = ns.rank_preferences(table.assign(rater=np.where(fox, 3, table["rater"])), clusters="rater")
    place = board.systems.index("fox")
    of_fox = (board.left == place) | (board.right == place)
    assert (board.pair_adjusted_error[of_fox] > 1.2 * board.difference_error[of_fox]).all()
    assert (board.pair_freedom[of_fox] < 5).all()
    assert (board.pair_freedom[~of_fox] > 5).all()
    assert "thin-pairs" in {note.code for note in board.notes}
    alone = pd.DataFrame(
        {
            "model_a": ["u"] * 20 + ["v"] * 40,
            "model_b": ["v"] * 20 + ["w"] * 40,
            "winner": ["a", "b", "a", "a"] * 15,
            "rater": [0] * 20 + [1, 2, 3, 4] * 10,
        }
    )
    found = ns.rank_preferences(alone, clusters="rater")
    row = found.rows_of(np.array([0]), np.array([1]))
    assert np.isnan(found.p_value[row]).all()
    assert "one-cluster" in {note.code for note in found.notes}
    assert ns.rank_preferences(alone, clusters="rater", correction="max-t").p_adjusted.shape == (3,)


@given(st.integers(0, 10_000))
def test_neither_the_order_of_battles_nor_who_stands_first_nor_names_matter(seed):
    rng = np.random.default_rng(seed)
    table = TABLE.sample(150, random_state=seed).reset_index(drop=True)
    turned = table.copy()
    flip = rng.random(150) < 0.5
    turned.loc[flip, ["model_a", "model_b"]] = table.loc[flip, ["model_b", "model_a"]].to_numpy()
    sides = {"model_a": "model_b", "model_b": "model_a", "tie": "tie"}
    turned.loc[flip, "winner"] = table.loc[flip, "winner"].map(sides)
    turned = turned.sample(frac=1, random_state=seed).assign(prompt=turned["prompt"].str.replace("p", "q"))
    try:
        boards = [ns.rank_preferences(one, clusters="prompt") for one in (table, turned)]
    except ns.AnalysisError:  # no finite strengths
        return
    found = []
    for board in boards:
        of_pairs = {}
        for row, (a, b) in enumerate(zip(board.left, board.right, strict=True)):
            names = frozenset((board.systems[a], board.systems[b]))
            of_pairs[names] = (board.pair_freedom[row], board.pair_adjusted_error[row], board.p_value[row])
        found.append(of_pairs)
    for names, numbers in found[0].items():
        assert found[1][names] == pytest.approx(numbers, rel=1e-6)
