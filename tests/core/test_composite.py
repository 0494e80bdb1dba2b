"""The weighted mean over tracks: all sign flips counted, weights, shared limits, refusals."""

import itertools
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import nlpstat_core as ns

NAN = math.nan
track = st.lists(st.integers(-4, 4).map(lambda k: k / 4), min_size=1, max_size=4)
tracks = st.lists(track, min_size=1, max_size=3)


def counted(differences, weights):
    """Every sign of every item, tried."""
    shares = np.array(weights, float) / np.sum(weights)
    parts = [w * np.array(d, float) / len(d) for w, d in zip(shares, differences, strict=True) if w > 0]
    c = np.concatenate(parts)
    signs = np.array(list(itertools.product([1.0, -1.0], repeat=c.size)))
    return np.mean(np.abs(signs @ c) >= abs(c.sum()) - 1e-12 * np.abs(c).sum())


@given(tracks, st.lists(st.sampled_from([0, 1, 2, 0.3, 1 / 3]), min_size=3, max_size=3))
def test_it_counts_all_signs(differences, weights):
    weights = weights[: len(differences)]
    if not any(weights):
        weights[0] = 1
    assert ns.composite_p_value(differences, weights) == pytest.approx(
        counted(differences, weights), rel=1e-9
    )
    equal = counted(differences, [1] * len(differences))
    assert ns.composite_p_value(differences) == pytest.approx(equal, rel=1e-9)


@pytest.mark.parametrize("weights", [[1, 1, 1], [0.5, 0.3, 0.2]])
def test_seventeen_items_enumerated(weights):
    rng = np.random.default_rng(20)
    differences = [rng.normal(0.3, 1, n) for n in (5, 7, 5)]
    assert ns.composite_p_value(differences, weights) == pytest.approx(
        counted(differences, weights), rel=1e-9
    )


@given(tracks, st.floats(0.1, 10), st.permutations(range(3)))
def test_scale_of_weights_direction_and_order_change_nothing(differences, scale, order):
    weights = [1, 2, 0.5][: len(differences)]
    p = ns.composite_p_value(differences, weights)
    assert ns.composite_p_value(differences, [w * scale for w in weights]) == pytest.approx(p, rel=1e-9)
    assert ns.composite_p_value([[-d for d in t] for t in differences], weights) == pytest.approx(
        p, rel=1e-12
    )
    mixed = [place for place in order if place < len(differences)]
    found = ns.composite_p_value([differences[i] for i in mixed], [weights[i] for i in mixed])
    assert found == pytest.approx(p, rel=1e-9)


@given(track)
def test_one_track_is_the_permutation_test(differences):
    assert ns.composite_p_value([differences]) == pytest.approx(ns.sign_flip_p_value(differences), rel=1e-9)


def test_a_track_without_weight_is_no_track():
    first, second = [1, 2, 3.5, -0.5], [5.0, -1]
    assert ns.composite_p_value([first, second], [1, 0]) == ns.composite_p_value([first])


def test_tracks_by_name():
    named = {"de": [1, 2, 0.5], "zh": [0.2, -0.1]}
    expected = ns.composite_p_value([named["de"], named["zh"]], [2, 1])
    assert ns.composite_p_value(named, {"de": 2}) == expected
    assert ns.composite_p_value(named, {"zh": 1, "de": 2}) == expected
    with pytest.raises(ns.ConfigError, match="no track 'fr'; tracks are 'de', 'zh'"):
        ns.composite_p_value(named, {"fr": 1})


def test_a_large_track_does_not_outweigh_a_small_one():
    """A mean of means: a track of a thousand items counts as much as one of ten."""
    rng = np.random.default_rng(3)
    large, small = rng.normal(0, 1, 1_000), np.full(10, 2.0)
    assert ns.composite_p_value([large, small]) < 0.01
    assert ns.sign_flip_p_value(np.concatenate([large, small])) > 0.05


@pytest.mark.parametrize(
    ("differences", "weights", "error", "message"),
    [
        ([], None, ns.AnalysisError, "at least one track"),
        (0.5, None, ns.AnalysisError, "one array for every track"),
        ([1.0, 2.0], None, ns.AnalysisError, "Track '1': differences must be one row"),
        ([[1.0], []], None, ns.AnalysisError, "Track '2'"),
        ([[1.0], [NAN]], None, ns.AnalysisError, "Track '2': differences must be finite"),
        ([["a"]], None, ns.AnalysisError, "must be numbers"),
        ([[1.0], [2.0]], [1], ns.ConfigError, "2 tracks need as many weights"),
        ([[1.0], [2.0]], [1, -1], ns.ConfigError, "0 or more"),
        ([[1.0], [2.0]], [0, 0], ns.ConfigError, "above 0"),
        ([[1.0], [2.0]], [1, NAN], ns.ConfigError, "finite"),
        ([[1.0], [2.0]], ["x", 1], ns.ConfigError, "must be numbers"),
    ],
)
def test_what_is_refused(differences, weights, error, message):
    with pytest.raises(error, match=message):
        ns.composite_p_value(differences, weights)
