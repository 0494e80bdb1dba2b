"""Which items to label next: the draw, its probabilities, and the estimate that minds them."""

import io

import numpy as np
import pandas as pd
import pytest
from scipy import special

import nlpstat_core as ns
from nlpstat_core.cli import main
from nlpstat_core.methods.judged.corrected import corrected_means, stratified_means
from nlpstat_core.report.exports.data.csv_text import csv_text


def board(values, labels=None):
    systems = tuple(f"s{i}" for i in range(values.shape[1]))
    return ns.ScoreMatrix(
        values=values, systems=systems, units=tuple(f"q{i}" for i in range(len(values))), labels=labels or {}
    )


def scores(rng, n=400, k=4):
    """Items on which systems differ little or much, and a judge that sees both."""
    spread = np.exp(rng.normal(size=(n, 1)))
    people = rng.normal(size=(n, 1)) + np.arange(k) / 5 + spread * rng.normal(size=(n, k))
    return people, people + spread * rng.normal(size=people.shape) + np.arange(k)[::-1]


@pytest.mark.parametrize(("first", "more", "strata"), [(0, 12, 1), (0, 40, 2), (30, 50, 4), (60, 60, 6)])
def test_the_draw_keeps_what_it_promises(first, more, strata):
    rng = np.random.default_rng(first)
    people, judge = scores(rng)
    people[rng.permutation(400)[first:]] = np.nan
    given = {"auto": board(judge)} | ({"human": board(people)} if first else {})
    plan = ns.plan_labels(given, more, seed=3)
    again = ns.plan_labels(given, more, seed=3)
    assert np.array_equal(plan.chosen, again.chosen)
    assert not np.array_equal(plan.chosen, ns.plan_labels(given, more, seed=4).chosen)
    assert (plan.human, plan.judge) == ("human", "auto")
    assert plan.chosen.sum() == more
    assert plan.labelled.sum() == first
    assert not (plan.chosen & plan.labelled).any()
    frame = plan.strata_frame()
    assert len(frame) == strata
    assert frame["items"].max() - frame["items"].min() <= 2
    for row in frame.itertuples():
        rows = plan.stratum == row.stratum
        share = (plan.chosen | plan.labelled)[rows].mean()
        assert plan.probability[rows] == pytest.approx(np.full(rows.sum(), share))
        assert (plan.chosen | plan.labelled)[rows].sum() >= 8
    if strata == 2:  # where systems disagree more, more is labelled
        assert frame["to label"][1] > frame["to label"][0]


def test_every_item_of_a_stratum_is_as_likely():
    _, judge = scores(np.random.default_rng(1), n=40, k=2)
    plans = [ns.plan_labels({"auto": board(judge)}, 16, seed=seed) for seed in range(600)]
    often = np.mean([plan.chosen for plan in plans], axis=0)
    assert often == pytest.approx(plans[0].probability, abs=0.09)


def test_means_are_weighted_by_strata_from_the_definition():
    rng = np.random.default_rng(2)
    people, judge = scores(rng)
    strata = rng.integers(0, 3, 400)
    labelled = rng.random(400) < np.array([0.1, 0.2, 0.4])[strata]
    found = stratified_means(people[labelled], judge, labelled, strata, np.bincount(strata))
    share = np.bincount(strata) / 400
    for column in range(4):
        means, variances, freedom = [], [], []
        for one in range(3):
            rows = strata == one
            part = corrected_means(
                people[rows & labelled][:, [column]], judge[rows][:, [column]], labelled[rows]
            )
            means.append(part.estimate[0])
            variances.append(part.error[0] ** 2)
            freedom.append(int((rows & labelled).sum()) - 1)
        estimate = sum(share * means)
        within = sum(share**2 * variances)
        total = within + sum(share * (np.array(means) - estimate) ** 2) / 400
        assert found.estimate[column] == pytest.approx(estimate, rel=1e-12)
        assert found.error[column] == pytest.approx(np.sqrt(total), rel=1e-12)
        satterthwaite = total**2 / sum(share**4 * np.array(variances) ** 2 / freedom)
        assert found.freedom[column] == pytest.approx(min(satterthwaite, labelled.sum() - 3), rel=1e-9)


def test_without_a_useful_judge_it_is_horvitz_and_thompson():
    rng = np.random.default_rng(3)
    people, _ = scores(rng)
    judge = np.ones_like(people)
    strata = rng.integers(0, 2, 400)
    labelled = rng.random(400) < np.array([0.1, 0.5])[strata]
    found = stratified_means(people[labelled], judge, labelled, strata, np.bincount(strata))
    probability = np.array([labelled[strata == one].mean() for one in range(2)])[strata[labelled]]
    expected = (people[labelled] / probability[:, None]).sum(axis=0) / 400
    assert found.estimate == pytest.approx(expected, rel=1e-12)


@pytest.mark.parametrize("n_labels", [40, 100])
def test_intervals_cover_where_a_plan_is_followed(n_labels):
    """150 boards by the plan, three pairs each."""
    inside, number = dict.fromkeys((0.9, 0.95, 0.99), 0), 0
    for place in range(150):
        rng = np.random.default_rng([place, n_labels])
        people, judge = scores(rng, n=600)
        plan = ns.plan_labels({"auto": board(judge)}, n_labels, seed=place)
        y, f = np.diff(people, axis=1), np.diff(judge, axis=1)
        sizes = np.bincount(plan.stratum - 1)
        found = stratified_means(y[plan.chosen], f, plan.chosen, plan.stratum - 1, sizes)
        off = np.abs(found.estimate - 0.2) / found.error
        for level in inside:
            inside[level] += int((off <= special.stdtrit(found.freedom, (1 + level) / 2)).sum())
        number += off.size
    for level, count in inside.items():
        assert count / number == pytest.approx(level, abs=0.035)


def test_a_plan_is_handed_out_read_back_and_minded(tmp_path, capsys):
    rng = np.random.default_rng(5)
    people, judge = scores(rng, n=200, k=3)
    file = tmp_path / "scores.csv"
    rows = [f"q{i},s{k},{judge[i, k]:.4f},{i + k / 10}" for i in range(200) for k in range(3)]
    file.write_text("\n".join(["item,system,auto,other", *rows]), encoding="utf-8")
    assert main(["judge", str(file), "--judge", "auto", "--label-next", "45", "--seed", "7"]) == 0
    handed = pd.read_csv(io.StringIO(capsys.readouterr().out))
    assert list(handed) == ["item", "system", "stratum", "label_next", "human", "auto"]
    assert handed["human"].isna().all()
    to_fill = handed["label_next"] == "yes"
    assert to_fill.sum() == 45 * 3
    truth = {(f"q{i}", f"s{k}"): people[i, k] for i in range(200) for k in range(3)}
    keys = zip(handed["item"], handed["system"], strict=True)
    handed.loc[to_fill, "human"] = np.array([truth[key] for key in keys])[to_fill]
    filled = tmp_path / "filled.csv"
    filled.write_text(csv_text(handed), encoding="utf-8")
    boards = ns.read_boards(filled, each="metric")
    found = ns.judge(boards, judge="auto", strata="stratum")
    assert found.strata == "stratum"
    assert (found.labels == 45).all()
    strata = np.unique(np.array(boards["human"].labels["stratum"]), return_inverse=True)[1]
    given, sizes = boards["human"].values, np.bincount(strata)
    chosen = ~np.isnan(given[:, 0])
    expected = stratified_means(given[chosen], boards["auto"].values, chosen, strata, sizes)
    assert found.estimate == pytest.approx(expected.estimate, rel=1e-12)
    share = np.bincount(strata[chosen]) / sizes
    weights = 1 / share[strata[chosen]] / 200
    assert found.people == pytest.approx(weights @ given[chosen], rel=1e-12)
    assert "labels-not-random" not in {note.code for note in found.notes}
    assert main(["judge", str(filled), "--judge", "auto", "--strata", "stratum"]) == 0
    assert "45 labels per system for 200 items" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("keywords", "said"),
    [
        ({"n_labels": 0}, "at least 1"),
        ({"n_labels": 500}, "400 items have none yet"),
        ({"n_labels": 5, "seed": -1}, "at least 0"),
        ({"n_labels": 5, "judge": "GPT"}, "'GPT'"),
    ],
)
def test_what_cannot_be_planned_is_said(keywords, said):
    _, judge = scores(np.random.default_rng(0))
    with pytest.raises(ns.NlpstatError, match=said):
        ns.plan_labels({"auto": board(judge)}, **keywords)


def test_strata_that_cannot_be_used_are_refused():
    people, judge = scores(np.random.default_rng(0))
    people[40:] = np.nan
    labels = {
        "stratum": tuple("ab"[i < 39] for i in range(400)),
        "doc": tuple("xyz"[i % 3] for i in range(400)),
    }
    given = {"human": board(people, labels), "auto": board(judge)}
    with pytest.raises(ns.NlpstatError, match="'a' of 'stratum' has 1 labels of 's0'"):
        ns.judge(given, strata="stratum")
    with pytest.raises(ns.ConfigError, match="documents or strata, not both"):
        ns.judge(given, strata="stratum", documents="doc")
    with pytest.raises(ns.ConfigError, match="column of strata"):
        ns.judge(given, strata="strat")


@pytest.mark.parametrize("human", ["absent", "empty"])
def test_the_command_line_plans_where_nobody_judged_anything(tmp_path, capsys, human):
    """The judge's scores are all there is, with people's column empty or not yet there."""
    rng = np.random.default_rng(4)
    head, gap = ("system,item,gemba", "") if human == "absent" else ("system,item,human,gemba", ",")
    rows = [f"s{k},q{i}{gap},{rng.normal():.3f}" for i in range(80) for k in range(3)]
    file = tmp_path / "scores.csv"
    file.write_text("\n".join([head, *rows]) + "\n", encoding="utf-8")
    assert main(["judge", str(file), "--judge", "gemba", "--label-next", "20"]) == 0
    told = capsys.readouterr().out.splitlines()
    assert told[0] == "item,system,stratum,label_next,human,gemba"
    assert sum(",yes," in line for line in told) == 3 * 20
    assert main(["judge", str(file), "--label-next", "20"]) == 2
