"""What every entry of every catalogue must keep: documentation, symmetry, ties, constants, few units."""

import inspect

import numpy as np
import pytest
from core.oracles import ALTERNATIVES, board, one_pair
from numpy.testing import assert_allclose, assert_array_equal

from nlpstat_core import AnalysisConfig
from nlpstat_core.catalogue import fitting_tests
from nlpstat_core.engine.columns.batch import PairBatch
from nlpstat_core.methods.categorical import CATEGORICAL
from nlpstat_core.methods.composite import COMPOSITE
from nlpstat_core.methods.corrections import CORRECTIONS
from nlpstat_core.methods.correlation import CORRELATION
from nlpstat_core.methods.diagnosis import DIAGNOSTICS
from nlpstat_core.methods.diagnosis.advice import RULES
from nlpstat_core.methods.effects import EFFECTS
from nlpstat_core.methods.effects.swapping import swapped
from nlpstat_core.methods.judged import JUDGED
from nlpstat_core.methods.omnibus import OMNIBUS
from nlpstat_core.methods.omnibus.every import omnibus_tests
from nlpstat_core.methods.preferences import PREFERENCES
from nlpstat_core.methods.references import REFERENCES
from nlpstat_core.methods.significance import TESTS
from nlpstat_core.power.board import smallest_p
from nlpstat_core.quantities import MEAN, MEASURE
from nlpstat_core.report.wording import PAIR_NOTES
from nlpstat_core.scores.matrix import ScoreMatrix

# Tests of two columns of scores; those for counts, blocks or groups say so and have tests of their own.
SCORE_TESTS = [method for method in TESTS if method.design == "paired"]
# Procedures beside the tests of pairs: all systems together, diagnostics, counts in categories.
ESTIMATES = [*PREFERENCES, *JUDGED]
BESIDE = [*OMNIBUS, *DIAGNOSTICS, *CATEGORICAL, *CORRELATION, *ESTIMATES, *COMPOSITE]
RANDOM = {"bootstrap-mean"}
FEW = {"resamples": 199, "seed": 7}


def data():
    rng = np.random.default_rng(20)
    real = rng.normal(size=(24, 4)) + [0.0, 0.3, 0.6, 1.2] @ np.eye(4)
    likert = rng.integers(1, 6, (30, 4)).astype(float)
    return {
        "real": real,
        "ratings": likert,
        "binary": (rng.random((40, 4)) < [[0.3, 0.5, 0.6, 0.9]]).astype(float),
        "one decimal": np.round(real, 1),
        "with copies": np.stack([likert[:, 0], likert[:, 0], likert[:, 1], np.full(30, 2.0)], axis=1),
        "one unit": real[:1],
        "two units": real[:2],
        "three units": likert[:3],
        "one differs": np.eye(9)[:, :1] * np.arange(4),
        "no unit": real[:0],
    }


DATA = data()
LARGE = [name for name, values in DATA.items() if values.shape[0] > 20]


def reversed_batch(batch):
    return PairBatch(batch.units, batch.right, batch.left, -batch.delta)


def result(method, batch, **settings):
    return method.run(batch, AnalysisConfig(**FEW, **settings))


def effect_of(method, batch, **settings):
    return method.run(batch, AnalysisConfig(**FEW, **settings), True)


def by_key(methods):
    return pytest.mark.parametrize("method", list(methods), ids=lambda method: method.key)


@by_key(TESTS)
def test_what_is_not_about_the_mean_says_its_quantity(method):
    of_means = method.quantity in (MEAN, MEASURE) or method.about_means
    assert of_means or method.estimate is not None, f"{method.key}: its quantity with an interval: `estimate`"


def on(names):
    return pytest.mark.parametrize("name", names)


def file_of(method):
    """Where a procedure's record stands."""
    run = inspect.unwrap(getattr(method.run, "__wrapped__", method.run))
    return f"{inspect.getsourcefile(run)}, record {method.key!r}"


@by_key([*TESTS, *EFFECTS, *CORRECTIONS, *BESIDE])
def test_entries_are_complete(method):
    where = file_of(method)
    assert method.key == method.key.lower(), f"{where}: key in small letters"
    assert method.label, f"{where}: label"
    assert method.summary.endswith("."), f"{where}: summary is one sentence with its full stop"
    assert method.formula, f"{where}: formula"
    unknown = set(method.references) - set(REFERENCES)
    assert not unknown, f"{where}: {unknown} not in nlpstat_core/methods/literature.csv"
    assert method.references or method.key == "none", f"{where}: references"


@by_key(TESTS)
def test_records_of_tests_agree_with_themselves(method):
    where = file_of(method)
    kinds = {kind for advice in method.advice for kind in advice.kinds}
    assert kinds <= set(RULES), f"{where}: advice for unknown kinds of data {kinds - set(RULES)}"
    said = [(kind, q) for entry in method.advice for kind in entry.kinds for q in entry.questions]
    assert len(said) == len(set(said)), f"{where}: two pieces of advice for one kind of data"
    if method.by_documents:
        assert TESTS[method.by_documents].design == "blocks", f"{where}: by_documents"
    if method.resampled and method.design != "unpaired":
        assert method.smallest_p is not None, f"{where}: smallest_p of resamples is 1/(B + 1)"
    if method.lowest_with_all_signs:
        assert method.smallest_p is not None, f"{where}: smallest_p, as lowest_with_all_signs is set"


@by_key([*TESTS, *EFFECTS, *CORRECTIONS])
def test_own_notes_are_no_shared_ones(method):
    assert not {remark.code for remark in method.remarks} & set(PAIR_NOTES), file_of(method)


@by_key(SCORE_TESTS)
@pytest.mark.parametrize("alternative", ALTERNATIVES)
def test_no_p_value_is_below_the_smallest_of_the_record(method, alternative):
    few = FEW["resamples"]
    for n in (3, 7, 12):
        values = np.column_stack([np.arange(1, n + 1), np.zeros(n)])
        if method.binary_only:
            values = np.column_stack([np.ones(n), np.zeros(n)])
        for scores in (values, values[:, ::-1]):
            batch = one_pair(*scores.T)
            config = AnalysisConfig(test=method.key, alternative=alternative, seed=7, resamples=few)
            p, least = method.run(batch, config).p_value[0], smallest_p(batch, config)[0]
            assert np.isnan(p) or p >= least * (1 - 1e-12), file_of(method)


@by_key(TESTS)
def test_tests_say_what_they_are_about(method):
    where = file_of(method)
    assert method.null, f"{where}: null"
    assert not method.null.endswith("."), f"{where}: null without full stop"
    assert method.assumptions, f"{where}: assumptions"
    assert method.design in {"paired", "blocks", "runs", "unpaired", "counts", "measure"}, f"{where}: design"
    doc = inspect.getdoc(method.run)
    assert "Null hypothesis:" in doc, f"{where}: docstring of run"
    for section in ("Parameters", "Returns"):
        assert f"\n{section}\n---" in doc, f"{where}: docstring of run"


@by_key(BESIDE)
def test_procedures_beside_say_what_they_are_about(method):
    doc = inspect.getdoc(method.run)
    indices = {"cramers-v", *list(CORRELATION.keys)[: CORRELATION.keys.index("perm-both")]}
    if method in ESTIMATES:
        assert method.assumptions
    elif method.key not in indices:
        assert method.null
        assert not method.null.endswith(".")
        assert method.assumptions
        assert "Null hypothesis" in doc
    for section in ("Parameters", "Returns", "Notes"):
        assert f"\n{section}\n---" in doc


def test_every_test_of_all_systems_has_its_record():
    rng = np.random.default_rng(8)
    real, right = rng.normal(size=(12, 3)), (rng.random((12, 3)) < 0.5).astype(float)
    real[0, 0] = np.nan
    found = set()
    for values in (real, right):
        first = omnibus_tests(ScoreMatrix(values=values, systems=("a", "b", "c")))
        for outcome in (first, *first.also):
            found.add(outcome.test)
            for number in (outcome.statistic, outcome.p_value, outcome.log10_p, *outcome.degrees_of_freedom):
                assert type(number) is float
    assert found == set(OMNIBUS.keys) - {"nemenyi"}
    for key in found:
        assert OMNIBUS[key].title, key
        assert OMNIBUS[key].sign, key


def test_no_two_procedures_share_a_key():
    keys = [method.key for method in [*TESTS, *EFFECTS, *CORRECTIONS, *BESIDE]]
    assert len(set(keys)) == len(keys)


@by_key(EFFECTS)
def test_effects_are_documented(method):
    doc = inspect.getdoc(method.run)
    for section in ("Parameters", "Returns", "Notes"):
        assert f"\n{section}\n---" in doc, f"{file_of(method)}: docstring of run"


@by_key(CORRECTIONS)
def test_corrections_say_what_they_control(method):
    assert method.error_rate, f"{file_of(method)}: error_rate"
    assert fitting_tests(method.key), f"{method.key}: `fits` of its record leaves no test"


def test_references_have_what_a_reader_needs():
    for key, reference in REFERENCES.items():
        assert key == key.lower()
        assert str(reference.year) in key
        assert reference.authors
        assert reference.title
        assert reference.venue
        assert not reference.doi.startswith("http")


@by_key(TESTS)
@on(DATA)
@pytest.mark.parametrize("alternative", ALTERNATIVES)
def test_p_values_are_probabilities_or_explained(method, name, alternative):
    batch = board(DATA[name])
    found = result(method, batch, alternative=alternative)
    undefined = np.isnan(found.p_value)
    assert ((found.p_value > 0) & (found.p_value <= 1) | undefined).all()
    assert_allclose(found.log10_p[~undefined], np.log10(found.p_value[~undefined]), atol=1e-9)
    explained = np.zeros(batch.n_pairs, dtype=bool)
    for mask in found.notes.values():
        explained |= mask
    assert explained[undefined].all()
    assert (found.error[~undefined] >= 0).all()


@by_key(SCORE_TESTS)
@on(DATA)
def test_swapping_the_systems_swaps_the_verdict(method, name):
    batch = board(DATA[name])
    back = reversed_batch(batch)
    assert_allclose(result(method, batch).p_value, result(method, back).p_value, rtol=1e-10)
    greater = result(method, batch, alternative="greater")
    less = result(method, back, alternative="less")
    assert_allclose(greater.p_value, less.p_value, rtol=1e-10)
    assert_array_equal(greater.direction, -less.direction)


@by_key(SCORE_TESTS)
@on(DATA)
def test_one_sided_p_values_add_up_to_one_or_more(method, name):
    batch = board(DATA[name])
    greater, less = (result(method, batch, alternative=a).p_value for a in ("greater", "less"))
    total = greater + less
    assert (total[~np.isnan(total)] >= 1 - 1e-9).all()


@by_key(SCORE_TESTS)
def test_copies_have_p_of_exactly_one(method):
    column = DATA["binary"][:, 0] if method.key == "mcnemar" else DATA["real"][:, 0]
    batch = board(np.stack([column, column], axis=1))
    for alternative in ALTERNATIVES:
        found = result(method, batch, alternative=alternative)
        assert found.p_value[0] == 1.0
        assert found.direction[0] == 0


@by_key([method for method in SCORE_TESTS if method.key not in RANDOM])  # theirs belong to positions
@on(LARGE)
def test_order_of_units_does_not_matter(method, name):
    values = DATA[name]
    mixed = values[np.random.default_rng(0).permutation(values.shape[0])]
    assert_allclose(result(method, board(values)).p_value, result(method, board(mixed)).p_value, rtol=1e-9)


@by_key(SCORE_TESTS)
@on(["ratings", "one decimal"])
def test_hard_and_easy_units_and_scale_do_not_matter(method, name):
    values = DATA[name]
    base = result(method, board(values)).p_value
    units = 10.0 * np.arange(values.shape[0])[:, None]
    assert_allclose(result(method, board(values + units)).p_value, base, rtol=1e-7)
    assert_allclose(result(method, board(values * 100)).p_value, base, rtol=1e-7)


@by_key(SCORE_TESTS)
@on(LARGE)
def test_a_pair_does_not_depend_on_the_others(method, name):
    batch = board(DATA[name])
    together = result(method, batch)
    for pair in range(batch.n_pairs):
        alone = result(method, batch.take(np.array([pair])))
        assert_allclose(together.p_value[pair], alone.p_value[0], rtol=1e-11)
        assert_allclose(together.statistic[pair], alone.statistic[0], rtol=1e-11)


@by_key(SCORE_TESTS)
@on(LARGE)
def test_estimates_lie_in_their_intervals_and_mirror(method, name):
    if method.estimate is None:
        return
    batch, config = board(DATA[name]), AnalysisConfig(**FEW)
    there, back = method.estimate(batch, config), method.estimate(reversed_batch(batch), config)
    assert_allclose(there.value, -back.value, atol=1e-12)
    assert_allclose(there.interval, -back.interval[:, ::-1], atol=1e-7)
    assert (
        (there.interval[:, 0] <= there.value + 1e-12) & (there.value <= there.interval[:, 1] + 1e-12)
    ).all()


@by_key(EFFECTS)
@on(DATA)
def test_effects_mirror(method, name):
    batch = board(DATA[name])
    there, back = effect_of(method, batch), effect_of(method, reversed_batch(batch))
    assert_allclose(there.value, swapped(back.value, method.swapping), rtol=1e-9, atol=1e-12)
    assert_allclose(there.interval, swapped(back.interval, method.swapping)[:, ::-1], rtol=1e-7, atol=1e-9)


@by_key(EFFECTS)
@on(DATA)
def test_effects_lie_in_their_intervals_or_are_explained(method, name):
    found = effect_of(method, board(DATA[name]))
    low, high = found.interval.T
    known = ~np.isnan(found.value) & ~np.isnan(low)
    assert (low[known] <= found.value[known] + 1e-9).all()
    assert (found.value[known] <= high[known] + 1e-9).all()
    assert (np.isnan(low) == np.isnan(high)).all()
    explained = np.zeros(found.value.shape, dtype=bool)
    for mask in found.notes.values():
        explained |= mask
    if DATA[name].shape[0] > 1:
        assert explained[np.isnan(low)].all()


@by_key(EFFECTS)
def test_effects_without_interval(method):
    batch = board(DATA["ratings"])
    found = method.run(batch, AnalysisConfig(), False)
    assert found.interval is None
    assert_array_equal(found.value, effect_of(method, batch).value)


@by_key(EFFECTS)
def test_one_sided_intervals_are_half_of_two_sided_ones(method):
    batch = board(DATA["ratings"])
    both = effect_of(method, batch, confidence_level=0.8).interval
    assert_allclose(
        effect_of(method, batch, confidence_level=0.9, alternative="greater").interval[:, 0], both[:, 0]
    )
    assert_allclose(
        effect_of(method, batch, confidence_level=0.9, alternative="less").interval[:, 1], both[:, 1]
    )


@by_key(EFFECTS)
def test_effects_are_about_the_scores_not_the_hypothesis(method):
    values = DATA["ratings"]
    assert_array_equal(
        effect_of(method, board(values)).value, effect_of(method, board(values, delta=1.0)).value
    )


@by_key([effect for effect in EFFECTS if effect.key != "cohen-d-av" and effect.design != "unpaired"])
def test_unit_effects_leave_effect_sizes_alone(method):
    """But those whose yardstick is the spread of the systems' own scores."""
    values = DATA["ratings"]
    harder = values + 10.0 * np.arange(values.shape[0])[:, None]
    assert_allclose(effect_of(method, board(values)).value, effect_of(method, board(harder)).value, rtol=1e-9)


def test_same_seed_same_numbers():
    batch = board(DATA["real"])
    for method in [*TESTS, *EFFECTS]:
        run = effect_of if method in list(EFFECTS) else result
        first, second = run(method, batch), run(method, batch)
        name = "value" if method in list(EFFECTS) else "p_value"
        assert_array_equal(getattr(first, name), getattr(second, name))
        assert first.interval is None or np.array_equal(first.interval, second.interval, equal_nan=True)
