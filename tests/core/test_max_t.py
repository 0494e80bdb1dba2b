"""Westfall–Young max-T: R's enumeration, plain loops, determinism, family-wise error, refusals."""

from dataclasses import replace
from itertools import combinations, product

import numpy as np
import pytest
from golden.golden import load, matrix
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

import nlpstat_core as ns
from nlpstat_core.analysis.analyse import analyse_side
from nlpstat_core.catalogue import fitting_tests
from nlpstat_core.engine.columns.pairing import pair_indices
from nlpstat_core.engine.resampling import count_chunks, sign_chunks
from nlpstat_core.engine.resampling.step_down import StepDown
from nlpstat_core.methods.corrections import CORRECTIONS, Comparisons, Family, adjust_family
from nlpstat_core.methods.corrections.max_t import METHOD
from nlpstat_core.methods.corrections.simultaneous import simultaneous_intervals

CONFIG = ns.AnalysisConfig(test="t", correction="max-t", resamples=500, seed=5, block_column=None)


def board(values, **fields):
    values = np.asarray(values, dtype=float)
    systems = fields.pop("systems", tuple(f"s{i}" for i in range(values.shape[1])))
    return ns.ScoreMatrix(values=values, systems=systems, **fields)


def adjusted(values, config=CONFIG, **fields):
    return ns.analyse(board(values, **fields), config).pairs.p_adjusted


def stepped(null, observed):
    """Step-down by its definition: null (resamples × pairs), observed (pairs) → counts."""
    ranked = sorted(range(len(observed)), key=lambda pair: -observed[pair])
    counts, running = [0] * len(observed), 0
    for place, pair in enumerate(ranked):
        rest = ranked[place:]
        count = sum(max(row[other] for other in rest) >= observed[pair] - 1e-10 for row in null)
        running = max(running, count)
        counts[pair] = running
    return counts


def test_against_the_exact_joint_null_of_r():
    """All 2¹² sign patterns of tests/golden/westfall_young.R through the same step-down counter."""
    names, values = matrix("five-12")
    left, right = pair_indices(5)
    z = np.round(values[:, left] - values[:, right], 6)
    scale = np.sqrt((z**2).sum(axis=0))
    signs = np.array(list(product([1.0, -1.0], repeat=12)))
    observed = np.abs(z.sum(axis=0)) / scale
    steps = StepDown(observed, np.full(10, 1e-9), 4096, np.ones(10, dtype=bool))
    null = np.abs(signs @ z) / scale
    for start in range(0, 4096, 1000):
        which = slice(start, min(start + 1000, 4096))
        for part in (slice(0, 3), slice(3, 10)):
            steps.add(part, which, null[which][:, steps.order[part]].T)
    exact = steps.counts() / 4096
    golden = {(g.options["system_a"], g.options["system_b"]): g.values for g in load("westfall_young")}
    for pair in range(10):
        expected = golden[names[left[pair]], names[right[pair]]]["p_adjusted"]
        assert exact[pair] == pytest.approx(expected, rel=1e-12)
    config = replace(CONFIG, test="permutation-mean", resamples=20_000)
    found = adjusted(values, config)
    np.testing.assert_allclose(found, exact, atol=5 * np.sqrt(0.25 / 20_000))


@pytest.mark.parametrize("seed", range(6))
def test_maxima_of_many_pairs_against_the_definition(seed):
    """Counted pair by pair or together, with ties, infinite statistics and pairs outside the maximum."""
    rng = np.random.default_rng(seed)
    n_pairs, resamples = int(rng.integers(1, 400)), int(rng.integers(1, 700))
    observed = np.abs(rng.normal(size=n_pairs)) * rng.choice([0.3, 3.0, 30.0])
    null = np.abs(rng.normal(size=(resamples, n_pairs)))
    if seed % 2:
        observed, null = observed.round(1), null.round(1)
        null[rng.random(null.shape) < 0.002] = np.inf
    tolerance = rng.choice([0.0, 1e-9, 0.05], n_pairs)
    included = rng.random(n_pairs) < 0.9
    steps = StepDown(observed, tolerance, resamples, included)
    for start in range(0, resamples, 256):
        which = slice(start, min(start + 256, resamples))
        begin = 0
        while begin < steps.order.size:
            part = slice(begin, min(begin + int(rng.integers(1, 200)), steps.order.size))
            steps.add(part, which, null[which][:, steps.order[part]].T.copy())
            begin = part.stop
    counts = np.full(n_pairs, resamples)
    for place, pair in enumerate(steps.order):
        up_to_it = null[:, steps.order[: place + 1]].max(axis=1)
        counts[pair] = np.count_nonzero(up_to_it >= observed[pair] - tolerance[pair])
    ascending = steps.order[::-1]
    counts[ascending] = np.maximum.accumulate(counts[ascending])
    assert steps.counts().tolist() == counts.tolist()
    assert steps.maxima.tolist() == null[:, steps.order].max(axis=1, initial=-np.inf).tolist()


@pytest.mark.parametrize("alternative", ["two-sided", "greater", "less"])
@pytest.mark.parametrize("delta", [0.0, 0.3])
@pytest.mark.parametrize("kind", ["normal", "likert", "binary"])
def test_sign_flips_by_a_plain_loop(alternative, delta, kind):
    rng = np.random.default_rng(3)
    values = {
        "normal": rng.normal(size=(20, 4)) + np.array([0.6, 0.3, 0, 0]),
        "likert": rng.integers(1, 6, (18, 4)).astype(float),
        "binary": (rng.random((30, 4)) < [0.8, 0.6, 0.5, 0.5]).astype(float),
    }[kind]
    config = replace(CONFIG, alternative=alternative, delta=delta)
    signs = np.concatenate([part for _, _, part in sign_chunks(len(values), 500, 5)], axis=1)
    turn = {"two-sided": abs, "greater": lambda x: x, "less": lambda x: -x}[alternative]
    z = [values[:, a] - values[:, b] - delta for a, b in combinations(range(4), 2)]
    scale = [np.sqrt((one**2).sum()) for one in z]
    observed = [turn(one.sum()) / s for one, s in zip(z, scale, strict=True)]
    null = [[turn((column * one).sum()) / s for one, s in zip(z, scale, strict=True)] for column in signs.T]
    expected = (np.array(stepped(null, observed)) + 1) / 501
    analysis = analyse_side(board(values), config)
    np.testing.assert_allclose(
        analysis.pairs.p_adjusted, np.maximum(expected, analysis.pairs.p_value), rtol=1e-12
    )


def test_studentised_bootstrap_by_a_plain_loop():
    values = np.random.default_rng(6).normal(size=(15, 4)) + np.array([0.9, 0.3, 0, 0])
    config = replace(CONFIG, test="bootstrap-mean", resamples=300)
    z = [values[:, a] - values[:, b] for a, b in combinations(range(4), 2)]
    t = [abs(one.mean()) / (one.std(ddof=1) / np.sqrt(15)) for one in z]
    null = []
    for _, counts in count_chunks(15, 300, 5):
        for row in counts:
            draws = np.repeat(np.arange(15), row.astype(int))
            null.append(
                [abs(one[draws].mean() - one.mean()) / (one[draws].std(ddof=1) / np.sqrt(15)) for one in z]
            )
    expected = (np.array(stepped(null, t)) + 1) / 301
    analysis = ns.analyse(board(values), config)
    np.testing.assert_allclose(
        analysis.pairs.p_adjusted, np.maximum(expected, analysis.pairs.p_value), rtol=1e-12
    )
    assert analysis.pairs.p_adjusted.min() < 0.1


def test_blocks_share_one_sign():
    rng = np.random.default_rng(2)
    documents = rng.integers(0, 9, 60)
    values = rng.normal(size=(9, 3))[documents] + rng.normal(size=(60, 3))
    labels = {"document": tuple(f"d{i}" for i in documents)}
    found = adjusted(values, replace(CONFIG, block_column="document"), labels=labels)
    sums = np.zeros((9, 3))
    np.add.at(sums, documents, values)
    signs = np.concatenate([part for _, _, part in sign_chunks(9, 500, 5)], axis=1)
    z = [sums[:, a] - sums[:, b] for a, b in combinations(range(3), 2)]
    scale = [np.sqrt((one**2).sum()) for one in z]
    null = [[abs((e * one).sum()) / s for one, s in zip(z, scale, strict=True)] for e in signs.T]
    expected = (
        np.array(stepped(null, [abs(one.sum()) / s for one, s in zip(z, scale, strict=True)])) + 1
    ) / 501
    plain = ns.analyse(board(values), ns.AnalysisConfig(test="t", correction="none")).pairs.p_value
    np.testing.assert_allclose(found, np.maximum(expected, plain), rtol=1e-12)


@given(st.integers(3, 25), st.integers(2, 6), st.integers(0, 10_000), st.booleans())
def test_adjusted_p_is_never_below_p_and_keeps_the_order_of_the_statistics(n, systems, seed, discrete):
    rng = np.random.default_rng(seed)
    values = rng.integers(0, 3, (n, systems)).astype(float) if discrete else rng.normal(size=(n, systems))
    config = replace(CONFIG, test="permutation-mean", resamples=99)
    pairs = ns.analyse(board(values), config).pairs
    assert np.all(pairs.p_adjusted >= pairs.p_value)
    assert np.all(pairs.p_adjusted <= 1)
    z = values[:, pairs.left] - values[:, pairs.right]
    scale = np.sqrt((z**2).sum(axis=0))
    assert np.all(pairs.p_adjusted[scale == 0] == 1)
    statistic = np.abs(z.sum(axis=0)) / np.where(scale > 0, scale, 1)
    order = np.argsort(-statistic, kind="stable")
    stepwise = np.maximum.accumulate(pairs.p_adjusted[order])
    own = np.maximum(stepwise, pairs.p_value[order])
    np.testing.assert_array_equal(
        np.maximum(pairs.p_adjusted[order], pairs.p_value[order]), pairs.p_adjusted[order]
    )
    assert np.all(own >= pairs.p_adjusted[order])


def test_identical_systems_stand_outside_and_change_nothing():
    rng = np.random.default_rng(1)
    values = rng.normal(size=(40, 3)) + np.array([0.5, 0, 0])
    doubled = np.column_stack([values, values[:, 2]])
    analysis = ns.analyse(board(doubled), replace(CONFIG, test="permutation-mean"))
    pairs = analysis.pairs
    row = pairs.find(2, 3)
    assert pairs.p_adjusted[row] == 1.0
    expected = adjusted(values, replace(CONFIG, test="permutation-mean"))
    for position, (a, b) in enumerate(combinations(range(3), 2)):
        assert pairs.p_adjusted[pairs.find(a, b)] == expected[position]


def test_quiet_systems_are_found_among_noisy_ones():
    """Unscaled sums would leave the three quiet systems unseen."""
    rng = np.random.default_rng(0)
    quiet = rng.normal(scale=0.01, size=(60, 3)) + 0.01 * np.arange(3)
    noisy = rng.normal(scale=5, size=(60, 5))
    pairs = ns.analyse(board(np.column_stack([quiet, noisy])), CONFIG).pairs
    assert pairs.significant[[pairs.find(0, 1), pairs.find(0, 2), pairs.find(1, 2)]].all()
    assert pairs.significant.sum() == 3


def test_near_copies_do_not_drown_the_bootstrap_board():
    """A pair that differs in one unit has resamples without spread; it must not fill every maximum."""
    rng = np.random.default_rng(0)
    values = rng.normal(size=(80, 3)) + np.array([1.0, 0, 0])
    near = values[:, 2].copy()
    near[0] += 1
    config = replace(CONFIG, test="bootstrap-mean")
    pairs = ns.analyse(board(np.column_stack([values, near])), config).pairs
    assert pairs.p_adjusted[pairs.find(0, 1)] == pytest.approx(1 / 501)
    assert pairs.p_adjusted[pairs.find(2, 3)] == 1.0
    assert pairs.notes["flat-resamples"][pairs.find(2, 3)]


def test_baseline_and_one_pair_families():
    values = np.random.default_rng(2).normal(size=(50, 4)) + np.array([0.5, 0, 0, 0])
    against = ns.analyse(board(values), replace(CONFIG, baseline="s0")).pairs
    whole = ns.analyse(board(values), CONFIG).pairs
    assert len(against) == 3
    for row in range(3):
        full = whole.find(against.left[row], against.right[row])
        assert against.p_value[row] == pytest.approx(whole.p_value[full], rel=1e-12)
        assert against.p_adjusted[row] <= whole.p_adjusted[full]
    single = ns.analyse(board(values[:, :2]), replace(CONFIG, test="bootstrap-mean")).pairs
    np.testing.assert_array_equal(single.p_adjusted, single.p_value)


def test_undefined_pairs_leave_the_family():
    rng = np.random.default_rng(3)
    values = rng.normal(size=(30, 3)) + np.array([0.4, 0, 0])
    shifted = np.column_stack([values, values[:, 0] + 1.0])  # constant difference: t is undefined
    pairs = ns.analyse(board(shifted), CONFIG).pairs
    assert np.isnan(pairs.p_adjusted[pairs.find(0, 3)])
    assert not np.isnan(np.delete(pairs.p_adjusted, pairs.find(0, 3))).any()


def test_complete_units_only_and_said_so():
    rng = np.random.default_rng(4)
    values = rng.normal(size=(60, 4)) + np.array([0.6, 0, 0, 0])
    values[:20, 3] = np.nan
    analysis = ns.analyse(board(values, units=tuple(f"u{i:02}" for i in range(60))), CONFIG)
    kept = ns.analyse(board(values[20:]), CONFIG)
    pairs = analysis.pairs
    flipped = np.maximum(kept.pairs.p_adjusted, pairs.p_value)
    inside = ~np.isclose(kept.pairs.p_adjusted, kept.pairs.p_value)
    np.testing.assert_array_equal(pairs.p_adjusted[inside], flipped[inside])
    assert pairs.notes["max-t-complete-units"].all()
    assert "max-t-complete-units" in {note.code for note in analysis.notes}
    values = rng.normal(size=(60, 4))
    for system in (1, 2, 3):  # every pair shares units, the whole board none
        values[20 * (system - 1) : 20 * system, system] = np.nan
    with pytest.raises(ns.AnalysisError, match="two items that every system has"):
        ns.analyse(board(values), CONFIG)


@pytest.mark.parametrize("test", ["t", "bootstrap-mean"])
def test_same_digits_for_workers_backends_rows_and_column_order(test):
    import joblib

    rng = np.random.default_rng(8)
    values = rng.normal(size=(120, 7)) + 0.05 * np.arange(7)
    units = tuple(f"unit-{i}" for i in rng.permutation(120))
    scores, config = board(values, units=units), replace(CONFIG, test=test, effects=())
    expected = ns.analyse(scores, config).pairs.p_adjusted
    for workers in (2, 3):
        np.testing.assert_array_equal(ns.analyse(scores, config, workers=workers).pairs.p_adjusted, expected)
    with joblib.parallel_config(backend="loky"):
        np.testing.assert_array_equal(ns.analyse(scores, config, workers=2).pairs.p_adjusted, expected)
    rows = rng.permutation(120)
    permuted = board(values[rows], units=tuple(units[i] for i in rows))
    np.testing.assert_array_equal(ns.analyse(permuted, config).pairs.p_adjusted, expected)
    names = tuple(f"s{i}" for i in range(6, -1, -1))
    swapped = ns.analyse(board(values[:, ::-1], units=units, systems=names), config).pairs
    found = {
        frozenset(pair): p
        for *pair, p in zip(swapped.system_a, swapped.system_b, swapped.p_adjusted, strict=True)
    }
    for (a, b), p in zip(combinations(range(7), 2), expected, strict=True):
        assert found[frozenset((f"s{a}", f"s{b}"))] == p


def test_adding_a_system_changes_no_unadjusted_p():
    values = np.random.default_rng(9).normal(size=(200, 6)).round(2)
    for test in (entry.key for entry in fitting_tests(METHOD.key)):
        if test not in ("t", "permutation-mean", "bootstrap-mean"):
            continue
        config = replace(CONFIG, test=test)
        few = ns.analyse(board(values[:, :4]), config).pairs
        more = ns.analyse(board(values), config).pairs
        rows = [more.find(a, b) for a, b in combinations(range(4), 2)]
        np.testing.assert_array_equal(few.p_value, more.p_value[rows])


def error_rates(make, config, boards=300):
    """Share of boards with a false rejection, and its standard error at 5 %."""
    rng = np.random.default_rng(20)
    false = 0
    for _ in range(boards):
        values, equal = make(rng)
        left, right = pair_indices(values.shape[1])
        known = Comparisons(units=board(values), left=left, right=right, config=config)
        p = adjust_family(Family(p_values=np.zeros(len(left)), comparisons=known), "max-t").p_values
        false += bool(np.any(p[equal[left] == equal[right]] <= 0.05))
    return false / boards, np.sqrt(0.05 * 0.95 / boards)


def complete_null(rng):
    item = rng.normal(size=(40, 1))
    return item + rng.normal(size=(40, 6)), np.zeros(6, dtype=int)


def partial_null(rng):
    """Two groups of three equal systems; the groups differ."""
    values, _ = complete_null(rng)
    groups = np.array([0, 0, 0, 1, 1, 1])
    return values + 1.5 * groups, groups


@pytest.mark.parametrize("make", [complete_null, partial_null])
@pytest.mark.parametrize("test", ["t", "bootstrap-mean"])
def test_trap_24_family_wise_error_of_whole_boards(make, test):
    config = replace(CONFIG, test=test, resamples=199)
    rate, error = error_rates(make, config, boards=200)
    assert rate <= 0.05 + 3 * error
    if make is complete_null:
        assert rate >= 0.01, "max-T uses its whole error rate"


def test_max_t_finds_what_holm_finds():
    rng = np.random.default_rng(3)
    item = rng.normal(size=(150, 1))
    values = item + rng.normal(size=(150, 12)) + 0.06 * np.arange(12)
    config = replace(CONFIG, resamples=5000)
    joint = ns.analyse(board(values), config).pairs.significant.sum()
    assert joint >= ns.analyse(board(values), replace(config, correction="holm")).pairs.significant.sum()


@pytest.mark.parametrize("test", ["recommended", "wilcoxon", "sign", "bootstrap-median"])
def test_tests_not_about_means_are_refused_with_the_list(test):
    with pytest.raises(ns.ConfigError, match=r"t, permutation-mean, .*bootstrap-mean"):
        ns.AnalysisConfig(question="each-pair", test=test, correction="max-t")


def test_recommended_tests_of_the_mean_go_with_max_t():
    scores = board(np.random.default_rng(3).normal(size=(40, 4)).round(2))
    config = ns.AnalysisConfig(correction="max-t", resamples=300)
    fixed = ns.analyse(scores, replace(config, test="permutation-mean")).pairs
    assert np.array_equal(ns.analyse(scores, config).pairs.p_adjusted, fixed.p_adjusted)


def test_p_values_alone_are_refused():
    with pytest.raises(ns.AnalysisError, match="resamples the scores"):
        ns.adjust_p_values([0.01, 0.2], "max-t")
    assert CORRECTIONS["max-t"].error_rate.startswith("family-wise")


def test_notes_for_skewed_unlike_shapes_and_few_resamples():
    rng = np.random.default_rng(5)
    values = np.column_stack([rng.normal(size=(60, 2)), rng.lognormal(sigma=1.5, size=60)])
    analysis = ns.analyse(board(values), CONFIG)
    assert analysis.pairs.notes["max-t-unlike-shapes"].tolist() == [False, True, True]
    assert ("max-t-unlike-shapes", "caution") in {(note.code, note.severity) for note in analysis.notes}
    many = np.tile(values, (4, 1))
    assert "max-t-unlike-shapes" not in ns.analyse(board(many), CONFIG).pairs.notes
    enough = ns.analyse(board(rng.normal(size=(30, 5))), replace(CONFIG, resamples=99))
    assert "few-resamples" not in enough.pairs.notes  # 1/100 can be reached by any pair of any family
    few = ns.analyse(board(rng.normal(size=(30, 5))), replace(CONFIG, resamples=9))
    assert ("few-resamples", "problem") in {(note.code, note.severity) for note in few.notes}


def known_pairs(values, config, **fields):
    left, right = pair_indices(values.shape[1])
    return Comparisons(units=board(values, **fields), left=left, right=right, config=config)


@pytest.mark.parametrize("test", ["t", "bootstrap-mean"])
def test_simultaneous_intervals_hold_together(test):
    """Joint coverage of all 15 true differences; intervals a little narrower than Bonferroni's."""
    rng = np.random.default_rng(11)
    truth = 0.3 * np.arange(6)
    config = replace(CONFIG, test=test, alpha=0.1, resamples=299)
    left, right = pair_indices(6)
    covered, widths = 0, []
    for _ in range(150):
        values = rng.normal(size=(40, 1)) + rng.normal(size=(40, 6)) + truth
        known = known_pairs(values, config)
        low, high = simultaneous_intervals(known).T
        covered += np.all((low <= (truth[left] - truth[right])) & (high >= truth[left] - truth[right]))
        wide = simultaneous_intervals(known, "bonferroni")
        widths.append(np.mean(high - low) / np.mean(wide[:, 1] - wide[:, 0]))
    assert abs(covered / 150 - 0.9) <= 3.5 * np.sqrt(0.9 * 0.1 / 150)
    assert 0.8 < np.mean(widths) < 1.02


def test_simultaneous_interval_of_one_pair_is_the_single_one():
    values = np.random.default_rng(0).normal(size=(60, 2))
    config = replace(CONFIG, resamples=20_000)
    single = ns.analyse(board(values), replace(config, correction="none")).pairs.interval[0]
    np.testing.assert_allclose(
        simultaneous_intervals(known_pairs(values, config))[0], single, rtol=0.02, atol=0.005
    )
    np.testing.assert_allclose(simultaneous_intervals(known_pairs(values, config), "bonferroni")[0], single)
    resampled = replace(config, test="bootstrap-mean")
    own = ns.analyse(board(values), replace(resampled, correction="none")).pairs.interval[0]
    np.testing.assert_allclose(simultaneous_intervals(known_pairs(values, resampled))[0], own, rtol=1e-10)


def test_bonferroni_intervals_go_by_document_where_documents_are_named():
    """They once took the units of a document for independent."""
    rng = np.random.default_rng(8)
    values = rng.normal(size=(12, 2))[np.arange(60) // 5] + 0.3 * rng.normal(size=(60, 2))
    config = replace(CONFIG, test="block-t", block_column="document")
    known = known_pairs(values, config, labels={"document": tuple(f"d{i // 5}" for i in range(60))})
    by_document = simultaneous_intervals(known, "bonferroni")[0]
    sums = (values[:, 0] - values[:, 1]).reshape(12, 5).sum(axis=1)
    middle, margin = sums.mean() / 5, stats.t.ppf(0.975, 11) * sums.std(ddof=1) / np.sqrt(12) / 5
    np.testing.assert_allclose(by_document, [middle - margin, middle + margin])


def test_simultaneous_intervals_one_sided_and_degenerate():
    values = np.random.default_rng(0).normal(size=(30, 3))
    values[:, 2] = values[:, 1]
    low, high = simultaneous_intervals(known_pairs(values, replace(CONFIG, alternative="greater"))).T
    assert np.isposinf(high[:2]).all()
    assert np.isfinite(low[:2]).all()
    assert np.isnan([low[2], high[2]]).all()


@pytest.mark.parametrize("test", ["t", "bootstrap-mean"])
def test_progress_moves_while_max_t_resamples(test):
    systems = tuple(f"s{i}" for i in range(20))
    scores = ns.ScoreMatrix(values=np.random.default_rng(4).normal(size=(30, 20)), systems=systems)
    lines = []
    config = ns.AnalysisConfig(test=test, correction="max-t", resamples=3_000, effects=())
    ns.analyse(scores, config, progress=lambda done, total: lines.append((done, total)))
    done = [one for one, _ in lines]
    assert {total for _, total in lines} == {190}
    assert done == sorted(done)
    assert (done[0], done[-1]) == (95, 190)
    assert len(set(done)) > 3
    plain = []
    ns.analyse(scores, ns.AnalysisConfig(test="t"), progress=lambda done, total: plain.append((done, total)))
    assert plain == [(190, 190)]
