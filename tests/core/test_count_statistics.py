"""Exact tests of accuracy and F1 against rational arithmetic over all swaps."""

import csv
import math
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from core.oracles_signflip import ALTERNATIVES, exact_log, log_error, planar_p
from hypothesis import given
from hypothesis import strategies as st

import nlpstat_core as ns
from nlpstat_core.engine.count_statistics import (
    exact_accuracy_p_value,
    exact_f1_p_value,
    exact_f1_tail,
    exact_ratio_tail,
)
from nlpstat_core.engine.count_statistics.counting import counting_cost, log_tail_counted, log_tail_enumerated
from nlpstat_core.engine.count_statistics.inversion import log_tail_inverted
from nlpstat_core.engine.count_statistics.ratios import swaps_of
from nlpstat_core.engine.count_statistics.routes import sampled_tail
from nlpstat_core.engine.resampling import streams
from nlpstat_core.engine.signflip import sign_flip_p_value
from nlpstat_core.errors import NlpstatError

HALF = Fraction(1, 2)
NER = Path(__file__).resolve().parents[3] / "shared" / "data" / "ner_conll03_tp_fp_fn.csv"
unit = st.tuples(*[st.integers(0, 4)] * 4)


def columns(units) -> list[np.ndarray]:
    return list(np.array(units).reshape(-1, 4).T)


def tagger_counts(n: int, skill_b: float, rng: np.random.Generator) -> list[np.ndarray]:
    """Entities found and missed by two taggers: what one misses is both fewer tp and more wrong."""
    gold = rng.poisson(3, n) + 1
    tp_a, tp_b = rng.binomial(gold, 0.9), rng.binomial(gold, skill_b)
    return [tp_a, gold - tp_a + rng.poisson(0.2, n), tp_b, gold - tp_b + rng.poisson(0.2, n)]


@pytest.mark.parametrize("alternative", ALTERNATIVES)
@given(units=st.lists(unit, min_size=1, max_size=7))
def test_f1_agrees_with_rational_arithmetic(alternative, units):
    counts = columns(units)
    expected = float(planar_p(*(one.tolist() for one in counts), HALF, alternative))
    assert exact_f1_p_value(*counts, alternative) == pytest.approx(expected, rel=1e-12)


@pytest.mark.parametrize("alternative", ALTERNATIVES)
@given(units=st.lists(unit, min_size=1, max_size=7))
def test_accuracy_agrees_with_rational_arithmetic(alternative, units):
    up_a, down_a, up_b, down_b = counts = columns(units)
    expected = float(planar_p(*(one.tolist() for one in counts), Fraction(1), alternative))
    found = exact_accuracy_p_value(up_a, up_b, alternative, up_a + down_a, up_b + down_b)
    assert found == pytest.approx(expected, rel=1e-12)


@given(units=st.lists(unit, min_size=1, max_size=12))
def test_mirror_and_order(units):
    tp_a, wrong_a, tp_b, wrong_b = counts = columns(units)
    mirrored = (tp_b, wrong_b, tp_a, wrong_a)
    assert exact_f1_p_value(*counts) == pytest.approx(exact_f1_p_value(*mirrored), rel=1e-12)
    greater, less = exact_f1_p_value(*counts, "greater"), exact_f1_p_value(*counts, "less")
    assert greater == pytest.approx(exact_f1_p_value(*mirrored, "less"), rel=1e-12)
    assert greater + less >= 1 - 1e-12
    backwards = [one[::-1] for one in counts]
    assert exact_f1_p_value(*counts) == pytest.approx(exact_f1_p_value(*backwards), rel=1e-12)
    assert 0 < exact_f1_p_value(*counts) <= 1


def test_same_counts_have_p_one():
    counts = np.array([3, 0, 2]), np.array([1, 0, 4])
    assert exact_f1_p_value(*counts, *counts) == 1.0
    assert exact_f1_p_value(*counts, *counts, "greater") == 1.0
    assert exact_f1_p_value([0, 0], [0, 0], [0, 0], [0, 0]) == 1.0
    assert exact_accuracy_p_value(counts[0], counts[0]) == 1.0


def test_f1_of_an_empty_side_is_zero():
    assert exact_f1_p_value([2], [0], [0], [0]) == 1.0
    assert exact_f1_p_value([2], [0], [0], [0], "greater") == 0.5
    expected = planar_p([2, 1], [0, 0], [0, 0], [0, 0], HALF, "greater")
    assert exact_f1_p_value([2, 1], [0, 0], [0, 0], [0, 0], "greater") == pytest.approx(float(expected))


def test_accuracy_with_equal_totals_is_the_sign_flip_test():
    rng = np.random.default_rng(0)
    total = rng.integers(5, 30, 400)
    right_a, right_b = rng.binomial(total, 0.8), rng.binomial(total, 0.78)
    expected = sign_flip_p_value(right_a - right_b)
    assert exact_accuracy_p_value(right_a, right_b) == expected
    assert exact_accuracy_p_value(right_a, right_b, "two-sided", total, total) == expected
    # The plane of (hits, misses) collapses to a line and must say the same.
    planar = exact_ratio_tail(right_a, total - right_a, right_b, total - right_b, miss_weight=1.0)
    assert math.exp(planar.log_p) == pytest.approx(expected, rel=1e-11)


@pytest.mark.parametrize(("n", "skill"), [(60, 0.9), (60, 0.6), (150, 0.84), (150, 0.72), (200, 0.62)])
def test_f1_in_the_tail_agrees_with_rational_arithmetic(n, skill):
    counts = tagger_counts(n, skill, np.random.default_rng(n))
    expected = planar_p(*(one.tolist() for one in counts), HALF, "two-sided")
    found = exact_f1_tail(*counts)
    assert found.kind == "exact"
    assert log_error(found.log_p, expected) < 1e-11
    swaps = swaps_of(*(one.astype(float) for one in counts), 0.5)
    one_sided = expected / 2
    if expected < 1:
        assert log_error(log_tail_counted(swaps, False), one_sided) < 1e-11
        log_p, error = log_tail_inverted(swaps, False)
        assert error < 1e-10
        assert log_error(log_p, one_sided) < 1e-9


def test_a_very_small_p_is_reached_by_both_routes():
    counts = tagger_counts(260, 0.5, np.random.default_rng(1))
    swaps = swaps_of(*(one.astype(float) for one in counts), 0.5)
    counted = log_tail_counted(swaps, False)
    inverted, error = log_tail_inverted(swaps, False)
    assert counted < -30 * math.log(10)
    assert inverted == pytest.approx(counted, abs=1e-9)
    assert error < 1e-9


def test_thousands_of_sentences():
    counts = tagger_counts(4000, 0.885, np.random.default_rng(2))
    swaps = swaps_of(*(one.astype(float) for one in counts), 0.5)
    assert counting_cost(swaps) > 1e9
    found = exact_f1_tail(*counts)
    assert found.kind == "exact"
    sampled = sampled_tail(swaps, False, 20_000, 0)
    assert abs(math.expm1(sampled.log_p + math.log(2) - found.log_p)) < 5 * sampled.error
    assert found.error < 1e-10


def test_documents_with_thousands_of_items_are_enumerated():
    rng = np.random.default_rng(3)
    counts = [rng.integers(2000, 9000, 12) for _ in range(4)]
    expected = planar_p(*(one.tolist() for one in counts), HALF, "two-sided")
    found = exact_f1_tail(*counts)
    assert found.kind == "exact"
    assert log_error(found.log_p, expected) < 1e-12
    swaps = swaps_of(*(one.astype(float) for one in counts), 0.5)
    sign = float(swaps.difference(np.zeros(1), np.zeros(1))[0])
    if sign > 0:
        assert log_tail_enumerated(swaps, False) == pytest.approx(exact_log(expected / 2), abs=1e-12)


def test_planes_too_large_for_every_route_are_sampled():
    rng = np.random.default_rng(4)
    counts = [rng.integers(0, 10**6, 40) for _ in range(4)]
    found = exact_f1_tail(*counts, seed=5, resamples=3000)
    assert found.kind == "monte-carlo"
    assert exact_f1_tail(*counts, seed=5, resamples=3000) == found
    sides = {one: math.exp(exact_f1_tail(*counts, one, seed=5).log_p) for one in ALTERNATIVES}
    assert sides["greater"] + sides["less"] == pytest.approx(1.0, abs=0.04)
    assert sides["two-sided"] == pytest.approx(2 * min(sides["greater"], sides["less"]), rel=0.04)


@pytest.mark.parametrize("better", [0.6, 0.7, 0.8])
def test_sampled_swaps_keep_to_their_standard_error(better):
    rng = np.random.default_rng(4)
    swaps = swaps_of(*(one.astype(float) for one in tagger_counts(60, better, rng)), 0.5)
    for strict in (False, True):
        exact = log_tail_counted(swaps, strict)
        scores = []
        for seed in range(6):
            sampled = sampled_tail(swaps, strict, 5000, seed)
            assert sampled.error <= 0.02
            scores.append(math.expm1(sampled.log_p - exact) / sampled.error)
        assert np.sum(np.square(scores)) < 32.0  # chi-square with 6 degrees of freedom: p = 2e-5


def test_a_large_difference_on_a_large_plane_is_at_no_floor():
    rng = np.random.default_rng(4)
    counts = [rng.integers(0, 10**6, 40) for _ in range(4)]
    counts[0] += 800_000
    found = exact_f1_tail(*counts, seed=5, resamples=3000)
    assert found.kind == "monte-carlo"
    assert found.log_p < -15.0
    assert found.error <= 0.02


def test_counts_in_steps_of_a_half():
    counts = tagger_counts(40, 0.8, np.random.default_rng(6))
    assert exact_f1_p_value(*(one / 2 for one in counts)) == pytest.approx(
        exact_f1_p_value(*counts), rel=1e-12
    )


@pytest.mark.skipif(not NER.exists(), reason="the shared CoNLL-2003 counts are not on this machine")
def test_conll_2003_named_entities():
    by_system: dict[str, list[tuple[int, int]]] = {}
    with NER.open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            wrong = int(row["fp"]) + int(row["fn"])
            by_system.setdefault(row["system"], []).append((int(row["tp"]), wrong))
    (tp_a, wrong_a), (tp_b, wrong_b) = (np.array(units).T for units in by_system.values())
    assert tp_a.size == 3453
    found = exact_f1_tail(tp_a, wrong_a, tp_b, wrong_b)
    assert found.kind == "exact"
    assert math.exp(found.log_p) == pytest.approx(5.1583002e-4, rel=1e-6)
    expected = planar_p(*(one.tolist() for one in (tp_a, wrong_a, tp_b, wrong_b)), HALF, "two-sided")
    assert log_error(found.log_p, expected) < 1e-12
    swaps = swaps_of(*(one.astype(float) for one in (tp_b, wrong_b, tp_a, wrong_a)), 0.5)
    assert log_error(log_tail_inverted(swaps, False)[0], expected / 2) < 1e-11


def test_no_random_numbers(monkeypatch):
    boards = [tagger_counts(n, 0.85, np.random.default_rng(n)) for n in (8, 60, 900)]

    def forbidden(*_args, **_kwargs):
        raise AssertionError("random numbers were drawn")

    for name in ("default_rng", "Generator", "RandomState", "random", "choice", "seed"):
        monkeypatch.setattr(np.random, name, forbidden)
    for counts in boards:
        for alternative in ALTERNATIVES:
            assert exact_f1_tail(*counts, alternative).kind == "exact"


@pytest.mark.parametrize("n", [1, 2, 13, 150, 1_000, 20_000, 100_000])
def test_no_random_numbers_for_any_number_of_sentences(monkeypatch, n):
    """Sign, McNemar, accuracy and F1; the F1 walk may spread over some 8 million points, as it does here."""
    rng = np.random.default_rng(n)
    totals = rng.integers(1, 40, n)
    correct_a, correct_b = rng.binomial(totals, 0.92), rng.binomial(totals, 0.91)
    tagged = tagger_counts(n, 0.895, rng)
    scores = np.stack([correct_a > 25, correct_b > 25], axis=1).astype(float)
    for test in ("sign", "mcnemar"):
        ns.compare([0, 1, 1], [1, 0, 0], test=test)  # SciPy draws numbers while it is imported

    def forbidden(*_args, **_kwargs):
        raise AssertionError("random numbers were drawn")

    for name in ("default_rng", "random", "choice", "seed", "PCG64"):
        monkeypatch.setattr(np.random, name, forbidden)
    monkeypatch.setattr(streams, "PCG64", forbidden)
    for test in ("sign", "mcnemar"):
        board = ns.ScoreMatrix(values=scores, systems=("a", "b"))
        pairs = ns.analyse(board, ns.AnalysisConfig(test=test, effects=())).pairs
        assert pairs.p_kind.tolist() == ["exact"]
    accuracy = exact_ratio_tail(correct_a, totals - correct_a, correct_b, totals - correct_b, miss_weight=1.0)
    assert accuracy.kind == "exact"
    found = exact_f1_tail(*tagged)
    assert found.kind == "exact"
    assert found.error < 1e-10
    assert found.log_p <= 0


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (([1, 2], [1], [1, 2], [1, 2]), "same items"),
        (([1, -2], [1, 1], [1, 2], [1, 2]), "0 or more"),
        (([1, math.nan], [1, 1], [1, 2], [1, 2]), "finite"),
        (([], [], [], []), "at least one"),
        (([1.0, math.pi], [1, 1], [1, 2], [1, 2]), "whole numbers"),
    ],
)
def test_refused_counts(arguments, message):
    with pytest.raises(NlpstatError, match=message):
        exact_f1_p_value(*arguments)


def test_refused_totals_and_alternatives():
    with pytest.raises(NlpstatError, match="both systems"):
        exact_accuracy_p_value([1], [1], "two-sided", [2])
    with pytest.raises(NlpstatError, match="more correct answers"):
        exact_accuracy_p_value([3], [1], "two-sided", [2], [2])
    with pytest.raises(NlpstatError, match="alternative"):
        exact_f1_p_value([1], [1], [1], [1], "both")
