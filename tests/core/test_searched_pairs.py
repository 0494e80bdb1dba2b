"""What boards settle within their time limit keeps to its stated error, where one pair alone can be exact."""

from __future__ import annotations

import math

import numpy as np
import pytest
from core.searched_pairs import KINDS, counted, searched_pair

from nlpstat_core.engine.signflip.columns import sign_flip_columns
from nlpstat_core.engine.signflip.contour import log_tails_by_contour
from nlpstat_core.engine.signflip.counting import log_at_most_counted
from nlpstat_core.engine.signflip.effort import ONE_PAIR
from nlpstat_core.engine.signflip.outcome import KINDS as P_KINDS


@pytest.mark.parametrize("kind", range(len(KINDS)), ids=list(KINDS))
def test_p_is_within_its_error(kind):
    for number in range(kind, 12 * len(KINDS), len(KINDS)):
        z = searched_pair(number, 400)[:, None]
        fast, slow = sign_flip_columns(z), sign_flip_columns(z, effort=ONE_PAIR, seed=1)
        error = 4.0 * (fast.error[0] + slow.error[0]) + 1e-11
        apart = (fast.log10_p[0] - slow.log10_p[0]) * math.log(10.0)
        assert abs(math.expm1(apart)) <= error, (number, P_KINDS[fast.kind[0]], P_KINDS[slow.kind[0]])
        assert fast.error[0] <= 0.05


NUMBERS = [*((number, 400) for number in (38, 188, 1138, 1928, *range(40))), (38, 1_500)]


def test_p_keeps_to_its_error_of_a_count_from_the_definition():
    """At most four times the stated error and 1e-11 from sums counted one sign after the other."""
    checked = 0
    for number, most_units in NUMBERS:
        z = searched_pair(number, most_units)
        p = counted(z)
        if p is None or p < 1e-8:
            continue
        found = sign_flip_columns(z[:, None])
        apart = abs(math.expm1(found.log10_p[0] * math.log(10.0) - math.log(p)))
        assert apart <= 4.0 * found.error[0] + 1e-11, (number, P_KINDS[found.kind[0]], found.error[0], apart)
        checked += 1
    assert checked >= 12


@pytest.mark.parametrize("number", [47349, 46809, 49278])
def test_few_weights_half_on_a_coarse_lattice_keep_to_their_error(number):
    """The lattice brings φ back, though too little for sixteen of the weights to tell."""
    z = searched_pair(number, 130)
    found, p = sign_flip_columns(z[:, None]), counted(z)
    assert p is not None
    assert abs(math.expm1(found.log10_p[0] * math.log(10.0) - math.log(p))) <= found.error[0] + 1e-11


@pytest.mark.parametrize("number", [1015147, 1017277])
def test_giants_among_small_differences_are_exact_where_p_is_called_so(number):
    """φ was followed to 36/sd and proved negligible from farther on; by angles of 10⁵ it loses digits."""
    z = searched_pair(number, 200)
    found, p = sign_flip_columns(z[:, None]), counted(z)
    assert p is not None
    assert P_KINDS[found.kind[0]] == "exact"
    assert found.p_value[0] == pytest.approx(p, rel=1e-12)


def test_returns_are_looked_for_in_the_unit_of_the_scores():
    """All but two giants have four decimals. Scaled to one they had none, and what came back was missed."""
    z = searched_pair(9002417, 200)
    found, p = sign_flip_columns(z[:, None]), counted(z)
    assert p is not None
    assert abs(found.p_value[0] / p - 1.0) <= found.error[0]


@pytest.mark.parametrize("parts", [5, 6, 7, 9, 11, 13, 16, 32, 48, 64])
@pytest.mark.parametrize("seed", range(2))
def test_scores_shifted_by_a_part_of_their_step_keep_to_their_error(seed, parts):
    """Whole steps and five parts more, or less: all weights turn nearly whole where five parts do."""
    rng = np.random.default_rng(seed)
    z = np.rint(rng.normal(0.0, 60.0, 106)) + 5.0 / parts
    found, p = sign_flip_columns(z[:, None]), counted(z * parts)
    assert p is not None
    assert abs(found.p_value[0] / p - 1.0) <= found.error[0] + 1e-11


@pytest.mark.parametrize("whole", [True, False])
@pytest.mark.parametrize("seed", range(3))
def test_few_weights_state_what_is_left_to_chance(seed, whole):
    """Between 37 and 56 weights, a half or a third of them ten times as large, on a grid or beside it."""
    rng = np.random.default_rng(seed)
    for large in (1, 2, 3):
        n = int(rng.integers(37, 57))
        sizes = np.abs(rng.normal(size=n)) * np.where(np.arange(n) < n // large, 10.0, 1.0)
        weights = np.sort(np.maximum(np.rint(3e5 * sizes / sizes.sum()), 1.0))
        weights /= np.gcd.reduce(weights.astype(np.int64))
        total = weights.sum()
        last = int(total - rng.choice([0.1, 1.0, 1.6, 2.5]) * math.sqrt(float(weights @ weights))) // 2
        t = total - 2.0 * last - (0.0 if whole else 1.0)
        expected = log_at_most_counted(weights, np.array([last]))[0]
        found = log_tails_by_contour(weights[None, :], np.array([t]), np.array([2.0 if whole else 0.0]))
        assert abs(math.expm1(found.log_tail[0] - expected)) <= found.error[0], (n, large)
        assert found.exact[0] or found.error[0] >= 1e-6


@pytest.mark.parametrize(("number", "most_units"), [(98, 400), (68, 1_500), (38, 400)])
def test_returns_at_multiples_of_a_rounded_fraction_widen_the_error(number, most_units):
    # Sevenths on a grid of decimals, shifted together: φ returns at 55·7/10⁴ of a turn, 3·7/10³, 3·7/10².
    z = np.abs(searched_pair(number, most_units))
    whole = next(
        w for d in range(8) if np.allclose(w := np.rint(z * 10.0**d), z * 10.0**d, rtol=0, atol=1e-6)
    )
    weights = np.sort(whole[whole > 0])
    weights /= np.gcd.reduce(weights.astype(np.int64))
    t = abs(searched_pair(number, most_units).sum()) * weights.sum() / z.sum()
    tails = log_tails_by_contour(weights[None, :], np.array([np.rint(t)]), np.array([2.0]))
    assert tails.error[0] > 4e-5
