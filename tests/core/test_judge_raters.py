"""Raters behind a judge's labels: variance by definition and by least squares, clusters, z, refusals."""

import json
import shlex

import numpy as np
import pandas as pd
import pytest
import statsmodels.formula.api as smf
from scipy import stats
from statsmodels.stats.anova import anova_lm

import nlpstat_core as ns
from nlpstat_core.cli import main
from nlpstat_core.methods.judged.raters import rater_variance
from nlpstat_core.report.exports.tables.judge import raters_table
from nlpstat_core.report.wording.judge import judge_statements, raters_sentence
from nlpstat_core.report.wording.judge_command import judge_command
from nlpstat_core.scores.ratings import Ratings


def rated(rng, rated, n_items=90, effect=0.5, shift=0.5):
    """A long table of three systems: ratings where rated (n_labelled, n_raters), a judge everywhere."""
    severity = shift * rng.normal(size=rated.shape[1])
    taste = effect * rng.normal(size=(rated.shape[1], 3))
    rows = []
    for item in range(n_items):
        quality = rng.normal(size=3) + np.array([0.6, 0.3, 0.0])
        judge = quality + 0.7 * rng.normal(size=3)
        who = np.flatnonzero(rated[item]) if item < len(rated) else []
        for system in range(3):
            for rater in who:
                score = quality[system] + severity[rater] + taste[rater, system] + 0.5 * rng.normal()
                rows.append((f"s{system}", f"q{item}", f"r{rater}", score, judge[system]))
            if not len(who):
                rows.append((f"s{system}", f"q{item}", "", np.nan, judge[system]))
    return pd.DataFrame(rows, columns=["system", "item", "rater", "ESA", "auto"])


def read(frame):
    return ns.read_boards(frame, each="metric")


EVERYBODY = np.ones((40, 4), dtype=bool)


def some_of(rng, n_items=40, n_raters=6):
    """Two or three raters an item, one for some."""
    return np.array(
        [np.isin(np.arange(n_raters), rng.permutation(n_raters)[: 1 + i % 3]) for i in range(n_items)]
    )


@pytest.mark.parametrize("seed", range(3))
def test_where_everybody_rates_everything_raters_count_as_runs_do(seed):
    """v and E from loops: V + max(0, v − E/n)/R with Satterthwaite's degrees of freedom."""
    frame = rated(np.random.default_rng(seed), EVERYBODY)
    plain, found = ns.judge(read(frame)), ns.judge(read(frame), raters="rater")
    table = frame.dropna().pivot(index="item", columns=["system", "rater"], values="ESA")
    n, n_raters = 40, 4
    for row, (a, b) in enumerate([(0, 1), (0, 2), (1, 2)]):
        d = (table[f"s{a}"] - table[f"s{b}"]).to_numpy()
        of_raters = [sum(d[i, r] for i in range(n)) / n for r in range(n_raters)]
        of_items = [sum(d[i, r] for r in range(n_raters)) / n_raters for i in range(n)]
        v = np.var(of_raters, ddof=1)
        rest = sum(
            (d[i, r] - of_items[i] - of_raters[r] + d.mean()) ** 2 for i in range(n) for r in range(n_raters)
        )
        rest /= (n - 1) * (n_raters - 1)
        for own, before in ((found.corrected, plain.corrected), (found.people_pairs, plain.people_pairs)):
            items = before.error[row] ** 2
            variance = items + max(0.0, v - rest / n) / n_raters
            freedom = variance**2 / (items**2 / (n - 1) + (v / n_raters) ** 2 / (n_raters - 1))
            assert own.error[row] == pytest.approx(np.sqrt(variance), rel=1e-10)
            assert own.difference[row] == before.difference[row]
            t = abs(own.difference[row]) / np.sqrt(variance)
            assert own.p_value[row] == pytest.approx(2 * stats.t.sf(t, freedom), rel=1e-9)
    assert found.of_raters.design == "crossed"
    assert "these 4" in raters_sentence(found)
    assert any("Henderson" in one.text for one in judge_statements(found))


@pytest.mark.parametrize("seed", range(3))
def test_raters_of_some_items_by_least_squares(seed):
    """Raters after items and the residual as statsmodels' sequential sums of squares have them."""
    rng = np.random.default_rng(seed)
    who = some_of(rng)
    y = rng.normal(size=(40, 1)) + rng.normal(size=(1, 6)) + 0.5 * rng.normal(size=who.shape)
    i, r = np.nonzero(who)
    data = pd.DataFrame({"y": y[who], "item": i, "rater": r})
    table = anova_lm(smf.ols("y ~ C(item) + C(rater)", data).fit(), typ=1)
    of_raters, residual = table.loc["C(rater)", "sum_sq"], table.loc["Residual", "mean_sq"]
    trace = len(data) - 40  # of the projection on raters after items: every rating less its item's share
    share = np.array([(who[:, one] / who.sum(axis=1)).sum() / 40 for one in range(6)])
    found = rater_variance(y[:, :, None], who)
    expected = max(0.0, (of_raters - 5 * residual) / trace) * (share**2).sum()
    assert found.added[0] == pytest.approx(expected, rel=1e-9, abs=1e-12)
    assert found.untruncated[0] == pytest.approx(of_raters / trace * (share**2).sum(), rel=1e-9)
    assert found.freedom == 5
    again = rater_variance(-3 * y[:, ::-1, None] + np.arange(40)[:, None, None], who[:, ::-1])
    assert again.added == pytest.approx(9 * found.added, rel=1e-9, abs=1e-12)


def test_raters_of_their_own_items_are_clusters():
    """The same numbers as with the raters as documents, and every unlabelled item alone."""
    who = np.eye(6, dtype=bool)[np.arange(48) % 6]
    frame = rated(np.random.default_rng(5), who)
    frame["doc"] = np.where(frame["rater"] == "", frame["item"], frame["rater"])
    found = ns.judge(read(frame), raters="rater")
    expected = ns.judge(ns.read_boards(frame, each="metric", label_columns=["doc"]), documents="doc")
    assert found.corrected.error == pytest.approx(expected.corrected.error, rel=1e-12)
    assert found.corrected.p_value == pytest.approx(expected.corrected.p_value, rel=1e-12)
    assert (found.of_raters.design, found.of_raters.n_groups) == ("nested", 6)
    assert np.isnan(found.of_raters.severity).all()
    assert "by rater" in raters_sentence(found)
    in_pairs = np.repeat(np.eye(3, dtype=bool)[np.arange(48) % 3], 2, axis=1)
    board = ns.judge(read(rated(np.random.default_rng(5), in_pairs)), raters="rater")
    assert board.of_raters.n_groups == 3
    assert "3 groups of 6 raters share no item" in raters_sentence(board)


def test_ratings_by_rater_as_z_take_scales_away():
    """Raters who stretch and shift their ratings change nothing once these are standardised."""
    rng = np.random.default_rng(7)
    frame = rated(rng, some_of(rng))
    other = frame.copy()
    for place, rater in enumerate(sorted(set(frame["rater"]) - {""})):
        own = frame["rater"] == rater
        other.loc[own, "ESA"] = (place + 1) * frame.loc[own, "ESA"] - 10 * place
    found, again = (ns.judge(read(one), raters="rater", standardise_raters=True) for one in (frame, other))
    assert again.estimate == pytest.approx(found.estimate, rel=1e-9)
    assert again.corrected.error == pytest.approx(found.corrected.error, rel=1e-9)
    z = frame.groupby("rater")["ESA"].transform(lambda own: (own - own.mean()) / own.std())
    means = z.groupby([frame["item"], frame["system"]]).mean().unstack().mean()
    assert found.people == pytest.approx(means.to_numpy(), rel=1e-9)
    assert found.standardised
    assert "standard deviations" in raters_sentence(found)


def test_a_severe_rater_is_named():
    frame = rated(np.random.default_rng(1), EVERYBODY, shift=0.0, effect=0.0)
    frame.loc[frame["rater"] == "r2", "ESA"] -= 1.0
    raters = ns.judge(read(frame), raters="rater").of_raters
    outputs = frame.dropna().pivot(index=["item", "system"], columns="rater", values="ESA")
    gap = outputs["r2"] - outputs.drop(columns="r2").mean(axis=1)
    by_item = gap.groupby("item").mean()
    assert raters.severity[2] == pytest.approx(by_item.mean(), rel=1e-12)
    ends = stats.t.interval(0.95, 39, by_item.mean(), stats.sem(by_item))
    assert (raters.lower[2], raters.upper[2]) == pytest.approx(ends, rel=1e-9)
    assert raters.p_adjusted[2] < 1e-6
    board = ns.judge(read(frame), raters="rater")
    assert "'r2' rates lower" in raters_sentence(board)
    assert raters_table(board).columns[0].cells[-1].text == "r2"
    assert raters.ratings.tolist() == [120] * 4


def _of_one(frame):
    return frame[(frame["rater"] == "") | (frame["rater"] == "r0")]


def _lacking(frame):
    return frame[~((frame["rater"] == "r1") & (frame["system"] == "s1") & (frame["item"] == "q3"))]


def _flat(frame):
    return frame.assign(
        ESA=frame["ESA"].where(frame["rater"] != "r1", 3.0).where(frame["rater"] != "", np.nan)
    )


def _two_groups(frame):
    number = frame["item"].str[1:].astype(int)
    return frame[(frame["rater"] == "") | ((number < 20) == frame["rater"].isin(["r0", "r1"]))]


@pytest.mark.parametrize(
    ("change", "keywords", "said"),
    [
        (lambda frame: frame, {"raters": "who"}, "those it has are by 'rater'"),
        (_of_one, {"raters": "rater"}, "two raters or more"),
        (_lacking, {"raters": "rater"}, "'r1' rated q3 for some systems, not for 's1'"),
        (_flat, {"raters": "rater", "standardise_raters": True}, "All ratings of 'r1' are the same"),
        (_two_groups, {"raters": "rater"}, "2 groups that share no item"),
        (lambda frame: frame, {"standardise_raters": True}, "needs raters"),
        (lambda frame: frame, {"raters": "rater", "strata": "part"}, "raters or strata, not both"),
    ],
)
def test_what_raters_do_not_allow_is_said(change, keywords, said):
    frame = change(rated(np.random.default_rng(0), EVERYBODY))
    frame["part"] = np.where(frame["item"].str.len() > 2, "a", "b")
    with pytest.raises(ns.NlpstatError) as refused:
        ns.judge(read(frame), **keywords)
    assert said in str(refused.value)


def test_raters_that_nobody_names_are_told():
    found = ns.judge(read(rated(np.random.default_rng(0), EVERYBODY)))
    assert [note.code for note in found.notes] == ["raters-not-named"]
    assert found.raters == ""


def test_the_command_takes_raters_and_gives_itself(tmp_path, capsys):
    file = tmp_path / "scores.csv"
    rng = np.random.default_rng(3)
    frame = rated(rng, some_of(rng)).rename(columns={"rater": "by whom"})
    frame.to_csv(file, index=False, float_format="%.4f")
    assert main(["judge", str(file), "--rater", "by whom", "--standardise-raters"]) == 0
    text = capsys.readouterr().out
    assert "beside the others" in text
    assert "points are standard deviations" in text
    boards = ns.read_boards(file, each="metric", roles={"rater": ["by whom"]})
    found = ns.judge(boards, raters="by whom", standardise_raters=True)
    command = shlex.split(judge_command(found, (str(file),), {}, ()))
    assert main([*command[1:], "--json", "-"]) == 0
    again = json.loads(capsys.readouterr().out)
    assert again == json.loads(json.dumps(found.to_dict()))
    assert again["config"]["raters"] == "by whom"
    assert len(again["raters"]) == 6


def test_raters_are_numbers_too_where_some_items_have_none(tmp_path):
    rng, rows = np.random.default_rng(4), []
    for item in range(30):
        for system in "ABC":
            judged = rng.normal()
            rows += [
                (item, system, place if item % 3 == 0 else "", f"{judged + place:.2f}", f"{judged:.2f}")
                for place in range(4 if item % 3 == 0 else 1)
            ]
    boards = {}
    for kind, names in (("numbers", "0123"), ("letters", "abcd")):
        file = tmp_path / f"{kind}.csv"
        lines = [
            f"{item},{system},{names[rater] if rater != '' else ''},{human if rater != '' else ''},{judged}"
            for item, system, rater, human, judged in rows
        ]
        file.write_text("\n".join(["item,system,rater,ESA,GEMBA", *lines]), encoding="utf-8")
        boards[kind] = ns.read_scores(file, metric="ESA")
    numbers, letters = boards["numbers"], boards["letters"]
    np.testing.assert_array_equal(numbers.values, letters.values)
    assert {*numbers.ratings.names} - {""} == {*"0123"}
    np.testing.assert_array_equal(numbers.ratings.scores, letters.ratings.scores)


def test_other_ratings_of_the_same_means_are_other_scores():
    values = np.array([[2.0, 3.0], [4.0, 5.0]])
    places = np.repeat([[0, 0], [0, 1], [1, 0], [1, 1]], 2, axis=0)
    prints = set()
    for apart in (0.5, 1.0):
        ratings = Ratings(
            items=places[:, 0],
            systems=places[:, 1],
            raters=np.tile([0, 1], 4),
            scores=np.repeat(values.ravel(), 2) + np.tile([-apart, apart], 4),
            names=("r", "s"),
            column="rater",
            shape=(2, 2),
        )
        prints.add(ns.ScoreMatrix(values=values, systems=("A", "B"), ratings=ratings).fingerprint)
    prints.add(ns.ScoreMatrix(values=values, systems=("A", "B")).fingerprint)
    assert len(prints) == 3
