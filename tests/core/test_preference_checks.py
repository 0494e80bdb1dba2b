"""Checks of boards of preferences: misfit, direct battles, cycles, order, style, variants, plans; max-T."""

import itertools
import json

import numpy as np
import pandas as pd
import pytest
import statsmodels.api as sm
from golden.golden import INPUTS
from hypothesis import given
from hypothesis import strategies as st
from scipy import optimize, stats

import nlpstat_core as ns
from nlpstat_core.methods.preferences.fit import fitted
from nlpstat_core.methods.preferences.misfit import cycles, sign_tests
from nlpstat_core.methods.preferences.models import counted
from nlpstat_core.methods.preferences.planning import battles_needed, next_pair
from nlpstat_core.methods.preferences.sandwich import covariance
from nlpstat_core.report.wording.preferences import effect_sentence
from nlpstat_core.results.preference_checks import BattleEffect
from nlpstat_core.scores.battle_columns import style_columns, style_differences
from nlpstat_core.scores.battle_tables import as_battles

RNG = np.random.default_rng(11)
TABLE = pd.read_csv(INPUTS / "battles.csv").assign(
    rater=np.arange(300) % 9,
    length_a=RNG.integers(5, 300, 300),
    length_b=RNG.integers(5, 300, 300),
)
BATTLES = as_battles(TABLE)
BOARD = ns.rank_preferences(TABLE)
CHECKS = ns.check_preferences(TABLE, BOARD)
KINDS = [None, "prompt", ("prompt", "rater")]


# Misfit.


def weighted(battles, ties, weights):
    """Parameters at the largest likelihood of weighted battles, by a general optimiser."""
    m = battles.n_systems
    size = m + (ties == "davidson")

    def lost(at):
        d = at[battles.left] - at[battles.right]
        if ties == "half":
            y = (1 + battles.outcome) / 2
            return -weights @ (y * d - np.logaddexp(0, d)) + at[:m].sum() ** 2
        logs = np.stack([d / 2, np.full(d.size, at[m]), -d / 2])
        own = logs[1 - battles.outcome.astype(int), np.arange(d.size)]
        return -weights @ (own - np.logaddexp.reduce(logs)) + at[:m].sum() ** 2

    return optimize.minimize(lost, np.zeros(size), method="BFGS", options={"gtol": 1e-9}).x


def residual_sums(battles, ties, weights, rows, n_pairs):
    """Σ over the battles of each pair of weight × (points of its first system − what is expected)."""
    at = weighted(battles, ties, weights)
    turned = np.where(battles.left < battles.right, 1, -1)
    d = (at[battles.left] - at[battles.right]) * turned
    points = (1 + battles.outcome * turned) / 2
    if ties == "half":
        expected = 1 / (1 + np.exp(-d))
    else:
        whole = np.exp(d / 2) + np.exp(-d / 2) + np.exp(at[-1])
        expected = (np.exp(d / 2) + np.exp(at[-1]) / 2) / whole
    return np.bincount(rows, weights * (points - expected), n_pairs)


@pytest.mark.parametrize("ties", ["half", "davidson"])
def test_errors_of_residuals_are_what_clusters_move_them_by(ties):
    """The infinitesimal jackknife: each cluster gets a little more weight, and all is fitted anew."""
    part = as_battles(TABLE.assign(prompt=np.arange(300) % 8).head(90))
    board = ns.rank_preferences(part, ties=ties, clusters="prompt")
    checks = ns.check_preferences(part, board, variants=False)
    place = {pair: row for row, pair in enumerate(zip(checks.left, checks.right, strict=True))}
    rows = np.array([place[min(a, b), max(a, b)] for a, b in zip(part.left, part.right, strict=True)])
    codes, number = part.clusters("prompt")
    step = 1e-3
    moved = []
    for cluster in range(number):
        sums = [
            residual_sums(part, ties, 1 + sign * step * (codes == cluster), rows, len(place))
            for sign in (1, -1)
        ]
        moved.append((sums[0] - sums[1]) / (2 * step))
    variance = (np.array(moved) ** 2).sum(axis=0) * number / (number - 1)
    now = residual_sums(part, ties, np.ones(part.n_battles), rows, len(place)) / checks.battles
    assert checks.observed - checks.fitted == pytest.approx(now, abs=1e-5)
    assert checks.residual_error == pytest.approx(np.sqrt(variance) / checks.battles, rel=2e-3, abs=1e-5)


def test_misfit_is_student_s_t_by_clusters_and_corrected_by_holm():
    t = np.abs(CHECKS.observed - CHECKS.fitted) / CHECKS.residual_error
    rows = BOARD.rows_of(CHECKS.left, CHECKS.right)
    t *= BOARD.difference_error[rows] / BOARD.pair_adjusted_error[rows]
    assert CHECKS.misfit_p == pytest.approx(2 * stats.t.sf(t, BOARD.pair_freedom[rows]), rel=1e-9)
    assert CHECKS.misfit_adjusted == pytest.approx(ns.adjust_p_values(CHECKS.misfit_p, "holm"))
    assert CHECKS.fit_p == CHECKS.misfit_adjusted.min()


def test_two_systems_alone_leave_nothing_that_could_misfit():
    battles = [("u", "v", "a")] * 20 + [("u", "v", "b")] * 9
    checks = ns.check_preferences(battles, ns.rank_preferences(battles, clusters=None))
    assert np.isnan(checks.misfit_p).all()
    assert np.isnan(checks.fit_p)
    assert checks.to_dict()["fit_p"] is None


def test_rock_paper_scissors_misfit_and_are_a_cycle():
    ring = [("rock", "scissors", "a"), ("scissors", "paper", "a"), ("paper", "rock", "a")]
    battles = ring * 30 + [(a, b, "b") for a, b, _ in ring] * 4
    checks = ns.check_preferences(battles, ns.rank_preferences(battles, clusters=None))
    assert checks.fit_p < 1e-6
    assert checks.cycles == (("rock", "scissors", "paper"),)


@given(st.integers(0, 10_000))
def test_cycles_are_all_there_are(seed):
    rng = np.random.default_rng(seed)
    n = int(rng.integers(3, 7))
    shares = rng.random((n, n))
    shares[np.tril_indices(n)] = (1 - shares.T)[np.tril_indices(n)]
    decided = rng.random((n, n)) < 0.8
    decided &= decided.T
    found = cycles(shares, decided)
    expected = {
        (a, b, c)
        for a, b, c in itertools.permutations(range(n), 3)
        if a == min(a, b, c)
        and all(decided[x, y] and shares[x, y] > 0.5 for x, y in ((a, b), (b, c), (c, a)))
    }
    assert len(found) == len(set(found))
    assert set(found) <= expected
    assert len(found) == min(20, len(expected))
    clearest = [min(shares[a, b], shares[b, c], shares[c, a]) for a, b, c in found]
    assert clearest == sorted(clearest, reverse=True)


# Direct battles.


@pytest.mark.parametrize("clusters", KINDS)
def test_sign_tests_flip_whole_clusters(clusters):
    part = as_battles(TABLE.assign(prompt=np.arange(300) % 7).head(60))
    counts = counted(part)
    found = sign_tests(part, counts, clusters)
    kinds = {None: [np.arange(60)]}.get(clusters) or [
        part.clusters(one)[0] for one in (clusters if isinstance(clusters, tuple) else (clusters,))
    ]
    for row, (a, b) in enumerate(zip(counts.left, counts.right, strict=True)):
        here = (np.minimum(part.left, part.right) == a) & (np.maximum(part.left, part.right) == b)
        signed = np.where(part.left == a, part.outcome, -part.outcome)[here].astype(int)
        expected = []
        for codes in kinds:
            sums = np.bincount(codes[here], signed, codes.max() + 1)
            sums = sums[sums != 0]
            signs = np.array(list(itertools.product([1, -1], repeat=sums.size))).reshape(
                2**sums.size, sums.size
            )
            expected.append(np.mean(np.abs(signs @ sums) >= abs(sums.sum())) if sums.size else 1.0)
        assert found[row] == pytest.approx(max(expected), rel=1e-9)


def test_without_clusters_it_is_the_binomial_sign_test():
    counts = counted(BATTLES)
    for row, p in enumerate(sign_tests(BATTLES, counts, None)):
        won, lost = int(counts.wins_left[row]), int(counts.wins_right[row])
        assert p == pytest.approx(stats.binomtest(won, won + lost).pvalue if won + lost else 1.0)


# Order and style.


@pytest.mark.parametrize("clusters", [None, "prompt"])
def test_order_and_style_are_those_of_a_logistic_regression(clusters):
    board = ns.rank_preferences(TABLE, clusters=clusters)
    checks = ns.check_preferences(TABLE, board, variants=False)
    a, b = TABLE["length_a"], TABLE["length_b"]
    share = (a - b) / (a + b)
    design = np.zeros((300, 8))
    design[np.arange(300), BATTLES.left] += 1
    design[np.arange(300), BATTLES.right] -= 1
    design = design[:, 1:].copy()
    design[:, 5], design[:, 6] = 1, share / np.sqrt((share**2).mean())
    y = (1 + BATTLES.outcome.astype(float)) / 2
    codes, number = BATTLES.clusters(clusters)
    found = sm.GLM(y, design, family=sm.families.Binomial()).fit(
        tol=1e-14, maxiter=100, cov_type="cluster", cov_kwds={"groups": codes, "use_correction": False}
    )
    factor = np.sqrt(number / (number - 1))
    sizes = np.bincount(codes)
    freedom = sizes.sum() ** 2 / (sizes @ sizes) - 1
    names = [effect.name for effect in checks.effects]
    assert names == ["shown first", "length"]
    for effect, coefficient, error in zip(checks.effects, found.params[5:], found.bse[5:], strict=True):
        assert effect.coefficient == pytest.approx(coefficient, rel=1e-8)
        assert effect.error == pytest.approx(error * factor, rel=1e-8)
        assert effect.p_value == pytest.approx(2 * stats.t.sf(abs(coefficient / error) / factor, freedom))
        margin = stats.t.ppf(0.975, freedom) * effect.error
        assert (effect.lower, effect.upper) == pytest.approx((coefficient - margin, coefficient + margin))
    strengths = np.append(0.0, found.params[:5])
    assert checks.controlled == pytest.approx(strengths - strengths.mean(), rel=1e-7)
    turn = np.vstack([np.zeros(5), np.eye(5)])
    turn -= turn.mean(axis=0)
    covariance = turn @ found.cov_params()[:5, :5] @ turn.T * factor**2
    assert checks.controlled_error == pytest.approx(np.sqrt(np.diag(covariance)), rel=1e-7)


def test_columns_of_both_answers_are_found_by_their_names():
    table = {
        "model_a": list("xyxy"),
        "model_b": list("yxyx"),
        "winner": ["model_a", "model_b", "tie", "model_a"],
        "sum_assistant_a_tokens": [3, 4, 5, 9],
        "sum_assistant_b_tokens": [1, 4, 5, 0],
        "response_a": ["one", "two", "three", "four"],
        "response_b": ["one", "two", "three", "four"],
        "header count.left": ["1", "2", "0", "1"],
        "header count.right": ["1", "2", "3", "1"],
        "same_a": [1, 2, 3, 4],
        "same_b": [1, 2, 3, 4],
        "data": [1, 2, 3, 4],
    }
    battles = as_battles(table)
    assert style_columns(battles) == {
        "sum_assistant_tokens": ("sum_assistant_a_tokens", "sum_assistant_b_tokens"),
        "header count": ("header count.left", "header count.right"),
    }
    share = np.array([0.5, 0, 0, 1])
    found = style_differences(battles, ["sum_assistant_tokens"])[:, 0]
    assert found == pytest.approx(share / np.sqrt((share**2).mean()))
    with pytest.raises(ns.ScoreError, match="no columns of numbers for 'length' of both answers"):
        style_differences(battles, ["length"])


def test_an_order_that_nothing_tells_is_not_estimated():
    listed = {"winner": ["u", "v", "w", "u", "w"] * 4, "loser": ["v", "u", "u", "w", "v"] * 4}
    checks = ns.check_preferences(listed, ns.rank_preferences(listed, clusters=None))
    assert (checks.effects, checks.controlled) == ((), None)
    assert [note.code for note in checks.notes] == ["order-unknown"]
    always = [("u", "v", "a")] * 3 + [("u", "v", "b")] * 2
    checks = ns.check_preferences(always, ns.rank_preferences(always, clusters=None))
    assert [note.code for note in checks.notes] == ["order-and-style"]
    assert "can't be separated from the systems" in checks.notes[0].text


# Variants and plans.


def test_variants_are_boards_with_one_choice_changed():
    found = {one.changed: one for one in CHECKS.variants}
    assert list(found)[:3] == [
        "ties with their own parameter",
        "clusters by prompt and rater",
        "battles taken as independent",
    ]
    assert len(found) == 12
    tries = {
        "ties with their own parameter": (TABLE, {"ties": "davidson"}),
        "battles taken as independent": (TABLE, {"clusters": None}),
        "without rater '4'": (TABLE[TABLE["rater"] != 4], {}),
    }
    ours = {
        frozenset((row.system_a, row.system_b)): row.system_a if row.difference > 0 else row.system_b
        for row in BOARD.pairs_frame().itertuples()
        if row.significant
    }
    for name, (table, settings) in tries.items():
        other = ns.rank_preferences(table, **{"clusters": "prompt", **settings})
        theirs = {
            frozenset((row.system_a, row.system_b)): row.system_a if row.difference > 0 else row.system_b
            for row in other.pairs_frame().itertuples()
            if row.significant
        }
        unlike = sum(ours.get(pair) != theirs.get(pair) for pair in {*ours, *theirs})
        one = found[name]
        assert (one.top_group, one.differ, one.otherwise) == (other.top_group, len(theirs), unlike)


def test_a_variant_that_cannot_be_computed_says_why():
    battles = {
        "model_a": ["u", "u", "v", "w", "u"] * 3,
        "model_b": ["v", "v", "w", "v", "w"] * 3,
        "winner": ["a", "b", "a", "a", "tie"] * 3,
        "judge": ["x", "x", "y", "x", "x"] * 3,
    }
    checks = ns.check_preferences(battles, ns.rank_preferences(battles, clusters=None))
    assert "Strengths are infinite" in next(
        one.problem for one in checks.variants if one.changed == "without judge 'x'"
    )


@given(st.floats(0.1, 3), st.floats(0.01, 1), st.floats(1, 500), st.integers(10, 1_000), st.floats(1e-4, 0.2))
def test_so_many_battles_give_the_power_and_one_less_does_not(difference, error, freedom, number, level):
    one = (np.array([value]) for value in (difference, error, freedom))
    needed = float(battles_needed(*one, number, level)[0])
    z = stats.t.ppf(1 - level / 2, freedom)
    for many, enough in ((needed, True), (needed - 1, False)):
        power = stats.norm.cdf(difference / (error * np.sqrt(number / max(many, 1e-9))) - z)
        assert (power >= 0.8 - 1e-9) == enough or many == 0


def test_the_plan_leaves_out_what_is_separated():
    frame = CHECKS.plan_frame()
    board = BOARD.leaderboard_frame()["system"].tolist()
    assert frame["system_a"].tolist() + board[-1:] == board
    pairs = {
        frozenset((row.system_a, row.system_b)): row.significant for row in BOARD.pairs_frame().itertuples()
    }
    for row in frame.itertuples():
        assert (row.battles_needed == 0) == pairs[frozenset((row.system_a, row.system_b))]
        assert row.battles_needed == 0 or row.battles_needed > 300


@pytest.mark.parametrize("ties", ["half", "davidson"])
def test_the_next_pair_shrinks_open_variances_most(ties):
    fit = fitted(BATTLES, ties)
    order = np.argsort(-fit.strengths, kind="stable")
    open_ = np.array([True, False, True, True, False])
    m = BATTLES.n_systems
    weight = {
        pair: fit.model.slope(fit.parameters, *map(np.atleast_1d, pair))[0][0]
        for pair in itertools.combinations(range(m), 2)
    }
    contrasts = []
    for place in np.flatnonzero(open_):
        contrast = np.zeros(fit.parameters.size)
        contrast[order[place]], contrast[order[place + 1]] = 1, -1
        contrasts.append(contrast)

    def gain(pair):
        one = np.zeros(fit.parameters.size)
        one[list(pair)] = 1, -1
        before = np.linalg.inv(fit.information)
        after = np.linalg.inv(fit.information + weight[pair] * np.outer(one, one))
        return sum(1 - (c @ after @ c) / (c @ before @ c) for c in contrasts)

    assert next_pair(fit, order, open_) == max(weight, key=gain)
    assert next_pair(fit, order, np.zeros(5, dtype=bool)) is None


# max-T, letters and what else a board holds.


def drawn_by_signs(board, fit, many):
    """|t| of draws, shape (many, n_pairs): every prompt's term under a difference of 0 changes its sign."""
    rng = np.random.default_rng(5)
    codes, number = BATTLES.clusters("prompt")
    p = 1 / (1 + np.exp(fit.strengths[BATTLES.right] - fit.strengths[BATTLES.left]))
    residual, weight = (1 + BATTLES.outcome) / 2 - p, p * (1 - p)
    scores, held = np.zeros((number, 6)), np.zeros((number, 6))
    for battle, c in enumerate(codes):
        for sign, system in ((1, BATTLES.left[battle]), (-1, BATTLES.right[battle])):
            scores[c, system] += sign * residual[battle]
            held[c, system] += weight[battle]
    held /= held.sum(axis=0) ** 2
    signs = rng.choice([-1.0, 1.0], (many, number))
    found = np.empty((many, 15))
    for row, (a, b) in enumerate(zip(board.left, board.right, strict=True)):
        share = (held[:, a] + held[:, b]) / (held[:, a] + held[:, b]).sum()
        inverse = np.linalg.inv(fit.information)
        terms = signs * (scores @ (inverse[a] - inverse[b]) + share * board.difference[row])
        total = terms.sum(axis=1)
        left_over = terms - np.outer(total, share)
        found[:, row] = np.abs(total) / np.sqrt(number / (number - 1) * (left_over**2).sum(axis=1))
    return found


def drawn_by_wishart(board, fit, many, freedom):
    """|t| of normal strengths over errors of their own, one set a draw."""
    rng = np.random.default_rng(6)
    matrix = covariance(fit, BATTLES, ("prompt", "rater"))[0]
    found = np.empty((many, 15))
    for draw in range(many):
        rows = rng.multivariate_normal(np.zeros(6), matrix, freedom + 1)
        apart = rows[:, board.left] - rows[:, board.right]
        found[draw] = np.abs(apart[0]) / np.sqrt((apart[1:] ** 2).mean(axis=0))
    return found


@pytest.mark.parametrize("clusters", ["prompt", ("prompt", "rater")])
def test_max_t_is_the_step_down_maximum_of_studentised_draws(clusters):
    board = ns.rank_preferences(TABLE, clusters=clusters, correction="max-t")
    fit = fitted(BATTLES, "half")
    many = 10_000
    if clusters == "prompt":
        shrink = board.difference_error / board.pair_adjusted_error
        t, freedom = drawn_by_signs(board, fit, many) * shrink, board.pair_freedom
    else:
        freedom = int(board.pair_freedom.min())
        t = drawn_by_wishart(board, fit, many, freedom)
    normal = stats.norm.isf(stats.t.sf(t, freedom))
    observed = stats.norm.isf(board.p_value / 2)
    order = np.argsort(-observed)
    expected = np.empty(15)
    for place, row in enumerate(order):
        expected[row] = (normal[:, order[place:]].max(axis=1) >= observed[row]).mean()
    for last, row in itertools.pairwise(order):
        expected[row] = max(expected[row], expected[last])
    expected = np.maximum(expected, board.p_value)
    error = np.sqrt(expected * (1 - expected) * (1 / many + 1e-4)) + 1e-3
    assert (np.abs(board.p_adjusted - expected) < 4.5 * error).all()
    assert (board.p_adjusted >= board.p_value).all()
    again = ns.rank_preferences(TABLE, clusters=clusters, correction="max-t")
    assert again.p_adjusted.tolist() == board.p_adjusted.tolist()


def test_max_t_of_many_clusters_is_drawn_from_their_covariance():
    """With 200 degrees of freedom and more."""
    table = pd.concat([TABLE] * 6).sample(frac=1, random_state=1).reset_index(drop=True)
    table["winner"] = table["winner"].sample(frac=1, random_state=2).to_numpy()
    board = ns.rank_preferences(table, clusters=None, correction="max-t")
    assert board.pair_freedom.min() >= 200
    fit = fitted(as_battles(table), "half")
    matrix, _ = covariance(fit, as_battles(table), None)
    rng = np.random.default_rng(3)
    drawn = rng.multivariate_normal(np.zeros(6), matrix, 20_000)
    most = np.abs((drawn[:, board.left] - drawn[:, board.right]) / board.difference_error).max(axis=1)
    observed = np.abs(board.difference / board.difference_error)
    best = int(observed.argmax())
    assert board.p_adjusted[best] == pytest.approx((most >= observed[best]).mean(), abs=0.02)


def test_clusters_beyond_those_with_signs_are_merged():
    from nlpstat_core.methods.preferences.max_t import MOST_SIGNS, signs_of

    fit = fitted(BATTLES, "half")
    whole = signs_of(fit, BATTLES, np.arange(300) // 2, 150)
    big = as_battles(pd.concat([TABLE] * 4).assign(own=np.arange(1200)))
    merged = signs_of(fitted(big, "half"), big, np.arange(1200), 1200)
    assert (whole.number, merged.number) == (150, MOST_SIGNS)
    assert merged.scores.sum(axis=0) == pytest.approx(np.zeros(6), abs=1e-8)
    assert merged.held.sum(axis=0) == pytest.approx(whole.held.sum(axis=0) / 4)


def test_letters_and_shares_follow_from_pairs_and_strengths():
    names = dict(zip(BOARD.systems, BOARD.letters, strict=True))
    for row in BOARD.pairs_frame().itertuples():
        shared = set(names[row.system_a]) & set(names[row.system_b])
        assert bool(shared) != row.significant
        a, b = (BOARD.systems.index(name) for name in (row.system_a, row.system_b))
        assert BOARD.share[a, b] == pytest.approx(1 / (1 + np.exp(-row.difference)))
        assert BOARD.share[b, a] == pytest.approx(1 - BOARD.share[a, b])
    assert np.isnan(np.diag(BOARD.share)).all()
    place = BOARD.rows_of(BOARD.right, BOARD.left)
    assert place.tolist() == list(range(15))


def test_shares_of_davidson_count_half_of_a_tie():
    board = ns.rank_preferences(TABLE, ties="davidson")
    fit = fitted(BATTLES, "davidson")
    d = fit.strengths[0] - fit.strengths[1]
    parts = np.exp([d / 2, fit.parameters[-1], -d / 2])
    assert board.share[0, 1] == pytest.approx((parts[0] + parts[1] / 2) / parts.sum())


def test_some_battles_keep_their_systems_and_labels():
    kept = BATTLES.take((BATTLES.left != 0) & (BATTLES.right != 0))
    assert kept.systems == BATTLES.systems[1:]
    again = as_battles(
        TABLE[(TABLE["model_a"] != BATTLES.systems[0]) & (TABLE["model_b"] != BATTLES.systems[0])]
    )
    assert ns.bradley_terry_strengths(kept) == pytest.approx(ns.bradley_terry_strengths(again))
    assert kept.clusters("prompt")[1] == again.clusters("prompt")[1]
    with pytest.raises(ns.ScoreError, match="no battle"):
        BATTLES.take(np.zeros(300, dtype=bool))


def test_checks_are_plain_data():
    data = json.loads(json.dumps(CHECKS.to_dict()))
    assert len(data["pairs"]) == 15
    assert data["next_pair"] == list(CHECKS.next_pair)
    assert data["variants"][0]["problem"] is None
    with pytest.raises(ns.ScoreError, match="not the battles of the board"):
        ns.check_preferences(TABLE.head(200), BOARD)


# Elo, as a picture.


def test_elo_walks_through_time_and_no_further():
    from nlpstat_core.methods.preferences.elo import elo_paths

    table = TABLE.assign(time=np.random.default_rng(2).permutation(300))
    paths = elo_paths(as_battles(table), ["bee", "fox"])
    rating = dict.fromkeys(BATTLES.systems, 1000.0)
    for battle in table.sort_values("time").itertuples():
        a, b = battle.model_a, battle.model_b
        points = {"model_a": 1.0, "model_b": 0.0, "tie": 0.5}[battle.winner]
        moved = 4 * (points - 1 / (1 + 10 ** ((rating[b] - rating[a]) / 400)))
        rating[a], rating[b] = rating[a] + moved, rating[b] - moved
    assert (paths.by, paths.left_out, paths.after[0], paths.after[-1]) == ("time", 0, 0, 300)
    assert paths.ratings[0].tolist() == [1000.0, 1000.0]
    assert paths.ratings[-1] == pytest.approx([rating["bee"], rating["fox"]])
    assert not np.allclose(paths.shuffled, paths.ratings[-1])
    words = table.assign(time=pd.to_datetime(table["time"], unit="D", origin="2024-01-01").astype(str))
    again = elo_paths(as_battles(words), ["bee", "fox"])
    assert again.ratings[-1] == pytest.approx(paths.ratings[-1])
    assert elo_paths(BATTLES, ["bee"]).by == ""


@pytest.mark.parametrize("seed", range(12))
def test_what_is_not_separated_never_needs_fewer_battles_than_there_are(seed):
    """With five clusters errors are uncertain: a plan by the normal law found too much."""
    rng = np.random.default_rng(seed)
    left = rng.integers(0, 4, 200)
    right = (left + rng.integers(1, 4, 200)) % 4
    won = rng.random(200) < 1 / (1 + np.exp(0.4 * (left - right)))
    names = np.array(list("uvwx"))
    battles = {
        **{"model_a": names[left], "model_b": names[right], "winner": np.where(won, "a", "b")},
        "rater": rng.integers(0, 5, 200),
    }
    board = ns.rank_preferences(battles, clusters="rater")
    frame = ns.check_preferences(battles, board, variants=False).plan_frame()
    rows = board.rows_of(board.order[:-1], board.order[1:])
    needed = frame["battles_needed"].to_numpy()
    assert (needed[board.significant[rows]] == 0).all()
    assert (needed[~board.significant[rows]] > 200).all()
    gate = ns.preference_gate(battles, baseline="u", margin=0.1, clusters="rater")
    assert all(one.battles_to_decide is None or one.battles_to_decide > 200 for one in gate.candidates)


def test_ties_alone_say_nothing_of_order():
    battles = [("u", "v", "tie"), ("v", "u", "tie"), ("v", "w", "tie")] * 4
    checks = ns.check_preferences(battles, ns.rank_preferences(battles))
    assert [(note.code, note.text.split(":")[0]) for note in checks.notes] == [
        ("order-unknown", "All battles are ties")
    ]
    assert checks.effects == ()


def test_an_effect_without_a_test_is_not_called_absent():
    effect = BattleEffect(
        name="shown first", coefficient=0.2, error=np.nan, lower=np.nan, upper=np.nan, p_value=np.nan
    )
    assert effect_sentence(effect, 0.05).endswith(
        "(p undefined): these clusters can't show whether there is an effect."
    )
