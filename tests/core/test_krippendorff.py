"""Krippendorff's alpha for interval data: the published example, the definition, the library, properties."""

from itertools import permutations

import krippendorff
import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from nlpstat_core.readers import read_scores
from nlpstat_core.readers.roles.raters import _alpha, interval_alpha

NONE = np.nan
# Krippendorff (2011), Computing Krippendorff's alpha-reliability, example C: 0.849 for interval data.
PUBLISHED = np.array(
    [
        [1, 2, 3, 3, 2, 1, 4, 1, 2, NONE, NONE, NONE],
        [1, 2, 3, 3, 2, 2, 4, 1, 2, 5, NONE, 3],
        [NONE, 3, 3, 3, 2, 3, 4, 2, 2, 5, 1, NONE],
        [1, 2, 3, 3, 2, 4, 4, 1, 2, 5, 1, NONE],
    ]
)


def ours(table):
    """Of a table raters × places."""
    raters, places = np.nonzero(~np.isnan(table))
    return interval_alpha(places, table[raters, places])


def by_definition(table):
    """1 − D_o/D_e, pair by pair."""
    units = [column[~np.isnan(column)] for column in table.T]
    units = [unit for unit in units if unit.size > 1]
    values = np.concatenate(units)
    observed = sum(
        sum((a - b) ** 2 for a, b in permutations(unit, 2)) / (unit.size - 1) for unit in units
    ) / len(values)
    expected = sum((a - b) ** 2 for a, b in permutations(values, 2)) / (len(values) * (len(values) - 1))
    return 1 - observed / expected


def random_table(seed, raters, places, distinct, missing):
    rng = np.random.default_rng(seed)
    truth = rng.integers(0, distinct, places)
    table = (truth + rng.integers(-2, 3, (raters, places))) / 7
    table[rng.random(table.shape) < missing] = NONE
    return table


TABLES = [
    random_table(seed, 2 + seed % 5, 4 + 7 * seed, 3 + 40 * seed, 0.1 * (seed % 7)) for seed in range(14)
]


def test_the_published_example():
    assert round(ours(PUBLISHED), 3) == 0.849


@pytest.mark.parametrize("table", TABLES)
def test_it_is_what_the_library_and_the_definition_give(table):
    library = krippendorff.alpha(reliability_data=table, level_of_measurement="interval")
    assert ours(table) == pytest.approx(library, abs=1e-12)
    assert ours(table) == pytest.approx(by_definition(table), abs=1e-12)


RATINGS = st.lists(
    st.lists(st.one_of(st.none(), st.integers(-9, 9), st.floats(-50, 50)), min_size=3, max_size=3),
    min_size=2,
    max_size=12,
)


@given(RATINGS)
def test_any_small_table(rows):
    table = np.array([[NONE if x is None else x for x in row] for row in rows], dtype=float).T
    kept = table[:, (~np.isnan(table)).sum(axis=0) > 1]
    values = kept[~np.isnan(kept)]
    if not values.size or np.ptp(values) == 0:
        assert ours(table) is None
        return
    assume(np.ptp(values) > 1e-6 * np.abs(values).max())
    library = krippendorff.alpha(reliability_data=kept, level_of_measurement="interval")
    assert ours(table) == pytest.approx(library, rel=1e-9, abs=1e-12)


@pytest.mark.parametrize(
    ("scale", "shift"), [(-3.0, 0.0), (1.0, 2.0**40), (2.0**-900, 0.0), (2.0**1000, 0.0)]
)
def test_units_of_measurement_change_nothing(scale, shift):
    for table in (PUBLISHED, np.round(TABLES[3] * 7)):
        assert ours(table * scale + shift) == pytest.approx(ours(table), abs=1e-12)


def test_order_changes_nothing_and_full_agreement_is_one():
    rng = np.random.default_rng(1)
    for table in TABLES[2:6]:
        mixed = table[rng.permutation(table.shape[0])][:, rng.permutation(table.shape[1])]
        assert ours(mixed) == pytest.approx(ours(table), abs=1e-12)
    assert ours(np.tile(np.arange(5.0), (3, 1))) == 1.0
    assert ours(np.full((3, 5), 0.1)) is None
    assert ours(np.array([[1.0, NONE], [NONE, 2.0]])) is None


def test_it_is_told_for_many_distinct_scores_and_many_raters():
    rng = np.random.default_rng(4)
    truth = rng.normal(50, 10, 3_000)
    rows = ["system,item,rater,score"]
    table = np.full((4, 3_000), NONE)
    for item, value in enumerate(truth):
        for rater in rng.choice(4, 2, replace=False):
            table[rater, item] = round(value + rng.normal(0, 3), 6)
            system, unit = "AB"[item % 2], item // 2
            rows.append(f"{system},{unit},r{rater},{table[rater, item]:.6f}")
    notes = read_scores(("\n".join(rows).encode(), "x.csv")).notes
    text = next(note.text for note in notes if note.code == "averaged-raters")
    assert f"Krippendorff's alpha (interval) is {by_variance(table):.3f};" in text


def by_variance(table):
    """Two ratings a place: the expected disagreement is twice the variance of all."""
    values = table[~np.isnan(table)]
    pairs = np.array([column[~np.isnan(column)] for column in table.T])
    return 1 - np.mean((pairs[:, 0] - pairs[:, 1]) ** 2) / (2 * np.var(values, ddof=1))


def test_the_last_of_several_ratings_by_one_rater_counts():
    place, rater = np.array([0, 0, 0, 1, 1, 2, 2]), np.array([0, 0, 1, 0, 1, 0, 1])
    scores = np.array([9.0, 1.0, 2.0, 3.0, 3.0, 5.0, 4.0])
    table = np.array([[1.0, 3.0, 5.0], [2.0, 3.0, 4.0]])
    assert _alpha(place, rater, scores) == ours(table)
