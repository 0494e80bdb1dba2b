"""A judged board's sentences against its numbers: who leads, directions, pairs without labels, plans."""

import warnings

import numpy as np
import pytest
from scipy import stats

import nlpstat_core as ns
from nlpstat_core.board.ranking.leaderboard import ranks_of
from nlpstat_core.report.exports.tables.judge import pairs_table
from nlpstat_core.report.wording.judge import (
    bias_sentence,
    counted_sentence,
    headline,
    itself_sentences,
    worth_sentence,
)


def board_of(people, automatic, lower=(False, False), **settings):
    """A judged board of arrays, with directions of people's and the judge's scores."""
    names = [f"s{i}" for i in range(people.shape[1])]
    sides = zip(("human", "judge"), (people, automatic), lower, strict=True)
    return ns.judge(
        {
            name: ns.ScoreMatrix(values=values, systems=names, lower_is_better=low)
            for name, values, low in sides
        },
        **settings,
    )


def some_board(seed, n_labels=20, n_items=80, n_systems=3, spread=0.5):
    rng = np.random.default_rng(seed)
    people = rng.normal(size=(n_items, 1)) + rng.normal(size=(n_items, n_systems))
    people = people + rng.normal(0, spread, n_systems)
    automatic = people + rng.normal(size=people.shape) + rng.normal(0, spread, n_systems)
    people[n_labels:] = np.nan
    return people, automatic


@pytest.mark.parametrize("seed", range(150))
def test_the_headline_says_what_the_board_says(seed):
    """Means and pair differences weigh the judge differently: the first by means can be a beaten one."""
    rng = np.random.default_rng(seed)
    people, automatic = some_board(seed, n_systems=2 + seed % 3, n_labels=int(rng.choice([5, 20, 40])))
    if seed % 4 == 3:
        people, automatic = np.sign(people), np.sign(automatic) * rng.choice([-1.0, 1.0])
    found = board_of(people, automatic, lower=(seed % 5 == 0, seed % 2 == 0))
    text, top = headline(found), found.top_group
    first = [name for name, rank in zip(found.systems, found.rank, strict=True) if rank == 1]
    alone = len(first) == 1 and first[0] in top
    assert ("leads" in text or " is better than " in text) == alone
    assert ("share the first place" in text) == (len(first) > 1)
    assert ("but another system is found to be better" in text) == (len(first) == 1 and first[0] not in top)
    if "top group has" in text:
        assert f"the top group has {len(top)} systems" in text


def test_the_first_by_means_can_be_beaten_by_its_pair():
    """The second's judge is off by a factor, which its mean can't tell from five labels, and the pair can."""
    rng = np.random.default_rng(69)
    people = rng.normal(size=(30, 1)) * 3 + rng.normal(0, 0.2, (30, 2)) + [0, 0.25]
    automatic = people * [1, rng.uniform(0.1, 1)] + rng.normal(0, 0.1, (30, 2))
    people[5:] = np.nan
    found = board_of(people, automatic)
    assert (found.systems[found.order[0]], found.top_group) == ("s0", ("s1",))
    assert headline(found) == (
        "'s0' has the best corrected mean on 'human', but another system is found to be better by the pair's "
        "own differences: for 's1' alone no other system is found to be better."
    )


def test_a_judge_of_the_other_direction_is_told_as_it_is():
    """An error flag beside a share of right answers: the file's own numbers, and the same decisions."""
    rng = np.random.default_rng(3)
    right = (rng.random((200, 3)) < [0.3, 0.5, 0.8]).astype(float)
    verdict = np.where(rng.random(right.shape) < 0.15, 1 - right, right)
    people = right.copy()
    people[60:] = np.nan
    straight = board_of(people, verdict)
    errors = board_of(people, 1 - verdict, lower=(False, True))
    assert (straight.turned, errors.turned) == (False, True)
    np.testing.assert_allclose(errors.estimate, straight.estimate)
    np.testing.assert_allclose(errors.judged, (1 - verdict).mean(axis=0))
    np.testing.assert_allclose(errors.judge_pairs.difference, -straight.judge_pairs.difference)
    np.testing.assert_allclose(errors.judge_pairs.lower, -straight.judge_pairs.upper)
    np.testing.assert_allclose(errors.checks.labelled[1:], (1 - verdict)[:60].mean(axis=0))
    np.testing.assert_allclose(errors.checks.upper, -straight.checks.lower)
    np.testing.assert_allclose(errors.itself.calibration.judged, 1 - straight.itself.calibration.judged[::-1])
    assert counted_sentence(errors) == counted_sentence(straight)
    assert [one.split(" gives ")[1] for one in itself_sentences(errors)] == [
        one.split(" gives ")[1] for one in itself_sentences(straight)
    ]
    assert "with its 0 and 1 exchanged as its lower scores are better" in next(iter(itself_sentences(errors)))
    told, other = (pairs_table(one).columns[4].cells for one in (errors, straight))
    assert list(told) == list(other)
    assert any(told)


def test_points_that_are_bad_are_said_to_be():
    people, automatic = some_board(1, n_labels=60)
    automatic[:, 0] += 3
    assert "where lower is better" in bias_sentence(board_of(people, automatic, lower=(True, True)))
    assert "where lower is better" not in bias_sentence(board_of(people, automatic))


def test_pairs_that_share_too_few_labels_are_told():
    people, automatic = some_board(2, n_labels=80)
    for system in range(3):
        people[np.arange(80) // 27 != system, system] = np.nan
    found = board_of(people, automatic)
    assert np.isnan(found.corrected.p_value).all()
    assert "3 of 3 pairs of systems are not compared" in next(
        note.text for note in found.notes if note.code == "pairs-without-labels"
    )
    assert worth_sentence(found).endswith("no two systems share enough labelled items.")


@pytest.mark.parametrize("seed", range(40))
def test_labels_to_tell_the_first_two_apart_are_more_than_there_are(seed):
    """At the level of one pair after correction: a pair that the correction alone holds back needs more."""
    found = board_of(*some_board(seed, n_systems=4))
    first, second = found.order[:2]
    row = int(np.flatnonzero((found.left == min(first, second)) & (found.right == max(first, second)))[0])
    pairs = found.corrected
    if found.more_labels is None:
        return
    assert not pairs.significant[row]
    n, error = pairs.n_items[row], pairs.error[row]
    wanted = stats.t.ppf(1 - 0.05 / 6 / 2, n - 1) + stats.norm.ppf(0.8)
    assert found.more_labels > n
    # With as many labels the error is at most as small as if all of it came from the labels.
    assert abs(pairs.difference[row]) >= wanted * error * np.sqrt(n / found.more_labels) * (1 - 1e-9)


def test_a_judge_that_is_constant_on_labelled_items_is_checked_without_a_warning():
    people, automatic = some_board(5)
    automatic[:20] = 7.0
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        found = board_of(people, automatic)
    want = stats.ttest_1samp(automatic[20:, 0], 7.0)  # one side has no spread
    assert found.checks.p_value[1] == pytest.approx(want.pvalue)


def test_means_that_differ_by_rounding_share_a_rank():
    assert ranks_of(np.array([2.5, 2.5 + 4e-16, 1.0, 2.5 - 4e-16])).tolist() == [1, 1, 4, 1]


def test_refusals_of_a_judge_speak_of_one_and_of_several():
    people, automatic = some_board(0)
    boards = {
        "human": ns.ScoreMatrix(values=people, systems=["GPT", "b", "c"]),
        "judge": ns.ScoreMatrix(values=automatic, systems=["gpt", "b", "c"]),
    }
    with pytest.raises(
        ns.AnalysisError, match=r"'GPT', 'gpt' are in one of them only \('GPT', 'gpt' may be one\)"
    ):
        ns.judge(boards)
    people[1:, 2] = np.nan
    with pytest.raises(ns.AnalysisError, match="'human' has 1 score of 's2'"):
        board_of(people, automatic)
    with pytest.raises(ns.ConfigError, match=r"Unknown column of documents 'doc'. There is none."):
        board_of(*some_board(0), documents="doc")
