"""No p-value at a floor: every structure of blocks against enumeration, counting or 10^8 flips."""

import csv
import math
from pathlib import Path

import numpy as np
import pytest
from core.block_cases import DATA, REAL, SYNTHETIC, have_real_data, real_case
from core.oracles_signflip import enumerated_p, exact_log, log_error, subset_tail
from core.searched_pairs import searched_pair
from hypothesis import given
from hypothesis import strategies as st
from scipy import special, stats

import nlpstat_core as ns
from nlpstat_core.engine.signflip import KINDS, settling, sign_flip_columns, sign_flip_p_value, sign_flip_tail
from nlpstat_core.engine.signflip.effort import ONE_PAIR
from nlpstat_core.engine.signflip.meet import log_at_most_listed
from nlpstat_core.engine.signflip.monte_carlo import log_at_most_sampled
from nlpstat_core.engine.signflip.routes import CONTOUR_TOLERANCE, log_at_most
from nlpstat_core.report.wording.methods import methods

FLIPS = Path(__file__).parents[1] / "golden" / "flips" / "block_flips.csv"
KEPT = {row["case"]: row for row in csv.DictReader(FLIPS.read_text(encoding="utf-8").splitlines())}
MOST_ENUMERATED = 18
# What the engine may say of each case: kind and largest relative error.
EXPECTED = {
    "170 documents": ("contour", 2e-8),
    "40 documents": ("exact", 1e-12),
    "18 documents": ("exact", 1e-12),
    "12 repositories": ("exact", 1e-12),
    "one giant block": ("contour", 1e-11),
    "few large, many small": ("contour", 2e-3),
    "nearly a lattice": ("monte-carlo", 1e-2),
    "heavy tails": ("contour", 1e-11),
    "two scales": ("contour", 2e-3),
    "10,000 blocks": ("contour", 1e-11),
}


def block_p(z: np.ndarray):
    """The block test on units that add up to z, four units a block."""
    rng = np.random.default_rng(0)
    parts = np.round(rng.normal(size=(z.size, 3)), 4)
    units = np.column_stack([parts, z - parts.sum(axis=1)]).ravel()
    labels = {"document": tuple(str(number) for number in np.repeat(np.arange(z.size), 4))}
    scores = ns.ScoreMatrix(values=np.column_stack([units, 0 * units]), systems=("a", "b"), labels=labels)
    config = ns.AnalysisConfig(test="block-permutation", block_column="document", effects=(), seed=3)
    pairs = ns.analyse(scores, config).pairs
    return pairs.p_value[0], KINDS[pairs.p_kind_code[0]], pairs.error[0]


def assert_within(p: float, error: float, name: str) -> None:
    """p against 10^8 flips: four standard errors of both together."""
    flips, reached = int(KEPT[name]["flips"]), int(KEPT[name]["reached"])
    share = reached / flips
    spread = math.hypot(math.sqrt(share * (1.0 - share) / flips), error * p)
    assert abs(p - share) < 4.0 * spread + 1.0 / flips, name


@pytest.mark.parametrize("name", SYNTHETIC)
def test_blocks_of_every_structure(name):
    z = SYNTHETIC[name]()
    p, kind, error = block_p(z)
    assert (kind, error <= EXPECTED[name][1]) == (EXPECTED[name][0], True)
    assert_within(p, error, name)
    if z.size <= MOST_ENUMERATED:
        assert p == pytest.approx(float(enumerated_p(np.rint(z * 1e4).astype(int), "two-sided")), rel=1e-12)


@pytest.mark.skipif(not have_real_data(), reason="needs the files of real scores")
@pytest.mark.parametrize("name", REAL)
def test_blocks_of_real_boards(name):
    found = sign_flip_columns(real_case(name)[:, None])
    assert KINDS[found.kind[0]] != "monte-carlo"
    assert_within(found.p_value[0], found.error[0], name)


@pytest.mark.skipif(not have_real_data(), reason="needs the files of real scores")
def test_no_pair_of_a_real_board_is_left_at_a_floor():
    scores = ns.read_scores(DATA / "wmt24_ende_chrf.csv")
    config = ns.AnalysisConfig(test="block-permutation", block_column="doc", effects=())
    analysis = ns.analyse(scores, config)
    assert analysis.pairs.error.max() <= CONTOUR_TOLERANCE
    best, worst = "Claude-3.5", "MSLC"
    pair = analysis.pair(best, worst)
    assert pair.p_value < 1e-30
    assert pair.p_adjusted < 1e-27


# --- far out in the tail ------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(6))
def test_subsets_within_the_limit_are_all_counted(seed):
    rng = np.random.default_rng(seed)
    weights = np.unique(np.sort((10.0 ** rng.uniform(0.3, 4.0, 60)).astype(np.int64)))
    often = rng.integers(1, 4, weights.size) if seed % 2 else np.ones(weights.size, dtype=np.int64)
    every = np.repeat(weights, often)
    for limit in (15, 120, 400):
        expected = subset_tail(every, int(every.sum()) - 2 * limit)
        found = log_at_most_listed(weights.astype(float), often.astype(float), limit + 0.5, 1 << 20)
        assert found is not None
        assert log_error(found, expected) < 1e-13 * max(1.0, abs(exact_log(expected)))
    assert log_at_most_listed(weights.astype(float), often.astype(float), 1e6, 1 << 10) is None


@pytest.mark.parametrize("share", [0.002, 0.005, 0.01])
def test_a_large_difference_over_unequal_documents(share):
    # Such pairs stood at 1e-4, the floor of 10,000 flips, and lost to Bonferroni.
    rng = np.random.default_rng(4)
    units = np.maximum(2, (10.0 ** rng.uniform(1.5, 4.4, 170)).astype(np.int64))
    t = int(units.sum() * (1.0 - share))
    t -= (int(units.sum()) - t) % 2
    found = sign_flip_tail(units * 1e-4, t * 1e-4)
    assert found.kind != "monte-carlo"
    assert found.log_p < -60.0
    assert log_error(found.log_p, subset_tail(units, t)) <= max(found.error, 1e-11)


# --- the last resort ----------------------------------------------------------------------------------------

STRUCTURES = {
    "ones to nine": lambda rng: rng.integers(1, 10, 150),
    "few large": lambda rng: np.append(rng.integers(1, 10, 150), [200, 310, 415, 380]),
    "two values": lambda rng: np.repeat([3, 8], 60),
    "wide": lambda rng: (10.0 ** rng.uniform(0.0, 3.0, 120)).astype(np.int64),
}


def limit_of(name, sds):
    """Weights, and the sum of those flipped that lies so many standard deviations out."""
    weights = STRUCTURES[name](np.random.default_rng(2))
    return weights, int((int(weights.sum()) - sds * math.sqrt(float((weights**2).sum()))) / 2)


# A weight that can't be flipped is taken out before.
REACHED = [
    (name, sds)
    for name in STRUCTURES
    for sds in (0.0, 1.0, 3.0, 7.0)
    if limit_of(name, sds)[1] >= limit_of(name, sds)[0].max()
]


@pytest.mark.parametrize(("name", "sds"), REACHED)
def test_drawn_signs_keep_to_their_standard_error(name, sds):
    weights, limit = limit_of(name, sds)
    total = int(weights.sum())
    expected = exact_log(subset_tail(weights, total - 2 * limit))
    below = exact_log(subset_tail(weights, total - 2 * limit + 2))
    values, often = np.unique(weights, return_counts=True)
    scores = []
    for seed in range(12):
        drawn = log_at_most_sampled(values.astype(float), often.astype(float), limit + 0.5, seed, 1)
        assert drawn.error <= CONTOUR_TOLERANCE
        scores.append(math.expm1(drawn.log_p - expected) / drawn.error)
        assert abs(math.expm1(drawn.log_below - below)) < 6.0 * drawn.error
        assert drawn.log_below <= drawn.log_p
    assert abs(np.mean(scores)) < 4.0 / math.sqrt(12)
    assert np.sum(np.square(scores)) < 40.0  # chi-square with 12 degrees of freedom: p = 7e-5


@pytest.mark.parametrize(("n", "limit"), [(20_000, 3_000), (100_000, 20_000), (150_000, 30_000)])
def test_many_weights_far_out_are_drawn_with_an_error(n, limit):
    """Ratios of the draws within the limit lie below 1e-154 of the largest, or below any number at all."""
    drawn = log_at_most_sampled(np.ones(1), np.full(1, float(n)), limit + 0.5, 3, 1, 2.0**24)
    expected = special.logsumexp(stats.binom.logpmf(np.arange(limit + 1), n, 0.5))
    below = special.logsumexp(stats.binom.logpmf(np.arange(limit), n, 0.5))
    assert 1e-3 < drawn.error < 0.1
    assert abs(math.expm1(drawn.log_p - expected)) < 4.0 * drawn.error
    assert abs(math.expm1(drawn.log_below - below)) < 4.0 * drawn.error


def test_drawn_p_below_any_floor():
    rng = np.random.default_rng(3)
    near = rng.integers(1, 30, 300)
    z = near / 10 + 1e-8 * rng.random(300)
    z[rng.random(300) < 0.12] *= -1.0
    found = sign_flip_columns(z[:, None])
    assert KINDS[found.kind[0]] == "monte-carlo"
    t = abs(int(np.rint(z * 10).sum()))
    above, reached = (exact_log(2 * subset_tail(near, one)) for one in (t + 1, t))
    log_p = found.log10_p[0] * math.log(10)
    assert reached < -60.0
    assert above - 4.0 * found.error[0] <= log_p <= reached + 4.0 * found.error[0]


def test_draws_depend_on_the_seed_alone():
    z = np.column_stack([SYNTHETIC["nearly a lattice"](), np.random.default_rng(1).normal(size=300)])
    together, alone = sign_flip_columns(z, seed=5), sign_flip_columns(z[::-1, :1], seed=5)
    assert KINDS[alone.kind[0]] == "monte-carlo"
    assert alone.log10_p[0] == together.log10_p[0]
    assert alone.error[0] == together.error[0]
    other, more = sign_flip_columns(z, seed=6), sign_flip_columns(z, seed=5, resamples=200_000)
    assert other.log10_p[0] != together.log10_p[0]
    assert more.error[0] < 0.6 * together.error[0]
    assert other.log10_p[1] == together.log10_p[1]


@given(z=st.lists(st.floats(1e-3, 1.0), min_size=2, max_size=12), up=st.integers(0, 4095))
def test_few_weights_by_drawn_signs(z, up):
    weights = np.sort(z)
    signs = np.array([1.0 if up >> place & 1 else -1.0 for place in range(weights.size)])
    t = abs(float(weights @ signs))
    total = float(weights.sum())
    limit = (total - t) / 2.0 + 1e-12 * total
    if not weights[-1] <= limit or 2.0 * limit > total:
        return
    log_p, error, _ = log_at_most_sampled(weights, np.ones(weights.size), limit, 1, 1)
    exact = sign_flip_p_value(weights * signs) / 2.0
    assert abs(math.exp(log_p) / exact - 1.0) <= 6.0 * error


# --- what is said -------------------------------------------------------------------------------------------


def near_lattice_board() -> ns.ScoreMatrix:
    """Only A against B nearly shares a grid; the draws settle it."""
    rng = np.random.default_rng(1)
    z = SYNTHETIC["nearly a lattice"]()
    b = rng.normal(size=z.size)
    return ns.ScoreMatrix(
        values=np.column_stack([b + z, b, rng.normal(0.4, 1, z.size)]), systems=("A", "B", "C")
    )


def test_the_note_of_the_last_resort_names_its_pairs():
    config = ns.AnalysisConfig(test="permutation-mean", effects=(), resamples=50, correction="bonferroni")
    analysis = ns.analyse(near_lattice_board(), config)
    texts = {note.code: note.text for note in analysis.notes}
    assert "1 of 3 pairs (A and B)" in texts["monte-carlo-last-resort"]
    # 3/51 is above alpha, but weighted draws know no such floor.
    assert "few-resamples" not in texts
    own = {note.code: note.text for note in analysis.pair("A", "B").notes}
    assert "standard error of 0." in own["monte-carlo-last-resort"]
    assert "monte-carlo-last-resort" not in {note.code for note in analysis.pair("A", "C").notes}
    written = " ".join(statement.text for statement in methods(analysis))
    assert "weighted random draws (relative standard error up to 0." in written


def test_pairs_that_share_too_little_are_told():
    rng = np.random.default_rng(2)
    values = rng.normal(size=(40, 4))
    values[5:, 3] = np.nan  # five units: no two-sided p below 1/16
    scores = ns.ScoreMatrix(values=values, systems=("A", "B", "C", "D"))
    analysis = ns.analyse(scores, ns.AnalysisConfig(test="permutation-mean", effects=()))
    text = next(note.text for note in analysis.notes if note.code == "never-significant")
    assert text.startswith("3 of 6 pairs (A and D; B and D; C and D) can't be significant")
    assert "never-significant" in {note.code for note in analysis.pair("A", "D").notes}
    assert "never-significant" not in {note.code for note in analysis.pair("A", "B").notes}
    documents = {"doc": tuple(str(number // 2) for number in range(40))}
    by_block = ns.ScoreMatrix(values=values, systems=scores.systems, labels=documents)
    config = ns.AnalysisConfig(test="block-permutation", block_column="doc", effects=())
    found = ns.analyse(by_block, config).pairs
    assert found.notes["never-significant"].tolist() == [False, False, True, False, True, True]


@pytest.mark.parametrize("number", [38, 188, 1138, 1928])
def test_fractions_rounded_to_decimals_keep_to_their_error(number):
    # On the grid of their decimals they nearly share a coarser one, at which φ comes back.
    z = searched_pair(number, 1_500)[:, None]
    fast, slow = sign_flip_columns(z), sign_flip_columns(z, effort=ONE_PAIR)
    assert [KINDS[kind] for kind in slow.kind] == ["exact"]
    apart = np.abs(np.expm1((fast.log10_p - slow.log10_p) * math.log(10.0)))
    assert np.all(apart <= 4.0 * fast.error + 1e-11)


def test_very_many_weights_are_followed_to_the_few_nodes_they_need():
    z = np.random.default_rng(8).normal(0.7, 0.9, 30_000)
    found = sign_flip_columns(z[:, None])
    assert KINDS[found.kind[0]] == "contour"
    assert found.error[0] < 1e-9
    weights = np.sort(np.abs(z))
    limit = (weights.sum() - z.sum()) / 2
    drawn = log_at_most_sampled(weights, np.ones(weights.size), limit, 1, 1_000, 2.0**25)
    log_p = (drawn.log_p + math.log(2)) / math.log(10)
    assert found.log10_p[0] == pytest.approx(log_p, abs=4 * drawn.error / math.log(10))
    assert drawn.error < 0.05


def test_pairs_of_systems_with_the_same_scores_are_settled_once(monkeypatch):
    z = searched_pair(666)[:, None]
    other = searched_pair(666)[::-1, None]
    asked = []

    def counting(*given):
        asked.append(given)
        return log_at_most(*given)

    monkeypatch.setattr(settling, "log_at_most", counting)
    alone = sign_flip_columns(z)
    once = len(asked)
    found = sign_flip_columns(np.hstack([z, -z, other, z]))
    assert once
    assert len(asked) == 2 * once
    assert (found.log10_p == alone.log10_p[0]).all()
