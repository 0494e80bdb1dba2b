"""A judge and people in files as they come: labelled items only, a file a system, words, a constant judge."""

import numpy as np
import pandas as pd
import pytest

import nlpstat_core as ns
from nlpstat_core.cli import main
from nlpstat_core.report.wording.judge import bias_sentence, moves
from nlpstat_core.scores.units import evaluation_units


def table(rng, n=60, labelled=25, systems=("A", "B", "C")):
    quality = rng.normal(size=(n, 1)) + rng.normal(size=(n, len(systems))) + np.arange(len(systems))
    judge = quality + 0.5 * rng.normal(size=quality.shape)
    rows = [
        (system, f"q{i}", quality[i, k] if i < labelled else np.nan, judge[i, k])
        for i in range(n)
        for k, system in enumerate(systems)
    ]
    return pd.DataFrame(rows, columns=["system", "item", "human", "gemba"])


def by_raters(frame, rng):
    """Three ratings of every labelled output, none of the others."""
    parts = [frame[frame["human"].isna()].assign(rater="")]
    for name in ("ann", "bob", "cy"):
        own = frame[frame["human"].notna()].copy()
        parts.append(own.assign(rater=name, human=own["human"] + 0.3 * rng.normal(size=len(own))))
    return pd.concat(parts)


@pytest.fixture
def frame():
    return table(np.random.default_rng(1))


def test_peoples_file_may_hold_the_labelled_items_only(frame):
    """The same board as from one file with empty cells, in any order of items and systems; a note says it."""
    whole = ns.judge(ns.read_boards(frame, each="metric"))
    people = frame.dropna()[["system", "item", "human"]].iloc[::-1]
    given = {
        "human": people,
        "gemba": frame[["system", "item", "gemba"]],
    }
    found = ns.judge(given)
    assert found.estimate[::-1] == pytest.approx(whole.estimate, rel=1e-12)
    assert found.corrected.error[::-1] == pytest.approx(whole.corrected.error, rel=1e-12)
    assert found.n_items == 60
    note = next(note for note in found.notes if note.code == "items-without-label")
    assert note.text.startswith("35 of 60 items are in 'gemba' only")
    assert "items-without-label" not in {note.code for note in whole.notes}
    plan = ns.plan_labels(given, 10)
    assert (int(plan.labelled.sum()), int(plan.chosen.sum())) == (25, 10)


def test_lengths_in_either_file_are_no_scores_but_what_the_judge_may_lean_to(frame):
    """A length beside the scores counts where the judge has it, in one file or two."""
    rng = np.random.default_rng(3)
    longer = frame.assign(length=rng.integers(20, 90, len(frame)))
    longer["gemba"] += longer["length"] / 40
    one = ns.judge(ns.read_boards(longer, each="metric"))
    assert [leaning.name for leaning in one.itself.leanings] == ["length"]
    assert one.itself.leanings[0].p_adjusted < 0.01
    people = longer.dropna()[["system", "item", "human", "length"]]
    two = ns.judge({"human": people, "gemba": longer[["system", "item", "gemba", "length"]]})
    assert two.itself.leanings[0].slope == pytest.approx(one.itself.leanings[0].slope, rel=1e-9)


def test_an_item_that_the_judge_lacks_is_named(frame):
    people = frame.dropna()[["system", "item", "human"]].replace({"item": {"q3": "other"}})
    with pytest.raises(ns.AnalysisError, match="'gemba' lacks items of 'human': 'other'"):
        ns.judge({"human": people, "gemba": frame[["system", "item", "gemba"]]})


def test_raters_survive_where_every_system_has_a_file(tmp_path, frame):
    """Two files of systems give the raters' errors of one file."""
    long = by_raters(frame, np.random.default_rng(2))
    paths = []
    for name, own in (("one", ["A"]), ("two", ["B", "C"])):
        paths.append(tmp_path / f"{name}.csv")
        long[long["system"].isin(own)].to_csv(paths[-1], index=False)
    long.to_csv(tmp_path / "all.csv", index=False)
    joined = ns.judge(ns.read_boards(paths, each="metric"), raters="rater")
    whole = ns.judge(ns.read_boards(tmp_path / "all.csv", each="metric"), raters="rater")
    assert joined.corrected.error == pytest.approx(whole.corrected.error, rel=1e-12)
    assert joined.of_raters.names == ("ann", "bob", "cy")
    paths.append(tmp_path / "third.csv")
    frame.assign(system="D").drop_duplicates(["item"]).to_csv(paths[-1], index=False)
    lost = ns.read_boards(paths, each="metric")["human"]
    assert lost.ratings is None
    note = next(note for note in lost.notes if note.code == "ratings-dropped")
    assert "'third.csv' has none by two raters or more" in note.text


def test_joined_rows_say_that_raters_are_gone(frame):
    boards = ns.read_boards(by_raters(frame, np.random.default_rng(2)), each="metric")
    joined = {name: evaluation_units(board, size=2) for name, board in boards.items()}
    assert "Who rated what ('rater') is not kept" in joined["human"].notes[-1].text
    with pytest.raises(ns.ConfigError, match="items joined from several rows keep none"):
        ns.judge(joined, raters="rater")


def test_ratings_in_words_are_no_metric_and_it_is_said(tmp_path, capsys, frame):
    words = pd.cut(frame["human"], [-99, 0, 1, 99], labels=["bad", "ok", "good"]).astype(object)
    given = frame.assign(human=words.where(frame["human"].notna(), ""))
    given.to_csv(tmp_path / "scores.csv", index=False)
    assert main(["judge", str(tmp_path / "scores.csv")]) == 2
    said = capsys.readouterr().err
    assert "only one metric of numbers" in said
    assert "'human' holds 'bad', 'good', 'ok': if these are ratings, write numbers" in said
    two = ns.read_boards(given.assign(bleu=given["gemba"] + 1), each="metric")
    for told in (None, "human"):
        with pytest.raises(ns.AnalysisError, match="if these are ratings, write numbers"):
            ns.judge(two, told, "gemba")


@pytest.mark.parametrize("score", [7.0, 7.1, 1e-9, -1234.567])
@pytest.mark.parametrize("documents", [None, "doc"])
def test_a_judge_that_says_nothing_leaves_peoples_board(frame, score, documents):
    """A mean of equal scores may be off by rounding, which once was taken for a spread to be trusted."""
    given = frame.assign(gemba=score, doc="d" + frame["item"].str[-1])
    found = ns.judge(ns.read_boards(given, each="metric"), documents=documents)
    assert found.estimate == pytest.approx(found.people, rel=1e-12)
    assert found.corrected.difference == pytest.approx(found.people_pairs.difference, rel=1e-9)
    if documents is None:
        assert found.corrected.p_value == pytest.approx(found.people_pairs.p_value, rel=1e-9)
    assert "constant-judge" in {note.code for note in found.notes}
    assert "favours no system" in bias_sentence(found)
    assert list(moves(found)) == ["The judge alone ranks nobody: it gives every output the same score."]


def test_a_judge_that_sees_no_differences_says_nothing_of_pairs(frame):
    alike = frame.assign(gemba=frame.groupby("item")["gemba"].transform("first"))
    found = ns.judge(ns.read_boards(alike, each="metric"))
    assert found.corrected.error == pytest.approx(found.people_pairs.error, rel=1e-9)
    assert "judge-without-differences" in {note.code for note in found.notes}
    one = frame.assign(gemba=frame["gemba"].where(frame["system"] != "B", 3.0))
    notes = ns.judge(ns.read_boards(one, each="metric")).notes
    assert "outputs of 'B' the same" in next(n.text for n in notes if n.code == "judge-constant-for-some")
