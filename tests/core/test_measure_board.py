"""Boards by measures that are no means: every number against its definition, done slowly."""

import itertools
import json
import math
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from scipy import stats
from sklearn import metrics

import nlpstat_core as ns
from nlpstat_core import cli
from nlpstat_core.analysis.other_tests import other_tests
from nlpstat_core.analysis.robustness import robustness
from nlpstat_core.analysis.submissions import submission_scores
from nlpstat_core.board.pairs import near_decisions
from nlpstat_core.board.pairs.influence import driving_units, leave_one_out, slices
from nlpstat_core.board.pairs.near_decisions import undecided
from nlpstat_core.board.ranking.rank_distribution import rank_distribution
from nlpstat_core.engine.resampling.streams import count_chunks
from nlpstat_core.methods.bayes.bayesian_bootstrap import weight_chunks
from nlpstat_core.report.exports.data.plain import replay_json
from nlpstat_core.report.exports.documents.report import report_html, report_md
from nlpstat_core.report.wording import headline
from nlpstat_core.report.wording.posterior import prior_sentence
from nlpstat_core.saved_boards.codec import to_parquet
from nlpstat_core.saved_boards.errors import BoardError
from nlpstat_core.scores.submissions import Submissions

REAL = Path(__file__).parents[2] / "../shared/data/submissions"
LABELS = ("a", "b", "c")


def labelled(n, shares, seed=0, measure="macro-f1", **more):
    rng = np.random.default_rng(seed)
    gold = rng.choice(LABELS, n, p=[0.5, 0.3, 0.2])
    gold[:3] = LABELS
    outputs = {
        name: np.where(rng.random(n) < share, gold, rng.choice(LABELS, n)).tolist()
        for name, share in zip("TUVWXYZ", shares, strict=False)
    }
    items = [f"i{i:04d}" for i in range(n)]
    return Submissions(
        kind="labels", items=items, gold=gold.tolist(), outputs=outputs, measures=[measure], **more
    )


def numbered(n, spreads, seed=0, measure="pearson"):
    rng = np.random.default_rng(seed)
    gold = rng.normal(size=n)
    outputs = {
        name: (10.0**place * (gold + spread * rng.normal(size=n))).tolist()
        for place, (name, spread) in enumerate(zip("TUVW", spreads, strict=False))
    }
    return Submissions(
        kind="numbers",
        items=[f"i{i:03d}" for i in range(n)],
        gold=gold.tolist(),
        outputs=outputs,
        measures=[measure],
    )


def macro_f1(gold, output):
    found = []
    for label in set(gold):
        hits = sum(right == label == one for right, one in zip(gold, output, strict=True))
        found.append(2 * hits / (sum(right == label for right in gold) + sum(one == label for one in output)))
    return sum(found) / len(found)


def test_the_slow_macro_f1_is_that_of_the_library():
    board = labelled(40, (0.5,))
    for output in (board.outputs["T"], ["x", *board.gold[1:]], ["a"] * 40):
        labels = sorted(set(board.gold))
        wanted = metrics.f1_score(board.gold, output, labels=labels, average="macro", zero_division=0.0)
        assert macro_f1(board.gold, output) == pytest.approx(float(wanted), abs=1e-12)


def pearson(gold, output):
    return float(np.corrcoef(gold, output)[0, 1])


def standardised(column):
    return ((np.array(column) - np.mean(column)) / np.std(column)).tolist()


def swapped_values(board, a, b, of, groups=None, before=list):
    """Differences of two systems under every exchange of items (groups), the unswapped one first."""
    u, v = before(board.outputs[a]), before(board.outputs[b])
    groups = np.arange(board.n_items) if groups is None else np.asarray(groups)
    found = []
    for stays in itertools.product((True, False), repeat=int(groups.max()) + 1):
        kept = np.array(stays)[groups]
        x = [one if keep else other for one, other, keep in zip(u, v, kept, strict=True)]
        y = [other if keep else one for one, other, keep in zip(u, v, kept, strict=True)]
        found.append(of(board.gold, x) - of(board.gold, y))
    return np.array(found)


@pytest.mark.parametrize("alternative", ["two-sided", "greater", "less"])
def test_p_values_are_those_of_every_swap_counted(alternative):
    for board, of, before in (
        (labelled(9, (0.9, 0.4, 0.2)), macro_f1, list),
        (numbered(8, (0.3, 1.5, 2.0)), pearson, standardised),
    ):
        names = board.systems
        pairs = [("T", "U"), ("T", "V"), ("U", "V")] if alternative == "two-sided" else [("T", "U")]
        some = replace(board, outputs={name: board.outputs[name] for name in sorted({*sum(pairs, ())})})
        analysis = ns.analyse(some, ns.AnalysisConfig(alternative=alternative))
        for a, b in pairs:
            swapped = swapped_values(board, a, b, of, before=before)
            extreme = {
                "two-sided": np.abs(swapped) >= abs(swapped[0]) - 1e-10,
                "greater": swapped >= swapped[0] - 1e-10,
                "less": swapped <= swapped[0] + 1e-10,
            }[alternative]
            pair = analysis.pair(a, b)
            assert (pair.test, pair.hypothesis, pair.p_kind) == ("swap", "measure", "exact")
            assert pair.p_value == pytest.approx(np.mean(extreme), rel=1e-9), (a, b)
            assert pair.difference == pytest.approx(swapped[0], abs=1e-10)
            assert pair.difference == pytest.approx(pair.score_a - pair.score_b, abs=1e-12)
        assert len(names) == 3


def test_whole_documents_are_swapped_and_left_out():
    documents = [f"d{i // 2:02d}" for i in range(20)]
    board = labelled(20, (0.9, 0.3), seed=3, labels={"doc": documents})
    analysis = ns.analyse(board)
    assert analysis.config.block_column == "doc"  # ten documents are taken by default
    groups = np.arange(20) // 2
    swapped = swapped_values(board, "T", "U", macro_f1, groups)
    pair = analysis.pair("T", "U")
    assert pair.p_value == pytest.approx(np.mean(np.abs(swapped) >= abs(swapped[0]) - 1e-10), rel=1e-9)
    low, high = ns.measure_difference(board.gold, *board.outputs.values(), "macro-f1", documents=documents)[
        1:
    ]
    assert pair.interval == pytest.approx((low, high), abs=1e-12)
    own = ns.analyse(board, ns.AnalysisConfig(block_column=None)).pair("T", "U")
    low, high = ns.measure_difference(board.gold, *board.outputs.values(), "macro-f1")[1:]
    assert own.interval == pytest.approx((low, high), abs=1e-12)
    assert own.interval != pair.interval


@pytest.mark.parametrize("measure", ["macro-f1", "mcc", "qwk", "spearman", "roc-auc", "balanced-accuracy"])
def test_pairs_are_those_of_the_functions_of_a_pair(measure):
    if measure in ("macro-f1", "mcc", "balanced-accuracy"):
        board = labelled(120, (0.9, 0.8, 0.6), measure=measure)
    else:
        board = numbered(60 if measure == "roc-auc" else 120, (0.5, 0.7, 2.0), measure=measure)
        if measure == "qwk":
            rated = {name: np.clip(np.round(column), -2, 2) for name, column in board.outputs.items()}
            rated = {name: [str(int(x)) for x in column] for name, column in rated.items()}
            gold = [str(int(x)) for x in np.clip(np.round(board.gold), -2, 2)]
            board = replace(board, kind="labels", gold=gold, outputs=rated)
        if measure == "roc-auc":
            board = replace(board, gold=[float(x > 0) for x in board.gold])
    analysis = ns.analyse(board)
    for row in range(len(analysis.pairs)):
        a, b = analysis.pairs.system_a[row], analysis.pairs.system_b[row]
        columns = board.outputs[a], board.outputs[b]
        p = ns.measure_p_value(board.gold, *columns, measure)
        error = math.hypot(analysis.pairs.error[row], 0.02 if analysis.pairs.error[row] else 1e-9)
        assert abs(math.log(analysis.pairs.p_value[row] / p)) < 5 * error
        difference, low, high = ns.measure_difference(board.gold, *columns, measure)
        assert analysis.pairs.difference[row] == pytest.approx(difference, abs=1e-12)
        assert analysis.pairs.interval[row] == pytest.approx((low, high), abs=1e-10)
    for system, score in zip(analysis.leaderboard.system, analysis.leaderboard.score, strict=True):
        assert score == pytest.approx(ns.measure(board.gold, board.outputs[system], measure), abs=1e-12)


def step_down(differences, scale):
    """Adjusted p of step-down max-T from all swaps of a family: rows are pairs, the first column observed."""
    t = np.abs(differences) / scale[:, None]
    order = np.argsort(-t[:, 0], kind="stable")
    adjusted, largest = np.empty(len(t)), 0.0
    for place, pair in enumerate(order):
        joint = t[order[place:]].max(axis=0)
        largest = max(largest, float(np.mean(joint >= t[pair, 0] - 1e-9)))
        adjusted[pair] = largest
    return adjusted


def test_max_t_is_that_of_every_shared_swap():
    board = labelled(10, (0.95, 0.4, 0.3), seed=8)
    every = np.stack([swapped_values(board, a, b, macro_f1) for a, b in (("T", "U"), ("T", "V"), ("U", "V"))])
    expected = step_down(every, np.sqrt((every**2).mean(axis=1)))
    analysis = ns.analyse(board, ns.AnalysisConfig(correction="max-t", resamples=20_000))
    error = np.sqrt(expected * (1 - expected) / 20_000)
    # The scale of a pair comes from 1,024 flips of its own, which may exchange pairs that are nearly as far.
    assert np.all(np.abs(analysis.pairs.p_adjusted - expected) < 5 * error + 0.03)
    assert np.all(analysis.pairs.p_adjusted >= analysis.pairs.p_value - 1e-12)


@pytest.mark.parametrize("by_documents", [False, True])
def test_ranks_are_those_of_measures_computed_anew(by_documents):
    board = labelled(24, (0.8, 0.7, 0.5), seed=2)
    scores = submission_scores(board)
    groups = np.arange(24) // 4 if by_documents else None
    found = rank_distribution(scores, resamples=40, seed=5, block_ids=groups)
    drawn = next(count_chunks(6 if by_documents else 24, 40, 5, "rank-distribution"))[1]
    best = np.zeros(3)
    for counts in drawn:
        weights = counts[np.arange(24) // 4] if by_documents else counts
        rows = np.repeat(np.arange(24), weights.astype(int))
        gold = [board.gold[row] for row in rows]
        values = np.array(
            [macro_f1(gold, [column[row] for row in rows]) for column in board.outputs.values()]
        )
        first = values >= values.max() - 1e-12
        best += first / first.sum()
    np.testing.assert_allclose(found.best, best / 40, atol=1e-12)
    np.testing.assert_allclose(found.shares.sum(axis=1), 1.0)
    assert found.resampled == ("blocks" if by_documents else "units")


def test_missing_outputs_leave_the_pair_and_count_for_no_other():
    board = labelled(40, (0.9, 0.6, 0.5), seed=6)
    gone = [None if i in (2, 7, 30) else output for i, output in enumerate(board.outputs["U"])]
    lacking = replace(board, outputs={**board.outputs, "U": gone})
    analysis, whole = ns.analyse(lacking), ns.analyse(board)
    there = [i for i in range(40) if gone[i] is not None]
    gold = [board.gold[i] for i in there]
    for a, b in (("T", "U"), ("U", "V")):
        pair = analysis.pair(a, b)
        sides = [[lacking.outputs[name][i] for i in there] for name in (a, b)]
        assert pair.n_units == 37
        assert (pair.score_a, pair.score_b) == pytest.approx([macro_f1(gold, side) for side in sides])
        assert pair.interval == pytest.approx(ns.measure_difference(gold, *sides, "macro-f1")[1:], abs=1e-12)
    assert analysis.pair("T", "V").p_value == whole.pair("T", "V").p_value
    assert "measure-own-items" in {note.code for note in analysis.notes}
    assert ns.analyse(lacking, ns.AnalysisConfig(missing="complete")).units.n_units == 37
    found = rank_distribution(analysis.units, resamples=50)
    np.testing.assert_allclose(found.shares.sum(axis=1), 1.0)


def test_order_of_items_and_systems_changes_no_decision():
    board = labelled(60, (0.9, 0.6, 0.5), seed=9)
    rows = np.random.default_rng(1).permutation(60).tolist()
    first, shuffled = ns.analyse(board), ns.analyse(board.rows(rows))
    np.testing.assert_array_equal(first.pairs.p_value, shuffled.pairs.p_value)
    np.testing.assert_allclose(first.pairs.interval, shuffled.pairs.interval, atol=1e-12)
    backwards = ns.analyse(replace(board, outputs=dict(reversed(board.outputs.items()))))
    for a, b in itertools.combinations("TUV", 2):
        one, other = first.pair(a, b), backwards.pair(a, b)
        assert (other.difference, other.p_value) == pytest.approx((-one.difference, one.p_value))
        assert other.interval == pytest.approx((-one.interval[1], -one.interval[0]))
    threads = ns.analyse(board, workers=2)
    np.testing.assert_array_equal(first.pairs.p_value, threads.pairs.p_value)


def test_an_undefined_measure_is_undefined_with_a_note():
    board = numbered(30, (0.5, 1.0, 2.0))
    flat = replace(board, outputs={**board.outputs, "U": [1.0] * 30})
    analysis = ns.analyse(flat)
    pair = analysis.pair("T", "U")
    assert math.isnan(pair.p_value)
    assert math.isnan(pair.score_b)
    assert pair.n_units == 30
    assert "measure-undefined" in {note.code for note in pair.notes}
    assert "measure-undefined" in {note.code for note in analysis.notes}
    assert analysis.family_size == 1
    assert analysis.leaderboard.system[-1] == "U"
    assert json.loads(json.dumps(analysis.to_dict()))["leaderboard"][-1]["score"] is None
    assert rank_distribution(analysis.units, resamples=20).best[1] == 0.0


@pytest.mark.parametrize("by_document", [False, True])
def test_equivalence_is_two_one_sided_tests_by_the_left_out_items(by_document):
    """By the definition: both sides of the margin against the jackknife, one item or document left out."""
    documents = [f"d{i // 4}" for i in range(60)]
    board = labelled(60, (0.9, 0.85, 0.4), labels={"doc": documents} if by_document else {})
    names = documents if by_document else list(board.items)
    groups = sorted(set(names))
    config = ns.AnalysisConfig(
        equivalence_margin=0.15, correction="none", block_column="doc" if by_document else None
    )
    analysis = ns.analyse(board, config)
    for row, (a, b) in enumerate(zip(analysis.pairs.system_a, analysis.pairs.system_b, strict=True)):
        left_out = []
        for group in groups:
            kept = [i for i in range(60) if names[i] != group]
            gold = [board.gold[i] for i in kept]
            one, other = ([board.outputs[name][i] for i in kept] for name in (a, b))
            left_out.append(macro_f1(gold, one) - macro_f1(gold, other))
        g, apart = (
            len(groups),
            macro_f1(board.gold, board.outputs[a]) - macro_f1(board.gold, board.outputs[b]),
        )
        error = math.sqrt((g - 1) / g * np.sum((left_out - np.mean(left_out)) ** 2))
        expected = max(stats.t.sf((apart + 0.15) / error, g - 1), stats.t.cdf((apart - 0.15) / error, g - 1))
        assert analysis.pairs.p_equivalence[row] == pytest.approx(expected, rel=1e-9)
        low, high = stats.t.interval(0.9, g - 1, apart, error)
        assert bool(analysis.pairs.equivalent[row]) == (low >= -0.15 and high <= 0.15) == (expected <= 0.05)


@pytest.mark.parametrize("by_document", [False, True])
def test_the_posterior_is_the_measure_of_items_with_random_weights(by_document):
    """By the definition: scikit-learn's measure of weighted items, draw for draw, Student's scale on top."""
    documents = [f"d{i // 2:02d}" for i in range(80)]
    board = labelled(80, (0.9, 0.8, 0.4), labels={"doc": documents} if by_document else {})
    config = ns.AnalysisConfig(block_column="doc" if by_document else None)
    found = ns.posterior(ns.analyse(board, config), draws=300, seed=4, margin=0.05)
    n = 40 if by_document else 80
    weights = np.concatenate([part for _, part in weight_chunks(n, 300, 4)])
    weights = np.repeat(weights, 2, axis=1) if by_document else weights
    drawn = np.array(
        [
            [
                metrics.f1_score(board.gold, output, average="macro", sample_weight=weight)
                for weight in weights
            ]
            for output in board.outputs.values()
        ]
    )
    assert found.board.estimate == pytest.approx(drawn.mean(axis=1), abs=1e-12)
    assert found.board.score == pytest.approx([macro_f1(board.gold, out) for out in board.outputs.values()])
    for row, (a, b) in enumerate(zip(found.pairs.left, found.pairs.right, strict=True)):
        apart = drawn[a] - drawn[b]
        t = (apart - apart.mean()) / apart.std()
        wider = stats.t.ppf(stats.norm.cdf(t), n - 1) * apart.std() * math.sqrt((n + 1) / (n - 1))
        draws = apart.mean() + wider
        assert found.pairs.greater[row] == pytest.approx(np.mean(draws > 0.05), abs=1 / 300)
        assert found.pairs.less[row] == pytest.approx(np.mean(draws < -0.05), abs=1 / 300)
        assert found.pairs.estimate[row] == pytest.approx(apart.mean(), abs=1e-12)
    assert set(found.pairs.model) == {"bayesian-bootstrap"}
    assert np.isnan(found.pairs.log_bf).all()
    assert "Bayes factor" not in prior_sentence(found)
    assert np.sum([found.pairs.greater, found.pairs.within, found.pairs.less], axis=0) == pytest.approx(1.0)


@pytest.mark.parametrize("measure", ["mcc", "qwk", "pearson", "spearman", "kendall", "rmse"])
def test_posteriors_of_every_kind_of_measure_mirror_and_know_missing_outputs(measure):
    make = labelled if measure == "mcc" else numbered
    board = make(40, (0.9, 0.5, 0.3), measure=measure)
    if measure == "qwk":
        board = replace(
            board,
            gold=np.round(board.gold).tolist(),
            outputs={
                name: np.round(np.clip(column, -3, 3)).tolist() for name, column in board.outputs.items()
            },
        )
    turned = replace(board, outputs=dict(reversed(board.outputs.items())))
    found, mirrored = (ns.posterior(ns.analyse(one), draws=256) for one in (board, turned))
    assert found.pairs.greater[0] == pytest.approx(mirrored.pairs.less[-1], abs=2 / 256)
    assert found.board.ranks.best == pytest.approx(mirrored.board.ranks.best[::-1])
    first = board.systems[0]
    holed = replace(board, outputs={**board.outputs, first: (None, *board.outputs[first][1:])})
    with_hole = ns.posterior(ns.analyse(holed), draws=256)
    whole = ns.posterior(ns.analyse(board.rows(range(1, 40))), draws=256)
    assert with_hole.pairs.greater[0] == pytest.approx(whole.pairs.greater[0])
    assert with_hole.pairs.greater[2] == pytest.approx(found.pairs.greater[2])


def test_models_of_item_scores_and_undefined_measures_are_refused_or_told():
    analysis = ns.analyse(labelled(30, (0.9, 0.4)))
    for model in ("mean", "binary", "partial-pooling"):
        with pytest.raises(ns.AnalysisError, match="macro-F1 is not a mean of them; use bayesian-bootstrap"):
            ns.posterior(analysis, model=model)
    board = numbered(20, (0.5, 0.7, 0.9))
    flat = replace(board, outputs={**board.outputs, "flat": [1.0] * 20})
    found = ns.posterior(ns.analyse(flat), draws=100)
    assert np.isnan(found.pairs.greater[found.pairs.system_b == "flat"]).all()
    assert found.board is None
    assert "posterior-measure-undefined" in {note.code for note in found.notes}


def test_equal_outputs_are_no_difference():
    board = labelled(30, (0.9, 0.4))
    same = replace(board, outputs={**board.outputs, "S": board.outputs["T"]})
    pair = ns.analyse(same).pair("T", "S")
    assert (pair.difference, pair.p_value, pair.verdict) == (0.0, 1.0, "undecided")
    joint = ns.analyse(same, ns.AnalysisConfig(correction="max-t", resamples=500))
    assert joint.pair("T", "S").p_adjusted == 1.0
    near = ns.analyse(same, ns.AnalysisConfig(equivalence_margin=0.01)).pair("T", "S")
    assert (near.verdict, near.p_equivalence) == ("equivalent", pytest.approx(0.0, abs=1e-300))


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"test": "t"}, "macro-F1 is not a mean of item scores, and the paired t test compares those"),
        ({"unit_size": 5}, "macro-F1 is computed from all items"),
        ({"delta": 0.1}, "compares with a difference of 0"),
    ],
)
def test_what_a_measure_cannot_be_asked(settings, message):
    with pytest.raises(ns.AnalysisError, match=message):
        ns.analyse(labelled(30, (0.9, 0.4)), ns.AnalysisConfig(**settings))


def test_what_is_there_for_means_only_says_so():
    analysis = ns.analyse(labelled(30, (0.9, 0.4)))
    plain = ns.ScoreMatrix(values=[[1, 2], [2, 2], [0, 1]], systems="AB")
    with pytest.raises(ns.AnalysisError, match="swap exchanges outputs, but these are scores of items"):
        ns.analyse(plain, ns.AnalysisConfig(test="swap"))
    for asked in (
        lambda: ns.audit(analysis, boards=3),
        lambda: ns.gate(analysis.scores, baseline="T", margin=0.1),
    ):
        with pytest.raises(ns.AnalysisError, match="for means of item scores only, and macro-F1 is none"):
            asked()
    with pytest.raises(BoardError, match="can't be saved"):
        to_parquet(analysis.scores)


def test_one_pair_and_what_drives_it():
    documents = [f"d{i // 5}" for i in range(40)]
    board = labelled(40, (0.9, 0.5), seed=4, labels={"doc": documents})
    analysis = ns.analyse(board)
    assert [other.test for other in other_tests(analysis, 0)] == ["swap"]
    driving = driving_units(analysis, 0)
    kept = [i for i in range(40) if i != 7]
    without = [macro_f1([board.gold[i] for i in kept], [c[i] for i in kept]) for c in board.outputs.values()]
    assert driving.without[7] == pytest.approx(without[0] - without[1], abs=1e-12)
    found = leave_one_out(analysis, 0, "doc")
    kept = [i for i in range(40) if documents[i] != "d3"]
    gold, sides = [board.gold[i] for i in kept], [[c[i] for i in kept] for c in board.outputs.values()]
    assert found.difference[3] == pytest.approx(
        macro_f1(gold, sides[0]) - macro_f1(gold, sides[1]), abs=1e-12
    )
    assert found.interval[3] == pytest.approx(ns.measure_difference(gold, *sides, "macro-f1")[1:], abs=1e-12)
    assert np.isfinite(slices(analysis, 0, "doc").difference).all()
    pair = analysis.pair("T", "U")
    assert (pair.effects, pair.estimate) == ({}, None)
    assert pair.diagnosis.lists.recommended == ("swap",)
    changed = {variant.changed for variant in robustness(analysis).variants}
    assert changed <= {"", "test", "correction", "seed"}


def test_reports_name_the_measure_and_no_mean():
    board = labelled(60, (0.95, 0.6, 0.5), measure="macro-f1")
    analysis = ns.analyse(board)
    assert "differ in macro-F1 after Holm" in headline(analysis)
    text = report_md(analysis)
    assert "by the swap test" in text
    assert "signature macro-f1" in text
    assert "the jackknife that leaves out one item at a time" in text
    for wrong in ("mean difference", "means ", "in the mean ", "Recommended test of the mean"):
        assert wrong not in text, wrong
    assert "swap test" in report_html(analysis)
    said = analysis.to_dict()
    assert said["measure"] == {
        "name": "macro-f1",
        "label": "macro-F1",
        "signature": "macro-f1",
        "options": {},
    }
    assert {pair["test"] for pair in said["pairs"]} == {"swap"}


def test_stray_labels_are_told():
    board = labelled(30, (0.9, 0.4))
    outputs = {**board.outputs, "T": ["unparsed", *board.outputs["T"][1:]]}
    analysis = ns.analyse(replace(board, outputs=outputs))
    note = next(note for note in analysis.notes if note.code == "measure-stray-labels")
    assert "'unparsed'" in note.text
    assert analysis.pair("T", "U").score_a == pytest.approx(macro_f1(board.gold, outputs["T"]), abs=1e-12)


def test_decisions_that_draws_leave_open_are_drawn_again(monkeypatch):
    p, error = np.array([0.04, 0.06, 0.2, 1e-9, np.nan]), np.array([0.1, 0.05, 0.1, 0.1, 0.0])
    none = ns.AnalysisConfig(correction="none")
    assert undecided(p, error, none).tolist() == [True, True, False, False, False]
    assert undecided(p, error / 100, none).tolist() == [False] * 5
    holm = ns.AnalysisConfig(correction="holm")
    assert undecided(p, error, holm).tolist() == [False] * 5
    board = labelled(150, (0.8, 0.72, 0.7, 0.68, 0.66, 0.6), seed=12)
    few, many = (ns.analyse(board, ns.AnalysisConfig(resamples=b)).pairs for b in (1_000, 8_000))
    assert np.all(many.error < few.error)  # of a small board every pair is drawn as often as asked
    assert np.all(np.abs(np.log(few.p_value / many.p_value)) < 6 * few.error)
    monkeypatch.setattr(near_decisions, "DRAWS_OF_A_BOARD", 0)
    level = 1.01 * few.p_value[3]
    some = ns.analyse(board, ns.AnalysisConfig(resamples=8_000, correction="none", alpha=level)).pairs
    redrawn = undecided(few.p_value, few.error, ns.AnalysisConfig(correction="none", alpha=level))
    assert redrawn[3]
    assert not redrawn.all()
    np.testing.assert_array_equal(some.p_value, np.where(redrawn, many.p_value, few.p_value))


def test_command_line_and_replay(tmp_path, capfdbinary):
    board = labelled(40, (0.9, 0.5, 0.4), seed=4)
    gold = tmp_path / "gold.tsv"
    rows = zip(board.items, board.gold, strict=True)
    gold.write_text("\n".join(["id\tlabel", *map("\t".join, rows)]))
    files = []
    for name, column in board.outputs.items():
        files.append(tmp_path / f"{name}.tsv")
        files[-1].write_text("\n".join(["id\tlabel", *map("\t".join, zip(board.items, column, strict=True))]))
    arguments = ["submissions", str(gold), *map(str, files), "--json", "-"]
    assert cli.main([*arguments, "--measure", "f1", "--positive", "b", "--alpha", "0.1"]) == 0
    first = json.loads(capfdbinary.readouterr().out)
    assert first["measure"]["label"] == "F1 of b"
    assert first["measure"]["options"] == {"positive": "b"}
    analysis = ns.analyse(
        submission_scores(replace(board, measures=["f1"]), positive="b"), ns.AnalysisConfig(alpha=0.1)
    )
    assert [pair["p_value"] for pair in first["pairs"]] == analysis.pairs.p_value.tolist()
    settings = tmp_path / "run.json"
    settings.write_text(json.dumps(first["config"]))
    assert cli.main([*arguments, "--config", str(settings)]) == 0
    again = json.loads(capfdbinary.readouterr().out)
    assert again == first
    assert json.loads(replay_json(analysis))["test"] == "swap"


@pytest.mark.skipif(not REAL.exists(), reason="the fetched shared tasks aren't here")
def test_a_real_shared_task():
    board = ns.read_submissions(
        REAL / "arct2018/gold.tsv", REAL / "arct2018/submissions", measure=["macro-f1", "accuracy"]
    )
    assert (board.n_items, len(board.systems)) == (444, 22)
    analysis = ns.analyse(board)
    assert len(analysis.pairs) == 231
    assert analysis.leaderboard.system[0] == "GIST"
    values = dict(zip(board.systems, ns.measure_values(board)[:, 1], strict=True))
    assert round(values["GIST"], 3) == 0.712
    assert "is significantly better than every other system" in headline(analysis)


def test_outputs_that_differ_are_never_called_the_same():
    """BLEU of two words is 0 whatever they are: it tells nothing apart, but outputs differ."""
    texts = [["a z", "c z", "e z", "g z"], ["z b", "z d", "z z", "q z"]]
    board = Submissions(
        kind="texts",
        items=list("1234"),
        gold=[("a b",), ("c d",), ("e f",), ("g h",)],
        outputs={"x": texts[0], "y": texts[1], "copy": texts[0]},
        measures=["bleu"],
    )
    analysis = ns.analyse(board)
    said = {
        pair: "same score on every shared item" in " ".join(note.text for note in analysis.pair(*pair).notes)
        for pair in (("x", "y"), ("x", "copy"))
    }
    assert said == {("x", "y"): False, ("x", "copy"): True}


@pytest.mark.parametrize(
    ("measure", "options", "name", "beta"),
    [
        ("f-beta", {}, "F0.5 of a", 0.5),
        ("f-beta", {"beta": 2}, "F2 of a", 2),
        ("f0.5", {}, "F0.5 of a", 0.5),
        ("f2", {}, "F2 of a", 2),
    ],
)
def test_the_name_of_f_says_its_beta(measure, options, name, beta):
    board = labelled(60, (0.95, 0.6, 0.2), measure=measure)
    analysis = ns.analyse(submission_scores(board, positive="a", **options))
    assert analysis.scores.metric == name
    assert f"differ in {name}" in headline(analysis)
    assert f"The measure is {name} (" in report_md(analysis)
    expected = metrics.fbeta_score(
        board.gold, board.outputs["T"], beta=beta, labels=["a"], average="macro", zero_division=0
    )
    found = ns.measure(board.gold, board.outputs["T"], measure, positive="a", **options)
    assert found == pytest.approx(expected, abs=1e-12)
