"""The sign-flip engine: every route against enumeration, rational arithmetic or another route."""

import itertools
import math
from fractions import Fraction

import numpy as np
import pytest
from core.oracles_signflip import (
    ALTERNATIVES,
    binomial_tail,
    enumerated_p,
    exact_log,
    gil_pelaez_tail,
    log_error,
    subset_tail,
    subset_tails,
    three_values_tail,
    whole,
)
from core.searched_pairs import searched_pair
from hypothesis import given
from hypothesis import strategies as st

from nlpstat_core.engine.signflip import (
    KINDS,
    binomial_tail_columns,
    sign_flip_columns,
    sign_flip_p_value,
    sign_flip_tail,
    weighted_sign_flip_columns,
)
from nlpstat_core.engine.signflip.contour import log_tails_by_contour
from nlpstat_core.engine.signflip.counting import _by_halves, _by_one_table, log_at_most_counted
from nlpstat_core.engine.signflip.effort import Effort
from nlpstat_core.engine.signflip.grouping import grouped
from nlpstat_core.engine.signflip.lattice import log_at_most_lattice
from nlpstat_core.engine.signflip.meet import bits_to_try, log_at_most_enumerated
from nlpstat_core.engine.signflip.power_sums import FARTHEST, PowerSums
from nlpstat_core.engine.signflip.products import characteristic_products
from nlpstat_core.engine.signflip.reach import PartSums
from nlpstat_core.engine.signflip.routes import log_at_most
from nlpstat_core.engine.signflip.screening import nodes_that_count
from nlpstat_core.engine.signflip.span import whole_multiples
from nlpstat_core.engine.signflip.tilting import Tilted, WeightCumulants, tilt
from nlpstat_core.errors import NlpstatError

counts = st.lists(st.integers(-6, 6), min_size=1, max_size=9)
decimals = st.lists(st.integers(-300, 300).map(lambda k: k / 100), min_size=1, max_size=9)
reals = st.lists(
    st.floats(-5, 5, allow_subnormal=False, width=32).map(lambda x: x * math.pi), min_size=1, max_size=9
)


def column(differences) -> np.ndarray:
    return np.asarray(differences, dtype=float)[:, None]


def signed(weights, up: float, rng: np.random.Generator) -> np.ndarray:
    return np.asarray(weights) * np.where(rng.random(len(weights)) < up, 1.0, -1.0)


# --- definition -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("alternative", ALTERNATIVES)
@given(z=counts)
def test_whole_differences_agree_with_enumeration(alternative, z):
    expected = float(enumerated_p(z, alternative))
    assert sign_flip_p_value(z, alternative) == pytest.approx(expected, rel=1e-12)
    assert sign_flip_columns(column(z), alternative).p_value[0] == pytest.approx(expected, rel=1e-12)


@pytest.mark.parametrize("alternative", ALTERNATIVES)
@given(z=decimals)
def test_decimals_tie_as_written(alternative, z):
    expected = float(enumerated_p([round(one * 100) for one in z], alternative))
    assert sign_flip_p_value(z, alternative) == pytest.approx(expected, rel=1e-12)
    assert sign_flip_columns(column(z), alternative).p_value[0] == pytest.approx(expected, rel=1e-12)


@pytest.mark.parametrize("alternative", ALTERNATIVES)
def test_real_differences_agree_with_enumeration(alternative):
    rng = np.random.default_rng(3)
    for _ in range(30):
        z = rng.standard_cauchy(int(rng.integers(1, 12)))
        expected = float(enumerated_p(z, alternative))
        assert sign_flip_p_value(z, alternative) == pytest.approx(expected, rel=1e-12)
        assert sign_flip_columns(column(z), alternative).p_value[0] == pytest.approx(expected, rel=1e-12)


@given(z=st.one_of(counts, decimals, reals), factor=st.sampled_from([1e-9, 0.37, 3.0, 1e9]))
def test_mirror_scale_and_order(z, factor):
    z = np.asarray(z)
    greater, less = sign_flip_p_value(z, "greater"), sign_flip_p_value(z, "less")
    assert greater == pytest.approx(sign_flip_p_value(-z, "less"), rel=1e-12)
    assert greater + less >= 1.0 - 1e-12
    two_sided = sign_flip_p_value(z)
    assert two_sided == pytest.approx(sign_flip_p_value(-z), rel=1e-12)
    assert two_sided == pytest.approx(sign_flip_p_value(z[::-1]), rel=1e-12)
    assert two_sided == pytest.approx(sign_flip_p_value(np.concatenate([z, [0.0, -0.0]])), rel=1e-12)
    if np.all((z == 0) | (np.abs(z) > 1e-3)):
        assert two_sided == pytest.approx(sign_flip_p_value(z * factor), rel=1e-9)
    assert 0.0 < two_sided <= 1.0


def test_worked_examples():
    assert sign_flip_p_value([1] * 5 + [0] * 95) == 0.0625
    assert sign_flip_p_value([0.0, 0.0]) == 1.0
    assert sign_flip_p_value([0, 0], "greater") == 1.0
    assert sign_flip_p_value([7]) == 1.0
    assert sign_flip_p_value([0.3 - 0.2, 0.2 - 0.1, -0.1]) == 1.0
    assert sign_flip_p_value([3, -1, -2]) == 1.0
    assert sign_flip_p_value([3, -1, -2], "greater") == pytest.approx(0.625, rel=1e-15)
    assert isinstance(sign_flip_p_value(np.array([1.5, 2.5])), float)
    assert sign_flip_tail([1, 2, 3], -6).log_p == 0.0
    assert sign_flip_tail([1, 2, 3], 7).log_p == -math.inf
    assert sign_flip_tail([0.0], 0.0).log_p == 0.0


@pytest.mark.parametrize("n", range(1, 7))
def test_every_tail_of_few_weights(n):
    rng = np.random.default_rng(n)
    for weights in (rng.integers(1, 9, n), 6 * rng.integers(1, 5, n), np.ones(n, dtype=int), rng.random(n)):
        units = whole(weights)
        for t in range(-sum(units) - 2, sum(units) + 3) if max(units) < 100 else []:
            expected = subset_tail(units, t)
            step = float(weights[0]) / units[0]
            found = sign_flip_tail(weights, t * step)
            assert math.exp(found.log_p) == pytest.approx(float(expected), rel=1e-12, abs=0)
            assert found.kind == "exact"
        for signs in np.ndindex(*(2,) * n):
            z = weights * (1.0 - 2.0 * np.array(signs))
            for alternative in ALTERNATIVES:
                expected = float(enumerated_p(z, alternative))
                assert sign_flip_p_value(z, alternative) == pytest.approx(expected, rel=1e-12)


@pytest.mark.parametrize(
    "bad", [[], [1.0, math.nan], [math.inf], [[1.0, 2.0]]], ids=["empty", "nan", "infinite", "matrix"]
)
def test_refused_differences(bad):
    with pytest.raises(NlpstatError, match="Differences must be"):
        sign_flip_p_value(bad)


def test_refused_settings():
    with pytest.raises(ValueError, match="Did you mean 'greater'"):
        sign_flip_p_value([1.0], "greter")
    with pytest.raises(ValueError, match="alternative"):
        sign_flip_columns(column([1.0]), "both")
    with pytest.raises(ValueError, match="alternative"):
        weighted_sign_flip_columns(column([1.0]), np.array([1.0]), "both")
    with pytest.raises(ValueError, match="alternative"):
        binomial_tail_columns([1], [2], "both")
    with pytest.raises(NlpstatError, match="finite"):
        sign_flip_columns(column([math.inf]))
    with pytest.raises(NlpstatError, match="matrix"):
        sign_flip_columns(np.ones(3))
    with pytest.raises(NlpstatError, match="not negative"):
        sign_flip_tail([1.0, -1.0], 0.0)
    with pytest.raises(NlpstatError, match="at least one"):
        sign_flip_tail([], 0.0)


# --- lattices ---------------------------------------------------------------------------------------------

LATTICES = {
    "counts": (lambda rng, n: rng.integers(1, 8, n), 200),
    "wide": (lambda rng, n: rng.integers(1, 200, n), 160),
    "common divisor": (lambda rng, n: 30 * rng.integers(1, 6, n), 250),
    "ones and twos": (lambda rng, n: rng.integers(1, 3, n), 500),
    "Likert midranks": (lambda rng, n: np.repeat([41, 130, 222, 281], [40, 49, 43, 16]), 148),
    "tens and a one": (lambda rng, n: np.append(rng.choice([10, 20, 30], n - 1), 1), 201),
    "even and a three": (lambda rng, n: np.append(2 * rng.integers(1, 5, n - 1), 3), 151),
}


@pytest.mark.parametrize("sds", [0.0, 0.4, 2.0, 5.0, 11.0])
@pytest.mark.parametrize("name", LATTICES)
def test_lattice_against_whole_number_arithmetic(name, sds):
    make, n = LATTICES[name]
    weights = make(np.random.default_rng(n), n)
    total = int(weights.sum())
    t = int(sds * math.sqrt(float((weights**2).sum())))
    t += (total - t) % 2
    expected = subset_tail(weights, t)
    found = sign_flip_tail(weights, t)
    assert found.kind == "exact"
    if t > total:
        assert found.log_p == -math.inf
        return
    assert log_error(found.log_p, expected) < 1e-12
    values, often = grouped(weights.astype(float), True)
    step = math.gcd(*weights.tolist())
    by_nodes = log_at_most_lattice(
        (values / step).astype(np.int64), often, (total - t) // (2 * step), math.inf
    )
    if by_nodes is not None:
        assert log_error(by_nodes[0], expected) < 1e-12
    below = sign_flip_tail(weights, -t)
    complement = 1 - subset_tail(weights, t + 1)
    assert below.log_p == pytest.approx(exact_log(complement), abs=1e-12)


@pytest.mark.parametrize("seed", range(4))
def test_lattice_columns_against_whole_number_arithmetic(seed):
    rng = np.random.default_rng(seed)
    n = (300, 420, 260, 700)[seed]
    z = np.column_stack([signed(rng.integers(0, 5 + 3 * k, n), 0.5 + 0.08 * k, rng) for k in range(4)])
    found = sign_flip_columns(z / 100)
    assert np.all(found.kind == KINDS.index("exact"))
    for pair in range(4):
        t = abs(int(z[:, pair].sum()))
        expected = min(Fraction(1), 2 * subset_tail(np.abs(z[:, pair]), t)) if t else Fraction(1)
        assert log_error(found.log10_p[pair] * math.log(10), expected) < 1e-12


@pytest.mark.parametrize(("t", "decade"), [(2, 0), (1000, -11), (7200, -545)])
def test_ten_thousand_sentence_counts(t, decade):
    expected = three_values_tail(6000, 2, 3985, 3, 15, t)
    weights = np.repeat([1, 2, 3], [6000, 3985, 15])
    found = sign_flip_tail(weights, t)
    assert found.kind == "exact"
    assert round(exact_log(expected) / math.log(10)) == decade
    assert log_error(found.log_p, expected) < 1e-12


def test_p_below_the_smallest_double():
    weights = np.repeat([1, 2, 3], [6000, 3985, 15])
    z = weights.astype(float)
    z[:1500] *= -1
    t = int(z.sum())
    expected = 2 * three_values_tail(6000, 2, 3985, 3, 15, t)
    found = sign_flip_columns(column(z))
    assert found.p_value[0] == 5e-324
    assert found.log10_p[0] < -400
    assert found.log10_p[0] * math.log(10) == pytest.approx(exact_log(expected), rel=1e-14)
    assert sign_flip_p_value(z) == 5e-324
    assert sign_flip_p_value(np.ones(3000)) == 5e-324


def test_counting_serves_several_limits():
    weights = np.array([1.0, 4.0, 4.0, 9.0, 2.0])
    limits = np.array([-1, 0, 3, 10])
    found = np.exp(log_at_most_counted(weights, limits))
    expected = [0.0, *(float(subset_tail(weights, 20 - 2 * limit)) for limit in (0, 3, 10))]
    assert found == pytest.approx(expected, rel=1e-14)


@pytest.mark.parametrize("share", [0.02, 0.3, 0.5])
def test_counting_agrees_with_whole_number_arithmetic(share):
    """Weights that are added in short slices, in long ones, and beyond the limit."""
    rng = np.random.default_rng(5)
    weights = np.concatenate(
        [rng.integers(1, 50, 8), rng.integers(500, 2000, 25), rng.integers(3e3, 9e4, 12)]
    )
    limits = np.array([int(share * weights.sum()), int(share * weights.sum()) - 1, 0])
    ways = np.zeros(limits[0] + 1, dtype=object)
    ways[0] = 1
    for weight in weights.tolist():
        ways[weight:] = ways[weight:] + ways[: max(0, ways.size - weight)]
    exactly = [exact_log(Fraction(sum(ways[: limit + 1]), 2**weights.size)) for limit in limits.tolist()]
    found = log_at_most_counted(rng.permutation(weights).astype(float), limits)
    assert found == pytest.approx(exactly, abs=1e-13)


def test_steps_are_found():
    z = np.array(
        [[0.3, -0.1, 0.2], [1 / 3, 2 / 3, -1.0], [1 / 12, 0.25, 0.5], [2.0, 4.0, -6.0], [0.0, 0.0, 0.0]]
    )
    multiples, found = whole_multiples(z)
    assert found.all()
    expected = [[3, -1, 2], [1, 2, -3], [1, 3, 6], [1, 2, -3], [0, 0, 0]]
    assert multiples.tolist() == expected
    assert not whole_multiples(np.array([[math.pi, 1.0], [1.0, 1e-12]]))[1].any()
    assert not whole_multiples(np.array([[0.123, 1.0]]), max_decimals=2)[1].any()


@given(
    seed=st.integers(0, 2**32 - 1),
    n=st.integers(37, 400),
    most=st.integers(1, 50_000),
    unit=st.floats(1e-6, 1e6),
    power=st.sampled_from([-200, -20, 0, 0, 20, 200]),
)
def test_a_lattice_in_a_unit_of_its_own_is_found(seed, n, most, unit, power):
    """Differences of whole numbers times any number; scores scaled to unit variance and moved."""
    rng = np.random.default_rng(seed)
    a, b = rng.integers(0, most + 1, (2, n))
    a[0], b[0], a[1], b[1] = most, 0, 1, 0
    for z in ((a - b) * (unit * 10.0**power), (a - 17.3) / (unit * 7.1) - (b - 17.3) / (unit * 7.1)):
        multiples, found = whole_multiples(z[None, :])
        assert found[0]
        common = np.gcd.reduce(np.abs(a - b))
        assert np.array_equal(np.abs(multiples[0]), np.abs(a - b) // common)
        one, other = sign_flip_columns(z[:, None]), sign_flip_columns((a - b).astype(float)[:, None])
        assert one.log10_p[0] == other.log10_p[0]
        assert one.kind[0] == other.kind[0]


def test_real_numbers_have_no_lattice_of_their_own():
    z = np.random.default_rng(1).normal(size=(300, 60))
    z[:100] = np.round(np.abs(z[:100]), 1) * math.pi + 1e-6 * z[100:200]
    assert not whole_multiples(z)[1].any()


# --- few weights, dominating weights, strays ---------------------------------------------------------------


def test_meeting_in_the_middle():
    rng = np.random.default_rng(8)
    for n in (1, 2, 13, 14):
        weights = rng.random(n)
        z = signed(weights, 0.6, rng)
        expected = float(enumerated_p(z, "greater"))
        limit = (weights.sum() - z.sum()) / 2 + 1e-12
        found = log_at_most_enumerated(weights, np.ones(n), limit)
        assert math.exp(found) == pytest.approx(expected, rel=1e-13)
    assert log_at_most_enumerated(weights, np.ones(n), -1.0) == -math.inf


def test_meeting_with_equal_weights():
    values, often = np.array([1.0, 2.0, 5.0]), np.array([30.0, 12.0, 7.0])
    assert bits_to_try(often) == pytest.approx(math.log2(31 * 13 * 8))
    weights = np.repeat(values, often.astype(int))
    found = log_at_most_enumerated(values, often, 30.5)
    assert log_error(found, subset_tail(weights, int(weights.sum()) - 60)) < 1e-13
    assert bits_to_try(np.array([1200.0])) == math.inf


@pytest.mark.parametrize("t", [1, 41, 301, 901])
def test_tens_with_two_reals(t):
    tens = np.repeat([10, 20, 30], [70, 60, 70])
    odd = [math.pi, math.sqrt(2)]
    weights = np.append(tens, odd)
    reached = [
        t - sum(pair) for pair in ((odd[0], odd[1]), (odd[0], -odd[1]), (-odd[0], odd[1]), (-odd[0], -odd[1]))
    ]
    expected = sum((subset_tail(tens, math.ceil(one / 20) * 20) for one in reached), Fraction(0)) / 4
    found = sign_flip_tail(weights, t)
    assert found.kind == "exact"
    assert log_error(found.log_p, expected) < 1e-12


def test_strays_from_a_lattice():
    rng = np.random.default_rng(5)
    tens = rng.integers(1, 90, 300)
    odd = rng.random(3) * 3
    weights = np.append(tens / 100, odd)
    t = 10.3456
    halves = [t - float(np.dot(1 - 2 * np.array(signs), odd)) for signs in np.ndindex(2, 2, 2)]
    total = int(tens.sum())
    reached = [math.ceil(one * 100) for one in halves]
    expected = sum(subset_tails(tens, [one + (total - one) % 2 for one in reached]), Fraction(0)) / 8
    found = sign_flip_tail(weights, t)
    assert found.kind == "exact"
    assert log_error(found.log_p, expected) < 1e-12


@pytest.mark.parametrize("giant", [1e3, 1e9, 1e15])
@pytest.mark.parametrize("up", [True, False])
def test_one_giant_weight(giant, up):
    rng = np.random.default_rng(1)
    rest = signed(rng.integers(1, 9, 60), 0.5, rng).astype(int)
    z = [*rest.tolist(), int(giant) if up else -int(giant)]
    above = subset_tail(np.abs(rest), abs(int(rest.sum())))
    inner = above if (rest.sum() > 0) == up else 1 - subset_tail(np.abs(rest), abs(int(rest.sum())) + 1)
    assert sign_flip_p_value(z) == pytest.approx(float(inner), rel=1e-12)


def test_nearly_all_in_one_direction():
    rng = np.random.default_rng(2)
    z = rng.random(2000) + 0.5
    assert sign_flip_columns(column(z)).log10_p[0] == pytest.approx(-1999 * math.log10(2), rel=1e-14)
    z[7] = -0.01
    own = sign_flip_columns(column(z))
    assert own.log10_p[0] == pytest.approx(-1998 * math.log10(2), rel=1e-14)
    assert own.kind[0] == KINDS.index("exact")


# --- contour ----------------------------------------------------------------------------------------------

SHAPES = {
    "uniform": lambda rng, n: rng.random(n),
    "normal": lambda rng, n: np.abs(rng.normal(size=n)),
    "Cauchy": lambda rng, n: np.abs(rng.standard_cauchy(n)),
    "Pareto": lambda rng, n: rng.pareto(1.0, n),
    "heavy Pareto": lambda rng, n: rng.pareto(0.5, n),
    "lognormal": lambda rng, n: np.exp(2.0 * rng.normal(size=n)),
    "nearly a lattice": lambda rng, n: rng.integers(1, 6, n) + 0.01 * rng.normal(size=n),
    "two scales": lambda rng, n: np.where(rng.random(n) < 0.5, 1.0, 10.0) * (1.0 + 0.1 * rng.random(n)),
}


@pytest.mark.parametrize("shape", SHAPES)
def test_contour_keeps_within_its_own_estimate(shape):
    rng = np.random.default_rng(11)
    n = 32
    weights = np.sort(np.stack([SHAPES[shape](rng, n) for _ in range(24)]), axis=1)
    z = weights * np.where(rng.random(weights.shape) < rng.choice([0.5, 0.3, 0.2], (24, 1)), -1.0, 1.0)
    t = np.abs(z.sum(axis=1))
    found = log_tails_by_contour(weights, t, np.zeros(24))
    limits = (weights.sum(axis=1) - t) / 2 + 1e-12 * weights.sum(axis=1)
    exact = [log_at_most_enumerated(w, np.ones(n), one) for w, one in zip(weights, limits, strict=True)]
    wrong = np.abs(np.expm1(np.where(np.isfinite(found.log_tail), found.log_tail, 0.0) - exact))
    assert np.all((wrong <= found.error) | ~np.isfinite(found.error))


@pytest.mark.parametrize("shape", ["Cauchy", "Pareto", "heavy Pareto", "lognormal"])
def test_dominating_weights_are_split_off(shape):
    rng = np.random.default_rng(4)
    close = 0
    for _ in range(8):
        z = signed(SHAPES[shape](rng, 40), 0.55, rng)
        weights = np.sort(np.abs(z))
        limit = (weights.sum() - abs(z.sum())) / 2 + 1e-12 * weights.sum()
        exact = log_at_most_enumerated(weights, np.ones(40), limit)
        found = log_at_most(weights, np.ones(40), limit, False, Effort(most_bits=12.0))
        assert found is not None
        assert abs(math.expm1(found.log_p - exact)) <= found.error + 1e-15
        close += found.error < 1e-3
    assert close >= 5


@pytest.mark.parametrize("shape", ["uniform", "normal", "lognormal"])
@pytest.mark.parametrize("n", [150, 400, 1500])
def test_contour_against_the_untilted_integral(shape, n):
    rng = np.random.default_rng(n)
    weights = rng.random(n) if shape == "uniform" else np.abs(rng.normal(size=n))
    if shape == "lognormal":
        weights = np.exp(0.8 * rng.normal(size=n))
    for sds in (0.1, 1.0, 3.0):
        t = sds * math.sqrt(float((weights**2).sum()))
        found = sign_flip_tail(weights, t)
        assert found.kind == "contour"
        assert math.exp(found.log_p) == pytest.approx(gil_pelaez_tail(weights, t), rel=1e-9, abs=1e-13)


@pytest.mark.parametrize("sds", [0.2, 2.0, 6.0, 15.0])
def test_contour_on_a_fine_lattice_is_proved_exact(sds):
    rng = np.random.default_rng(6)
    weights = np.sort(rng.integers(1, 120, 600))
    t = int(sds * math.sqrt(float((weights**2).sum())))
    t += (int(weights.sum()) - t) % 2
    found = log_tails_by_contour(weights[None, :].astype(float), np.array([float(t)]), np.array([2.0]))
    assert log_error(found.log_tail[0], subset_tail(weights, t)) < 1e-12
    assert found.exact[0] or sds > 10


def test_contour_beyond_the_lattice_limits():
    rng = np.random.default_rng(7)
    z = np.round(20 * rng.normal(size=2001) + 0.8, 4)
    found = sign_flip_columns(column(z))
    assert found.kind[0] == KINDS.index("contour")
    units = np.rint(np.abs(z) * 1e4).astype(np.int64)
    values, often = grouped(units.astype(float), True)
    limit = (int(units.sum()) - abs(int(np.rint(z * 1e4).sum()))) // 2
    exact = log_at_most_lattice(values.astype(np.int64), often, limit // 64 * 64, math.inf)
    assert exact is None, "otherwise this case belongs on the lattice"
    t = abs(float(z.sum()))
    assert found.p_value[0] == pytest.approx(2 * gil_pelaez_tail(np.abs(z), t), rel=1e-5)


def test_error_estimate_sees_a_hidden_lattice():
    rng = np.random.default_rng(9)
    near = rng.integers(1, 30, 300) / 10 + 1e-8 * rng.random(300)
    z = signed(near, 0.5, rng)
    found = sign_flip_columns(column(z), seed=1, resamples=5000)
    error = found.error[0]
    assert 1e-4 < error < 0.02
    units = np.rint(np.abs(z) * 10).astype(int)
    t = abs(int(np.rint(z * 10).sum()))
    lower, upper = (2 * float(subset_tail(units, one)) for one in (t + 1, t))
    assert lower * (1 - error) <= found.p_value[0] <= upper * (1 + error)


def test_shares_of_small_counts():
    rng = np.random.default_rng(12)
    whole_units, parts = rng.integers(2, 13, (2, 600))
    scores = np.minimum(rng.integers(0, 13, (2, 600)), [whole_units, parts]) / np.array([whole_units, parts])
    z = scores[0] - scores[1]
    found = sign_flip_columns(column(z))
    assert found.kind[0] == KINDS.index("contour")
    units = np.abs(np.array(whole([Fraction(one).limit_denominator(200) for one in z]), dtype=object))
    t = abs(float(z.sum()))
    assert len(set(units.tolist())) < 300
    assert found.p_value[0] == pytest.approx(2 * gil_pelaez_tail(np.abs(z), t), rel=1e-4)
    assert found.error[0] < 1e-3


# --- columns ----------------------------------------------------------------------------------------------


def mixed_board(n: int, rng: np.random.Generator) -> np.ndarray:
    return np.column_stack(
        [
            rng.normal(size=n),
            np.round(rng.normal(size=n), 2),
            rng.integers(-3, 4, n),
            (rng.random(n) < 0.3) * 1.0 - (rng.random(n) < 0.2),
            rng.standard_cauchy(n),
            np.zeros(n),
            np.round(20 * rng.normal(size=n), 4),
            np.full(n, 0.1),
        ]
    )


@pytest.mark.parametrize(
    ("n", "alternative"), [*itertools.product([1, 5, 12, 60], ALTERNATIVES), (240, "two-sided")]
)
def test_columns_agree_with_single_pairs(n, alternative):
    z = mixed_board(n, np.random.default_rng(n))
    found = sign_flip_columns(z, alternative)
    single = [sign_flip_p_value(z[:, pair], alternative) for pair in range(z.shape[1])]
    assert found.p_value == pytest.approx(single, rel=2e-3)
    exact = found.kind == KINDS.index("exact")
    assert found.p_value[exact] == pytest.approx(np.array(single)[exact], rel=1e-11)
    assert 10.0**found.log10_p == pytest.approx(found.p_value, rel=1e-12)


@given(z=st.one_of(counts, decimals, reals))
def test_one_sided_p_values_beside_the_two_sided_one(z):
    """P(T ≥ t) + P(T ≤ t) is 1 + P(T = t), so one tail doesn't say the other."""
    found = sign_flip_columns(column(z), sides=True)
    alone = [sign_flip_columns(column(z), side).p_value[0] for side in ("greater", "less")]
    assert found.one_sided[0] == pytest.approx(alone, rel=1e-12)
    assert found.p_value[0] == pytest.approx(min(1.0, 2.0 * min(alone)), rel=1e-12)


@pytest.mark.parametrize("n", [12, 45, 60, 99, 240, 700])
def test_one_sided_p_values_do_not_depend_on_being_asked_for_together(n):
    z = mixed_board(n, np.random.default_rng(n))
    found, on_the_way = sign_flip_columns(z, sides=True), sign_flip_columns(z).one_sided
    for column_of, side in enumerate(("greater", "less")):
        alone = sign_flip_columns(z, side)
        off = np.abs(found.one_sided[:, column_of] / alone.p_value - 1.0)
        assert (off <= 1e-12 + 2.0 * alone.error).all()
        assert off[alone.kind == KINDS.index("exact")].max() < 1e-12
    known = ~np.isnan(on_the_way)
    np.testing.assert_array_equal(on_the_way[known], found.one_sided[known])
    assert known.mean() > 0.5
    assert sign_flip_columns(z, "less").one_sided is None


@pytest.mark.parametrize("n", [12, 45, 240, 700])
def test_digits_do_not_depend_on_the_other_pairs(n):
    z = mixed_board(n, np.random.default_rng(n))
    together = sign_flip_columns(z, seed=3, resamples=300)
    swapped = sign_flip_columns(np.asfortranarray(z[:, ::-1]), seed=3, resamples=300)
    for pair in range(z.shape[1]):
        alone = sign_flip_columns(z[:, [pair]], seed=3, resamples=300)
        for name in ("p_value", "log10_p", "kind", "error"):
            assert getattr(alone, name)[0] == getattr(together, name)[pair]
            assert getattr(swapped, name)[-1 - pair] == getattr(together, name)[pair]


@pytest.mark.parametrize("n", [50, 75, 110, 150])
def test_digits_do_not_depend_on_pairs_with_the_same_sizes_of_differences(n):
    """Beyond 53 weights counts are rounded: the way they are counted must be the pair's own."""
    rng = np.random.default_rng(n)
    sizes = rng.integers(1, 700, n).astype(float)
    signs = np.where(rng.random((n, 40)) < np.linspace(0.5, 0.9, 40), 1.0, -1.0)
    together = sign_flip_columns(sizes[:, None] * signs)
    alone = [sign_flip_columns(column(sizes * own)).log10_p[0] for own in signs.T]
    assert together.kind.tolist() == [KINDS.index("exact")] * 40
    assert together.log10_p.tolist() == alone
    ranks, t = np.arange(1.0, n + 1.0), np.arange(1.0, n + 1.0) @ signs
    of_ranks = weighted_sign_flip_columns(np.repeat(ranks[:, None], 40, axis=1), t)
    own = [weighted_sign_flip_columns(column(ranks), t[[pair]]).log10_p[0] for pair in range(40)]
    assert of_ranks.log10_p.tolist() == own


def test_more_than_a_thousand_equal_differences_beside_a_few_others():
    """Found by searching: C(n, n/2) overflows, but few subsets are within the limit: those are counted."""
    z = searched_pair(80_903_223, 3_000)
    steps = np.rint(100 * z).astype(int)
    sizes = np.abs(steps[steps != 0])
    last = (int(sizes.sum()) - abs(int(steps.sum()))) // 2
    ways = [1, *[0] * last]
    for size in sizes.tolist():
        for reached in range(last, size - 1, -1):
            ways[reached] += ways[reached - size]
    assert np.unique(sizes, return_counts=True)[1].max() > 1_029
    found = sign_flip_columns(column(z))
    assert found.log10_p[0] == pytest.approx(
        math.log10(2 * sum(ways)) - sizes.size * math.log10(2), rel=1e-14
    )
    assert KINDS[found.kind[0]] == "exact"


def test_pairs_counted_anyway_are_not_searched_for_returns():
    """What is proved stays as it is; the rest has no error that another route would have to beat."""
    rng = np.random.default_rng(8)
    weights = np.sort(rng.integers(1, 3000, (24, 60)) * rng.integers(0, 2, (24, 1)) + 1.0, axis=1)
    weights = np.concatenate([weights, np.sort(rng.integers(1, 40, (24, 60)), axis=1)])
    t = np.array([abs(signed(row, 0.6, rng).sum()) for row in weights])
    step, every = np.full(t.size, 2.0), np.ones(t.size, dtype=bool)
    plain, found = (log_tails_by_contour(weights, t, step, proved_only=one) for one in (None, every))
    left = np.isinf(found.error)
    assert 0 < left.sum() < t.size
    np.testing.assert_array_equal(found.exact[left], False)
    for name in ("log_tail", "error", "exact", "log_strict"):
        np.testing.assert_array_equal(getattr(found, name)[~left], getattr(plain, name)[~left])


def test_sums_of_the_last_row_are_added_as_those_of_any_other():
    # reduceat once took one zero more into the last row's last stretch, and paired its numbers differently.
    weights = np.sort(np.abs(np.random.default_rng(0).standard_t(3, (40, 5000))), axis=1)
    together = PartSums.of(weights)
    for row in range(40):
        alone = PartSums.of(weights[[row]])
        assert alone.second[:, 0].tolist() == together.second[:, row].tolist()
        assert alone.fourth[:, 0].tolist() == together.fourth[:, row].tolist()


def test_missing_units_carry_no_weight():
    rng = np.random.default_rng(0)
    z = rng.normal(size=(30, 3))
    z[4, 0] = z[9, 0] = math.nan
    z[:, 1] = math.nan
    found = sign_flip_columns(z)
    assert found.p_value[0] == pytest.approx(sign_flip_p_value(z[~np.isnan(z[:, 0]), 0]), rel=1e-12)
    assert math.isnan(found.p_value[1])
    assert math.isnan(found.log10_p[1])
    assert sign_flip_columns(np.zeros((4, 0))).p_value.shape == (0,)
    for alternative in ALTERNATIVES:
        assert np.isnan(sign_flip_columns(z, alternative).p_value).tolist() == [False, True, False]
        assert np.isnan(sign_flip_columns(np.zeros((0, 2)), alternative).p_value).all()


def test_many_pairs_of_binary_scores():
    rng = np.random.default_rng(2)
    scores = (rng.random((102, 60)) < rng.random(60)).astype(float)
    left, right = np.triu_indices(60, 1)
    z = scores[:, left] - scores[:, right]
    by_flips = sign_flip_columns(z)
    by_counts = binomial_tail_columns((z > 0).sum(axis=0), (z < 0).sum(axis=0))
    assert by_flips.p_value == pytest.approx(by_counts.p_value, rel=1e-13)
    assert np.all(by_flips.kind == KINDS.index("exact"))


def test_no_random_numbers(monkeypatch):
    def forbidden(*_args, **_kwargs):
        raise AssertionError("random numbers were drawn")

    boards = [mixed_board(n, np.random.default_rng(n)) for n in (6, 30, 90, 300)]
    for name in ("default_rng", "Generator", "RandomState", "random", "rand", "randn", "choice", "seed"):
        monkeypatch.setattr(np.random, name, forbidden)
    for z in boards:
        for alternative in ALTERNATIVES:
            kind = sign_flip_columns(z, alternative).kind
            assert np.all(kind != KINDS.index("monte-carlo"))
    assert sign_flip_tail(np.arange(1, 400), 999).kind == "exact"


# --- ranks ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("alternative", ALTERNATIVES)
@given(z=st.lists(st.integers(-4, 4), min_size=1, max_size=9))
def test_ranks_with_ties_agree_with_enumeration(alternative, z):
    z = np.array(z)
    size = np.abs(z)
    doubled = np.array([2 * np.sum(size[z != 0] < one) + np.sum(size[z != 0] == one) + 1 for one in size])
    weights = np.where(z != 0, doubled, 0)
    signed_ranks = (np.sign(z) * weights).tolist()
    found = weighted_sign_flip_columns(column(weights), np.array([float(sum(signed_ranks))]), alternative)
    assert found.p_value[0] == pytest.approx(float(enumerated_p(signed_ranks, alternative)), rel=1e-12)


@pytest.mark.parametrize("n", [40, 170, 260])
def test_many_untied_ranks(n):
    ranks = 2 * np.arange(1, n + 1)
    t = np.array([0.1, 1.0, 4.0]) * math.sqrt(float((ranks.astype(float) ** 2).sum()))
    t = (t // 4 * 4 + int(ranks.sum()) % 4).astype(int)
    found = weighted_sign_flip_columns(np.repeat(ranks[:, None], 3, axis=1).astype(float), t.astype(float))
    assert np.all(found.kind == KINDS.index("exact"))
    for pair, tail in enumerate(subset_tails(ranks // 2, t // 2)):
        expected = min(Fraction(1), 2 * tail)
        assert log_error(found.log10_p[pair] * math.log(10), expected) < 1e-12


def test_thousands_of_ranks_are_still_exact():
    ranks = 2.0 * np.arange(1, 1501)
    t = np.array([float(2 * (np.arange(1, 1501) * (1 - 2 * (np.arange(1500) % 3 == 0))).sum())])
    found = weighted_sign_flip_columns(ranks[:, None], t)
    assert KINDS[found.kind[0]] == "exact"
    contour = log_tails_by_contour(ranks[None, :] / 2, t / 2, np.array([2.0]))
    assert found.log10_p[0] * math.log(10) == pytest.approx(contour.log_tail[0] + math.log(2), abs=1e-9)


# --- binomial ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("alternative", ALTERNATIVES)
@given(wins=st.integers(0, 40), losses=st.integers(0, 40))
def test_binomial_tails(alternative, wins, losses):
    n = wins + losses
    if alternative == "two-sided":
        expected = (
            Fraction(1) if wins == losses else min(Fraction(1), 2 * binomial_tail(n, max(wins, losses)))
        )
    else:
        expected = binomial_tail(n, wins if alternative == "greater" else losses)
    found = binomial_tail_columns([wins], [losses], alternative)
    assert found.p_value[0] == pytest.approx(float(expected), rel=1e-12)
    assert found.kind[0] == KINDS.index("exact")


@pytest.mark.parametrize(
    ("wins", "losses"),
    [
        (50_200, 49_800),
        (51_500, 48_500),
        (56_100, 43_900),
        (70_000, 30_000),
        (99_999, 1),
        (100_000, 0),
        (6000, 0),
    ],
)
def test_long_binomial_tails(wins, losses):
    found = binomial_tail_columns([wins], [losses])
    expected = 2 * binomial_tail(wins + losses, wins)
    scale = max(1.0, abs(exact_log(expected)))
    assert log_error(found.log10_p[0] * math.log(10), expected) < 3e-12 * scale
    assert found.p_value[0] == pytest.approx(max(float(expected), 5e-324), rel=3e-12)


def test_published_mcnemar_counts():
    found = binomial_tail_columns([994, 5, 0, 7], [476, 0, 0, 7])
    assert found.p_value[0] == pytest.approx(2.685e-42, rel=2e-4)
    assert found.p_value[1:].tolist() == [0.0625, 1.0, 1.0]


def test_refused_counts():
    with pytest.raises(NlpstatError, match="whole numbers"):
        binomial_tail_columns([1.5], [2])
    with pytest.raises(NlpstatError, match="whole numbers"):
        binomial_tail_columns([-1], [2])
    with pytest.raises(NlpstatError, match="shape"):
        binomial_tail_columns([1, 2], [2])


@pytest.mark.parametrize("shape", ["normal", "Cauchy", "lognormal", "nearly a lattice"])
def test_nodes_left_out_are_negligible(shape):
    # |φ| of all weights at every node that a quarter of the weights dismissed.
    rng = np.random.default_rng(21)
    weights = np.sort(np.stack([SHAPES[shape](rng, 300) for _ in range(6)]), axis=1)
    weights[3, :120] = 0.0
    for sds in (1.0, 6.0):
        spread = (weights**2).sum(axis=1)
        t = np.minimum(sds * np.sqrt(spread), 0.9 * weights.sum(axis=1))
        tilted = tilt(WeightCumulants(weights, np.ones(300)), spread, t)
        spacing, nodes = 0.3 / np.sqrt(tilted.variance), np.full(6, 400.0)
        counted = nodes_that_count(weights, tilted, spacing, nodes, 34.0)
        phi = np.abs(characteristic_products(weights, tilted.tau, spacing, 400))
        for pair in range(6):
            assert np.all(phi[int(counted[pair]) :, pair] < math.exp(-34.0))
        alone = Tilted(*(part[[2]] for part in (tilted.tau, tilted.mean, tilted.variance, tilted.peak)))
        own = nodes_that_count(weights[[2]], alone, spacing[[2]], nodes[[2]], 34.0)
        assert own[0] == counted[2]


@pytest.mark.parametrize("sds", [0.0, 0.1, 0.5, 1.0, 3.0])
def test_what_the_pole_adds_is_taken_off(sds):
    # 160 whole weights near p = ½, where windows are narrowest, against subset counts.
    rng = np.random.default_rng(25)
    for top in (40, 2000):
        whole_weights = rng.integers(1, top, 160)
        t = int(sds * math.sqrt(float((whole_weights**2).sum())))
        t += (t + int(whole_weights.sum())) % 2
        weights = np.sort(whole_weights)[None].astype(float)
        found = log_tails_by_contour(weights, np.array([float(t)]), np.array([2.0]))
        assert log_error(found.log_tail[0], subset_tail(whole_weights, t)) <= max(found.error[0], 1e-12)


@pytest.mark.parametrize("share", [0.3, 0.7, 0.97])
def test_tails_whose_window_was_narrowed(share):
    # 150 whole weights as reals, far out in the tail, against subset counts.
    rng = np.random.default_rng(22)
    whole_weights = rng.integers(1, 2000, 150)
    total = int(whole_weights.sum())
    t = int(share * total)
    t += (t + total) % 2
    found = log_tails_by_contour(
        np.sort(whole_weights)[None].astype(float), np.array([float(t)]), np.array([2.0])
    )
    assert log_error(found.log_tail[0], subset_tail(whole_weights, t)) <= max(found.error[0], 1e-11)


@pytest.mark.parametrize("sds", [0.0, 0.4, 2.0, 5.0, 9.0])
def test_power_sums_against_products(sds):
    # The two ways to φ share neither tilt nor series: 16 powers with their bound, and every factor as it is.
    rng = np.random.default_rng(23)
    weights = np.sort(np.abs(rng.standard_t(4, (12, 600))), axis=1)
    weights[6:, :150] = 0.0
    t = np.minimum(sds * np.sqrt((weights**2).sum(axis=1)), 0.8 * weights.sum(axis=1))
    found = log_tails_by_contour(weights, t, np.zeros(12))
    plain = log_tails_by_contour(weights, t, np.zeros(12), farther=1.0000001)  # not by power sums
    assert np.all(np.abs(found.log_tail - plain.log_tail) <= found.error + plain.error)
    assert np.median(found.error) < 3e-12


def test_terms_left_out_are_within_their_bound():
    rng = np.random.default_rng(24)
    weights = np.sort(np.abs(rng.normal(size=(4, 300))), axis=1)
    sums = PowerSums.of(weights, weights[:, -1] * 1.0001, 4)
    for share in (0.5, 0.8, 1.0):
        distance = FARTHEST * share / sums.cut
        for turn in (0.0, 0.7, np.pi / 2):
            s = distance * np.exp(1j * turn)
            exact = np.log(np.cosh(s[:, None] * weights)).sum(axis=1)
            tau, y = s.real, s.imag[None, :]
            height = np.log(np.cosh(tau[:, None] * weights)).sum(axis=1)
            both = np.abs(sums.log_ratio(tau, y)[0] + height - exact)
            assert np.all(both <= sums.rest(distance) + sums.rest(tau) + 1e-11)


def test_power_sums_are_those_of_the_definition():
    weights = np.sort(np.abs(np.random.default_rng(5).normal(size=(3, 400))), axis=1)
    found = PowerSums.of(weights, np.full(3, 1.5), 128)
    inside = np.where(weights <= 1.5, weights / 1.5, 0.0)
    # log cosh x = x²/2 − x⁴/12 + x⁶/45 − …
    for order, coefficient in enumerate([1 / 2, -1 / 12, 1 / 45, -17 / 2520]):
        expected = coefficient * (inside ** (2 * order + 2)).sum(axis=1)
        assert found.sums[order] == pytest.approx(expected, rel=1e-13)
    alone = PowerSums.of(weights[[1]], np.full(1, 1.5), 128)
    assert alone.sums[:, 0].tolist() == found.sums[:, 1].tolist()


@given(seed=st.integers(0, 2**32 - 1), n=st.integers(2, 36), ties=st.integers(0, 17))
def test_up_to_36_differences_of_a_board_are_exact_whatever_their_ties(seed, n, ties):
    rng = np.random.default_rng(seed)
    z = rng.normal(size=n)
    z[: min(ties, n // 2)] = rng.choice(z[n // 2 :], min(ties, n // 2))
    z *= rng.choice([-1.0, 1.0], n)
    found = sign_flip_columns(column(z))
    assert KINDS[found.kind[0]] == "exact"
    assert found.p_value[0] == pytest.approx(sign_flip_p_value(z), rel=1e-11)


@given(
    st.lists(st.integers(1, 40), min_size=1, max_size=14),
    st.lists(st.integers(0, 600), min_size=1, max_size=3),
)
def test_one_table_and_two_halves_count_the_same_subsets(weights, limits):
    ordered, asked = np.sort(np.array(weights, dtype=float)), np.minimum(limits, sum(weights))
    wanted = [
        sum(
            sum(some) <= limit for k in range(len(weights) + 1) for some in itertools.combinations(weights, k)
        )
        for limit in asked
    ]
    for way in (_by_one_table, _by_halves):
        assert way(ordered, asked, int(asked.max())).tolist() == wanted


@pytest.mark.parametrize("n", [60, 250])
def test_the_cheaper_way_of_counting_is_taken_and_both_agree(n):
    rng = np.random.default_rng(n)
    ordered = np.sort(rng.integers(1, 4000, n).astype(float))
    limit = int(ordered.sum() / 2 - np.sqrt((ordered**2).sum()))
    limits = np.array([limit, limit - 1])
    one, halves = (way(ordered, limits, limit) for way in (_by_one_table, _by_halves))
    np.testing.assert_allclose(halves, one, rtol=1e-13)
    np.testing.assert_allclose(
        log_at_most_counted(ordered, limits), np.log(one) - n * np.log(2), rtol=1e-13, atol=1e-13
    )
