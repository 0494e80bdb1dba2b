"""Average ranks and Nemenyi's critical difference: R's qtukey and ptukey, SciPy, quadrature."""

import numpy as np
import pytest
from golden.golden import agree, load, matrix
from scipy import integrate, stats

import nlpstat_core as ns
from nlpstat_core.methods.omnibus.nemenyi import average_ranks, critical_difference, nemenyi, normal_range_sf
from nlpstat_core.report.wording.ranks import average_ranks_sentence


@pytest.mark.parametrize("golden", load("nemenyi", "qtukey"), ids=str)
def test_critical_difference_in_r(golden):
    size, units = int(golden.case.removeprefix("systems-")), int(golden.options["n"])
    found = critical_difference(size, units, golden.options["alpha"])
    agree(golden, rel=1e-7, critical_difference=found)
    agree(golden, rel=1e-7, critical_value=found / np.sqrt(size * (size + 1) / (6 * units)))


@pytest.mark.parametrize("golden", load("nemenyi", "nemenyi"), ids=str)
def test_p_values_in_r(golden):
    names, values = matrix(golden.case)
    found = nemenyi(ns.ScoreMatrix(values=values, systems=tuple(names)))
    i, j = names.index(golden.options["system_a"]), names.index(golden.options["system_b"])
    agree(golden, rel=1e-8, p_value=found.p_values[i, j])
    assert found.p_values[j, i] == found.p_values[i, j]


@pytest.mark.parametrize("golden", load("omnibus", "average-rank"), ids=str)
def test_average_ranks_in_r(golden):
    names, values = matrix(golden.case)
    complete = values[~np.isnan(values).any(axis=1)]
    agree(golden, **dict(zip(names, average_ranks(complete), strict=True)))


@pytest.mark.parametrize("size", [2, 3, 7, 40])
@pytest.mark.parametrize("q", [0.0, 0.7, 3.0, 6.0])
def test_range_of_normal_variables_by_quadrature_of_the_other_end(size, q):
    # Given the smallest variable z: all others within q above it.
    inside, _ = integrate.quad(
        lambda z: size * stats.norm.pdf(z) * (stats.norm.cdf(z + q) - stats.norm.cdf(z)) ** (size - 1),
        -12,
        8,
        epsabs=1e-13,
        limit=200,
    )
    assert normal_range_sf(np.array([q]), size)[0] == pytest.approx(1 - inside, abs=1e-11)
    with np.errstate(all="ignore"):
        assert normal_range_sf(np.array([q]), size)[0] == pytest.approx(
            stats.studentized_range.sf(q, size, np.inf), abs=1e-9
        )


def test_two_systems_are_one_normal_difference_far_into_the_tail():
    for q in (1.0, 10.0, 45.0):
        wanted = 2 * stats.norm.sf(q / np.sqrt(2))
        assert normal_range_sf(np.array([q]), 2)[0] == pytest.approx(wanted, rel=1e-9)


def test_critical_difference_decides_as_the_p_values_do():
    values = np.random.default_rng(1).normal(size=(25, 8)) + 0.3 * np.arange(8)
    found = nemenyi(ns.ScoreMatrix(values=values, systems=tuple("ABCDEFGH")), alpha=0.1)
    apart = np.abs(found.average_rank[:, None] - found.average_rank) >= found.critical_difference
    off = ~np.eye(8, dtype=bool)
    assert ((found.p_values <= 0.1) == apart)[off].all()
    assert np.isnan(np.diag(found.p_values)).all()
    assert 0 < apart.sum() < 56


def test_best_is_one_missing_units_are_left_out_and_nothing_to_rank_is_refused():
    values = np.array([[1.0, 2, 3], [1, np.nan, 3], [1, 2, 3]])
    found = nemenyi(ns.ScoreMatrix(values=values, systems=tuple("ABC"), lower_is_better=True))
    assert found.average_rank.tolist() == [1, 2, 3]
    assert found.n_units == 2
    assert average_ranks(np.ones((4, 3))).tolist() == [2, 2, 2]
    lone = ns.ScoreMatrix(values=np.array([[1.0, np.nan], [np.nan, 2]]), systems=("A", "B"))
    with pytest.raises(ns.AnalysisError, match="every system has"):
        nemenyi(lone)


@pytest.mark.parametrize("seed", range(8))
def test_bars_join_exactly_the_pairs_that_do_not_differ(seed):
    rng = np.random.default_rng(seed)
    values = rng.integers(0, 4, (int(rng.integers(2, 40)), 9)) + np.linspace(0, seed, 9)
    found = nemenyi(ns.ScoreMatrix(values=values, systems=tuple("ABCDEFGHI")))
    ranks = found.average_rank[found.order]
    assert list(ranks) == sorted(ranks)
    joined = {
        (i, j) for first, last in found.groups for i in range(first, last) for j in range(i + 1, last + 1)
    }
    alike = {
        (i, j)
        for i in range(9)
        for j in range(i + 1, 9)
        if abs(ranks[i] - ranks[j]) < found.critical_difference
    }
    assert joined == alike
    assert found.separated == 36 - len(alike)
    for bar in found.groups:
        assert not any(other != bar and other[0] <= bar[0] and bar[1] <= other[1] for other in found.groups)
    assert f"{found.separated} of 36 pairs are" in average_ranks_sentence(found)
