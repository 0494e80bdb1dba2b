"""What is said of composites and of rankings by places, against their numbers."""

import numpy as np
import pytest

import nlpstat_core as ns
from nlpstat_core.cli import main
from nlpstat_core.report.wording.tracks import ranking_headline, ranking_pairs_legend

FAST = ns.AnalysisConfig(resamples=300)


def track(rng, n, effect=1.0, names="ABCD", **more):
    values = rng.normal(size=(n, len(names))) + effect * np.arange(len(names))
    return ns.ScoreMatrix(values=values, systems=list(names), **more)


def codes(board):
    return {note.code for note in board.notes if note.severity != "info"}


def text_of(board, code):
    return next(note.text for note in board.notes if note.code == code)


@pytest.mark.parametrize("seed", range(60))
def test_the_headline_of_a_ranking_says_what_its_pairs_say(seed):
    """Nobody is called better than every other system because each of these is beaten by somebody."""
    rng = np.random.default_rng(seed)
    boards = {f"t{i}": track(rng, 40, effect=rng.choice([0.1, 0.3])) for i in range(6)}
    combine = ["mean-rank", "borda", "win-rate", "bests"][seed % 4]
    found = ns.rank_tracks(
        boards, combine=combine, config=ns.AnalysisConfig(resamples=300, correction="none")
    )
    text = ranking_headline(found)
    beaten = {name: set() for name in found.systems}
    for a, b, sure, difference in zip(
        found.system_a, found.system_b, found.significant, found.difference, strict=True
    ):
        a_better = (difference < 0) == found.lower_is_better
        if sure:
            beaten[found.systems[b if a_better else a]].add(found.systems[a if a_better else b])
    free = [name for name, by in beaten.items() if not by]
    assert list(found.top_group) == free
    every = all(free[0] in by for name, by in beaten.items() if name != free[0])
    assert ("better than every other system" in text) == (len(free) == 1 and every)
    first = [name for name, rank in zip(found.systems, found.rank, strict=True) if rank == 1]
    assert ("share the first place" in text) == (len(first) > 1)


def test_the_bound_of_neighbours_is_said_to_be_one_but_for_drawing():
    rng = np.random.default_rng(0)
    found = ns.rank_tracks({"en": track(rng, 60), "de": track(rng, 40)}, config=FAST)
    assert "can't be below 0.5 but for the error of drawing" in ranking_pairs_legend(found)
    exact = ns.rank_tracks({"en": track(rng, 5), "de": track(rng, 4)}, config=FAST)
    assert "can't be below 0.5, however many" in ranking_pairs_legend(exact)


def test_tracks_of_few_items_are_told():
    rng = np.random.default_rng(1)
    found = ns.rank_tracks({"en": track(rng, 1), "de": track(rng, 12)}, config=FAST)
    assert text_of(found, "few-items-of-a-track") == (
        "Tracks with fewer than 10 items or documents: 'en (1)'. Resamples of so few vary too little, so "
        "that intervals and how often a system is first are too sure."
    )
    assert ns.rank_tracks({"en": track(rng, 10), "de": track(rng, 12)}, config=FAST).notes == ()


def test_shared_items_need_ids_in_both_ways_of_ranking():
    rng = np.random.default_rng(2)
    boards = {"en": track(rng, 5), "de": track(rng, 5, units=list("vwxyz"))}
    for way in (ns.composite, ns.rank_tracks):
        with pytest.raises(ns.AnalysisError, match="Shared items are matched by their ids; a track has none"):
            way(boards, shared_items=True)


def test_tracks_that_separate_nobody_and_copies_are_told():
    rng = np.random.default_rng(3)
    flat = ns.ScoreMatrix(values=np.full((9, 4), 2.0), systems="ABCD")
    gap = ns.ScoreMatrix(values=np.arange(36.0).reshape(9, 4), systems="ABCD")  # the same on every item
    board = ns.composite({"en": track(rng, 20), "flat": flat})
    assert codes(board) == {"track-without-differences"}
    assert "the same score on every item of 'flat'" in text_of(board, "track-without-differences")
    assert "track-without-differences" not in codes(ns.composite({"en": track(rng, 20), "gap": gap}))
    sampled = ns.composite({"en": track(rng, 20), "flat": flat}, tracks="sampled")
    assert "the same mean of 'flat'" in text_of(sampled, "track-without-differences")
    one = track(rng, 20)
    copied = ns.composite({"en": one, "de": one, "fr": track(rng, 20)})
    assert "These tracks hold the same scores: 'en', 'de'." in text_of(copied, "tracks-alike")
    assert "tracks-alike" in codes(ns.rank_tracks({"en": one, "de": one}, config=FAST))


def test_one_track_alone_is_called_one():
    rng = np.random.default_rng(4)
    boards = {"en": track(rng, 20), "de": track(rng, 20)}
    board = ns.composite(boards, weights={"en": 0})
    assert board.metric == "mean over 1 track (equal weights)"
    assert codes(board) == set()
    assert "over 1 track;" in ranking_headline(ns.rank_tracks(boards, weights={"en": 0}, config=FAST))


def test_names_that_look_like_one_are_told():
    rng = np.random.default_rng(5)
    boards = {"en": track(rng, 12, names=["GPT", "b"]), "de": track(rng, 12, names=["gpt ", "b"])}
    for board in (
        ns.composite(boards, missing_tracks="worst"),
        ns.rank_tracks(boards, missing_tracks="worst", config=FAST),
    ):
        assert "names-alike" in codes(board)


def test_items_that_lack_a_system_are_told_in_the_singular():
    rng = np.random.default_rng(6)
    values = rng.normal(size=(12, 4))
    values[0, 1] = np.nan
    boards = {"en": ns.ScoreMatrix(values=values, systems="ABCD"), "de": track(rng, 12)}
    assert text_of(ns.rank_tracks(boards, config=FAST), "items-not-of-all") == (
        "1 item without scores of all systems does not count: a place is among all."
    )


def test_scores_whose_squares_overflow_are_refused():
    rng = np.random.default_rng(7)
    huge = ns.ScoreMatrix(values=np.full((5, 4), 1e300), systems="ABCD")
    for way in (ns.composite, ns.rank_tracks):
        with pytest.raises(ns.AnalysisError, match="divide all of them first"):
            way({"en": track(rng, 5), "huge": huge})


def test_a_track_has_one_weight(tmp_path, capsys):
    for name in ("en", "de"):
        rows = "".join(f"q{i},{i},{2 * i % 5}\n" for i in range(8))
        (tmp_path / f"{name}.csv").write_text(f"item,A,B\n{rows}")
    files = [str(tmp_path / f"{name}.csv") for name in ("en", "de")]
    assert main(["composite", *files, "--weights", "en=1,en=2"]) == 2
    assert capsys.readouterr().err == "--weights gives 'en' two weights; give each track one.\n"
