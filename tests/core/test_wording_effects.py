"""Names of effect sizes, and sentences about counts and about the spreads of two samples."""

import math

import numpy as np
import pytest

import nlpstat_core as ns
from nlpstat_core.methods.categorical import cramers_v, fisher_exact, goodness_of_fit, independence
from nlpstat_core.methods.diagnosis.variance_ratio import variance_ratio
from nlpstat_core.methods.effects import EFFECTS
from nlpstat_core.methods.effects.swapping import swapped
from nlpstat_core.report.wording import (
    achieved_text,
    association_text,
    categorical_notes,
    effect_text,
    magnitude,
    variance_sentence,
)
from nlpstat_core.report.wording.magnitudes import NAMES


@pytest.mark.parametrize("key", [record.key for record in EFFECTS if record.conventions])
def test_names_rise_and_do_not_depend_on_the_direction(key):
    sizes = np.array([0.001, 0.06, 0.16, 0.3, 0.6, 0.9]) + (1 if key == "odds-ratio" else 0)
    sizes = np.append(sizes, 4.0)
    found = [NAMES.index(magnitude(key, size)) for size in sizes]
    assert found == sorted(found)
    assert found[-1] == 3
    back = swapped(sizes, EFFECTS[key].swapping)
    assert [NAMES.index(magnitude(key, value)) for value in back] == found
    assert magnitude(key, math.nan) is None
    small = EFFECTS[key].conventions[0]
    assert (magnitude(key, small), magnitude(key, small - 1e-9)) == ("small", "negligible")


def test_r_is_told_with_what_it_could_reach_and_without_a_name():
    u = np.arange(1.0, 21.0) ** 1.5
    pair = ns.compare(u, u - np.arange(-4.0, 16.0))
    effect = pair.effects["wilcoxon-r"]
    n = 19  # one of the twenty differences is 0
    values, sizes = np.unique(np.abs(np.arange(-4, 16))[np.arange(-4, 16) != 0], return_counts=True)
    assert values.size < n
    variance = (n * (n + 1) * (2 * n + 1) - np.sum(sizes**3 - sizes) / 2) / 24
    assert effect.largest == pytest.approx(n * (n + 1) / 4 / math.sqrt(variance * n))
    assert "attainable: ±0.87" in effect_text("wilcoxon-r", effect)
    assert magnitude("wilcoxon-r", effect.value) is None
    assert effect_text("cohen-d", pair.effects["cohen-d"]).endswith("(large)")


def test_counts_in_categories_are_explained():
    few = independence([[9, 1], [3, 2]])
    note = categorical_notes(few)[0]
    assert (note.code, note.severity) == ("few-expected", "caution")
    assert "count is 1, below 5" in note.text
    empty = independence([[3, 0], [4, 0]])
    assert [(note.code, note.severity) for note in categorical_notes(empty)] == [("empty-margin", "problem")]
    assert categorical_notes(goodness_of_fit([50, 60])) == ()


def test_zero_one_scores_of_two_samples_are_told_as_a_table():
    u, v = np.repeat([1.0, 0.0], [30, 10]), np.repeat([1.0, 0.0], [18, 22])
    text = association_text(u, v)
    table = [[30, 10], [18, 22]]
    assert f"{cramers_v(table):.3f}"[:5] in text
    assert f"{fisher_exact(table).p_value:.3g}"[:4] in text
    assert "on 1 degree of freedom" in text
    assert association_text(u, v / 2) is None
    assert association_text(u, u[:0]) is None
    assert "A category never occurs" in association_text(np.ones(4), np.ones(3))


def test_spreads_are_told_with_how_far_to_trust_the_test():
    rng = np.random.default_rng(0)
    text = variance_sentence(variance_ratio(rng.normal(size=12), 3 * rng.normal(size=9)))
    assert "on 11 and 8 degrees of freedom" in text
    assert "non-normal" in text
    assert "undefined" in variance_sentence(variance_ratio(np.ones(3), np.ones(4)))


def test_intervals_of_shares_need_no_explanation():
    right = np.ones((20, 2))
    right[0, 0] = right[:9, 1] = 0
    found = ns.analyse(ns.ScoreMatrix(values=right, systems=("A", "B")))
    assert found.leaderboard.interval.max() <= 1
    assert "interval-beyond-range" not in {note.code for note in found.notes}


def test_intervals_between_order_statistics_state_their_level():
    z = np.random.default_rng(3).normal(size=12)
    found = ns.compare(z, np.zeros(12), test="sign").estimate
    assert found.achieved == pytest.approx(1 - 2 * sum(math.comb(12, k) for k in range(3)) / 2**12)
    assert achieved_text(found) == ", achieved level 96.1 %"
    assert achieved_text(ns.compare(z, np.zeros(12), test="t").estimate) == ""


def test_the_ratio_of_variances_does_not_depend_on_the_unit():
    """Squares of scores near 1e-200 are 0: the app's random visitor met 0/0."""
    rng = np.random.default_rng(0)
    u, v = rng.normal(size=20), rng.normal(size=30)
    expected = variance_ratio(u, v)
    for unit in (2.0**-665, 2.0**600):
        assert variance_ratio(u * unit, v * unit) == expected
