"""Effect sizes over documents: errors by leaving out documents, coverage, and one interval of the mean."""

import numpy as np
import pytest
from scipy import stats

import nlpstat_core as ns
from nlpstat_core.config import AnalysisConfig
from nlpstat_core.engine.columns.batch import PairBatch
from nlpstat_core.engine.columns.unit_block import UnitBlock
from nlpstat_core.methods.effects import EFFECTS

PAIRED = [method.key for method in EFFECTS if method.design != "unpaired"]
# Of normal differences with mean ½ and standard deviation 1, v constant.
WIN = stats.norm.cdf(0.5)
HALF = 2 * stats.norm.cdf(0.5 * np.sqrt(2)) - 1
TRUTHS = {
    "mean-difference": 0.5,
    "median-difference": 0.5,
    "cohen-d": 0.5,
    "cohen-d-av": 0.5 * np.sqrt(2),
    "hedges-g": 0.5,
    "wilcoxon-r": HALF * np.sqrt(3) / 2,
    "rank-biserial": HALF,
    "hodges-lehmann": 0.5,
    "common-language": WIN,
    "odds-ratio": WIN / (1 - WIN),
    "cohen-g": WIN - 0.5,
}


def documents(rng, count, size, pairs, icc=0.3, *, named=True, decimals=10):
    """Differences of mean ½ correlated within documents; b is the column after a's."""
    ids = np.repeat(np.arange(count), size)
    shared = rng.normal(size=(count, pairs))[ids]
    z = 0.5 + np.sqrt(icc) * shared + np.sqrt(1 - icc) * rng.normal(size=shared.shape)
    values = np.round(np.concatenate([z, np.zeros((ids.size, 1))], axis=1), decimals)
    block = UnitBlock(values, decimals, np.zeros(pairs + 1, bool), block_ids=ids if named else None)
    return PairBatch(block, np.arange(pairs), np.full(pairs, pairs))


def coverage(batch, key):
    assert key in TRUTHS, f"its value here: a line in TRUTHS of {__file__}; intervals: effects/by_document.py"
    interval = EFFECTS[key].run(batch, AnalysisConfig(resamples=400), True).interval
    return np.mean((interval[:, 0] <= TRUTHS[key]) & (TRUTHS[key] <= interval[:, 1]))


@pytest.mark.parametrize("key", PAIRED)
def test_intervals_cover_over_documents(key):
    """ICC 0.3, 20 documents of 10: 95 % means about 95 %."""
    batch = documents(np.random.default_rng(4), 20, 10, 600)
    assert 0.92 <= coverage(batch, key) <= 0.99


@pytest.mark.parametrize("key", ["mean-difference", "cohen-d", "hodges-lehmann", "common-language"])
def test_units_alone_would_cover_seventy_percent(key):
    batch = documents(np.random.default_rng(4), 20, 10, 400, named=False)
    assert coverage(batch, key) < 0.8


@pytest.mark.parametrize("key", ["cohen-d", "cohen-d-av", "hedges-g", "rank-biserial", "wilcoxon-r"])
@pytest.mark.parametrize("decimals", [10, 0])
def test_errors_agree_with_leaving_out_documents(key, decimals):
    """The jackknife over documents is another estimate of the same error."""
    count, size = 60, 5
    batch = documents(np.random.default_rng(8), count, size, 1, decimals=decimals)
    config = AnalysisConfig()
    value = EFFECTS[key].run(batch, config, False).value[0]
    without = []
    for left_out in range(count):
        kept = batch.units.block_ids != left_out
        part = UnitBlock(batch.units.values[kept], decimals, batch.units.binary)
        without.append(EFFECTS[key].run(PairBatch(part, batch.left, batch.right), config, False).value[0])
    error = np.sqrt((count - 1) ** 2 / count * np.var(without, ddof=1))
    margin = stats.t.isf(0.025, count - 1) * error
    if key in ("rank-biserial", "wilcoxon-r"):
        bound = 1.0 if key == "rank-biserial" else EFFECTS[key].run(batch, config, True).largest[0]
        r = value / bound
        wanted = bound * np.tanh(np.arctanh(r) + np.array([-1, 1]) * margin / bound / (1 - r**2))
    else:
        wanted = [value - margin, value + margin]
    found = EFFECTS[key].run(batch, config, True).interval[0]
    np.testing.assert_allclose(found, wanted, atol=0.06 * margin)


@pytest.mark.parametrize("key", PAIRED)
def test_swapping_the_systems_turns_the_interval(key):
    batch = documents(np.random.default_rng(1), 12, 4, 1)
    swapped = PairBatch(batch.units, batch.right, batch.left)
    low, high = EFFECTS[key].run(batch, AnalysisConfig(), True).interval[0]
    swapped = EFFECTS[key].run(swapped, AnalysisConfig(), True).interval[0]
    wanted = {"complement": [1 - high, 1 - low], "reciprocal": [1 / high, 1 / low]}
    np.testing.assert_allclose(swapped, wanted.get(EFFECTS[key].swapping, [-high, -low]), rtol=1e-9)


@pytest.mark.parametrize("key", PAIRED)
def test_one_document_has_no_interval(key):
    batch = documents(np.random.default_rng(1), 1, 9, 2)
    assert np.isnan(EFFECTS[key].run(batch, AnalysisConfig(), True).interval).all()


@pytest.mark.parametrize("test", ["t", "bootstrap-mean", "permutation-mean", "mcnemar", "block-permutation"])
def test_the_mean_difference_has_one_interval(test):
    rng = np.random.default_rng(3)
    values = (
        (rng.random((60, 2)) < [0.4, 0.6]).astype(float) if test == "mcnemar" else rng.gamma(1, 1, (60, 2))
    )
    labels = {"doc": [f"d{i // 6}" for i in range(60)]}
    scores = ns.ScoreMatrix(values=values, systems=["a", "b"], labels=labels)
    config = AnalysisConfig(
        test=test,
        effects=("mean-difference",),
        intervals=("mean-difference",),
        resamples=999,
        block_column="doc" if test.startswith("block") else None,
    )
    analysis = ns.analyse(scores, config)
    pair = analysis.pair("a", "b")
    assert pair.effects["mean-difference"].interval == pair.interval
    np.testing.assert_array_equal(analysis.pairs.effects["mean-difference"].interval, analysis.pairs.interval)
