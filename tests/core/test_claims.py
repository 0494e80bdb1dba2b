"""Every sentence that speaks of all, none, alone or N of M, on random boards, against the pair table.

`python -m tests.core.test_claims 2000` tries as many boards by hand.
"""

import itertools
import re
import sys
from collections import Counter
from pathlib import Path

import numpy as np
import pytest

import nlpstat_core as ns
from nlpstat_core.analysis.several_boards.agreement import agreement
from nlpstat_core.catalogue import CORRECTIONS, TESTS
from nlpstat_core.errors import NlpstatError
from nlpstat_core.report.exports.paper.table import behind_best, caption
from nlpstat_core.report.exports.tables.pairs import pairs_table
from nlpstat_core.report.exports.tables.square import CONTRADICTION, SIGNS
from nlpstat_core.report.wording import headline, top_group, top_sentence, verdict_sentence
from nlpstat_core.report.wording.documents import units_text
from nlpstat_core.report.wording.few_units import MARK
from nlpstat_core.report.wording.methods import methods
from nlpstat_core.report.wording.paper import paper_statements
from nlpstat_core.report.wording.participants import standing
from nlpstat_core.report.wording.sentences import top_claim
from nlpstat_core.report.wording.several_boards import agreement_phrase
from nlpstat_core.report.wording.statements import found_statements
from nlpstat_core.report.wording.titles import board_remark, board_title, pairs_remark
from nlpstat_core.report.wording.variation import items_sentence
from nlpstat_core.scores.count_matrices import accuracy_matrix, f1_matrix
from nlpstat_core.scores.runs import Runs

NAMES = ("Ant", "Bee", "Cat", "Dog", "Elk", "Fox", "Gnu")
IN_SUITE = 320
KINDS = ("plain", "strong", "ragged", "apart", "chain", "dice", "ties", "copies", "binary", "empty", "skewed")


def cyclic_board():
    """Three systems of which each wins more items against the next than it loses, in a circle."""
    a, c, b = np.array([2, 4, 9]) + 0.02, np.array([1, 6, 8]) + 0.01, np.array([3.0, 5.0, 7.0])
    values = np.array([*itertools.product(a, c, b)] * 40)
    return ns.ScoreMatrix(values=values, systems=("A", "C", "B"))


def sharing(units, seed=0):
    """A beats C, C beats B, and A and B share so many units."""
    rng = np.random.default_rng(seed)
    ease = rng.normal(size=120)
    values = np.stack([ease + 3, ease, ease + 1.5], axis=1) + rng.normal(scale=0.3, size=(120, 3))
    values[: 60 - units, 0] = values[60:, 1] = np.nan
    return ns.ScoreMatrix(values=values, systems=("A", "B", "C"))


def test_no_system_is_called_better_than_one_that_beats_it():
    found = ns.analyse(cyclic_board(), ns.AnalysisConfig(test="sign"))
    row = found.pairs.find(0, 2)
    assert found.pairs.better[row] == "B"
    assert headline(found) == (
        "Top group: A, significantly better than 1 of 2 other systems (though the test of 1 pair "
        "points against it); 2 of 3 pairs are found to differ in wins and losses after Holm at 0.05, not "
        "counting 1 "
        "in which the test points against the mean."
    )
    assert "alone" not in top_sentence(found)
    assert "the top group is A, significantly better than 1 of 2 other systems" in top_sentence(found)
    assert found.pair("A", "B").verdict == "undecided"


@pytest.mark.parametrize("empty", [0, 2])
@pytest.mark.parametrize("n", [20, 21, 60])
def test_a_large_top_group_is_counted_and_its_first_systems_named(n, empty):
    rng = np.random.default_rng(n)
    values = rng.normal(size=(50, n + 1 + empty)) + np.append(np.zeros(n), np.full(1 + empty, -9.0))
    values[:, n + 1 :] = np.nan
    systems = tuple(f"s{place}" for place in range(n + 1 + empty))
    found = ns.analyse(ns.ScoreMatrix(values=values, systems=systems), ns.AnalysisConfig(test="t"))
    top = top_group(found.leaderboard)
    assert len(top) == n
    first = f"{', '.join(top[:5])} and {n - 5} more"
    scored = " that have scores" if empty else ""
    said = ", ".join(top) if n == 20 else f"{n} of {n + 1} systems{scored} ({first})"
    assert headline(found).startswith(f"Top group: {said}; {n} of ")
    check_top(headline(found).partition(";")[0], Oracle(found), found)


def test_systems_that_are_all_alike_are_counted_and_named_while_they_are_few():
    rng = np.random.default_rng(1)
    for n in (20, 21):
        scores = ns.ScoreMatrix(values=rng.normal(size=(40, n)), systems=[f"s{place}" for place in range(n)])
        claim = top_claim(ns.analyse(scores, ns.AnalysisConfig(test="t")))
        assert claim.startswith(f"No two systems are separated, so all {n} are in the top group")
        assert ("s7" in claim) == (n == 20)


@pytest.mark.parametrize("units", [0, 3])
def test_no_system_is_called_better_than_one_it_shares_a_letter_with(units):
    found = ns.analyse(sharing(units))
    board = found.leaderboard
    letters = dict(zip(board.system, board.letters, strict=True))
    assert set(letters["A"]) & set(letters["B"])
    assert top_group(board) == ("A",)
    assert headline(found).startswith("Top group: A, significantly better than 1 of 2 other systems; ")
    assert ("; 1 had no test of a difference." in headline(found)) == (units == 0)
    assert "alone" not in top_sentence(found)
    assert "every other" not in headline(found)


def test_a_system_that_beats_every_other_is_said_to():
    rng = np.random.default_rng(0)
    values = rng.normal(size=(80, 3)) * 0.2 + [2, 0, 0]
    found = ns.analyse(ns.ScoreMatrix(values=values, systems=("A", "B", "C")))
    assert headline(found).startswith("A is significantly better than every other system; ")
    assert top_sentence(found).endswith("; A holds the top alone.")


def test_a_difference_other_than_the_hypothesised_one_does_not_say_who_is_better():
    """B is hardly better than A, and surely not by 1: that test speaks for neither."""
    rng = np.random.default_rng(0)
    values = np.cumsum(rng.normal(loc=[0, 0.01, 3], scale=0.1, size=(200, 3)), axis=1)
    scores = ns.ScoreMatrix(values=values, systems=("A", "B", "C"))
    found = ns.analyse(scores, ns.AnalysisConfig(delta=1.0))
    assert found.pairs.significant.all()
    assert not found.pairs.separated.any()
    assert headline(found) == (
        "No two systems are separated: 0 of 3 pairs are found to differ in the mean after Holm at 0.05, not "
        "counting 3 whose difference is only found to be other than 1."
    )
    assert "is found to be other than 1, which doesn't say who is better" in verdict_sentence(
        found.pairs, 0, found.config
    )
    below = ns.analyse(scores, ns.AnalysisConfig(delta=-1.0))
    assert below.pairs.better.tolist() == [None, "C", "C"]
    assert below.pairs.verdict.tolist() == ["undecided", "worse", "worse"]


def test_units_without_any_score_are_not_counted():
    rng = np.random.default_rng(1)
    values = rng.normal(size=(60, 9)) + np.linspace(0, 1, 9)
    values[::3] = np.nan
    labels = {"doc": tuple(f"d{row // 3}" for row in range(60))}
    scores = ns.ScoreMatrix(values=values, systems=[f"S{i}" for i in range(9)], labels=labels)
    assert (scores.n_units, scores.n_scored) == (60, 40)
    found = ns.analyse(scores, ns.AnalysisConfig(block_column="doc"))
    assert units_text(found) == "40 items in 20 documents"
    assert "the same 40 items in 20 documents" in methods(found)[0].text
    assert " of 40 items has the same score for every system" in items_sentence(found.items())
    assert not [note for note in found.notes if note.code == "pairwise-units"]


def test_real_units_without_any_score():
    """1,948 segments, of which people judged 650."""
    path = Path(__file__).parents[3] / "shared" / "data" / "wmt_mqm_newstest2021_zhen.csv"
    if not path.exists():
        pytest.skip("no such data here")
    found = ns.analyse(ns.read_scores(path), ns.AnalysisConfig(effects=()))
    assert "650 items" in board_title(found)
    assert "of 650 items have the same score for every system" in items_sentence(found.items())
    assert "1,948" not in " ".join(statement.text for statement in methods(found))


def random_board(seed):
    """A board and settings that hang on the seed alone."""
    rng = np.random.default_rng(seed)
    kind = KINDS[seed % len(KINDS)]
    size, n = int(rng.integers(2, 7)), int(rng.choice([4, 8, 20, 45]))
    if kind == "chain":
        size, n = int(rng.integers(3, 6)), 40
    values = rng.normal(size=(n, 1)) + rng.normal(scale=0.5, size=(n, size))
    values += rng.normal(scale={"plain": 0.2, "strong": 2.0}.get(kind, 0.7), size=size)
    if kind == "ragged":
        values[rng.random(values.shape) < rng.uniform(0.1, 0.7)] = np.nan
    elif kind == "apart":
        half = rng.random(size) < 0.5
        values[: n // 2, half] = values[n // 2 :, ~half] = np.nan
    elif kind == "chain":
        values += rng.permutation(np.linspace(-4, 4, size)) * (1, -1)[int(rng.integers(2))]
        ends = [int(values[0].argmax()), int(values[0].argmin())]
        values[: n // 2 - int(rng.integers(0, 3)), ends[0]] = values[n // 2 :, ends[1]] = np.nan
    elif kind == "dice":
        faces = rng.permutation(3 * size).reshape(size, 3) + rng.normal(scale=0.05, size=(size, 1))
        if rng.random() < 0.5:  # in a circle
            faces = np.array([[2, 4, 9], [1, 6, 8], [3, 5, 7]]) + rng.normal(scale=0.05, size=(3, 1))
            size = 3
        values = np.stack([rng.choice(side, size=300) for side in faces], axis=1)
    elif kind == "ties":
        values = np.round(values)
    elif kind == "copies":
        values[:, -1] = values[:, 0]
    elif kind == "binary":
        values = (values > 0).astype(float)
    elif kind == "empty":
        values[:, int(rng.integers(size))] = np.nan
        values[rng.random(values.shape) < 0.05] = np.nan
    elif kind == "skewed":
        values = np.exp(2 * values)
    if np.isnan(values).all():
        values[0, 0] = 0.0
    test = str(rng.choice(["recommended", "recommended", *TESTS.keys]))
    if kind == "dice" and rng.random() < 0.6:
        test = str(rng.choice(["sign", "wilcoxon", "permutation-median"]))
    scores = scored(values, test, rng)
    baseline = str(rng.choice(scores.systems)) if rng.random() < 0.3 else None
    sided = baseline is not None or size == 2
    method = None if test == "recommended" else TESTS[test]
    each_pair = method is None and rng.random() < 0.5
    fits = [key for key in CORRECTIONS.keys if fitting(CORRECTIONS[key], method, each_pair)]
    documents = method is None or bool(method.by_documents)
    return scores, ns.AnalysisConfig(
        test=test,
        question="each-pair" if each_pair else "mean",
        correction=str(rng.choice(["holm", "none", *fits])),
        baseline=baseline,
        alternative=str(rng.choice(["two-sided", "greater", "less"])) if sided else "two-sided",
        equivalence_margin=float(rng.uniform(0.2, 2)) if rng.random() < 0.25 else None,
        block_column="doc" if test.startswith("block") or (documents and rng.random() < 0.3) else None,
        delta=float(rng.choice([-0.5, 0.3, 1.0]))
        if method and method.about_means and rng.random() < 0.15
        else 0,
        alpha=float(rng.choice([0.05, 0.05, 0.2, 0.0123])),
        resamples=200,
        seed=seed,
        effects=(),
    )


def fitting(correction, method, each_pair):
    if correction.fits is None:
        return True
    return not each_pair if method is None else correction.fits(method)


def scored(values, test, rng):
    """A board for a test: counts, 0 and 1, several runs, or the scores as they are."""
    names, lower = NAMES[: values.shape[1]], bool(rng.random() < 0.4)
    labels = {"doc": tuple(f"d{row // int(rng.integers(1, 4))}" for row in range(len(values)))}
    known = np.where(np.isnan(values), np.nan, np.clip(np.round(5 + values), 0, 10))
    if test == "accuracy-exact":
        return accuracy_matrix(known, np.where(np.isnan(known), np.nan, 10), names, labels=labels)
    if test == "f1-exact":
        return f1_matrix(known, 10 - known, rng.integers(0, 3) + 0 * known, names, labels=labels)
    if test == "mcnemar":
        values = np.where(np.isnan(values), np.nan, values > 0)
    runs = None
    if test == "crossed-t":
        tables = [
            values[:, [i]] + rng.normal(scale=0.3, size=(1, int(rng.integers(1, 5))))
            for i in range(len(names))
        ]
        runs = Runs(values=tables, names=[[str(run) for run in range(table.shape[1])] for table in tables])
        values = runs.means
    return ns.ScoreMatrix(values=values, systems=names, labels=labels, lower_is_better=lower, runs=runs)


class Oracle:
    """What the pair table says, pair by pair; knows neither rank intervals, clusters nor letters."""

    def __init__(self, analysis):
        pairs = analysis.pairs
        self.alpha, self.systems = analysis.config.alpha, pairs.systems
        there = ~np.isnan(analysis.scores.values).all(axis=0)
        self.scored = set(itertools.compress(self.systems, there))
        self.compared, self.apart, self.against = set(), {}, {}
        self.equal, self.short = set(), set()
        for row in range(len(pairs)):
            a, b = pairs.system_a[row], pairs.system_b[row]
            if np.isnan(pairs.p_value[row]):
                assert not pairs.significant[row]
                assert pairs.verdict[row] in ("undecided", "equivalent")
                if pairs.verdict[row] == "equivalent":
                    self.equal.add((a, b))
                continue
            self.compared.add((a, b))
            assert bool(pairs.significant[row]) == bool(pairs.p_adjusted[row] <= self.alpha)
            verdict, better = pairs.verdict[row], pairs.better[row]
            if verdict in ("better", "worse"):
                assert better == (a if verdict == "better" else b)
                self.apart[a, b] = better
                self.check_side(analysis, row)
            elif better is not None:
                self.against[a, b] = better
            elif pairs.significant[row]:
                self.short.add((a, b))
            if verdict == "equivalent":
                self.equal.add((a, b))
        self.n_pairs = len(pairs)

    @staticmethod
    def check_side(analysis, row):
        """A test against δ says who is better only where the difference lies beyond δ, seen from 0."""
        delta, difference = analysis.config.delta, float(analysis.pairs.difference[row])
        if delta:
            assert abs(difference) > abs(delta) if difference * delta > 0 else difference * delta < 0

    def beats(self, one, other):
        return one in (self.apart.get((one, other)), self.apart.get((other, one)))

    def separated(self, one, other):
        return (one, other) in self.apart or (other, one) in self.apart

    def beaten_by(self, one):
        return sum(self.beats(one, other) for other in self.systems if other != one)

    def top(self):
        return {name for name in self.scored if not any(self.beats(o, name) for o in self.systems)}

    def contested(self):
        losers = [next(name for name in pair if name != better) for pair, better in self.against.items()]
        return sum(loser in self.top() for loser in losers)


COUNTED = re.compile(
    r"(?P<some>[\d,]+) of (?P<all>[\d,]+) pairs? (?:are|is) found to differ(?P<what>.*?),? "
    r"(?:after [^;]+?|without correction) at (?P<level>[\d.e-]+)"
    r"(?:, comparing (?P<documents>[\d,]+) documents? \(column [^;]+?\))?"
    r"(?:, not counting (?P<against>\d+) in which the test points against "
    r"(?:the mean|the order of the board|the mean or the order of the board))?"
    r"(?:, not counting (?P<short>\d+) whose difference is only found to be other than [\d.-]+)?"
    r"(?P<more>;.*)?"
)
THOUGH = r"(?: \(though the tests? of (?P<contested>\d+) pairs? points? against (?:it|members of it)\))?"


def check_counted(text, oracle, analysis):
    found = COUNTED.fullmatch(text)
    assert found, text
    assert int(found["some"]) == len(oracle.apart), text
    assert int(found["all"]) == len(oracle.compared), text
    assert int(found["against"] or 0) == len(oracle.against), text
    assert int(found["short"] or 0) == len(oracle.short), text
    assert float(found["level"]) == pytest.approx(oracle.alpha, rel=1e-5)
    named = [int(count) for count in re.findall(r"(\d+) pairs?[,)]", found["what"])]
    assert not named or sum(named) == len(oracle.compared), text
    return found["more"] or ""


def check_headline(analysis, oracle):
    whole = headline(analysis)
    text = whole.replace("; lower scores are better.", ".")
    assert (whole != text) == (analysis.units.lower_is_better and len(oracle.compared) > 0), whole
    if len(analysis.pairs) == 1:
        return
    if text == "No pair of systems could be compared.":
        assert not oracle.compared | oracle.equal
        return
    claim, _, counted = text.removesuffix(".").partition("; " if ": 0 of" not in text else ": ")
    if analysis.config.baseline is not None:
        claim, _, counted = text.removesuffix(".").partition("; ")
        base = analysis.config.baseline
        counts = Counter(
            {"better": 0, "worse": 0, "undecided": 0}
            | {word: int(n) for n, word in re.findall(r"(\d+) ([a-z ]+?)(?:,|$)", claim.partition(": ")[2])}
        )
        others = [name for name in oracle.systems if name != base]
        assert counts["better"] == sum(oracle.beats(name, base) for name in others), text
        assert counts["worse"] == sum(oracle.beats(base, name) for name in others), text
        assert counts["equivalent"] == len(oracle.equal), text
        assert counts["not compared"] == oracle.n_pairs - len(oracle.compared | oracle.equal), text
        assert sum(counts.values()) == oracle.n_pairs, text
        assert check_counted(counted, oracle, analysis) == ""
        return
    more = check_counted(counted, oracle, analysis)
    assert more == without_a_test(oracle, analysis), text
    if claim == "No evidence of a difference between any two systems":
        assert not {*oracle.apart, *oracle.against} | oracle.short, text
    elif claim == "No two systems are separated":
        assert not oracle.apart, text
        assert oracle.against or oracle.short, text
    else:
        check_top(claim, oracle, analysis)


def check_top(claim, oracle, analysis):
    some = "" if len(oracle.scored) == len(oracle.systems) else " that ha(?:s|ve) scores"
    everyone = re.fullmatch(
        rf"(\w+) (?:is significantly better than every other system{some}|holds the top alone)", claim
    )
    if everyone:
        assert oracle.beaten_by(everyone[1]) == len(oracle.scored) - 1, claim
        return
    alone = re.fullmatch(
        r"(?:Top group: |the top group is )(\w+), significantly better than (\d+) of (\d+) other systems"
        + some
        + THOUGH,
        claim,
    )
    shared = re.fullmatch(
        rf"(\d+) of (\d+) systems{some.replace('ha(?:s|ve)', 'have')} share the top{THOUGH}", claim
    )
    have = some.replace("ha(?:s|ve)", "have")
    many = re.fullmatch(
        rf"Top group: (\d+) of (\d+) systems{have} \((\w+(?:, \w+)+) and (\d+) more\){THOUGH}", claim
    )
    group = re.fullmatch(rf"Top group: (\w+(?:, \w+)+){THOUGH}", claim)
    found = alone or shared or many or group
    assert found, claim
    assert int(found["contested"] or 0) == oracle.contested(), claim
    top = oracle.top()
    if alone:
        assert top == {alone[1]}, claim
        assert int(alone[2]) == oracle.beaten_by(alone[1]) < int(alone[3]) == len(oracle.scored) - 1, claim
    elif shared:
        assert (int(shared[1]), int(shared[2])) == (len(top), len(oracle.scored)), claim
    elif many:
        assert (int(many[1]), int(many[2])) == (len(top), len(oracle.scored)), claim
        named = many[3].split(", ")
        assert set(named) <= top, claim
        assert len(named) + int(many[4]) == len(top) > 20, claim
    else:
        named = group[1].split(", ")
        assert (set(named), len(named)) == (top, len(top)), claim


def check_top_sentence(analysis, oracle):
    text = top_sentence(analysis)
    if text == headline(analysis):
        return
    found = re.fullmatch(
        r"(\w+) (is separated from|isn't separated from|is equivalent to) (\w+) \((.*?)\); (.*)\.", text
    )
    assert found, text
    one, how, other, evidence, claim = found.groups()
    assert (how == "is separated from") == oracle.separated(one, other), text
    assert ("point in opposite directions" in evidence) == (
        (one, other) in oracle.against or (other, one) in oracle.against
    ), text
    check_top(claim, oracle, analysis)


def check_statements(analysis, oracle):
    text = next(iter(found_statements(analysis))).text if len(analysis.pairs) > 1 else ""
    if "found to differ" not in text:
        return
    more = check_counted(text, oracle, analysis)
    undecided = re.search(r"; (\d+) remains? undecided", more)
    open_pairs = (
        len(oracle.compared)
        - len(oracle.apart)
        - len(oracle.against)
        - len(oracle.short)
        - len((oracle.equal & oracle.compared) - {*oracle.against, *oracle.short})
    )
    assert int(undecided[1] if undecided else 0) == open_pairs, text
    same = re.search(r"; (\d+) (?:is|are) equivalent", more)
    assert int(same[1] if same else 0) == len(oracle.equal), text
    assert more.endswith(without_a_test(oracle, analysis)), text
    assert ("had no test" in more) == ("had no test" in without_a_test(oracle, analysis)), text


def without_a_test(oracle, analysis) -> str:
    """Pairs of systems with scores that had none, and the systems without scores."""
    units = analysis.units
    empty = [name for name in units.systems if np.isnan(units.values[:, units.index(name)]).all()]
    of_empty = {
        frozenset((a, b))
        for a, b in zip(analysis.pairs.system_a, analysis.pairs.system_b, strict=True)
        if a in empty or b in empty
    }
    left = oracle.n_pairs - len(oracle.compared) - len(of_empty)
    said = f"; {left} had no test of a difference" if left else ""
    return said + (f"; {', '.join(empty)} {'has' if len(empty) == 1 else 'have'} no scores" if empty else "")


def check_sheets(analysis, oracle):
    for name in oracle.systems:
        text = standing(analysis, name)
        if name not in oracle.scored:
            assert "no scores, so it has no rank" in text
            assert not [pair for pair in oracle.compared if name in pair], text
            continue
        found = re.search(r"better than (\d+), worse than (\d+), not separated from (\d+) ", text)
        others = [other for other in oracle.systems if other != name]
        met = [pair for pair in oracle.compared | oracle.equal if name in pair]
        better, worse = oracle.beaten_by(name), sum(oracle.beats(other, name) for other in others)
        assert [int(n) for n in found.groups()] == [better, worse, len(met) - better - worse], text
        apart = re.search(r"not compared with (\d+)", text)
        everyone = len(others) if analysis.config.baseline in (None, name) else 1
        assert int(apart[1] if apart else 0) == everyone - len(met), text


def check_captions(analysis, oracle):
    board, remark = analysis.leaderboard, board_remark(analysis, len(analysis.leaderboard))
    compared = [(i, name) for i, name in enumerate(board.system) if name in oracle.scored]
    empty = set(board.system) - oracle.scored
    if board.rank_interval is not None:
        assert ("Systems without scores come last and were compared" in remark) == bool(empty)
        assert set(board.system[len(compared) :]) == empty or board.group is not None
    if board.letters is not None:
        assert "Systems that share a letter are not separated." in remark
        for (i, one), (j, other) in itertools.combinations(compared, 2):
            share = set(board.letters[i].split() or board.letters[i]) & set(board.letters[j])
            assert bool(set(board.letters[i]) & set(board.letters[j])) != oracle.separated(one, other), share
    if "A line ends a cluster: every system above it is separated from every one below." in remark:
        for (i, one), (j, other) in itertools.combinations(compared, 2):
            if board.cluster[i] != board.cluster[j]:
                assert oracle.beats(one, other)
    if board.rank_interval is not None:
        for place, name in compared:
            low, high = board.rank_interval[place]
            assert low == 1 + sum(oracle.beats(other, name) for other in oracle.systems if other != name)
            assert high == len(compared) - oracle.beaten_by(name)
        assert set(top_group(board)) == oracle.top()
    table, text = pairs_table(analysis, len(analysis.pairs)), pairs_remark(analysis, len(analysis.pairs))
    place = [column.label for column in table.columns].index("Better")
    better = [row[place].text for row in table.rows]
    names = [(row[0].text, row[1].text) for row in table.rows]
    for pair, cell in zip(names, better, strict=True):
        if cell == SIGNS[CONTRADICTION]:
            assert pair in oracle.against
        elif cell in NAMES:
            assert oracle.apart[pair] == cell
        else:
            assert pair not in oracle.apart | oracle.against
    assert ("or the pair was not compared" in text) == (oracle.n_pairs > len(oracle.compared))
    assert ("opposite directions" in text) == bool(oracle.against)
    if analysis.config.baseline is None:
        best = board.system[0]
        for i, behind in enumerate(behind_best(analysis)):
            assert bool(behind) == (i > 0 and oracle.beats(best, board.system[i]))
    assert (
        "share a letter are not separated" in caption(analysis, ("score", "letters")) or board.letters is None
    )


def check_paper(analysis, oracle):
    """The sentences for a paper, one by one, and that each is one of those known here."""
    config, said = analysis.config, [one.text for one in paper_statements(analysis)]
    first, last = said[0], said[-1]
    size = re.match(r"(\d+) systems? w\w+ compared", first)
    assert int(size[1]) == analysis.units.present.any(axis=0).sum(), first
    assert f" on {units_text(analysis, 'item')}" in first, first
    used = Counter(analysis.pairs.test[row] for row in np.flatnonzero(~np.isnan(analysis.pairs.p_value)))
    assert ("no pair had a test" in first) == (not used), first
    for test, count in used.items():
        assert TESTS[test].in_sentence in first, first
        counted = f"({count} pair" in first
        assert counted == (len(used) > 1), first
    assert ("one-sided" in first) == (config.alternative != "two-sided"), first
    if config.alternative != "two-sided":
        side = {"greater": "higher", "less": "lower"}[config.alternative]
        other = "a system" if config.baseline else analysis.pairs.system_a[0]
        assert f"one-sided: that {other} scores {side} than {analysis.pairs.system_b[0]}" in first, first
        assert config.baseline is None or set(analysis.pairs.system_b) == {config.baseline}
    assert (f"the null hypothesis is a difference of {config.delta:g}" in first) == bool(config.delta)
    assert f"nlpstat {ns.__version__} " in last, last
    assert analysis.fingerprint in last, last
    alpha = re.escape(f"{config.alpha:g}")
    level = re.compile(rf"(?: at|level is|level) {alpha}(?!\d)")
    assert any(map(level.search, said)), said
    if len(oracle.systems) == 2:
        assert headline(analysis).replace("; lower scores are better.", ".").removesuffix(".") in said
    elif config.baseline is not None:
        for word, won in (("better", True), ("worse", False)):
            start = f"Significantly {word} than {config.baseline}: "
            named = next(one for one in said if one.startswith(start)).removeprefix(start)
            base, others = config.baseline, [name for name in oracle.systems if name != config.baseline]
            true = {one for one in others if oracle.beats(*((one, base) if won else (base, one)))}
            assert set(named.split(", ")) == (true or {"no system"}), named
    else:
        top = "No two systems are separated, so all "
        if len(oracle.scored) < 2:
            assert "No pair of systems could be compared" in said
            return
        apart = [one for one in said if one.startswith(top)]
        assert bool(apart) == (not oracle.apart), said
        if apart:
            found = re.fullmatch(
                r"(\d+)( that have scores)? are in the top group: (.*)", apart[0].removeprefix(top)
            )
            assert int(found[1]) == len(oracle.scored)
            assert bool(found[2]) == (len(oracle.scored) < len(oracle.systems))
            assert set(found[3].split(", ")) == oracle.scored == oracle.top()
        else:
            claims = [one for one in said if re.match(r"Top group: |\w+ is significantly better", one)]
            check_top(claims[0], oracle, analysis)
            assert len(claims) == 1, said
    if len(oracle.systems) > 2:
        check_counted(next(one for one in said if "found to differ" in one), oracle, analysis)
    pairs, told = analysis.pairs, ". ".join(said)
    has_scores = analysis.units.present.any(axis=0)
    scored = has_scores[pairs.left] & has_scores[pairs.right]
    for words, true in (
        (r"(\d+) of \d+ pairs? shares? no item and w\w+ not compared", pairs.n_units == 0),
        (r"The test is undefined for (\d+)", pairs.n_units > 0),
    ):
        counts = [int(count) for count in re.findall(words, told)]
        assert sum(counts) == (true & scored & np.isnan(pairs.p_value)).sum(), told
    marked = int(analysis.pairs.rests_on_few.sum())
    few = [one for one in said if "on a few" in one]
    assert bool(few) == bool(marked), said
    assert MARK not in " ".join(said)


def check_notes(analysis, oracle):
    left_out = oracle.n_pairs - len(oracle.compared)
    for note in analysis.notes:
        counts = [int(n) for n in re.findall(r"\d+", note.text.replace(",", ""))]
        if note.code == "undefined-pairs":
            assert counts[:2] == [left_out, oracle.n_pairs], note.text
        elif note.code in ("direction-contradicts-mean", "direction-contradicts-board"):
            assert counts[0] <= len(oracle.against), note.text
        elif note.code == "one-question":
            assert sum(map(int, re.findall(r"for (\d+) pairs?", note.text))) == len(oracle.compared), (
                note.text
            )
    against = [n for n in analysis.notes if n.code.startswith("direction-contradicts")]
    assert bool(against) == bool(oracle.against)


P = re.compile(r"(adjusted )?p = ([\d.e-]+)")


def check_pairs(analysis, oracle):
    pairs, alpha = analysis.pairs, analysis.config.alpha
    for row in range(len(pairs)):
        text = verdict_sentence(pairs, row, analysis.config, family=analysis.family_size)
        pair = (pairs.system_a[row], pairs.system_b[row])
        better = re.match(r"(\w+) is better than (\w+) ", text)
        assert bool(better) == (pair in oracle.apart), text
        assert not better or better[1] == oracle.apart[pair], text
        assert ("No evidence of a difference" in text) == (
            pair in oracle.compared
            and pair not in {*oracle.apart, *oracle.against, *oracle.short}
            and pair not in oracle.equal
        ), text
        assert ("equivalent within" in text) == (pair in oracle.equal), text
        assert ("two one-sided tests" in text) == (pair in oracle.equal), text
        of_equality = (pairs.p_equivalence, pairs.p_equivalence_adjusted)
        p_value, p_adjusted = of_equality if pair in oracle.equal else (pairs.p_value, pairs.p_adjusted)
        for adjusted, shown in P.findall(text):
            p = float((p_adjusted if adjusted else p_value)[row])
            assert (float(shown) <= alpha) == (p <= alpha), text
            assert (float(shown) == alpha) == (p == alpha), text


LABELS = sorted({name for test in TESTS for name in (test.label, test.in_sentence)}, key=len, reverse=True)


def named_tests(sentence):
    """How often each test is named; longer names first, so that none hides in another."""
    counts = Counter()
    for label in LABELS:
        times = len(re.findall(rf"(?<!\w){re.escape(label)}(?!\w)", sentence))
        if times:
            counts[label.lower().removeprefix("the ")] += times
            sentence = sentence.replace(label, " ")
    return counts


def check_names(sentences):
    for text in sentences:
        assert all(count == 1 for count in named_tests(text).values()), text
        assert "under any dependence" not in text or "if every p-value is valid" in text


def check_everything(seed):
    """Whether the board of a seed could be analysed; fails where a sentence says what the table doesn't."""
    scores, config = random_board(seed)
    try:
        analysis = ns.analyse(scores, config)
    except NlpstatError:
        return None
    oracle = Oracle(analysis)
    check_headline(analysis, oracle)
    check_top_sentence(analysis, oracle)
    check_statements(analysis, oracle)
    check_sheets(analysis, oracle)
    check_captions(analysis, oracle)
    check_notes(analysis, oracle)
    check_paper(analysis, oracle)
    check_pairs(analysis, oracle)
    check_names([headline(analysis), top_sentence(analysis), *(note.text for note in analysis.notes)])
    if seed % 8 == 0:  # they plan for power, which takes time
        check_names([statement.text for statement in methods(analysis)])
    return analysis


@pytest.mark.parametrize("part", range(8))
def test_no_sentence_says_what_the_pair_table_does_not(part):
    found = [check_everything(seed) for seed in range(part * IN_SUITE // 8, (part + 1) * IN_SUITE // 8)]
    known = [analysis for analysis in found if analysis is not None]
    assert len(known) > 0.7 * len(found)
    assert any(analysis.pairs.separated.any() for analysis in known)


def test_boards_that_compare_a_pair_are_counted_as_such():
    rng = np.random.default_rng(5)
    for _ in range(40):
        size, analyses = 4, []
        for _ in range(3):
            values = rng.normal(scale=0.3, size=(24, size)) + rng.normal(scale=0.4, size=size)
            values[:12, 0] = values[12:, 1] = np.nan if rng.random() < 0.5 else 0.1
            analyses.append(ns.analyse(ns.ScoreMatrix(values=values, systems=NAMES[:size])))
        oracles = [Oracle(analysis) for analysis in analyses]
        alike = undecided = against = shared = 0
        for pair in itertools.combinations(NAMES[:size], 2):
            said = [oracle.apart.get(pair) for oracle in oracles if pair in oracle.compared]
            if len(said) > 1:
                shared += 1
                undecided += set(said) == {None}
                alike += len(set(said)) == 1 and None not in said
            against += len({name for name in said if name}) == 2
        text = agreement_phrase(agreement(analyses), "dataset")
        whole = re.search(r"(\d+) of (\d+) pairs (?:are|is) decided the same way", text)
        if whole:
            assert (int(whole[1]), int(whole[2])) == (alike, shared), text
        else:
            assert alike == 0, text
        open_pairs = re.search(r"(\d+)(?: of \d+ pairs| more)? (?:is|are) undecided on every", text)
        assert int(open_pairs[1] if open_pairs else 0) == undecided, text
        opposed = re.search(r"for (\d+), some data sets decide one way", text)
        assert int(opposed[1] if opposed else 0) == against, text


def test_the_settings_of_a_board_are_tried_often_enough():
    """Enough of every kind among the boards of the suite for the property to mean something."""
    tried = [random_board(seed)[1] for seed in range(IN_SUITE)]
    assert {config.test for config in tried} >= set(TESTS.keys)
    assert {config.correction for config in tried} == set(CORRECTIONS.keys)
    assert min(Counter(config.alternative for config in tried).values()) > 20
    assert sum(config.baseline is not None for config in tried) > 50
    assert sum(config.equivalence_margin is not None for config in tried) > 40
    assert sum(config.block_column is not None for config in tried) > 40


if __name__ == "__main__":
    boards = [check_everything(seed) for seed in range(int(sys.argv[1]))]
    known = sum(board is not None for board in boards)
    print(f"{known:,} of {len(boards):,} boards analysed, no false sentence")
