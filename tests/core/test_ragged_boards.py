"""Systems that don't have the same units: tests, the split proposed, order."""

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import nlpstat_core as ns
from nlpstat_core.board.ranking.additive import additive_fit
from nlpstat_core.board.ranking.rank_distribution import board_rank_distribution
from nlpstat_core.board.ranking.system_scores import board_scores
from nlpstat_core.config import AnalysisConfig
from nlpstat_core.power import board_power
from nlpstat_core.report import wording
from nlpstat_core.report.wording import verdict_sentence
from nlpstat_core.report.wording.methods import methods
from nlpstat_core.report.wording.ragged import separating_label
from nlpstat_core.scores.count_matrices import accuracy_matrix


def languages(*, seed=0, n=400, per_language=6, spread=12.0):
    """Three language pairs of other difficulty, two of them with systems of their own, all systems equal.

    Systems of one language are the same up to noise of the units: whatever differs between languages is the
    languages' doing.
    """
    rng = np.random.default_rng(seed)
    lp = np.repeat(["cs-en", "de-en", "ja-en"], n)
    difficulty = np.repeat([60.0, 60.0 + spread / 3, 60.0 - spread], n) + rng.normal(0, 15, 3 * n)
    names = [f"{code}-{i}" for code in ("cs", "de", "ja") for i in range(per_language)]
    values = difficulty[:, None] + rng.normal(0, 8, (3 * n, len(names)))
    for k, code in enumerate(("cs", "de", "ja")):
        columns = [i for i, name in enumerate(names) if name.startswith(code)]
        rows = lp == f"{code}-en"
        values[np.ix_(~rows, columns)] = np.nan
        # centred: every system has its language's mean exactly
        cells = values[np.ix_(rows, columns)]
        values[np.ix_(rows, columns)] = cells - cells.mean(axis=0) + difficulty[k * n : (k + 1) * n].mean()
    labels = {"lp": tuple(lp), "doc": tuple(f"{code}:{i // 10}" for i, code in enumerate(lp))}
    return ns.ScoreMatrix(values=values, systems=names, labels=labels)


def test_equal_systems_of_other_languages_are_not_called_better():
    """Welch, chosen by name, finds differences of languages; the default compares nothing across them."""
    scores = languages()
    found = ns.analyse(scores, ns.AnalysisConfig(block_column=None))
    pairs = found.pairs
    apart = pairs.n_units == 0
    assert apart.sum() == 108
    assert np.isnan(pairs.p_value[apart]).all()
    assert pairs.notes["no-shared-units"].tolist() == apart.tolist()
    assert found.family_size == 45
    assert not pairs.significant.any()
    by_name = ns.analyse(scores, ns.AnalysisConfig(test="welch-t", effects=()))
    assert by_name.pairs.significant[apart].sum() > 80
    assert not by_name.pairs.significant[~apart].any()


def test_the_split_is_proposed_by_the_name_of_the_column():
    found = ns.analyse(languages(n=40))
    note = found.notes[0]
    assert (note.code, note.severity) == ("no-shared-units", "problem")
    assert "108 of 153 pairs share no item" in note.text
    assert "split the board by lp" in note.text
    assert "--each dataset --dataset-column lp" in note.text


def test_no_column_separates_systems_that_share_none_within_it():
    scores = languages(n=40)
    note = ns.analyse(ns.ScoreMatrix(values=scores.values, systems=scores.systems)).notes[0]
    assert "split the file into boards" in note.text
    labels = {"half": tuple(f"{i % 2}" for i in range(scores.n_units))}
    assert (
        "half"
        not in ns.analyse(ns.ScoreMatrix(values=scores.values, systems=scores.systems, labels=labels))
        .notes[0]
        .text
    )


def test_a_split_into_single_systems_or_too_many_parts_is_not_proposed():
    values = np.full((300, 3), np.nan)
    values[:150, 0] = values[150:, 1] = values[150:, 2] = np.arange(150.0)
    for column in (np.arange(300) // 150, np.arange(300)):
        labels = {"part": tuple(map(str, column))}
        scores = ns.ScoreMatrix(values=values, systems=("A", "B", "C"), labels=labels)
        assert separating_label(scores) is None
    both = np.column_stack([values, values[:, 0]])
    labels = {"part": tuple(map(str, np.arange(300) // 150)), "doc": tuple(map(str, np.arange(300) // 10))}
    assert separating_label(named(both, labels=labels)) == "part"


def test_few_disjoint_pairs_are_a_caution():
    rng = np.random.default_rng(1)
    values = rng.normal(size=(40, 8))
    values[:20, 0] = values[20:, 1] = np.nan
    scores = ns.ScoreMatrix(values=values, systems=tuple("ABCDEFGH"))
    note = next(n for n in ns.analyse(scores).notes if n.code == "no-shared-units")
    assert note.severity == "caution"
    assert note.text.startswith("1 of 28 pairs shares no item: it has no test")


def test_a_board_without_any_pair_to_compare_says_so():
    values = np.full((20, 2), np.nan)
    values[:10, 0] = values[10:, 1] = np.arange(10.0)
    found = ns.analyse(ns.ScoreMatrix(values=values, systems=("A", "B")))
    assert found.family_size == 0
    assert "share no item" in wording.headline(found)
    three = np.full((30, 3), np.nan)
    for i in range(3):
        three[10 * i : 10 * i + 10, i] = np.arange(10.0)
    board = ns.analyse(ns.ScoreMatrix(values=three, systems=("A", "B", "C")))
    assert wording.headline(board) == "No pair of systems could be compared."


def fitted_by_dummies(values):
    """Scores by least squares on indicators of units and systems; the units weigh alike."""
    there = ~np.isnan(values)
    units, systems = np.nonzero(there)
    design = np.zeros((units.size, sum(values.shape)))
    design[np.arange(units.size), units] = 1
    design[np.arange(units.size), values.shape[0] + systems] = 1
    effects = np.linalg.lstsq(design, values[there], rcond=None)[0]
    used = there.any(axis=1)
    return effects[values.shape[0] :] + effects[: values.shape[0]][used].mean()


def holed(rng, n, n_systems, share, keep=0):
    """Scores with a unit effect, and cells missing at random; the first units are complete."""
    values = rng.normal(0, 3, (n, 1)) + rng.normal(0, 1, (n, n_systems)) + 0.2 * rng.normal(size=n_systems)
    gone = rng.random(values.shape) < share
    gone[:keep] = False
    values[gone] = np.nan
    return values


def named(values, **more):
    return ns.ScoreMatrix(values=values, systems=[f"s{i}" for i in range(values.shape[1])], **more)


@pytest.mark.parametrize("share", [0.02, 0.3, 0.7])
def test_scores_of_the_additive_fit(share):
    values = holed(np.random.default_rng(3), 50, 6, share, keep=2)
    fit = additive_fit(named(values))
    np.testing.assert_allclose(fit.score, fitted_by_dummies(values), rtol=1e-10)
    np.testing.assert_allclose(np.nanmean(fit.unit_values, axis=0), fit.score, rtol=1e-10)
    board = ns.analyse(named(values), AnalysisConfig(test="t", effects=())).leaderboard
    np.testing.assert_allclose(board.score, fit.score[board.column])
    np.testing.assert_allclose(board.own_score, np.nanmean(values, axis=0)[board.column])
    assert np.all(np.diff(board.score) < 0)


def test_complete_scores_keep_their_digits():
    values = np.random.default_rng(4).normal(size=(40, 5))
    whole = ns.analyse(named(values)).leaderboard
    assert whole.own_score is None
    empty_rows = np.vstack([values, np.full((3, 5), np.nan)])
    found = ns.analyse(named(empty_rows)).leaderboard
    assert found.own_score is None
    np.testing.assert_array_equal(found.score, whole.score)
    fit = additive_fit(named(values))
    np.testing.assert_array_equal(fit.unit_values, values)


def test_the_unit_effect_goes_to_the_unit():
    """The better system of every unit was run on the hard ones only: its raw mean is far below."""
    rng = np.random.default_rng(5)
    ease = np.repeat([0.0, 50.0], 100) + rng.normal(0, 5, 200)
    values = ease[:, None] + np.array([2.0, 1.0, 0.0]) + rng.normal(0, 0.5, (200, 3))
    values[100:, 0] = np.nan
    found = ns.analyse(named(values), AnalysisConfig(test="permutation-mean", effects=()))
    board = found.leaderboard
    assert board.system == ("s0", "s1", "s2")
    assert board.own_score[0] < board.own_score[1] - 20
    assert board.score[0] - board.score[1] == pytest.approx(1.0, abs=0.2)
    note = {note.code: note.text for note in found.notes}["pairwise-units"]
    assert "least-squares fit" in note
    assert "own_score" in found.leaderboard_frame()
    assert "own_score" in found.to_dict()["leaderboard"][0]
    assert board_rank_distribution(found).best.tolist() == [1, 0, 0]


@pytest.mark.parametrize("blocks", [False, True])
def test_intervals_of_fitted_scores_cover(blocks):
    """The mean over the population of units is covered with the stated probability; 0.95 ± 3 errors."""
    rng = np.random.default_rng(6)
    truth, n, covered, reps = np.array([0.3, 0.0, -0.3]), 120, np.zeros(3), 300
    for _ in range(reps):
        level = rng.normal(0, 1, (n // 6, 1)).repeat(6, axis=0) if blocks else 0.0
        values = truth + level + rng.normal(0, 2, (n, 1)) + rng.normal(0, 1, (n, 3))
        hard = values.mean(axis=1) < 0
        values[hard & (rng.random(n) < 0.6), 0] = np.nan
        values[rng.random((n, 3)) < 0.05] = np.nan
        found = board_scores(named(values), 0.95, np.arange(n) // 6 if blocks else None)
        covered += (found.interval[:, 0] <= truth) & (truth <= found.interval[:, 1])
    assert np.all(np.abs(covered / reps - 0.95) < 0.04), covered / reps


def test_standard_errors_are_those_of_refitting():
    """Infinitesimal against delete-one jackknife of the whole fit."""
    values = holed(np.random.default_rng(7), 80, 4, 0.25, keep=2)
    left_out = np.array([fitted_by_dummies(np.delete(values, i, axis=0)) for i in range(80)])
    jackknife = np.sqrt(79 / 80 * ((left_out - left_out.mean(axis=0)) ** 2).sum(axis=0))
    fit = additive_fit(named(values))
    np.testing.assert_allclose(fit.unit_values.std(axis=0, ddof=1) / np.sqrt(80), jackknife, rtol=0.03)


def test_counts_with_equal_totals_are_fitted_like_scores():
    rng = np.random.default_rng(8)
    totals = np.full((60, 4), 7.0)
    correct = np.minimum(rng.binomial(7, 0.5, (60, 4)) + rng.integers(0, 2, (60, 1)), 7).astype(float)
    gone = rng.random((60, 4)) < 0.2
    correct[gone] = totals[gone] = np.nan
    counted = additive_fit(accuracy_matrix(correct, totals, tuple("ABCD")))
    np.testing.assert_allclose(counted.score, fitted_by_dummies(correct / 7), rtol=1e-10)


def test_counts_of_two_systems_on_the_same_units_keep_their_difference():
    rng = np.random.default_rng(9)
    totals = rng.integers(1, 12, (60, 1)).repeat(3, axis=1).astype(float)
    correct = rng.binomial(totals.astype(int), 0.6).astype(float)
    correct[:20, 2] = totals[:20, 2] = np.nan
    fit = additive_fit(accuracy_matrix(correct, totals, tuple("ABC")))
    micro = correct[:, :2].sum(axis=0) / totals[:, :2].sum(axis=0)
    assert fit.score[0] - fit.score[1] == pytest.approx(micro[0] - micro[1], rel=1e-9)


def test_unconnected_systems_have_ranks_of_their_own():
    found = ns.analyse(languages(n=40), AnalysisConfig(test="t", effects=()))
    board = found.leaderboard
    assert board.group.tolist() == [1] * 6 + [2] * 6 + [3] * 6
    assert board.own_score is None
    assert board.rank.max() <= 6
    assert "unconnected-systems" in {note.code for note in found.notes if note.severity == "problem"}
    assert "group" in found.leaderboard_frame()
    by_name = ns.analyse(languages(n=40), AnalysisConfig(test="welch-t", effects=())).leaderboard
    assert by_name.group is None
    assert np.all(np.diff(by_name.score) <= 1e-9)


def ranks_are_inside(board):
    low, high = board.rank_interval.T
    return bool(np.all((low <= board.rank) & (board.rank <= high)))


@given(
    st.integers(0, 10_000),
    st.sampled_from(["t", "sign", "wilcoxon", "welch-t", "permutation-mean"]),
    st.sampled_from(["holm", "none"]),
    st.floats(0.0, 0.9),
    st.booleans(),
    st.booleans(),
)
def test_no_rank_lies_outside_its_interval(seed, test, correction, share, scarce, lower):
    """Cells missing at random, or stretches of units, so that decisions can run in a circle."""
    rng = np.random.default_rng(seed)
    values = holed(rng, 30, 6, share)
    if scarce:
        thirds = np.arange(30) // 10
        for part, (ahead, behind) in enumerate([(0, 1), (1, 2), (2, 0)]):
            values[np.ix_(thirds == part, [3 - ahead - behind])] = np.nan
            values[thirds == part, ahead] += 4
    config = AnalysisConfig(test=test, correction=correction, effects=())
    found = ns.analyse(named(np.round(values, 2), lower_is_better=lower), config)
    board = found.leaderboard
    assert ranks_are_inside(board)
    score = dict(zip(board.column, board.score, strict=True))
    sign = -1 if lower else 1
    for row in np.flatnonzero(found.pairs.separated):
        a, b = found.pairs.left[row], found.pairs.right[row]
        assert np.sign(score[a] - score[b]) * sign == found.pairs.better_code[row]


def test_a_circle_of_decisions_is_not_separated_and_said():
    values = np.full((60, 3), np.nan)
    rng = np.random.default_rng(11)
    for part, (ahead, behind) in enumerate([(0, 1), (1, 2), (2, 0)]):
        rows = slice(20 * part, 20 * part + 20)
        values[rows, behind] = rng.normal(size=20)
        values[rows, ahead] = values[rows, behind] + rng.normal(2, 1, 20)
    found = ns.analyse(named(values), AnalysisConfig(test="t"))
    assert found.pairs.significant.all()
    against = found.pairs.notes["direction-contradicts-board"]
    assert against.sum() >= 1
    assert not found.pairs.separated[against].any()
    assert ranks_are_inside(found.leaderboard)
    row = int(np.flatnonzero(against)[0])
    assert "order of the board" in verdict_sentence(found.pairs, row, found.config)
    a, b = (found.pairs.systems[side[row]] for side in (found.pairs.left, found.pairs.right))
    assert "direction-contradicts-board" in {note.code for note in found.pair(a, b).notes}


REAL = sorted((Path(__file__).parents[3] / "shared" / "data").glob("*.csv"))


@pytest.mark.skipif(not REAL, reason="the real files are not there")
@pytest.mark.parametrize("test", ["recommended", "t"])
def test_no_rank_lies_outside_its_interval_on_real_boards(test):
    for path in REAL:
        found = ns.analyse(ns.read_scores(path), AnalysisConfig(test=test, effects=()))
        assert ranks_are_inside(found.leaderboard), path.name
        assert not (found.pairs.significant & (found.pairs.n_units == 0)).any(), path.name


def test_permuted_rows_change_no_digit():
    values = holed(np.random.default_rng(12), 40, 5, 0.2)
    units = [f"u{i:02}" for i in range(40)]
    order = np.random.default_rng(1).permutation(40)
    first = additive_fit(named(values, units=units))
    second = additive_fit(named(values[order], units=[units[i] for i in order]))
    np.testing.assert_array_equal(first.score, second.score)
    np.testing.assert_array_equal(first.unit_values, second.unit_values)


def test_rank_distribution_of_fitted_scores_is_that_of_refitting():
    rng = np.random.default_rng(13)
    values = holed(rng, 200, 3, 0.3)
    found = board_rank_distribution(ns.analyse(named(values), AnalysisConfig(effects=(), resamples=4000)))
    best = np.zeros(3)
    for _ in range(400):
        best[np.argmax(fitted_by_dummies(values[rng.integers(0, 200, 200)]))] += 1 / 400
    np.testing.assert_allclose(found.best, best, atol=0.09)
    np.testing.assert_allclose(found.shares.sum(axis=1), 1)


def test_what_a_board_could_detect_where_a_pair_shares_no_document():
    rng = np.random.default_rng(2)
    values = rng.normal(size=(60, 3))
    values[:30, 0] = values[30:, 1] = np.nan
    labels = {"doc": tuple(f"d{row // 2}" for row in range(60))}
    scores = ns.ScoreMatrix(values=values, systems=("A", "B", "C"), labels=labels)
    for test in ("recommended", "block-t"):
        found = ns.analyse(scores, AnalysisConfig(test=test, block_column="doc", effects=()))
        detectable = board_power(found).detectable
        assert np.isnan(detectable[found.pairs.find(0, 1)])
        assert np.isfinite(detectable[found.pairs.find(0, 2)])
        assert methods(found)
