"""Difference and equivalence on one error rate: definitions and simulated errors of both claims."""

import numpy as np
import pytest
from scipy import stats
from statsmodels.stats.multitest import multipletests

import nlpstat_core as ns
from nlpstat_core.methods.corrections import Family
from nlpstat_core.methods.corrections.adjust import adjust_claims

METHODS = {"bonferroni": "bonferroni", "sidak": "sidak", "holm": "holm", "holm-sidak": "holm-sidak"}
OTHERS = {"hochberg": "simes-hochberg", "hommel": "hommel", "benjamini-hochberg": "fdr_bh"}


def claims(differences, equivalence, method, exclusive):
    family = Family(p_values=np.array(differences, float))
    adjusted, alike = adjust_claims(family, np.array(equivalence, float), method, exclusive=exclusive)
    return np.concatenate([adjusted.p_values, alike])


@pytest.mark.parametrize(("ours", "theirs"), [*METHODS.items(), *OTHERS.items()])
def test_without_exclusion_all_claims_are_one_family(ours, theirs):
    p = np.random.default_rng(3).random(14) ** 3
    found = claims(p[:7], p[7:], ours, exclusive=False)
    np.testing.assert_allclose(found, multipletests(p, method=theirs)[1], rtol=1e-12)


def test_exclusion_caps_the_factors():
    p = np.array([0.001, 0.02, 0.004, 0.9, 0.003, 0.8])  # three pairs: differences, then equivalences
    np.testing.assert_allclose(claims(p[:3], p[3:], "bonferroni", True), np.minimum(3 * p, 1))
    # Sorted .001 .003 .004 .02 .8 .9; factors 3 3 3 3 2 1.
    wanted = [0.003, 0.06, 0.012, 1.0, 0.009, 1.0]
    np.testing.assert_allclose(claims(p[:3], p[3:], "holm", True), wanted)
    discovery = np.maximum(multipletests(p, method="fdr_bh")[1] / 2, p)
    np.testing.assert_allclose(claims(p[:3], p[3:], "benjamini-hochberg", True), discovery)


def test_undefined_claims_leave_the_family():
    p = [0.01, np.nan, 0.03, np.nan]
    found = claims(p[:2], p[2:], "holm", False)
    np.testing.assert_allclose(found, [0.02, np.nan, 0.03, np.nan])


def test_one_pair_needs_no_correction():
    rng = np.random.default_rng(1)
    u, v = rng.normal(size=(2, 40))
    pair = ns.compare(u, v, test="t", equivalence_margin=0.5)
    assert pair.p_adjusted == pair.p_value
    low = stats.ttest_1samp(u - v, -0.5, alternative="greater").pvalue
    high = stats.ttest_1samp(u - v, 0.5, alternative="less").pvalue
    assert pair.p_equivalence == pytest.approx(max(low, high), rel=1e-10)
    assert pair.p_equivalence_adjusted == pair.p_equivalence
    assert pair.to_dict()["p_equivalence"] == pair.p_equivalence
    assert "p_equivalence" not in ns.compare(u, v, test="t").to_dict()


def test_columns_json_and_frame_carry_it():
    values = np.random.default_rng(5).normal(size=(60, 4))
    scores = ns.ScoreMatrix(values=values, systems=list("abcd"))
    found = ns.analyse(scores, ns.AnalysisConfig(test="t", equivalence_margin=0.6))
    frame, pairs = found.pairs_frame(), found.to_dict()["pairs"]
    for name in ("p_equivalence", "p_equivalence_adjusted"):
        np.testing.assert_array_equal(frame[name], found.pairs[name])
        assert [pair[name] for pair in pairs] == found.pairs[name].tolist()
    np.testing.assert_array_equal(found.pairs.equivalent, found.pairs.p_equivalence_adjusted <= 0.05)
    assert "both-claims" in {note.code for note in found.notes}
    plain = ns.analyse(scores, ns.AnalysisConfig(test="t"))
    assert "p_equivalence" not in plain.pairs_frame()
    assert plain.pairs.p_equivalence is None
    scored = ns.analyse(scores, ns.AnalysisConfig(test="t", correction="max-t", equivalence_margin=0.6))
    alone = ns.analyse(scores, ns.AnalysisConfig(test="t", correction="max-t"))
    np.testing.assert_allclose(scored.pairs.p_adjusted, np.minimum(2 * alone.pairs.p_adjusted, 1))


@pytest.mark.parametrize("method", ["holm", "bonferroni"])
def test_one_error_rate_over_both(method):
    """Half of twelve pairs have no difference, half one of exactly the margin: any claim there is false."""
    rng, boards, pairs, margin, alpha = np.random.default_rng(9), 4_000, 12, 0.3, 0.05
    truth = np.where(np.arange(pairs) < pairs // 2, 0.0, margin)
    errors = 0
    z = truth + rng.normal(size=(boards, pairs)) * 0.08
    p_difference = 2 * stats.norm.sf(np.abs(z) / 0.08)
    p_alike = stats.norm.sf((margin - np.abs(z)) / 0.08)
    for one, other in zip(p_difference, p_alike, strict=True):
        adjusted = claims(one, other, method, True)
        different, alike = adjusted[:pairs] <= alpha, adjusted[pairs:] <= alpha
        errors += bool((different & (truth == 0)).any() or (alike & (truth == margin)).any())
    assert errors / boards <= alpha + 3 * np.sqrt(alpha * (1 - alpha) / boards)
