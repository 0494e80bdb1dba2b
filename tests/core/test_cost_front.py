"""Score against cost: the front from its definition, its probability by every resample, what is said."""

import itertools
import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import nlpstat_core as ns
from nlpstat_core.analysis.cost import on_front
from nlpstat_core.cli import main
from nlpstat_core.report.wording.cost import front_headline, front_sentence


def dominates(score, cost, i, j):
    """Whether i is at least as good as j on both and better on one."""
    as_good = score[i] >= score[j] and cost[i] <= cost[j]
    return as_good and (score[i] > score[j] or cost[i] < cost[j])


points = st.lists(st.tuples(st.integers(-3, 3), st.integers(0, 4)), min_size=2, max_size=7)


@given(points)
def test_none_on_the_front_is_dominated_and_each_off_it_is_by_one_on_it(given_points):
    score, cost = np.array(given_points, dtype=float).T
    front = on_front(score[None], cost[None])[0]
    n = len(score)
    for j in range(n):
        by = [i for i in range(n) if dominates(score, cost, i, j)]
        assert front[j] == (not by)
        assert front[j] or any(front[i] for i in by)


@given(points, st.randoms(use_true_random=False))
def test_order_scale_and_other_rows_change_nothing(given_points, random):
    score, cost = np.array(given_points, dtype=float).T
    front = on_front(score[None], cost[None])[0]
    order = list(range(len(score)))
    random.shuffle(order)
    again = on_front(7.3 * score[None, order] + 11, 0.001 * cost[None, order] + 5)[0]
    assert again.tolist() == front[order].tolist()
    rows = on_front(np.stack([score, -score]), np.stack([cost, cost]))
    assert rows[0].tolist() == front.tolist()


def board(seed=0, n=4, systems="ABC", lower=False, decimals=1, **more):
    rng = np.random.default_rng(seed)
    values = rng.normal(2, 1, size=(n, len(systems))).round(decimals)
    costs = {"s": rng.gamma(4, 1, size=values.shape).round(decimals), "tokens": np.ones(values.shape)}
    return ns.ScoreMatrix(values=values, systems=systems, lower_is_better=lower, costs=costs, **more)


@pytest.mark.parametrize(("seed", "lower"), [(0, False), (1, True), (4, False)])
def test_probabilities_are_those_of_all_resamples(seed, lower):
    scores = board(seed, lower=lower)
    expected = np.zeros(3)
    every = list(itertools.product(range(4), repeat=4))
    for rows in every:
        score = np.round(scores.values[list(rows)].sum(axis=0), 9) * (-1 if lower else 1)
        cost = np.round(scores.costs["s"][list(rows)].sum(axis=0), 9)
        expected += [not any(dominates(score, cost, i, j) for i in range(3)) for j in range(3)]
    found = ns.score_against_cost(scores, config=ns.AnalysisConfig(resamples=20_000))
    by_name = dict(zip(found.systems, found.probability, strict=True))
    assert [by_name[name] for name in "ABC"] == pytest.approx(expected / len(every), abs=0.015)


def test_documents_are_drawn_as_wholes():
    one = board(3, n=5)
    twice = ns.ScoreMatrix(
        values=np.repeat(one.values, 3, axis=0),
        systems="ABC",
        costs={"s": np.repeat(one.costs["s"], 3, axis=0)},
        labels={"doc": tuple(f"d{i // 3}" for i in range(15))},
    )
    config = ns.AnalysisConfig(resamples=500, block_column="doc")
    found = ns.score_against_cost(twice, config=config)
    alone = ns.score_against_cost(one, "s", config=ns.AnalysisConfig(resamples=500))
    assert found.probability == pytest.approx(alone.probability)
    assert (found.documents, alone.documents) == ("doc", "")


def test_means_and_intervals_are_those_of_the_leaderboard():
    scores = board(5, n=30, systems="ABCD", decimals=3)
    found = ns.score_against_cost(scores, "s")
    analysis = ns.analyse(scores)
    assert found.systems == analysis.leaderboard.system
    assert found.score == pytest.approx(analysis.leaderboard.score)
    assert found.score_interval == pytest.approx(analysis.leaderboard.interval)
    cost = ns.analyse(
        ns.ScoreMatrix(values=scores.costs["s"], systems="ABCD", lower_is_better=True)
    ).leaderboard
    order = [cost.system.index(name) for name in found.systems]
    assert found.mean_cost == pytest.approx(cost.score[order])
    assert found.cost_interval == pytest.approx(cost.interval[order])
    for name, by in found.beaten_by.items():
        assert name not in found.front
        assert by
        assert set(by) <= set(found.front)


def test_what_is_missing_is_left_out_and_said():
    scores = board(2, n=20, systems="ABCD")
    cost = scores.costs["s"].copy()
    cost[:, 3], cost[4, 1] = np.nan, np.nan
    ragged = ns.ScoreMatrix(values=scores.values, systems="ABCD", costs={"s": cost})
    found = ns.score_against_cost(ragged)
    assert set(found.systems) == set("ABC")
    assert found.items == 19
    texts = " ".join(note.text for note in found.notes)
    assert "Left out because their cost 's' isn't known: 'D'" in texts
    assert "1 item without score and 's' of all systems" in texts
    rows = np.delete(np.arange(20), 4)
    same = ns.score_against_cost(scores.columns([0, 1, 2]).rows(rows), "s")
    assert found.score == pytest.approx(same.score)
    with pytest.raises(ns.AnalysisError, match="have no costs"):
        ns.score_against_cost(ns.ScoreMatrix(values=scores.values, systems="ABCD"))
    with pytest.raises(ns.AnalysisError, match="Did you mean 'tokens'"):
        ns.score_against_cost(scores, "token")
    cost[:, 1:] = np.nan
    with pytest.raises(ns.AnalysisError, match="Fewer than two systems"):
        ns.score_against_cost(ns.ScoreMatrix(values=scores.values, systems="ABCD", costs={"s": cost}))


def test_sentences_name_who_stands_where():
    values = np.tile([3.0, 2.0, 1.0], (6, 1))
    sure = ns.ScoreMatrix(values=values, systems="ABC", costs={"s": values[:, ::-1] * [1, 1, 2]})
    found = ns.score_against_cost(sure)
    assert front_headline(found) == "A matches or beats every other system on both score and s."
    assert "agree on every system" in front_sentence(found)
    found = ns.score_against_cost(board(0))
    on = [name for name, here in zip(found.systems, found.on_front, strict=True) if here]
    assert front_headline(found).startswith(f"{len(on)} of 3 systems are on the front of score and s")
    unsure = found.on_front & (found.probability < 0.95)
    assert unsure.any()
    name = found.systems[int(np.flatnonzero(unsure)[0])]
    assert f"{name} ({100 * found.probability[found.systems.index(name)]:.0f} %)" in front_sentence(found)


def test_the_command_prints_the_front(tmp_path, capsys):
    scores = board(5, n=12)
    rows = ["system,item,acc,seconds,tokens"]
    for i, j in itertools.product(range(12), range(3)):
        rows.append(f"{'ABC'[j]},{i},{scores.values[i, j]},{scores.costs['s'][i, j]},{i + j}")
    path = tmp_path / "long.csv"
    path.write_text("\n".join(rows), encoding="utf-8")
    assert main(["cost", str(path), "--json"]) == 0
    written = json.loads(capsys.readouterr().out)
    found = ns.score_against_cost(ns.read_scores(path), "seconds")
    assert written == json.loads(json.dumps(found.to_dict()))
    assert main(["cost", str(path), "--cost", "tokens"]) == 0
    text = capsys.readouterr().out
    assert "on the front of acc and tokens" in text or "on both acc and tokens" in text
    assert main(["cost", str(path), "--csv"]) == 0
    assert capsys.readouterr().out.startswith("system,score,score_lower")
    path.write_text("item,A,B\n1,2,3\n2,3,1\n", encoding="utf-8")
    assert main(["cost", str(path)]) == 2
    assert "give a column of cost, time, tokens or length" in capsys.readouterr().err
