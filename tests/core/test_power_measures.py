"""Power of measures that are no means: against test sets on which the swap test itself is run."""

from dataclasses import replace

import numpy as np
import pytest
from scipy import optimize

import nlpstat_core as ns
from nlpstat_core.engine.swaps.routes import swap_tail
from nlpstat_core.measures import measure_named
from nlpstat_core.power import board_power, neighbours, pair_curve, power_curve
from nlpstat_core.power.unit_sizes import unit_sizes
from nlpstat_core.report.wording.power import power_note
from nlpstat_core.scores.submissions import Submissions
from tests.core.test_measure_board import labelled

TEST_SETS = 300


def share_found(board, difference, level, seed=0, documents=None):
    """How often the swap test finds such a difference in test sets drawn from a board's first two systems.

    Every item keeps its two outputs; which of them is a's is drawn by the logistic swap of what exchanging
    them takes from the difference, one item (document) after the other.
    """
    measure = measure_named(board.measures[0])[0]
    a, b = (np.array(board.outputs[name], dtype=object) for name in board.systems[:2])
    gold, n = np.array(board.gold, dtype=object), board.n_items
    groups = np.arange(n) if documents is None else np.unique(documents, return_inverse=True)[1]

    def exchanged(which):
        return np.where(which, b, a), np.where(which, a, b)

    def value(column, of=gold):
        return ns.measure(of.tolist(), column.tolist(), measure)

    observed = value(a) - value(b)
    takes = []
    for group in range(groups.max() + 1):
        left, right = exchanged(groups == group)
        takes.append((observed - (value(left) - value(right))) / 2)
    takes, sizes = np.array(takes), np.abs(takes)
    strength = optimize.brentq(lambda s: sizes @ np.tanh(s * sizes) - difference, 0, 1e7)
    stays = 1 / (1 + np.exp(-2 * strength * takes))
    members = [np.flatnonzero(groups == group) for group in range(groups.max() + 1)]
    rng, found = np.random.default_rng(seed), 0
    for _ in range(TEST_SETS):
        chosen = rng.integers(0, len(members), len(members))
        swapped = rng.random(len(members)) >= stays[chosen]
        rows = np.concatenate([members[group] for group in chosen])
        turned = np.repeat(swapped, [members[group].size for group in chosen])
        own = np.repeat(np.arange(len(members)), [members[group].size for group in chosen])
        left, right = np.where(turned, b[rows], a[rows]), np.where(turned, a[rows], b[rows])
        numbers = measure.measured(gold[rows].tolist(), [left.tolist(), right.tolist()])[0]
        tail = swap_tail(numbers, own, "two-sided", seed=0, draws=512)
        found += tail.log_p <= np.log(level)
    return found / TEST_SETS


def on_one_scale(measure, spreads, seed):
    rng = np.random.default_rng(seed)
    gold = rng.normal(size=140)
    outputs = {name: gold + spread * rng.normal(size=140) for name, spread in zip("TU", spreads, strict=True)}
    return Submissions(
        kind="numbers",
        items=[f"i{i:03d}" for i in range(140)],
        gold=gold.tolist(),
        outputs={name: ((x - x.mean()) / x.std()).tolist() for name, x in outputs.items()},
        measures=[measure],
    )


CASES = {
    "macro-f1": lambda: labelled(150, (0.8, 0.65), seed=3),
    "pearson": lambda: on_one_scale("pearson", (0.8, 1.0), seed=2),
    "rmse": lambda: on_one_scale("rmse", (0.9, 0.8), seed=4),
}


@pytest.mark.parametrize("key", CASES)
def test_the_detectable_difference_is_found_with_its_power(key):
    board = CASES[key]()
    power = board_power(ns.analyse(board), 0.8)
    assert power.model.tolist() == ["swap-means"]
    assert share_found(board, float(power.detectable[0]), 0.05) == pytest.approx(0.8, abs=0.07)


def test_of_documents():
    documents = [f"d{i // 4}" for i in range(160)]
    board = labelled(160, (0.8, 0.65), seed=8, labels={"doc": documents})
    analysis = ns.analyse(board)
    assert analysis.config.block_column == "doc"
    power = board_power(analysis, 0.8)
    assert power.n_documents.tolist() == [40]
    assert share_found(board, float(power.detectable[0]), 0.05, documents=documents) == pytest.approx(
        0.8, abs=0.08
    )


def test_a_mean_has_the_same_power_whichever_way_it_is_taken():
    """Accuracy by swaps of outputs is McNemar's: the permutation test of its item scores says as much."""
    board = labelled(200, (0.8, 0.7), seed=3)
    own = ns.Measure(
        key="own",
        kind="labels",
        statistics=lambda gold, output: (float(gold == output), 1.0),
        value=lambda sums: sums[0] / sums[1],
    )
    right = np.array([board.outputs[name] for name in board.systems]) == np.array(board.gold)
    plain = ns.ScoreMatrix(values=right.T.astype(float), systems=board.systems)
    swapped = ns.analyse(replace(board, measures=(own,)))
    found = board_power(swapped), neighbours(swapped)
    by_scores = ns.analyse(plain, ns.AnalysisConfig(test="permutation-mean", effects=()))
    told = board_power(by_scores), neighbours(by_scores)
    assert found[0].detectable == pytest.approx(told[0].detectable, rel=1e-9)
    assert found[1].needed == pytest.approx(told[1].needed)


def test_a_curve_rises_to_the_power_at_the_items_there_are():
    board = labelled(200, (0.8, 0.65), seed=3)
    analysis = ns.analyse(board)
    size = float(board_power(analysis).detectable[0])
    curve = pair_curve(analysis.units, ("T", "U"), analysis.config, 1, sizes=[50, 200, 400], shift=size)
    assert curve.test == "swap"
    assert {"linearised", "swapped-outputs"} <= set(curve.notes)
    assert curve.power[0] < 0.5 < 0.95 < curve.power[2]
    assert curve.power[1] == pytest.approx(0.8, abs=0.04)
    assert all(power_note(code) for code in curve.notes)
    named = power_curve(analysis.scores, "T", "U", test="swap", sizes=[50, 200, 400], shift=size)
    assert named.power.tolist() == curve.power.tolist()


def test_swapped_systems_and_permuted_items_change_nothing():
    board = labelled(90, (0.8, 0.6), seed=1)
    turned = Submissions(
        kind="labels",
        items=board.items,
        gold=board.gold,
        measures=board.measures,
        outputs=dict(reversed(board.outputs.items())),
    )
    permuted = board.rows(np.random.default_rng(0).permutation(90).tolist())
    sizes = [board_power(ns.analyse(one)).detectable[0] for one in (board, turned, permuted)]
    assert sizes[0] == pytest.approx(sizes[1], rel=1e-9) == pytest.approx(sizes[2], rel=1e-9)


def test_what_power_cannot_say_of_a_measure():
    board = labelled(60, (0.9, 0.4))
    analysis = ns.analyse(board)
    with pytest.raises(ns.AnalysisError, match="macro-F1 is not a mean of item scores"):
        power_curve(analysis.scores, "T", "U", test="t")
    with pytest.raises(ns.AnalysisError, match="for means of item scores only"):
        unit_sizes(analysis.scores, "T", "U")
    same = Submissions(
        kind="labels",
        items=board.items,
        gold=board.gold,
        measures=board.measures,
        outputs={"T": board.gold, "U": board.gold},
    )
    found = board_power(ns.analyse(same))
    assert np.isnan(found.detectable).all()
    assert found.impossible.all()
