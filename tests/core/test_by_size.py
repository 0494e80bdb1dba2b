"""Differences sorted once, for signed ranks and for sign flips."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from nlpstat_core.engine.columns.by_size import has_grid, short_steps, signed
from nlpstat_core.engine.signflip import sign_flip_columns
from tests.core.oracles import board, run, wilcoxon_ranks

KINDS = ("whole", "decimals", "large decimals", "thirds", "real", "dust", "tiny")


def scores_of(kind: str, seed: int, n_units: int) -> np.ndarray:
    """Scores of three systems: written in some way, or in none."""
    rng = np.random.default_rng(seed)
    whole = rng.integers(-6, 7, (n_units, 3)).astype(float)
    if kind == "whole":
        return whole
    if kind == "decimals":
        return np.round(rng.normal(0, 1, (n_units, 3)), 2)
    if kind == "large decimals":
        return np.round(rng.normal(0, 1e7, (n_units, 3)), 4)
    if kind == "thirds":
        return np.round(whole / 3, 6)
    if kind == "dust":  # below what ranks tell apart
        return whole * np.pi + 1e-13 * rng.integers(-3, 4, whole.shape)
    return rng.normal(0, 1e-7 if kind == "tiny" else 1.0, (n_units, 3))


@pytest.mark.parametrize("kind", KINDS)
@given(seed=st.integers(0, 10**6), n_units=st.integers(1, 60), delta=st.sampled_from([0.0, 0.0, 0.25]))
def test_rank_sums_are_those_of_rounded_differences(kind, seed, n_units, delta):
    batch = board(scores_of(kind, seed, n_units), delta)
    found = batch.signed_ranks
    for pair in range(batch.n_pairs):
        z = batch.rounded[:, pair]
        ranks = wilcoxon_ranks(z)
        assert found.w_plus[pair] == ranks[ranks > 0].sum()
        assert found.zeros[pair] == np.count_nonzero(z == 0)
        assert found.positive[pair] == np.count_nonzero(z > 0)
        assert found.sd()[pair] == pytest.approx(np.sqrt(np.sum(ranks**2)) / 2, rel=1e-12)


@pytest.mark.parametrize("kind", KINDS)
@given(seed=st.integers(0, 10**6), n_units=st.integers(1, 60))
def test_the_differences_stand_in_the_order_of_their_sizes(kind, seed, n_units):
    batch = board(scores_of(kind, seed, n_units))
    found = signed(batch.by_size)
    assert np.all(np.diff(np.abs(found), axis=1) >= 0)
    z = (batch.rounded if has_grid(batch) else batch.differences) * (short_steps(batch) or 1.0)
    np.testing.assert_allclose(np.sort(found, axis=1), np.sort(z.T, axis=1), rtol=1e-12, atol=1e-9)


@pytest.mark.parametrize("kind", KINDS)
@given(seed=st.integers(0, 10**6), n_units=st.integers(1, 60))
def test_sign_flips_of_sorted_differences_are_those_of_all_in_their_own_order(kind, seed, n_units):
    batch = board(scores_of(kind, seed, n_units))
    z = batch.rounded if has_grid(batch) else batch.differences
    found, wanted = run("permutation-mean", batch), sign_flip_columns(z)
    # Sums added up in another order are a rounding apart, and what an error allows may change with that.
    assert np.all(np.abs(found.p_value / wanted.p_value - 1.0) <= 1e-11 + 0.01 * wanted.error)


def test_every_way_scores_are_written_is_tried():
    grids = {kind: board(scores_of(kind, 1, 60)) for kind in KINDS}
    assert {kind for kind, batch in grids.items() if short_steps(batch)} == {"whole", "decimals", "thirds"}
    assert {kind for kind, batch in grids.items() if has_grid(batch)} == {
        *("whole", "decimals", "large decimals", "thirds")
    }
