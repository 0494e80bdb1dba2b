"""Unit sizes: the numbers of NLPStatTest's sample file, plain loops, alike neighbours, design effects."""

from pathlib import Path

import numpy as np
import pytest

import nlpstat_core as ns
from nlpstat_core import AnalysisError, ConfigError, ScoreMatrix
from nlpstat_core.power import document_design_effects, unit_sizes
from nlpstat_core.scores.units import evaluation_units

SAMPLE = Path(__file__).parents[3] / "shared" / "data" / "nlpstattest_samples" / "data-file.txt"


def documents(likeness, n_documents=80, rows=8, seed=0):
    rng = np.random.default_rng(seed)
    z = np.repeat(rng.normal(0, np.sqrt(likeness), n_documents), rows)
    z = z + rng.normal(0, np.sqrt(1 - likeness), n_documents * rows)
    labels = {"doc": tuple(f"d{i // rows}" for i in range(z.size))}
    return ScoreMatrix(values=np.stack([z, np.zeros(z.size)], 1), systems=("A", "B"), labels=labels)


@pytest.mark.skipif(not SAMPLE.exists(), reason="the shared data are not here")
def test_the_sample_file():
    scores = ns.read_scores(SAMPLE)
    found = unit_sizes(scores, *scores.systems, sizes=[1, 10, 15], shuffle_seed=13)
    assert found.sd == pytest.approx([0.112279, 0.045758, 0.040571], abs=1e-6)
    assert found.sd_shuffled[1] == pytest.approx(0.035839, abs=1e-6)
    assert found.n_units.tolist() == [2001, 200, 133]
    assert found.design_effect[1] / found.design_effect_shuffled[1] == pytest.approx(1.6, abs=0.05)


@pytest.mark.parametrize("metric", ["mean", "median"])
@pytest.mark.parametrize("remainder", ["spread", "drop"])
def test_as_evaluation_units(metric, remainder):
    scores = documents(0.3)
    found = unit_sizes(scores, "A", "B", sizes=[1, 3, 7], metric=metric, remainder=remainder, shuffle_seed=4)
    for i, size in enumerate((1, 3, 7)):
        for seed, sd in ((None, found.sd), (4, found.sd_shuffled)):
            units = evaluation_units(scores, size=size, metric=metric, remainder=remainder, shuffle_seed=seed)
            assert sd[i] == pytest.approx((units.values[:, 0] - units.values[:, 1]).std(ddof=1), rel=1e-12)


def test_alike_neighbours_show_and_shuffling_hides_them():
    found = unit_sizes(documents(0.3), "A", "B", sizes=[1, 8])
    assert found.design_effect[1] == pytest.approx(1 + 7 * 0.3, rel=0.3)
    assert found.design_effect_shuffled[1] == pytest.approx(1, abs=0.35)
    plain, shuffled = document_design_effects(documents(0.3), "A", "B", "doc")
    assert plain == pytest.approx(1 + 7 * 0.3, rel=0.3)
    assert shuffled == pytest.approx(1, abs=0.35)
    assert plain == pytest.approx(found.design_effect[1], rel=0.02)


def test_the_first_ten_stable_sizes():
    found = unit_sizes(documents(0.0, n_documents=200), "A", "B", epsilon=0.01)
    steps = np.abs(np.diff(found.sd))
    new = [m for m in range(2, 51) if 1600 // m != 1600 // (m - 1)]  # others make the same units again
    expected = [m for m in new if steps[m - 2] <= 0.01][:10]
    assert found.stable.tolist() == expected
    assert len(expected) == 10
    assert unit_sizes(documents(0.0), "A", "B", epsilon=0.0).stable.size == 0
    assert unit_sizes(documents(0.0), "A", "B").epsilon == pytest.approx(found.sd[0] / 100, rel=0.2)


def test_missing_rows_are_left_out():
    scores = documents(0.2)
    values = scores.values.copy()
    values[5, 0] = np.nan
    holes = ScoreMatrix(values=values, systems=("A", "B"))
    kept = ScoreMatrix(values=np.delete(scores.values, 5, axis=0), systems=("A", "B"))
    assert unit_sizes(holes, "A", "B", sizes=[4]).sd == unit_sizes(kept, "A", "B", sizes=[4]).sd


def test_refusals():
    scores = documents(0.2)
    for wrong in ([0], [2, 1], [400], [1.5], []):
        with pytest.raises(ConfigError, match="sizes must"):
            unit_sizes(scores, "A", "B", sizes=wrong)
    with pytest.raises(ConfigError, match="epsilon"):
        unit_sizes(scores, "A", "B", epsilon=-1.0)
    with pytest.raises(AnalysisError, match="share 3 rows"):
        unit_sizes(scores.rows(np.arange(3)), "A", "B")
    with pytest.raises(ConfigError, match="Did you mean 'doc'"):
        document_design_effects(scores, "A", "B", "docs")
    same = ScoreMatrix(values=np.ones((40, 2)), systems=("A", "B"))
    assert np.isnan(unit_sizes(same, "A", "B").design_effect).all()
