"""The board of a judge corrected by people: numbers from their definition, claims, refusals."""

import itertools
import json
import shlex
import time

import numpy as np
import pytest
from scipy import stats

import nlpstat_core as ns
from nlpstat_core.cli import main
from nlpstat_core.methods.judged.corrected import corrected_means
from nlpstat_core.methods.judged.max_t import RetunedSigns
from nlpstat_core.report.exports.documents.judge import judge_files
from nlpstat_core.report.wording.judge_command import judge_command


def boards(people, judge, labels=None, **more):
    systems = tuple(f"s{i}" for i in range(people.shape[1]))
    units = tuple(f"q{i}" for i in range(len(people)))
    return {
        "ESA": ns.ScoreMatrix(values=people, systems=systems, units=units, labels=labels or {}, **more),
        "auto": ns.ScoreMatrix(values=judge, systems=systems, units=units),
    }


def drawn(rng, n_items, n_systems, n_labels, shared=True):
    quality = rng.normal(0, 0.5, n_systems)
    people = quality + rng.normal(size=(n_items, 1)) + rng.normal(size=(n_items, n_systems))
    judge = people + rng.normal(size=people.shape)
    for column in range(n_systems):
        if column == 0 or not shared:
            without = rng.permutation(n_items)[n_labels:]
        people[without, column] = np.nan
    return people, judge


@pytest.mark.parametrize("shared", [True, False])
@pytest.mark.parametrize("seed", range(4))
def test_every_system_and_pair_is_the_corrected_mean(seed, shared):
    people, judge = drawn(np.random.default_rng(seed), 90, 4, 40, shared)
    found = ns.judge(boards(people, judge), alpha=0.1)
    for i in range(4):
        expected = ns.corrected_mean(people[:, i], judge[:, i], 0.9)
        assert (found.estimate[i], found.lower[i], found.upper[i]) == pytest.approx(expected, rel=1e-12)
    for row, (i, j) in enumerate(zip(found.left, found.right, strict=True)):
        difference = people[:, i] - people[:, j]
        expected = ns.corrected_mean(difference, judge[:, i] - judge[:, j], 0.9)
        pairs = found.corrected
        assert (pairs.difference[row], pairs.lower[row], pairs.upper[row]) == pytest.approx(
            expected, rel=1e-11
        )
        there = difference[~np.isnan(difference)]
        alone = stats.ttest_1samp(there, 0)
        assert found.people_pairs.p_value[row] == pytest.approx(alone.pvalue, rel=1e-10)
        whole = stats.ttest_rel(judge[:, i], judge[:, j])
        assert found.judge_pairs.p_value[row] == pytest.approx(whole.pvalue, rel=1e-10)
        assert found.corrected.n_items[row] == there.size
    assert np.array_equal(found.corrected.p_adjusted, ns.adjust_p_values(found.corrected.p_value, "holm"))


def of_documents(y, f, labelled, documents):
    """Section by section from the definition, one column."""
    of_label, own = documents[labelled], f[labelled]
    n, n_others = y.size, (~labelled).sum()
    others = f[~labelled].mean()
    weights = []
    for document in of_label:
        rest = of_label != document
        covariance = np.cov(y[rest], own[rest])[0, 1]
        variance = np.var(f[documents != document], ddof=1)
        weights.append(max(0.0, covariance / ((1 + n / n_others) * variance)))
    r = y - np.array(weights) * (own - others)
    trust, spread = np.mean(weights), np.var(f, ddof=1)
    gap = np.diff(np.unique(y)).min()
    seen = 2 * (min(1, trust * np.sqrt(spread) / np.std(y, ddof=1)) * gap) ** 2 / ((n - 1) * n)
    influence = np.where(labelled, 0.0, trust * (f - others) / n_others)
    influence[labelled] = (r - r.mean()) / n
    with_label = np.unique(of_label)
    squares = {one: influence[documents == one].sum() ** 2 for one in np.unique(documents)}
    counted = sum(squares[one] for one in with_label)
    rest = sum(squares.values()) - counted
    many = with_label.size
    return r.mean(), np.sqrt(many / (many - 1) * counted + rest + seen)


@pytest.mark.parametrize("seed", range(4))
def test_documents_by_the_definition(seed):
    rng = np.random.default_rng(seed)
    people, judge = drawn(rng, 80, 3, 45)
    documents = rng.integers(0, 15, 80) if seed < 2 else rng.integers(0, 60, 80)
    labels = {"doc": tuple(f"d{one}" for one in documents)}
    found = ns.judge(boards(people, judge, labels), documents="doc")
    labelled = ~np.isnan(people[:, 0])
    freedom = np.unique(documents[labelled]).size - 1
    for row, (i, j) in enumerate(zip(found.left, found.right, strict=True)):
        y, f = (people[:, i] - people[:, j])[labelled], judge[:, i] - judge[:, j]
        estimate, error = of_documents(y, f, labelled, documents)
        assert found.corrected.difference[row] == pytest.approx(estimate, rel=1e-11)
        assert found.corrected.error[row] == pytest.approx(error, rel=1e-11)
        expected = 2 * stats.t.sf(abs(estimate) / error, freedom)
        assert found.corrected.p_value[row] == pytest.approx(expected, rel=1e-9)
    alone = corrected_means(people[labelled], people[labelled], np.ones(45, dtype=bool), documents[labelled])
    assert alone.freedom == freedom


def test_a_judge_that_favours_a_family_is_put_right():
    rng = np.random.default_rng(8)
    truth = np.array([1.0, 0.6, 0.0, -0.4])
    people = truth + rng.normal(size=(600, 1)) + 0.7 * rng.normal(size=(600, 4))
    judge = people + 0.5 * rng.normal(size=people.shape) + np.array([0, 0, 1.5, 1.5])
    people[rng.permutation(600)[120:]] = np.nan
    found = ns.judge(boards(people, judge))
    assert found.rank_judge.argmin() == 2
    assert found.top_group == ("s0",)
    assert found.rank.tolist() == [1, 2, 3, 4]
    right = np.sign(truth[found.left] - truth[found.right])
    for pairs, are_right in ((found.corrected, True), (found.judge_pairs, False)):
        claimed = np.sign(pairs.difference)[pairs.significant]
        assert bool((claimed == right[pairs.significant]).all()) is are_right
    assert (found.effective > 1.5 * found.labels).all()
    assert (found.bias[2:] > 0.5).all()
    assert (found.bias_p < 1e-6).all()


def test_claims_are_rarely_wrong_where_nothing_differs():
    """200 boards of five equal systems and a biased judge: some pair is claimed in at most 9 % (5 meant)."""
    rng, wrong = np.random.default_rng(5), 0
    for _ in range(200):
        people = rng.normal(size=(200, 1)) + rng.normal(size=(200, 5))
        judge = people + rng.normal(size=people.shape) + np.arange(5)
        people[30:] = np.nan
        wrong += ns.judge(boards(people, judge)).corrected.significant.any()
    assert wrong <= 18


def _tuned(y, f, f_all):
    """λ of every label from the others, below 0, too."""
    n, others = len(y), len(f_all) - len(y)
    return np.array(
        [
            np.cov(np.delete(y, k), np.delete(f, k))[0, 1]
            / ((1 + n / others) * np.var(np.delete(f_all, k), ddof=1))
            for k in range(n)
        ]
    )


def _drawn_t(y, f, signs):
    """t of one pair, its weights tuned anew on y* = λ(f − f_u) + signs·residuals; labelled items come first.

    λ* = λ + (tuning of signs·residuals), 0 for all labels where its mean isn't above 0."""
    n, others = len(y), len(f) - len(y)
    centre, spread = f[n:].mean(), np.var(f, ddof=1)
    weights = np.maximum(_tuned(y, f[:n], f), 0)
    r = y - weights * (f[:n] - centre)
    flipped = signs[:n] * (r - r.mean())
    anew = weights.mean() + _tuned(flipped, f[:n], f)
    if anew.mean() <= 0:
        anew = np.zeros(n)
    r = weights.mean() * (f[:n] - centre) + flipped - anew * (f[:n] - centre)
    estimate = r.mean() + anew.mean() * (signs[n:] * (f[n:] - centre)).sum() / others
    variance = anew.mean() ** 2 * spread / others + np.var(r, ddof=1) / n
    return abs(estimate) / np.sqrt(variance)


def _stepped(t, drawn):
    """Shares of draws whose largest t over a pair and all smaller ones reaches its own."""
    order, extreme = np.argsort(-t), np.zeros(t.size)
    for place, pair in enumerate(order):
        extreme[pair] = (drawn[:, order[place:]].max(axis=1) >= t[pair] * (1 - 1e-9)).mean()
    return extreme


@pytest.mark.parametrize("useful", [1.0, 0.2])
def test_max_t_is_the_share_of_all_sign_changes(useful):
    """Nine items, five of them labelled, 512 sign vectors; Monte Carlo within four standard errors."""
    rng = np.random.default_rng(12)
    people, judge = rng.normal(size=(9, 3)) + np.array([1.2, 0.4, 0]), rng.normal(size=(9, 3))
    judge += useful * people
    people[5:] = np.nan
    found = ns.judge(boards(people, judge), correction="max-t").corrected
    draws = list(itertools.product([-1, 1], repeat=9))
    drawn = np.array(
        [
            [
                _drawn_t((people[:, i] - people[:, j])[:5], judge[:, i] - judge[:, j], np.array(signs))
                for i, j in [(0, 1), (0, 2), (1, 2)]
            ]
            for signs in draws
        ]
    )
    t = np.abs(found.difference / found.error)
    exact, order = _stepped(t, drawn), np.argsort(-t)
    expected = np.maximum.accumulate(np.maximum(np.maximum.accumulate(exact[order]), found.p_value[order]))
    error = np.sqrt(expected * (1 - expected) / 10_000)
    assert (np.abs(found.p_adjusted[order] - expected) <= 4 * error + 2e-4).all()


@pytest.mark.parametrize("useful", [1.0, 0.0])
def test_the_judge_is_tuned_anew_in_every_resample(useful):
    """The closed form of |t| against every weight and mean computed anew, with labels on other items."""
    rng = np.random.default_rng(4)
    people, judge = rng.normal(size=(30, 4)), rng.normal(size=(30, 4))
    judge += useful * people
    signed, signs = RetunedSigns.empty(30, 12, 4), rng.choice([-1.0, 1.0], size=(20, 30))
    for column in range(4):
        rows = np.concatenate([np.arange(column, 12), np.arange(column), np.arange(12, 30)])
        labelled = np.arange(30) < 12 - column
        y = people[rows[labelled], column][:, None]
        signed.fill(np.array([column]), rows, y, judge[rows, column][:, None], labelled)
    signed = signed.of(np.array([2, 0, 3, 1]))
    sums = [signs[:, : len(part)] @ part for part in signed.parts]
    found = signed.statistics(sums)
    for draw in range(20):
        for place, column in enumerate([2, 0, 3, 1]):
            rows = np.concatenate([np.arange(column, 12), np.arange(column), np.arange(12, 30)])
            y, f = people[rows[: 12 - column], column], judge[rows, column]
            assert found[draw, place] == pytest.approx(_drawn_t(y, f, signs[draw, rows]), rel=1e-9)


def test_max_t_finds_no_less_than_bonferroni_and_errs_rarely():
    """80 boards of five equal systems and a biased judge; documents of ten items in every other one."""
    rng, wrong = np.random.default_rng(15), 0
    codes = tuple(f"d{i // 5}" for i in range(200))
    for place in range(80):
        people = rng.normal(size=(200, 1)) + rng.normal(size=(200, 5))
        judge = people + rng.normal(size=people.shape) + np.arange(5)
        people[40:] = np.nan
        documents = "doc" if place % 2 else None
        given = boards(people, judge, {"doc": codes})
        pairs = ns.judge(given, correction="max-t", documents=documents).corrected
        wrong += pairs.significant.any()
        assert (pairs.p_adjusted >= pairs.p_value).all()
        assert np.mean(pairs.p_adjusted <= ns.adjust_p_values(pairs.p_value, "bonferroni") + 0.02) >= 0.8
    assert wrong <= 10
    strata = boards(people, judge, {"part": tuple("ab"[i % 2] for i in range(200))})
    with pytest.raises(ns.ConfigError, match="choose another correction"):
        ns.judge(strata, strata="part", correction="max-t")


def test_lower_scores_may_be_better_and_the_judge_run_the_other_way():
    people, judge = drawn(np.random.default_rng(2), 80, 3, 40)
    higher = ns.judge(boards(people, judge))
    lower = ns.judge(boards(-people, judge, lower_is_better=True))
    assert lower.rank.tolist() == higher.rank.tolist()
    assert lower.top_group == higher.top_group
    assert lower.rank_judge.tolist() == higher.rank_judge.tolist()
    assert lower.estimate == pytest.approx(-higher.estimate, rel=1e-12)
    assert lower.judged == pytest.approx(higher.judged, rel=1e-12)


def test_labels_of_an_easy_part_are_told():
    rng = np.random.default_rng(3)
    people, judge = drawn(rng, 300, 3, 300)
    easy = np.argsort(judge.mean(axis=1))[::-1]
    kinds = np.array(["news"] * 300)
    kinds[easy[100:]] = "chat"
    people[easy[80:]] = np.nan
    found = ns.judge(boards(people, judge, {"domain": tuple(kinds)}))
    told = {note.code: note.text for note in found.notes}
    assert "different distribution" in told["labels-not-random"]
    assert "the judge gives them" in told["labels-not-random"]
    people, judge = drawn(rng, 300, 3, 15)
    codes = {note.code for note in ns.judge(boards(people, judge, {"doc": ("d",) * 300})).notes}
    assert codes >= {"few-labels", "documents-not-named"}


def test_more_labels_are_what_the_difference_needs():
    """With the labels it asks for, the first two are told apart in about four boards of five."""
    rng, asked, apart = np.random.default_rng(4), [], 0
    truth = np.array([0.3, 0.0])

    def board(n_labels):
        people = truth + rng.normal(size=(3000, 2))
        judge = people + 1.5 * rng.normal(size=people.shape)
        people[n_labels:] = np.nan
        return ns.judge(boards(people, judge))

    for _ in range(30):
        found = board(60)
        if found.more_labels is not None and abs(found.corrected.difference[0] - 0.3) < 0.05:
            asked.append(found.more_labels)
    needed = int(np.median(asked))
    for _ in range(100):
        apart += board(needed).corrected.significant[0]
    assert 65 <= apart <= 93


def test_the_judge_of_a_large_board_takes_no_time():
    rng = np.random.default_rng(0)
    people, judge = drawn(rng, 2000, 30, 200)
    given = boards(people, judge)
    ns.judge(given)
    start = time.process_time()
    ns.judge(given)
    assert time.process_time() - start < 0.5


@pytest.mark.parametrize(
    ("change", "keywords", "said"),
    [
        ({"more": "auto"}, {}, "There are 2 metrics besides 'ESA'"),
        ({"more": "auto"}, {"judge": "aut"}, "'auto'"),
        ({}, {"human": "DA"}, "'DA'"),
        ({}, {"documents": "doc"}, "column of documents"),
        ({}, {"correction": "shaffer"}, "correction of a judged board"),
        ({}, {"alpha": 1}, "below 1"),
        ({"gap": (7, 1)}, {}, "'auto' has no score of 's1' for q7"),
        ({"labels": 2}, {}, "at least 3 are needed"),
    ],
)
def test_what_cannot_be_corrected_is_said(change, keywords, said):
    people, judge = drawn(np.random.default_rng(0), 30, 3, change.get("labels", 20))
    if "gap" in change:
        judge[change["gap"]] = np.nan
    given = boards(people, judge)
    if "more" in change:
        given["third"] = given["auto"]
    with pytest.raises(ns.NlpstatError) as refused:
        ns.judge(given, **keywords)
    assert said in str(refused.value)


def test_the_command_prints_and_gives_json(tmp_path, capsys):
    people, judge = drawn(np.random.default_rng(1), 60, 3, 30)
    rows = ["system,item,doc,ESA,auto"]
    for system in range(3):
        for item in range(60):
            label = "" if np.isnan(people[item, system]) else f"{people[item, system]:.3f}"
            rows.append(f"s{system},q{item},d{item // 5},{label},{judge[item, system]:.3f}")
    file = tmp_path / "scores.csv"
    file.write_text("\n".join(rows), encoding="utf-8")
    assert main(["judge", str(file), "--documents", "doc"]) == 0
    text = capsys.readouterr().out
    assert "ESA: 30 labels per system for 60 items; auto: all items; errors by doc" in text
    assert "by people's labels alone" in text
    assert main(["judge", str(file), "--documents", "doc", "--json", "-"]) == 0
    found = json.loads(capsys.readouterr().out)
    again = ns.judge(ns.read_boards(file, each="metric"), documents="doc")
    assert found == json.loads(json.dumps(again.to_dict()))
    assert found["human"] == "ESA"
    assert len(found["pairs"]) == 3
    assert [one["about"] for one in found["checks"]] == ["all systems", "s0", "s1", "s2", "doc"]
    assert main(["judge", str(file), "--documents", "doc", "--out", str(tmp_path / "out")]) == 0
    capsys.readouterr()
    written = {one.name: one.read_text(encoding="utf-8") for one in (tmp_path / "out").iterdir()}
    assert set(written) == set(judge_files(again))
    assert json.loads(written["judge.json"]) == found
    assert written["judge.csv"].count("\n") == 4
    command = shlex.split(judge_command(again, (str(file),), {}, ()))
    assert main([*command[1:], "--json", "-"]) == 0
    assert json.loads(capsys.readouterr().out) == found


def test_a_file_that_may_be_misread_gives_no_result(tmp_path, capsys):
    rng = np.random.default_rng(0)
    rows = ["system,item,ESA,auto"]
    for item in range(60):
        for system, scale in (("a", 1), ("b", 1), ("c", 100)):
            rows.append(f"{system},{item},{rng.random():.3f},{scale * rng.random():.3f}")
    file = tmp_path / "scores.csv"
    file.write_text("\n".join(rows), encoding="utf-8")
    assert main(["judge", str(file)]) == 0
    text = capsys.readouterr().out
    assert "No result is given until this question is answered" in text
    assert "--accept" in text
    assert "found to differ" not in text


@pytest.mark.parametrize("huge", ["people", "judge"])
def test_scores_whose_squares_overflow_are_refused(huge):
    people, judge = drawn(np.random.default_rng(1), 60, 3, 20)
    scale = {"people": 1.0, "judge": 1.0} | {huge: 1e200}
    with pytest.raises(ns.AnalysisError, match="can't be compared; divide all of them first"):
        ns.judge(boards(people * scale["people"], judge * scale["judge"]))


@pytest.mark.parametrize("seed", range(3))
def test_checks_are_welch_and_a_random_draw(seed):
    """The judge's scores by Welch's t; a mixture by every possible draw of four items of nine."""
    rng = np.random.default_rng(seed)
    people, judge = drawn(rng, 70, 3, 25)
    found = ns.judge(boards(people, judge), alpha=0.1).checks
    labelled = ~np.isnan(people[:, 0])
    for row, scores in enumerate([judge.mean(axis=1), *judge.T]):
        test = stats.ttest_ind(scores[labelled], scores[~labelled], equal_var=False)
        assert found.p_value[row] == pytest.approx(test.pvalue, rel=1e-12)
        assert (found.lower[row], found.upper[row]) == pytest.approx(tuple(test.confidence_interval(0.9)))
    people, judge = people[:9], judge[:9]
    people[:], kinds = 1.0, np.array(list("aaaabbbcc"))
    own = rng.permutation(9)[:4]
    people[~np.isin(np.arange(9), own)] = np.nan
    checked = ns.judge(boards(people, judge, {"kind": tuple(kinds)})).checks.columns[0]
    counts = {kind: int((kinds == kind).sum()) for kind in "abc"}

    def distance(rows):
        return sum(
            ((kinds[list(rows)] == kind).sum() - 4 * count / 9) ** 2 / (4 * count / 9)
            for kind, count in counts.items()
        )

    every = [distance(rows) for rows in itertools.combinations(range(9), 4)]
    exact = np.mean(np.array(every) >= distance(own) - 1e-9)
    assert checked.p_value == pytest.approx(exact, abs=0.02)
    assert checked.labelled.tolist() == [int((kinds[own] == kind).sum()) for kind in "abc"]
    assert (checked.labelled + checked.unlabelled).tolist() == [4, 3, 2]


def test_random_labels_are_rarely_told_of():
    """Holm over all checks: at most 5 % of random draws, by three systems and a label column."""
    rng, told = np.random.default_rng(6), 0
    kinds = tuple(np.array(list("abc"))[rng.integers(0, 3, 90)])
    for _ in range(200):
        people, judge = drawn(rng, 90, 3, 30)
        notes = ns.judge(boards(people, judge, {"kind": kinds})).notes
        told += any(note.code == "labels-not-random" for note in notes)
    assert told <= 18


def test_what_20_more_labels_bring_is_what_they_bring():
    """The promised width against that of boards with so many labels."""
    rng, promised, widths = np.random.default_rng(9), [], {30: [], 50: []}
    for _ in range(30):
        people, judge = drawn(rng, 800, 3, 800)
        for n in (30, 50):
            some = people.copy()
            some[n:] = np.nan
            found = ns.judge(boards(some, judge))
            widths[n].append(np.median(found.corrected.upper - found.corrected.lower))
            if n == 30:
                promised.append(found.narrower)
    assert np.mean(promised) == pytest.approx(np.mean(widths[50]) / np.mean(widths[30]), abs=0.02)
    assert np.isnan(ns.judge(boards(people[:40], judge[:40])).narrower)
