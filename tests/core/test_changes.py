"""What changed between two boards, against a slow reading of the two tables, and its honest wording."""

from __future__ import annotations

import itertools
import json
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import nlpstat_core as ns
from nlpstat_core.cli import main
from nlpstat_core.report.exports.data.changes import changes_file, changes_text
from nlpstat_core.report.wording.changes import changes_sentences


def board(seed: int, systems: str, units: int = 25, **config):
    """An analysis whose systems have their own means, so that names don't move with their order."""
    rng = np.random.default_rng(seed)
    base = rng.normal(50, 5, (units, 1))
    values = [base[:, 0] + rng.normal(0, 2, units) + 1.2 * (ord(name) - 65) for name in systems]
    scores = ns.ScoreMatrix(
        values=np.round(np.stack(values, axis=1), 1),
        systems=tuple(systems),
        units=tuple(map(str, range(units))),
    )
    return ns.analyse(scores, ns.AnalysisConfig(effects=(), **config))


def verdict(analysis, a: str, b: str) -> str | None:
    """About a, by looking the pair up."""
    for row in range(len(analysis.pairs)):
        if {analysis.pairs.system_a[row], analysis.pairs.system_b[row]} == {a, b}:
            found = analysis.pairs.verdict[row]
            swapped = analysis.pairs.system_a[row] != a
            return {"better": "worse", "worse": "better"}.get(found, found) if swapped else found
    return None


@given(
    st.integers(0, 50),
    st.permutations("ABCDEF"),
    st.permutations("CDEFGH"),
    st.integers(2, 6),
    st.sampled_from([None, "D"]),
)
def test_flips_and_moves_are_those_of_the_tables(seed, first, second, number, baseline):
    first, second = ("D" + "".join(names).replace("D", "")[:number] for names in (first, second))
    before = board(seed, first)
    after = board(seed + 1, second, baseline=baseline)
    found = ns.changes(before, after)
    common = [name for name in second if name in first]
    assert list(found.systems) == common
    assert set(found.added) == set(second) - set(first)
    assert set(found.removed) == set(first) - set(second)
    expected = set()
    for a, b in itertools.combinations(common, 2):
        pair = verdict(before, a, b), verdict(after, a, b)
        if None not in pair and pair[0] != pair[1]:
            expected.add((a, b, *pair))
    data = found.to_dict()
    keys = ("system_a", "system_b", "before", "after")
    assert {tuple(row[key] for key in keys) for row in data["flipped"]} == expected
    for row in data["flipped"]:
        for when, analysis in (("before", before), ("after", after)):
            pair = analysis.pair(row["system_a"], row["system_b"])
            assert row[f"p_adjusted_{when}"] == pair.p_adjusted
            values = analysis.scores.values
            a, b = (values[:, analysis.scores.index(row[key])].mean() for key in ("system_a", "system_b"))
            assert row[f"difference_{when}"] == pytest.approx(a - b)
    for row in data["moved"]:
        for when, analysis in (("before", before), ("after", after)):
            column = analysis.scores.values[:, analysis.scores.index(row["system"])]
            assert row[f"score_{when}"] == pytest.approx(column.mean())
    for analysis, ranks in ((before, found.rank_before), (after, found.rank_after)):
        scores = dict(zip(analysis.leaderboard.system, analysis.leaderboard.score, strict=True))
        for name, rank in zip(common, ranks, strict=True):
            assert rank == 1 + sum(scores[other] > scores[name] for other in common)
    json.dumps(data, allow_nan=False)


def test_a_system_added_moves_nobody_by_itself_and_the_family_is_named():
    before = board(1, "ABCD")
    grown = board(1, "ABCDEFGH")
    scores = grown.scores
    same = ns.ScoreMatrix(values=scores.values[:, :4], systems=scores.systems[:4], units=scores.units)
    found = ns.changes(ns.analyse(same, before.config), grown)
    assert found.same_scores.all()
    assert found.moved.size == 0
    text = " ".join(changes_sentences(found))
    assert "Added: E, F, G, H." in text
    assert "28 comparisons are corrected together, 6 before" in text
    assert all(found.same_pair)
    if len(found.flipped):
        assert "neither system's scores changed" in text


def test_the_same_analysis_changed_nothing():
    one = board(2, "ABC")
    text = changes_text(ns.changes(one, one)).splitlines()
    assert text == [
        "The scores are the same.",
        "The settings are the same.",
        "No decision changed among the 3 pairs compared on both boards.",
        "No rank changed among the 3 systems on both boards.",
    ]


def test_the_file_lists_all_and_says_which_analyses_they_are():
    values = np.random.default_rng(1).normal(50, 5, (40, 35)) + np.arange(35)
    names = ("two\nlines", *(f"s{i}" for i in range(34)))
    one = ns.analyse(ns.ScoreMatrix(values=values, systems=names, source="<old>\n.csv"))
    other = ns.analyse(ns.ScoreMatrix(values=values, systems=names[::-1]))
    found = ns.changes(one, other)
    text = changes_file(found)
    assert text == changes_file(ns.changes(one, other))
    assert len(found.flipped) > 30 < len(found.moved)
    assert "more" not in text.partition("Decisions that flipped:")[2]
    lines = text.splitlines()
    assert sum(line.startswith("* ") for line in lines) == len(found.flipped) + len(found.moved)
    for line, analysis in zip(lines[-2:], (one, other), strict=True):
        assert analysis.fingerprint in line
        assert analysis.signature in line


def test_same_scores_are_found_in_any_order_of_rows_and_with_missing_ones():
    values = np.array([[1.0, 2.0], [np.nan, 3.0], [4.0, 1.0], [2.0, 2.5]])
    one = ns.ScoreMatrix(values=values, systems="AB", units="wxyz")
    swapped = ns.ScoreMatrix(values=values[::-1, ::-1], systems="BA", units="zyxw")
    found = ns.changes(ns.analyse(one), ns.analyse(swapped))
    assert found.same_scores.all()
    assert len(found.flipped) == 0
    other = ns.ScoreMatrix(values=values, systems="AB", units="wxyv")
    assert not ns.changes(ns.analyse(one), ns.analyse(other)).same_scores.any()


def test_what_cannot_be_compared_is_one_sentence():
    one = board(3, "AB")
    lower = ns.analyse(ns.ScoreMatrix(values=one.scores.values, systems="AB", lower_is_better=True))
    others = ((board(3, "CD"), "no system in common"), (lower, "different metrics"), (None, "two analyses"))
    for other, text in others:
        with pytest.raises(ns.AnalysisError, match=text):
            ns.changes(one, other)


def test_two_files_on_the_command_line(tmp_path, capsys):
    names = []
    for seed, systems in ((1, "ABC"), (2, "ABCD")):
        frame = board(seed, systems).scores.to_frame()
        names.append(str(tmp_path / f"{seed}.csv"))
        frame.to_csv(names[-1], index_label="item")
    earlier = tmp_path / "before.json"
    earlier.write_text('{"alpha": 0.2}')
    assert main(["changes", *names, "--config-before", str(earlier)]) == 0
    text = capsys.readouterr().out
    assert "Added: D." in text
    assert "alpha 0.2 → 0.05" in text
    assert main(["changes", *names, "--json", "-"]) == 0
    assert json.loads(capsys.readouterr().out)["added"] == ["D"]
    assert main(["changes", names[0], str(tmp_path / "none.csv")]) == 2
    captured = capsys.readouterr()
    assert (captured.out, captured.err.count("\n")) == ("", 1)


def test_the_cautions_of_both_analyses_stand_on_standard_error(tmp_path, capsys):
    """They were dropped; those of one analysis only say of which."""
    random = np.random.default_rng(4)
    names = [str(tmp_path / name) for name in ("before.csv", "after.csv")]
    for name, documents in zip(names, (False, True), strict=True):
        frame = board(1, "ABC", units=120).scores.to_frame().round(1) + random.normal(0, 1, (120, 3)).round(1)
        if documents:
            frame.insert(0, "document", [f"d{i // 4}" for i in range(120)])
        frame.to_csv(name, index_label="item")
    warned = "caution: Items of the same document may be alike"
    independent = ["--block-column", "none"]
    assert main(["changes", *names, *independent]) == 0
    out, err = capsys.readouterr()
    assert warned not in out
    assert [line.startswith(f"now: {warned}") for line in err.splitlines()] == [True]
    assert main(["changes", names[1], names[1], *independent, "--json", "-"]) == 0
    out, err = capsys.readouterr()
    json.loads(out)
    assert [line.startswith(warned) for line in err.splitlines()] == [True]
    assert main(["changes", names[0], names[0]]) == 0
    assert not capsys.readouterr().err
    assert main(["changes", *names]) == 0  # documents are compared where there are some, which is said
    out, err = capsys.readouterr()
    assert warned not in err
    assert "block_column none → document" in out


def causes(before, after) -> str:
    """What is said about decisions that flipped though the scores of their pair stayed."""
    text = " ".join(changes_sentences(ns.changes(before, after)))
    return text.partition("scores changed: the cause is ")[2].partition(".")[0]


def test_only_causes_that_apply_are_named():
    """Settings, items and family were named although Holm's steps alone had moved the adjusted p-values."""
    random = np.random.default_rng(3)
    noise = random.normal(0, 1, (40, 3))
    noise -= noise.mean(axis=0)
    near = noise + np.array([0, 0.45, 0.1])
    far = near + np.array([0, 0, 3.0])
    others = "the p-values of other pairs, with which the correction (Holm) steps"

    def analysed(values, **config):
        return ns.analyse(ns.ScoreMatrix(values=values, systems="ABC"), ns.AnalysisConfig(test="t", **config))

    p_ab = float(analysed(near).pairs.p_value[0])
    alpha = 2 * p_ab  # between Holm's factors 3 and 1 or 2
    before, after = analysed(near, alpha=alpha), analysed(far, alpha=alpha)
    assert causes(before, after) == others
    strict = analysed(far, alpha=p_ab / 10)
    assert causes(after, strict) == "the settings"
    alone = ns.analyse(ns.ScoreMatrix(values=near[:, :2], systems="AB"), after.config)
    assert causes(before, alone) == f"the number of comparisons or {others}"
    config = replace(before.config, correction="bonferroni")
    three, one = ns.analyse(before.scores, config), ns.analyse(alone.scores, config)
    assert causes(three, one) == "the number of comparisons"
