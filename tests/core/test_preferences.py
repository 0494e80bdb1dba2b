"""Bradley–Terry and Davidson: evalica, statsmodels, slow oracles from the definition, and when they exist."""

import itertools
import math

import numpy as np
import pandas as pd
import pytest
from golden.golden import INPUTS, load
from hypothesis import assume, given
from hypothesis import strategies as st
from numpy.testing import assert_allclose
from scipy import optimize

import nlpstat_core as ns
from nlpstat_core.methods.preferences.fit import runaway, strong_components
from nlpstat_core.methods.preferences.models import counted
from nlpstat_core.scores.battle_tables import as_battles

TABLE = pd.read_csv(INPUTS / "battles.csv")
BOTH = pytest.mark.parametrize("ties", ["half", "davidson"])


@pytest.mark.parametrize(
    "golden", [*load("preferences", "evalica"), *load("preferences", "poisson")], ids=str
)
def test_strengths_as_by_evalica_and_statsmodels(golden):
    found = ns.bradley_terry_strengths(TABLE, ties=golden.options["ties"])
    assert sorted(found) == sorted(golden.values)
    for name, value in golden.values.items():
        assert found[name] == pytest.approx(value, abs=1e-10)
    assert sum(found.values()) == pytest.approx(0, abs=1e-12)


@pytest.mark.parametrize("golden", load("preferences", "logistic"), ids=str)
def test_clustered_errors_as_by_statsmodels(golden):
    clusters = {"prompt": "prompt", "battle": None}[golden.options["clusters"]]
    difference, error = ns.bradley_terry_difference(TABLE, golden.options["system"], "ant", clusters=clusters)
    assert difference == pytest.approx(golden.values["difference"], abs=1e-10)
    assert error == pytest.approx(golden.values["standard_error"], rel=1e-10)


# The definition, battle by battle.


def log_chance(parameters, ties, a, b, outcome):
    """Log-likelihood of one battle; half wins are half of each side's."""
    d = parameters[a] - parameters[b]
    if ties == "half":
        logs = [-math.log1p(math.exp(-d)), -math.log1p(math.exp(d))]
        return {1: logs[0], -1: logs[1], 0: sum(logs) / 2}[outcome]
    parts = {1: d / 2, -1: -d / 2, 0: parameters[-1]}
    return parts[outcome] - math.log(sum(math.exp(part) for part in parts.values()))


def slow(battles, ties, clusters, a, b):
    """Strengths by a general optimiser, the error by numerical derivatives of every battle's likelihood."""
    m, size = battles.n_systems, battles.n_systems + (ties == "davidson")
    rows = list(zip(battles.left, battles.right, battles.outcome.tolist(), strict=True))

    def score(parameters, row):
        steps = 1e-5 * np.eye(size)
        return np.array(
            [
                (log_chance(parameters + h, ties, *row) - log_chance(parameters - h, ties, *row)) / 2e-5
                for h in steps
            ]
        )

    def total(parameters):
        return sum(score(parameters, row) for row in rows) - np.append(
            np.full(m, parameters[:m].sum()), np.zeros(size - m)
        )

    solved = optimize.root(total, np.zeros(size), tol=1e-12)
    at = solved.x
    hessian = np.array([(total(at + h) - total(at - h)) / 2e-4 for h in 1e-4 * np.eye(size)])
    sums = {}
    for row, cluster in zip(rows, clusters, strict=True):
        sums[cluster] = sums.get(cluster, 0) + score(at, row)
    meat = sum(np.outer(u, u) for u in sums.values()) * len(sums) / (len(sums) - 1)
    contrast = np.zeros(size)
    contrast[[a, b]] = 1, -1
    weights = np.linalg.solve(hessian, contrast)
    return at[:m] - at[:m].mean(), math.sqrt(weights @ meat @ weights)


@BOTH
def test_strengths_and_errors_are_those_of_the_definition(ties):
    part = as_battles(TABLE.head(80))
    clusters = TABLE["prompt"].head(80).tolist()
    strengths, error = slow(part, ties, clusters, 0, 1)
    assert_allclose(list(ns.bradley_terry_strengths(part, ties).values()), strengths, atol=1e-6)
    found = ns.bradley_terry_difference(part, *part.systems[:2], clusters="prompt", ties=ties)
    assert found == pytest.approx((strengths[0] - strengths[1], error), abs=1e-5)


def test_two_kinds_of_clusters_are_added_less_their_intersections():
    raters = np.arange(300) % 7
    pairs = [f"{prompt}/{rater}" for prompt, rater in zip(TABLE["prompt"], raters, strict=True)]
    one, other, both = (
        ns.bradley_terry_difference(TABLE, "ant", "bee", clusters=c)[1] ** 2
        for c in ("prompt", raters, pairs)
    )
    found = ns.bradley_terry_difference(TABLE, "ant", "bee", clusters=("prompt", raters))[1]
    assert found**2 == pytest.approx(one + other - both, rel=1e-10)
    named = TABLE.assign(rater=raters)
    assert ns.bradley_terry_difference(named, "ant", "bee", clusters=("prompt", "rater"))[1] == found


# Properties.

NAMES = "uvwz"
battle = st.tuples(st.sampled_from(range(4)), st.sampled_from(range(3)), st.sampled_from([1, -1, 0]))


@st.composite
def existing(draw, ties="half"):
    """Battles of four systems with finite strengths: a ring of wins, and others at random."""
    ring = [(i, (i + 1) % 4, 1) for i in range(4)] + [(0, 1, 0)]
    more = [(a, (a + 1 + step) % 4, outcome) for a, step, outcome in draw(st.lists(battle, max_size=20))]
    return draw(st.permutations(ring + more))


def listed(rows):
    return [(NAMES[a], NAMES[b], {1: "model_a", -1: "model_b", 0: "tie"}[outcome]) for a, b, outcome in rows]


@given(rows=existing(), order=st.randoms(use_true_random=False), ties=st.sampled_from(["half", "davidson"]))
def test_order_and_sides_of_battles_change_nothing(rows, order, ties):
    mixed = [(b, a, -outcome) if order.random() < 0.5 else (a, b, outcome) for a, b, outcome in rows]
    order.shuffle(mixed)
    first, second = (ns.bradley_terry_strengths(listed(each), ties) for each in (rows, mixed))
    for name in NAMES:
        assert first[name] == pytest.approx(second[name], abs=1e-9)
    forth, back = (ns.bradley_terry_difference(listed(rows), *pair, ties=ties) for pair in ("uv", "vu"))
    assert forth[0] == pytest.approx(-back[0], abs=1e-12)
    assert forth[1] == pytest.approx(back[1], rel=1e-9)
    assert forth[0] == pytest.approx(first["u"] - first["v"], abs=1e-9)


@given(rows=existing(), ties=st.sampled_from(["half", "davidson"]))
def test_observed_points_are_the_expected_ones(rows, ties):
    """The likelihood equations: every system has as many points, ties for a half, as the model expects."""
    found = ns.bradley_terry_strengths(listed(rows), ties)
    theta = np.array([found[name] for name in NAMES])
    a, b, outcome = np.array(rows).T
    d = theta[a] - theta[b]
    if ties == "half":
        expected = 1 / (1 + np.exp(-d))
    else:  # the parameter of ties makes up their number
        nu = optimize.brentq(
            lambda nu: (nu / (2 * np.cosh(d / 2) + nu)).sum() - (outcome == 0).sum(), 1e-9, 1e9, xtol=1e-14
        )
        expected = (np.exp(d / 2) + nu / 2) / (2 * np.cosh(d / 2) + nu)
    surplus = (1 + outcome) / 2 - expected
    for system in range(4):
        assert surplus[a == system].sum() - surplus[b == system].sum() == pytest.approx(0, abs=1e-7)


@given(rows=existing())
def test_davidson_without_ties_is_half(rows):
    decided = listed([row for row in rows if row[2]])
    assert ns.bradley_terry_strengths(decided, "davidson") == ns.bradley_terry_strengths(decided)


@given(rows=existing(), ties=st.sampled_from(["half", "davidson"]), times=st.integers(2, 5))
def test_battles_repeated_within_their_prompts_change_nothing(rows, ties, times):
    once = ns.bradley_terry_difference(listed(rows), "u", "w", clusters=range(len(rows)), ties=ties)
    more = ns.bradley_terry_difference(
        listed(rows * times), "u", "w", clusters=[*range(len(rows))] * times, ties=ties
    )
    assert more == pytest.approx(once, rel=1e-7, abs=1e-9)


# Existence.

few = st.lists(
    st.tuples(st.sampled_from(range(3)), st.sampled_from(range(2)), st.sampled_from([1, -1, 0])),
    min_size=1,
    max_size=9,
)
GRID = np.arange(-2, 2.5, 0.5)


def has_direction(rows):
    """Whether some direction (δ, τ) never makes an outcome less likely and one more, by trying them all."""
    for d1, d2, tau in itertools.product(GRID, GRID, GRID):
        delta = (0.0, d1, d2)
        slacks = []
        for a, b, outcome in rows:
            d = delta[a] - delta[b]
            slacks += [tau - abs(d) / 2] if outcome == 0 else [outcome * d, outcome * d / 2 - tau]
        if min(slacks) >= 0 and max(slacks) > 0:
            return True
    return False


@given(few)
def test_strengths_exist_where_no_direction_is_better_without_end(drawn):
    rows = [(a, (a + 1 + step) % 3, outcome) for a, step, outcome in drawn]
    assume({a for row in rows for a in row[:2]} == {0, 1, 2})
    counts = counted(as_battles(sorted(listed(rows), key=lambda row: row[2])))
    connected = strong_components(counts, ties_connect=True).max() == 0
    wins = {(a, b) if outcome > 0 else (b, a) for a, b, outcome in rows if outcome}
    wins |= {pair for a, b, outcome in rows if not outcome for pair in ((a, b), (b, a))}
    reach = wins | {(a, c) for a, b in wins for b2, c in wins if b == b2}
    assert connected == ({*itertools.permutations(range(3), 2)} <= reach)
    direction = has_direction(rows)
    assert (runaway(counts) is not None) == direction
    for ties, exists in (
        ("half", connected),
        ("davidson", connected and not (direction and counts.has_ties)),
    ):
        if exists:
            assert all(map(math.isfinite, ns.bradley_terry_strengths(listed(rows), ties).values()))
        else:
            with pytest.raises(ns.AnalysisError, match=r"infinite|no finite"):
                ns.bradley_terry_strengths(listed(rows), ties)


@pytest.mark.parametrize(
    ("battles", "ties", "named"),
    [
        ([*"ABA", *"BAB", *"ACA"], "half", "'C' is not connected .*only losses"),
        ([*"ABA"], "half", "'A' is not connected to the other system by .*only wins"),
        ([*"ABA", *"BAB", *"ACC"], "half", "'C' is not connected .*only wins"),
        ([*"ABA", *"BAB", *"CDC", *"CDD"], "half", "'C', 'D' are not connected .*never met"),
        (["A", "B", "tie", "B", "C", "tie", "A", "C", "A"], "davidson", "'A' would run away"),
        (["A", "B", "tie", "B", "C", "tie"], "davidson", "the share of ties would"),
    ],
)
def test_systems_without_finite_strengths_are_named(battles, ties, named):
    rows = [tuple(battles[i : i + 3]) for i in range(0, len(battles), 3)]
    with pytest.raises(ns.AnalysisError, match=named):
        ns.bradley_terry_strengths(rows, ties=ties)


def test_only_ties_are_equal_strengths_without_an_error():
    rows = [("A", "B", "tie"), ("B", "C", "tie")]
    assert ns.bradley_terry_strengths(rows) == {"A": 0.0, "B": 0.0, "C": 0.0}
    assert math.isnan(ns.bradley_terry_difference(rows, "A", "B")[1])


# Whatever holds battles.

SPELLINGS = {
    1: [
        "a",
        "A",
        "model_a",
        "MODEL A",
        "left",
        "A>B",
        "A>>B",
        "[[A]]",
        "[[A>>B]]",
        "assistant_1",
        "winner_a",
    ],
    -1: ["b", "model_b", "right", "B>A", "a<<b", "[[B]]", "assistant 2", "Winner.Y"],
    0: [
        "tie",
        "Tie (bothbad)",
        "tie (both bad)",
        "bothbad",
        "both",
        "A=B",
        "[[C]]",
        "draw",
        "tie (inconsistent)",
    ],
}


@pytest.mark.parametrize("kind", ["tuples", "lists", "mappings", "columns", "frame", "named"])
def test_every_container_and_spelling(kind):
    rows = [("u", "v", word) for words in SPELLINGS.values() for word in words]
    names = ("model_a", "model_b", "winner")
    if kind == "named":
        rows = [
            ("u", "v", {1: "u", -1: "v", 0: "tie"}[side]) for side, words in SPELLINGS.items() for _ in words
        ]
    given_as = {
        "lists": [list(row) for row in rows],
        "mappings": [dict(zip(names, row, strict=True)) for row in rows],
        "columns": dict(zip(names, zip(*rows, strict=True), strict=True)),
        "frame": pd.DataFrame(rows, columns=["Model_A", "model_b", "Winner"]),
    }.get(kind, rows)
    found = as_battles(given_as)
    assert found.outcome.tolist() == [side for side, words in SPELLINGS.items() for _ in words]
    assert as_battles(found) is found


@pytest.mark.parametrize(
    ("winners", "outcomes"),
    [
        ([1, 0, 0.5], [1, -1, 0]),
        ([1.0, 0.0], [1, -1]),
        ([1, -1, 0], [1, -1, 0]),
        (["1", "2"], [1, -1]),
    ],
)
def test_numbers_of_sides(winners, outcomes):
    assert as_battles([("u", "v", winner) for winner in winners]).outcome.tolist() == outcomes


def test_columns_of_single_verdicts():
    columns = {
        "model_a": ["u", "v", "u"],
        "model_b": ["v", "w", "w"],
        "winner_model_a": [1, 0, 0],
        "winner_model_b": [0, 0, 1],
        "winner_tie": [0, 1, 0],
        "language": ["de", "en", "de"],
    }
    found = as_battles(columns)
    assert found.outcome.tolist() == [1, 0, -1]
    assert list(found.labels) == ["language"]
    assert found.clusters("language")[1] == 2


@pytest.mark.parametrize(
    ("battles", "message"),
    [
        ([], "no battle"),
        ("battles.csv", "read_battles"),
        ([("A", "B")], "not \\(a, b, winner\\)"),
        ([("A", "B", "C")], "Battle 1: 'C' is not a winner of 'A' against 'B'"),
        ([("A", "B", "A"), ("A", "B", None)], "Battle 2 has no winner"),
        ([("A", "B", "A"), (None, "B", "B")], "Battle 2 lacks the name"),
        ([("A", "A", "tie")], "Battle 1: 'A' is compared with itself"),
        ([("A", "", "tie")], "empty name"),
        ([("b", "a", "a")], "can be a side or a system's name"),
        ([("A", "B", ["A"])], "Winners must be one row"),
        ({"model_a": ["A"], "winner": ["A"]}, "columns of the two systems"),
        ({"model_a": ["A"], "model_b": ["B"]}, "column 'winner'"),
        ({"model_a": ["A"], "model_b": ["B"], "winner": ["A", "B"]}, "differ in length: 1, 2"),
        ({"model_a": "A", "model_b": ["B"], "winner": ["A"]}, "'model_a' must be a list"),
        ([("A", "B", 3)], "'3' is not a winner"),
    ],
)
def test_battles_that_cannot_be_read(battles, message):
    with pytest.raises(ns.ScoreError, match=message):
        ns.bradley_terry_strengths(battles)


@pytest.mark.parametrize(
    ("clusters", "message"),
    [
        ("topic", "no column 'topic'.*'prompt'"),
        ([1, 2], "2 entries for 300"),
        ([1] * 300, "one cluster only"),
        ([1, None, *[2] * 298], "Battle 2 has no cluster"),
        (np.ones((300, 2)), "one row"),
    ],
)
def test_clusters_that_cannot_be_used(clusters, message):
    with pytest.raises(ns.ScoreError, match=message):
        ns.bradley_terry_difference(TABLE, "ant", "bee", clusters=clusters)


def test_unknown_names():
    with pytest.raises(ns.ConfigError, match="'half'"):
        ns.bradley_terry_strengths(TABLE, ties="halff")
    with pytest.raises(ns.ScoreError, match="No battle has a system 'gnu'"):
        ns.bradley_terry_difference(TABLE, "gnu", "bee")
    with pytest.raises(ns.ScoreError, match="needs two systems; both are 'bee'"):
        ns.bradley_terry_difference(TABLE, "bee", "bee")
