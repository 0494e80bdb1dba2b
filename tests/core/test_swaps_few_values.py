"""The swap test of measures with few values, steps, kinks and bends: exact laws, every swap, plain swaps."""

import math

import numpy as np
import pytest
from core.swap_draws import tilted_tail
from scipy import stats

import nlpstat_core as ns
from nlpstat_core.engine.swaps.counted import counted_tail, follows_its_slope
from nlpstat_core.engine.swaps.pair import SwappedItems, swapped_pair
from nlpstat_core.engine.swaps.routes import pair_tails
from nlpstat_core.engine.swaps.values import exchanged_of
from nlpstat_core.measures import MEASURES

FEW = {"draws": 1_024, "enough": 0.06}
MANY = {"draws": 40_960}


def pair_of(measure, gold, a, b, **options):
    record = MEASURES[measure] if isinstance(measure, str) else measure
    if record.kind in ("labels", "any"):
        gold, a, b = ([f"{one:g}" for one in side] for side in (gold, a, b))
    measured = record.measured(list(gold), [list(a), list(b)], **options)[0]
    return swapped_pair(exchanged_of(measured), 0, 1, np.arange(len(gold)))


def by_kind(pair):
    """Items of each kind that swaps can't tell apart, and Δ of how many of each kind stay as they are."""
    if isinstance(pair, SwappedItems):
        (gold, a, b), numbers = np.unique([pair.gold, pair.a, pair.b], axis=1, return_counts=True)

        def difference(stay):
            both = np.concatenate([stay, numbers[:, None] - stay]).astype(float)
            back = np.roll(both, numbers.size, axis=0)
            values = np.tile(gold, 2), np.concatenate([a, b])
            return pair.value(*values, both) - pair.value(*values, back)

        return numbers, difference
    kinds, numbers = np.unique(pair.moves, axis=1, return_counts=True)
    return numbers, lambda stay: pair.at(kinds @ (2.0 * stay - numbers[:, None]))


def exact_p(pair):
    """P(|Δ(s)| ≥ |Δ|) over all numbers that stay of every kind, each binomial."""
    numbers, difference = by_kind(pair)
    stay = np.indices(tuple(numbers + 1)).reshape(numbers.size, -1)
    assert stay.shape[1] <= 3_000_000
    chance = math.prod(
        stats.binom.pmf(np.arange(n + 1), n, 0.5)[k] for n, k in zip(numbers, stay, strict=True)
    )
    reached = np.abs(difference(stay)) >= abs(pair.observed) - 1e-12
    return float(chance[reached].sum())


def plain_p(pair, swaps=1_000_000):
    """The share of plain swaps, drawn by how many of each kind stay."""
    rng = np.random.default_rng(8)
    numbers, difference = by_kind(pair)
    reached = 0
    for _ in range(20):
        stay = np.stack([rng.binomial(n, 0.5, swaps // 20) for n in numbers])
        reached += np.count_nonzero(np.abs(difference(stay)) >= abs(pair.observed) - 1e-12)
    return reached / swaps


def labelled(n, shares, worse, seed):
    """Gold, a system that is wrong about one item in ten, and one that is more often."""
    rng = np.random.default_rng(seed)
    gold = rng.choice(len(shares), n, p=shares)
    gold[: len(shares)] = range(len(shares))
    wrong = rng.integers(0, len(shares), (2, n))
    a, b = (
        np.where(rng.random(n) < right, gold, other)
        for right, other in zip((0.9, 0.9 - worse), wrong, strict=True)
    )
    return gold, a, b


def scored(n, worse, seed):
    """Gold of 0 and 1, and two systems' scores on two levels."""
    rng = np.random.default_rng(seed)
    gold = (rng.random(n) < 0.4).astype(float)
    gold[:2] = 0, 1
    own = rng.normal(size=n) / 2
    apart = [2 * able * gold - able + own + rng.normal(size=n) for able in (1.0, 1.0 - worse)]
    a, b = ((one > 0) / 2 for one in apart)
    return gold, a, b


RARE, TWO, THREE = (0.98, 0.02), (0.7, 0.3), (0.3, 0.4, 0.3)
# p as the exact law has it, from 0.05 to 1e-10.
CASES = [
    ("cohen-kappa", labelled(80, TWO, 0.2, 9), 0.0456),
    ("cohen-kappa", labelled(80, TWO, 0.35, 18), 0.000859),
    ("cohen-kappa", labelled(80, TWO, 0.7, 5), 7.9e-06),
    ("qwk", labelled(50, THREE, 0.5, 24), 0.0538),
    ("qwk", labelled(50, THREE, 0.5, 18), 0.000861),
    ("qwk", labelled(50, THREE, 0.5, 8), 9.78e-06),
    ("mcc", labelled(150, RARE, 0.2, 13), 0.0522),
    ("mcc", labelled(150, RARE, 0.2, 10), 0.000911),
    ("mcc", labelled(150, RARE, 0.5, 17), 1.03e-05),
    ("mcc", labelled(150, RARE, 0.7, 4), 2.14e-10),
    ("macro-f1", labelled(150, RARE, 0.7, 4), None),
    ("roc-auc", scored(40, 0.6, 17), 0.0463),
    ("roc-auc", scored(40, 1.05, 5), 0.000993),
    ("roc-auc", scored(40, 2.1, 11), 1.19e-05),
    ("average-precision", scored(40, 1.05, 18), 0.0143),
    ("average-precision", scored(40, 1.5, 18), 0.000402),
    ("average-precision", scored(40, 1.5, 23), 9.54e-06),
]


def within(tail, p, errors=4.0):
    return abs(math.exp(tail.log_p) / p - 1) <= errors * tail.error + 1e-9


@pytest.mark.parametrize(("measure", "sides", "about"), CASES)
def test_draws_agree_with_the_exact_law_within_their_errors(measure, sides, about):
    """As a board draws (and ends early), and as one pair does."""
    pair = pair_of(measure, *sides)
    p = exact_p(pair)
    assert about is None or p == pytest.approx(about, rel=0.01)
    for seed in range(6):
        few = pair_tails([pair], False, "two-sided", seed=seed, **FEW)[0]
        assert few.error < 0.25
        assert within(few, p), (seed, math.exp(few.log_p), few.error)
    many = pair_tails([pair], False, "two-sided", seed=1, **MANY)[0]
    assert many.error < 0.03
    assert within(many, p), (math.exp(many.log_p), many.error)


@pytest.mark.parametrize(
    ("measure", "sides"),
    [(m, s) for m, s, p in CASES if p and p > 5e-4] + [("kendall", labelled(40, THREE, 0.4, 2))],
)
def test_draws_agree_with_a_million_plain_swaps(measure, sides):
    pair = pair_of(measure, *sides)
    plain = plain_p(pair)
    many = pair_tails([pair], False, "two-sided", seed=2, **MANY)[0]
    error = math.hypot(many.error, math.sqrt((1 - plain) / plain / 1_000_000))
    assert math.exp(many.log_p) == pytest.approx(plain, rel=4 * error)


@pytest.mark.parametrize(
    "measure", ["accuracy", "cohen-kappa", "qwk", "macro-f1", "roc-auc", "average-precision"]
)
def test_draws_agree_with_every_swap_of_few_items(measure):
    """Sixteen items with unlike outputs at most: what is counted there could be drawn as well."""
    tried = 0
    for seed in range(14):
        chances = MEASURES[measure].kind == "chances"
        sides = scored(16, 1.2, seed) if chances else labelled(24, THREE, 0.5, seed)
        pair = pair_of(measure, *sides)
        if pair.moved.size > 16 or not abs(pair.observed) > 1e-9:
            continue
        counted = math.exp(counted_tail(pair, pair.observed, "two-sided").log_p)
        tail = tilted_tail(pair, pair.observed, "two-sided", seed=seed, draws=10_240, units=pair.moved)
        assert tail.error < 0.1
        assert within(tail, counted, 4.5), (seed, counted, math.exp(tail.log_p), tail.error)
        tried += 1
    assert tried >= 4


def test_draws_are_aimed_where_the_measure_bends():
    """F1 of a label with three items: along the slope at the centre, p of 1e-10 was off by a thousand."""
    for seed, worse in ((4, 0.7), (20, 0.7), (6, 0.35)):
        pair = pair_of("f1", *labelled(150, RARE, worse, seed), positive="1")
        p = exact_p(pair)
        for own in range(4):
            tail = pair_tails([pair], False, "two-sided", seed=own, **FEW)[0]
            assert tail.error < 0.15
            assert within(tail, p)


STEPS = ns.Measure(
    key="rounded",
    statistics=lambda gold, output: (gold == output, 1.0),
    value=lambda sums: np.round(sums[0] / sums[1], 1),
)
WORST = ns.Measure(
    key="worst-label",
    statistics=lambda gold, output: (
        [float(gold == one == output) for one in "012"] + [float(gold == one) for one in "012"]
    ),
    value=lambda sums: (sums[:3] / np.maximum(sums[3:], 1)).min(axis=0),
)


@pytest.mark.parametrize(("measure", "worse"), [(STEPS, 0.3), (STEPS, 0.6), (WORST, 0.2), (WORST, 0.6)])
def test_steps_and_kinks_are_tested_by_plain_swaps(measure, worse):
    """Never 0, never far below what plain swaps find: aimed draws missed nearly all that counts."""
    plain_ones = 0
    for seed in range(8):
        pair = pair_of(measure, *labelled(100, (0.6, 0.3, 0.1), worse, seed))
        if pair.moved.size <= 16 or abs(pair.observed) < 1e-9:
            continue
        tail = pair_tails([pair], False, "two-sided", seed=1, smooth=False, plain_draws=10_240, **FEW)[0]
        assert tail.plain == (not follows_its_slope(pair, pair.moved, 1))
        p, plain = math.exp(tail.log_p), plain_p(pair, 200_000)
        if tail.plain:
            plain_ones += 1
            assert p >= (1 - 1e-9) / 10_241
            expected = max(plain, 1 / 10_241)
            assert p == pytest.approx(expected, rel=5 * math.sqrt(2 / (expected * 10_240)))
    assert plain_ones


def test_a_board_says_where_p_comes_from_plain_swaps():
    rng = np.random.default_rng(0)
    truth = rng.normal(size=300)
    gold = (rng.random(300) < logistic(truth)).astype(float)
    outputs = {
        name: logistic(by * truth + rng.normal(size=300) / 3)
        for name, by in (("a", 1.0), ("b", 2.5), ("c", 4.0))
    }
    board = ns.Submissions(
        kind="numbers",
        items=[str(item) for item in range(300)],
        gold=gold.tolist(),
        outputs={name: column.tolist() for name, column in outputs.items()},
        measures=["calibration-error"],
    )
    pairs = ns.analyse(board, ns.AnalysisConfig(resamples=2_000)).pairs
    assert pairs.notes["swap-plain"].any()
    assert not (pairs.notes["swap-plain"] & pairs.notes.get("swap-draws", False)).any()
    assert (pairs.p_value >= (1 - 1e-9) / 2_001)[pairs.notes["swap-plain"]].all()


def logistic(x):
    return 1 / (1 + np.exp(-x))
