"""Power by document agrees with itself: plans, units needed, detectable differences, the tests themselves."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from core.oracles import enumerated_p, sign_patterns
from hypothesis import given
from hypothesis import strategies as st

import nlpstat_core as ns
from nlpstat_core import AnalysisConfig, ScoreMatrix, analyse
from nlpstat_core.board.pairs.one_pair import pair_batch
from nlpstat_core.engine.columns.pairing import chunks
from nlpstat_core.power import (
    board_power,
    document_design_effects,
    neighbours,
    pair_curve,
    plan,
    power_curve,
    required_units,
)
from nlpstat_core.power.flip_moves import moves_needed, swaps_found
from nlpstat_core.power.levels import attained_level
from nlpstat_core.power.standardised import standardised
from nlpstat_core.report.wording.power import board_sentence, models_sentence
from nlpstat_core.report.wording.statements import power_statement
from nlpstat_core.scores.documents import block_ids

WMT = Path(__file__).parents[3] / "shared" / "data" / "wmt24_ende_chrf.csv"
LENGTHS = {
    "equal": lambda n: np.full(n, 5),
    "mild": lambda n: 3 + np.arange(n) % 6,
    "unequal": lambda n: np.where(np.arange(n) % 8 == 0, 24, 4),
    "one big": lambda n: np.append(60, np.full(n - 1, 6)),
}


def documents(n, lengths, likeness, effect, seed, *, likert=False):
    """A board of two systems; negative likeness makes the units of a document make up for each other."""
    rng = np.random.default_rng(seed)
    sizes = LENGTHS[lengths](n)
    ids = np.repeat(np.arange(n), sizes)
    single = rng.normal(size=ids.size)
    if likeness < 0:
        z = single + likeness * (np.bincount(ids, single) / sizes)[ids]
    else:
        z = np.sqrt(likeness) * rng.normal(size=n)[ids] + np.sqrt(1 - likeness) * single
    z = np.clip(np.rint(z + effect), -2, 2) if likert else (z + effect).round(3)
    labels = {"doc": tuple(f"d{i}" for i in ids)}
    return ScoreMatrix(values=np.stack([z, np.zeros(z.size)], 1), systems=("A", "B"), labels=labels)


def of(scores, test="block-permutation", **more):
    return analyse(scores, AnalysisConfig(test=test, block_column="doc", **more))


def simulated(analysis, iterations=1000, **more):
    """Power with as many documents as there are, through the test itself."""
    units = analysis.units
    curve = pair_curve(
        units, units.systems[:2], analysis.config, 1, sizes=[units.n_units], iterations=iterations, **more
    )
    return float(curve.power[0])


def observed_effect(analysis):
    """d_z and the design effect of the pair, from the definition for documents of equal size."""
    z = analysis.units.values[:, 0] - analysis.units.values[:, 1]
    means = z.reshape(-1, 5).mean(axis=1)
    ratio = (means.var(ddof=1) / means.size) / (z.var(ddof=1) / z.size)
    return z.mean() / z.std(ddof=1), ratio


@pytest.mark.parametrize("likeness", [-0.8, 0.0, 0.4])
def test_design_effects_may_be_above_or_below_one(likeness):
    """Intraclass correlations cut at 0 planned 528 items where 997 didn't suffice."""
    analysis = of(documents(60, "equal", likeness, 0.2, 3))
    _, ratio = observed_effect(analysis)
    assert (ratio < 0.3) if likeness < 0 else (ratio < 1.5 if likeness == 0 else ratio > 1.8)
    assert document_design_effects(analysis.units, "A", "B", "doc")[0] == pytest.approx(ratio)
    batch = next(
        iter(
            chunks(
                analysis.units,
                np.array([0]),
                np.array([1]),
                block_ids=block_ids(analysis.units, analysis.config),
            )
        )
    ).batch
    seen = standardised(batch, analysis.config)
    assert (seen.error[0] / batch.score_error[0]) ** 2 == pytest.approx(ratio)


@pytest.mark.parametrize("seed", range(12))
@pytest.mark.parametrize("test", ["block-permutation", "block-t"])
def test_plan_and_neighbours_say_what_the_tests_do_at_the_present_size(test, seed):
    """More items than now are needed exactly where the tests find the observed difference too rarely."""
    rng = np.random.default_rng(seed)
    likeness, n = rng.choice([-0.6, 0.0, 0.3]), int(rng.integers(14, 60))
    design = {-0.6: 0.16, 0.0: 1.0, 0.3: 2.2}[float(likeness)]
    effect = rng.uniform(1.5, 4.5) * np.sqrt(design / (5 * n))
    analysis = of(documents(n, "equal", likeness, effect, seed), test, correction="none")
    now, power = analysis.units.n_units, simulated(analysis)
    needed = float(neighbours(analysis).needed[0])
    effect, ratio = observed_effect(analysis)
    planned = plan(effect=effect, power=0.8, alpha=0.05, per_document=5, design_effect=ratio).units
    if power < 0.76:
        assert min(needed, planned) > now
    if power > 0.84:
        assert max(needed, planned) <= now
    if test == "block-t":
        assert planned == pytest.approx(needed, rel=0.2, abs=10)


@given(
    st.integers(6, 40),
    st.sampled_from(["equal", "mild", "unequal"]),
    st.sampled_from([-0.6, 0.0, 0.3]),
    st.floats(-1, 1),
    st.booleans(),
    st.sampled_from(["block-permutation", "block-t"]),
    st.sampled_from(["two-sided", "greater"]),
    st.integers(0, 2**20),
)
def test_what_is_needed_never_contradicts_what_is_detectable(
    n, lengths, likeness, effect, likert, test, alternative, seed
):
    """Two tables of one page: "smaller than detectable" stands where more units are needed, nowhere else."""
    scores = documents(n, lengths, likeness, effect, seed, likert=likert)
    more = {} if alternative == "two-sided" else {"alternative": alternative, "baseline": "B"}
    analysis = of(scores, test, correction="none", **more)
    near, board = neighbours(analysis), board_power(analysis)
    detectable, needed = float(board.detectable[0]), float(near.needed[0])
    assert board.n_documents.tolist() == near.n_documents.tolist() == [n]
    if np.isnan(detectable) or np.isnan(needed):
        return
    difference = float(analysis.pairs.difference[0])
    size = abs(difference) if alternative == "two-sided" else max(0.0, difference)
    if abs(size - detectable) > 1e-6 * max(size, 1e-9):
        assert (needed > scores.n_units) == (size < detectable)
    if np.isfinite(needed):
        whole = needed * n / scores.n_units
        assert np.ceil(np.floor(whole + 1e-9) * scores.n_units / n - 1e-9) == needed


def in_the_harder_direction(analysis, size, iterations):
    """Power at a difference, upwards and downwards: the smaller one."""
    return min(simulated(analysis, iterations, shift=turn * size) for turn in (1, -1))


TESTS = (("block-permutation", False), ("block-permutation", True), ("block-t", False))
# Each two of length, likeness and test stand together once.
DESIGNS = [
    (lengths, (-0.6, 0.0, 0.3)[(row + column) % 3], *test)
    for row, lengths in enumerate(("equal", "mild", "unequal"))
    for column, test in enumerate(TESTS)
]


@pytest.mark.parametrize(("lengths", "likeness", "test", "likert"), DESIGNS)
def test_the_detectable_difference_of_documents_is_found_as_often_as_it_says(lengths, likeness, test, likert):
    analysis = of(documents(32, lengths, likeness, 0.2, 5, likert=likert), test, correction="none")
    size = float(board_power(analysis).detectable[0])
    assert in_the_harder_direction(analysis, size, 1500) == pytest.approx(0.8, abs=0.03)


@pytest.mark.parametrize("number", [8, 12])
@pytest.mark.parametrize("lengths", sorted(LENGTHS))
@pytest.mark.parametrize("likert", [False, True])
def test_so_it_is_with_few_documents(number, lengths, likert):
    """It was found in .67 to .99 of the resamples, in the other direction in .08 to 1."""
    analysis = of(documents(number, lengths, 0.3, 0.2, 7, likert=likert), correction="none")
    board = board_power(analysis)
    size = float(board.detectable[0])
    if np.isinf(size):
        assert likert
        with pytest.raises(ns.AnalysisError, match="not reachable"):
            simulated(analysis, 10, shift=1e9)
        return
    assert np.isfinite(size)
    assert in_the_harder_direction(analysis, size, 2000) == pytest.approx(0.8, abs=0.05)


@pytest.mark.parametrize(("number", "lengths"), [(6, "equal"), (6, "one big"), (14, "one big")])
def test_documents_too_few_or_too_unequal_to_say_are_told(number, lengths):
    """Six documents: without the worst of them all are found, with it none; power is 1/3 or 1."""
    analysis = of(documents(number, lengths, 0.3, 0.2, 1), correction="none")
    board = board_power(analysis)
    assert np.isnan(board.detectable[0])
    assert board.model[0] == "few-documents"
    assert "too few or too unequal" in board_sentence(board)
    assert models_sentence(board).startswith("Not given for 1 pair, whose documents")
    assert not list(power_statement(analysis, 0))


def test_skewed_differences_are_detected_in_both_directions():
    """One system loses badly on a few units: upwards 0.80 and downwards 0.67 were one number."""
    rng = np.random.default_rng(9)
    z = (rng.lognormal(0, 1.2, 60) - 2).round(4)
    values = np.stack([z, np.zeros(60)], 1)
    for test in ("permutation-mean", "t"):
        there, back = (
            analyse(ScoreMatrix(values=v, systems=("A", "B")), AnalysisConfig(test=test, correction="none"))
            for v in (values, values[:, ::-1])
        )
        size = float(board_power(there).detectable[0])
        assert size == pytest.approx(float(board_power(back).detectable[0]), rel=1e-9)
        iterations, close = (4000, 0.03) if test == "t" else (400, 0.07)  # many sign patterns a test set
        found = [simulated(there, iterations, shift=turn * size) for turn in (1, -1)]
        assert min(found) == pytest.approx(0.8, abs=close)
        assert max(found) > 0.83
        one = analyse(there.units, replace(there.config, alternative="greater", baseline="B"))
        assert float(board_power(one).detectable[0]) != pytest.approx(size, rel=1e-3)


@given(
    sizes=st.lists(st.integers(1, 30), min_size=5, max_size=8),
    level=st.sampled_from([0.05, 0.1, 0.3]),
    seed=st.integers(0, 2**20),
)
def test_moves_needed_by_all_patterns(sizes, level, seed):
    """Just beyond the difference p is at most the level, just before it isn't; upwards and downwards."""
    rng = np.random.default_rng(seed)
    n, lengths = len(sizes), np.array(sizes, dtype=float)
    sums, chosen = rng.normal(size=n) * lengths, rng.integers(0, n, (4, n))
    found = moves_needed(sums, lengths, chosen, level / 2)
    for turn, needed in zip((1, -1), found, strict=True):
        for row, difference in zip(chosen, needed.tolist(), strict=True):
            if np.isinf(difference):
                assert 2.0 ** (1 - n) > level
                continue
            for by, rejected in ((1e-6, True), (-1e-6, False)):
                moved = sums[row] + turn * (difference + by) * lengths[row]
                p = enumerated_p(moved.sum(), sign_patterns(n) @ moved, "two-sided")
                upwards = turn * moved.sum() > 0
                assert (p <= level and upwards) == rejected


@given(
    sizes=st.lists(st.integers(0, 9), min_size=4, max_size=7).filter(any),
    level=st.sampled_from([0.05, 0.1, 0.3]),
    strength=st.floats(0.01, 3),
    seed=st.integers(0, 2**20),
)
def test_swaps_found_by_all_patterns(sizes, level, strength, seed):
    """The chance of every pattern of directions, and the test itself on each; ties and zeros too."""
    w, n = np.array(sizes, dtype=float), len(sizes)
    chosen = np.random.default_rng(seed).integers(0, n, (3, n))
    expected = []
    for row in chosen:
        patterns = sign_patterns(n)
        chances = np.prod(1 / (1 + np.exp(-2 * strength * patterns * w[row])), axis=1)
        observed = patterns @ w[row]
        p = np.array([enumerated_p(value, observed, "two-sided") for value in observed])
        expected.append(chances[(p <= level) & (observed > 0)].sum())
    power = swaps_found(w, chosen, level / 2)
    assert power(np.array([strength]))[0] == pytest.approx(np.mean(expected), rel=1e-9, abs=1e-12)


def test_degrees_of_freedom_are_those_of_the_test():
    """Unequal documents leave block t fewer than G − 1; too unequal ones none, and nothing is detectable."""
    analysis = of(documents(32, "unequal", 0.3, 0.2, 5), "block-t", correction="none")
    batch = pair_batch(analysis, 0)
    assert standardised(batch, analysis.config).df == analysis.pairs.df[0] < 20
    lopsided = of(documents(8, "one big", 0.3, 0.2, 5), "block-t", correction="none")
    assert np.isnan(lopsided.pairs.p_value[0])
    board = board_power(lopsided)
    assert np.isnan(board.detectable[0])
    assert board.model[0] == "few-documents"


@pytest.mark.parametrize("likeness", [-0.6, 0.0, 0.3])
def test_normal_documents_vary_as_the_observed_ones(likeness):
    """Units that make up for each other can't be drawn one by one; their sums are."""
    analysis = of(documents(60, "equal", likeness, 0.2, 7), "block-t", correction="none")
    size = float(board_power(analysis).detectable[0])
    assert simulated(analysis, 1000, shift=size, method="normal") == pytest.approx(0.8, abs=0.035)


@given(
    st.floats(0.02, 1.5), st.floats(0.55, 0.95), st.floats(1.5, 40), st.floats(0.05, 8), st.floats(1.05, 2)
)
def test_plans_by_document_are_monotone(effect, power, length, ratio, more):
    def units(**changed):
        asked = {"effect": effect, "power": power, "per_document": length, "design_effect": ratio}
        return required_units(**{**asked, **changed})

    now = units()
    assert units(design_effect=ratio * more) >= now
    assert units(effect=effect * more) <= now
    assert units(power=min(0.99, power * more)) >= now
    back = plan(units=now, effect=effect, alpha=0.05, per_document=length, design_effect=ratio)
    assert back.power >= power - 1e-9
    assert back.documents >= back.fewest_documents == 10
    if back.documents > 10:
        fewer = int(np.ceil((back.documents - 1) * length - 1e-9))
        less = plan(units=fewer, effect=effect, alpha=0.05, per_document=length, design_effect=ratio)
        assert less.power < power


def test_levels_that_few_documents_attain_by_counting_patterns():
    for number in range(1, 12):
        signs = 2 ** np.arange(number)
        patterns = np.array([[1 if i & bit else -1 for bit in signs] for i in range(2**number)])
        sums = patterns @ np.sqrt(np.arange(2, number + 2))  # no two alike
        for alternative, extreme in (("two-sided", np.abs(sums)), ("greater", sums)):
            shares = [np.mean(extreme >= value - 1e-9) for value in extreme]
            for level in (0.05, 0.01, 0.3):
                best = max([share for share in shares if share <= level], default=0.0)
                assert attained_level(number, level, alternative) == pytest.approx(best)


def test_few_documents_need_more_before_any_difference_is_significant():
    analysis = of(documents(5, "equal", 0.0, 3.0, 1), correction="none")
    assert board_power(analysis).impossible[0]
    assert neighbours(analysis).needed[0] >= 30


def test_a_hypothesis_far_from_everything_needs_the_fewest_units():
    """Two units of two samples have hardly a degree of freedom, of which no power is known."""
    values = np.random.default_rng(2).integers(0, 4, (25, 2)).astype(float)
    analysis = analyse(
        ScoreMatrix(values=values, systems=("A", "B")), AnalysisConfig(test="mann-whitney", delta=1e9)
    )
    assert 2 <= neighbours(analysis).needed[0] <= 4


@pytest.mark.skipif(not WMT.exists(), reason="the shared data are not here")
def test_a_real_board_agrees_with_itself():
    scores = ns.read_scores(WMT)
    analysis = analyse(scores, AnalysisConfig(test="block-permutation", block_column="doc"))
    near = neighbours(analysis)
    board = board_power(analysis, rows=near.rows)
    pairs = analysis.pairs
    for place, row in enumerate(near.rows):
        if np.isnan(near.needed[place]):  # systems with the same scores
            continue
        enough = abs(pairs.difference[row]) >= board.detectable[row]
        assert (near.needed[place] <= near.n_a[place]) == enough
        assert not (enough and not pairs.significant[row])
    assert near.n_documents.tolist() == [170] * len(near.rows)
    row = near.rows[int(np.nanargmin(np.abs(near.needed - near.n_a[0])))]
    a, b = pairs.system_a[row], pairs.system_b[row]
    curve = power_curve(
        scores,
        a,
        b,
        test="block-permutation",
        block_column="doc",
        correction="holm",
        sizes=[scores.n_units],
        iterations=600,
        shift=float(board.detectable[row]) * np.sign(pairs.difference[row]),
    )
    assert curve.power[0] == pytest.approx(0.8, abs=0.05)
