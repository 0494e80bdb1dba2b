"""Pairs of 0/1 scores with equal wins and losses are computed once: with the digits of each by itself."""

import gc
import weakref

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from nlpstat_core.board.pairs import columns as pair_columns
from nlpstat_core.catalogue import EFFECTS, TESTS
from nlpstat_core.config import AnalysisConfig
from nlpstat_core.engine.columns.batch import PairBatch
from nlpstat_core.engine.columns.pairing import chunks, pair_indices
from nlpstat_core.engine.columns.unit_block import UnitBlock
from nlpstat_core.engine.samples import paired_shares
from nlpstat_core.engine.samples.paired_shares import score_interval
from nlpstat_core.scores.matrix import ScoreMatrix


def right_and_wrong(seed: int, n_units: int, n_systems: int = 9) -> ScoreMatrix:
    """Answers with a copied system, and systems that are always right, or wrong."""
    rng = np.random.default_rng(seed)
    values = (rng.random((n_units, n_systems)) < rng.random(n_systems)).astype(float)
    values[:, 1], values[:, 2], values[:, 3] = values[:, 0], 1, 0
    return ScoreMatrix(values=values, systems=[f"s{i}" for i in range(n_systems)])


def both_ways(scores: ScoreMatrix, config: AnalysisConfig) -> None:
    left, right = pair_indices(scores.n_systems)
    (chunk,) = chunks(scores, left, right, by_wins=pair_columns.by_wins(config))
    together = pair_columns.chunk_columns(chunk.batch, config, True)
    alone = pair_columns._each_pair(chunk.batch, config, True)
    assert pair_columns.by_wins(config)
    assert together.keys() == alone.keys()
    for name, values in alone.items():
        assert values.tobytes() == np.ascontiguousarray(together[name]).tobytes(), name


@pytest.mark.parametrize("key", [test.key for test in TESTS if test.by_wins])
@settings(max_examples=12)
@given(seed=st.integers(0, 10**6), n_units=st.integers(1, 60), pratt=st.booleans())
def test_a_test_by_wins_gives_each_pair_its_own_digits(key, seed, n_units, pratt):
    method = "pratt" if pratt else "wilcox"
    both_ways(right_and_wrong(seed, n_units), AnalysisConfig(test=key, zero_method=method, effects=()))


@pytest.mark.parametrize("key", [effect.key for effect in EFFECTS if effect.by_wins])
@settings(max_examples=12)
@given(seed=st.integers(0, 10**6), n_units=st.integers(1, 60), named=st.booleans())
def test_an_effect_size_by_wins_gives_each_pair_its_own_digits(key, seed, n_units, named):
    config = AnalysisConfig(effects=(key,), intervals=(key,) if named else ())
    both_ways(right_and_wrong(seed, n_units), config)


@pytest.mark.parametrize("key", ["bootstrap-mean", "welch-t"])
def test_what_rests_on_the_items_themselves_is_computed_for_each_pair(key):
    assert not pair_columns.by_wins(AnalysisConfig(test=key))
    assert not pair_columns.by_wins(AnalysisConfig(effects=("cohen-d-av",)))


def test_columns_that_say_the_same_of_all_pairs_take_one_row():
    scores = right_and_wrong(3, 40, 12)
    left, right = pair_indices(12)
    config = AnalysisConfig()
    found = pair_columns.all_columns(
        chunks(scores, left, right, by_wins=True), config, left.size, effect_intervals=True
    )
    assert found["n_units"].strides == found["normality_p"].strides == (0,)
    pieces = [chunk for half in (slice(0, 20), slice(20, None)) for chunk in _of(scores, left, right, half)]
    again = pair_columns.all_columns(pieces, config, left.size, effect_intervals=True)
    for name, values in found.items():
        np.testing.assert_array_equal(values, again[name], err_msg=name)


def _of(scores, left, right, part):
    for chunk in chunks(scores, left[part], right[part], by_wins=True):
        yield type(chunk)(np.arange(left.size)[part], chunk.batch)


@settings(max_examples=50)
@given(seed=st.integers(0, 10**6), n_units=st.integers(1, 30), n_pairs=st.integers(1, 80))
def test_wins_and_losses_of_any_pairs_are_counted(seed, n_units, n_pairs):
    rng = np.random.default_rng(seed)
    values = (rng.random((n_units, 40)) < 0.5).astype(float)
    units = UnitBlock(values=values, decimals=0, binary=np.ones(40, dtype=bool))
    left, right = rng.integers(0, 40, (2, n_pairs))
    wins, losses = units.right_alone(left, right)
    for own, a, b in zip(np.stack([wins, losses], axis=1).tolist(), left, right, strict=True):
        assert own == [(values[:, a] > values[:, b]).sum(), (values[:, a] < values[:, b]).sum()]
    alone = PairBatch(units, left, right)
    one_of_each, place = alone.alike
    assert (alone.wins[one_of_each][place] == wins).all()
    assert len(one_of_each) == len(set(zip(wins.tolist(), losses.tolist(), strict=True)))


def test_intervals_kept_for_other_pairs_are_those_of_each_pair(monkeypatch):
    rng = np.random.default_rng(5)
    wins = rng.integers(0, 20, 300)
    losses = rng.integers(0, 40 - wins)
    asked = [(wins[part], losses[part]) for part in (slice(0, 100), slice(50, 300))]
    kept = [score_interval(*counts, 40, 0.9, "two-sided", continuity=True) for counts in asked]
    monkeypatch.setattr(paired_shares, "MOST_KEPT", 0)
    for counts, found in zip(asked, kept, strict=True):
        each = [
            score_interval(a[None], b[None], 40, 0.9, "two-sided", continuity=True)[0]
            for a, b in zip(*counts, strict=True)
        ]
        assert found.tobytes() == np.array(each).tobytes()


def test_a_batch_goes_when_its_work_is_done():
    scores = right_and_wrong(1, 30)
    left, right = pair_indices(scores.n_systems)
    (chunk,) = chunks(scores, left, right)
    pair_columns.chunk_columns(chunk.batch, AnalysisConfig(), True)
    gone = weakref.ref(chunk.batch)
    gc.disable()  # what is freed only when garbage is collected adds up meanwhile
    try:
        del chunk
        assert gone() is None
    finally:
        gc.enable()
