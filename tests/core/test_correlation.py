"""Correlations and agreement with people: R's psych, SciPy, and slow oracles written from the definitions."""

import itertools
import json
import math

import numpy as np
import pytest
from golden.golden import agree, load
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose
from scipy import stats

from nlpstat_core import NlpstatError
from nlpstat_core.cli import main
from nlpstat_core.methods.correlation.acc_eq import acc_eq
from nlpstat_core.methods.correlation.by_item import kendall_by_item, pearson_by_item, spearman_by_item
from nlpstat_core.methods.correlation.columns import Exchanged
from nlpstat_core.methods.correlation.fisher_z import fisher_z
from nlpstat_core.methods.correlation.kendall import kendall
from nlpstat_core.methods.correlation.pairwise_accuracy import pairwise_accuracy
from nlpstat_core.methods.correlation.pearson import pearson
from nlpstat_core.methods.correlation.perm_both import perm_both, standardised
from nlpstat_core.methods.correlation.perm_items import exchanged_confidence, exchanged_means
from nlpstat_core.methods.correlation.permutation import permuted_correlation
from nlpstat_core.methods.correlation.soft_accuracy import confidence, soft_accuracy
from nlpstat_core.methods.correlation.spearman import spearman
from nlpstat_core.methods.correlation.steiger import steiger
from nlpstat_core.methods.correlation.system_statistics import complete_statistics, system_statistics
from nlpstat_core.methods.correlation.williams import williams

RNG = np.random.default_rng(4)
NAN = math.nan


@pytest.mark.parametrize("golden", load("correlation", "williams"), ids=str)
def test_williams_as_in_r(golden):
    o = golden.options
    found = williams(o["r12"], o["r13"], o["r23"], int(o["n"]))
    agree(golden, statistic=found.statistic, p_value=found.p_value)


@pytest.mark.parametrize("golden", load("correlation", "steiger-shared"), ids=str)
def test_steiger_with_a_shared_variable_as_in_r(golden):
    o = golden.options
    found = steiger(o["r12"], o["r13"], r13=1.0, r14=o["r13"], r23=o["r12"], r24=o["r23"], n=int(o["n"]))
    agree(golden, statistic=found.statistic, p_value=found.p_value)


@pytest.mark.parametrize("golden", load("correlation", "steiger-apart"), ids=str)
def test_steiger_as_in_r(golden):
    o = dict(golden.options)
    found = steiger(o.pop("r12"), o.pop("r34"), n=int(o.pop("n")), **o)
    agree(golden, statistic=found.statistic, p_value=found.p_value)


@pytest.mark.parametrize("golden", load("correlation", "r.con"), ids=str)
def test_fisher_interval_as_in_r(golden):
    found = fisher_z(golden.options["r12"], int(golden.options["n"]))
    agree(golden, lower=found.lower, upper=found.upper)


def test_undefined_is_nan():
    assert math.isnan(williams(NAN, 0.3, 0.2, 10).p_value)
    assert math.isnan(steiger(0.3, 0.2, r13=1, r14=0.2, r23=0.3, r24=0.1, n=3).p_value)
    assert math.isnan(fisher_z(0.4, 3).p_value)
    assert math.isnan(permuted_correlation(np.ones(6), np.arange(6.0)).p_value)
    with pytest.raises(NlpstatError, match="between"):
        fisher_z(1.4, 20)


def test_correlations_that_no_data_have_are_refused():
    for refused in (
        lambda: williams(0.9, -0.9, 0.9, 20),
        lambda: williams(0.9, 0.9, -0.9, 20),
        lambda: steiger(0.9, 0.9, r13=0.9, r14=-0.9, r23=0.9, r24=0.9, n=20),
    ):
        with pytest.raises(NlpstatError, match="No data can have these correlations together"):
            refused()
    assert williams(0.95, 0.95, 0.80, 20).p_value == 1.0  # 0.949 and 0.947 beside 0.8 are possible: rounded


def test_equal_metrics_do_not_differ():
    assert williams(0.6, 0.6, 1.0, 20).p_value == 1.0
    assert steiger(0.6, 0.6, r13=1, r14=0.6, r23=0.6, r24=1.0, n=20).p_value == 1.0


columns_of_ties = st.lists(
    st.tuples(*[st.one_of(st.just(NAN), st.integers(-3, 3).map(float))] * 2), min_size=2, max_size=25
)


@given(columns_of_ties)
def test_columns_are_those_of_scipy(rows):
    x, y = np.array(rows).T
    there = ~np.isnan(x + y)
    u, v = x[there], y[there]
    usable = u.size > 1 and np.ptp(u) > 0 and np.ptp(v) > 0
    for ours, theirs in ((pearson, stats.pearsonr), (spearman, stats.spearmanr), (kendall, stats.kendalltau)):
        wanted = theirs(u, v).statistic if usable else NAN
        assert ours(x[:, None], y)[0] == pytest.approx(wanted, abs=1e-12, nan_ok=True)


def test_permutation_counts_every_pairing():
    x, y = RNG.normal(size=6), RNG.integers(0, 3, 6).astype(float)
    for key, scipys in (
        ("pearson", stats.pearsonr),
        ("spearman", stats.spearmanr),
        ("kendall", stats.kendalltau),
    ):
        own = scipys(x, y).statistic
        drawn = np.array([scipys(np.array(order), y).statistic for order in itertools.permutations(x)])
        found = permuted_correlation(x, y, statistic=key)
        assert found.p_value == pytest.approx(np.mean(np.abs(drawn) >= abs(own) - 1e-12), abs=1e-12)
        assert found.exact


def test_drawn_pairings_agree_with_student():
    x = RNG.normal(size=60)
    y = 0.25 * x + RNG.normal(size=60)
    p = stats.pearsonr(x, y).pvalue
    assert permuted_correlation(x, y).p_value == pytest.approx(p, abs=4 * math.sqrt(p / 10_000) + 0.003)


def slow_accuracy(x, y):
    pairs = list(itertools.combinations(range(len(x)), 2))
    return np.mean([np.sign(x[a] - x[b]) == np.sign(y[a] - y[b]) for a, b in pairs])


@given(st.lists(st.tuples(st.integers(-2, 2), st.integers(-2, 2)), min_size=2, max_size=8))
def test_system_statistics_from_their_definitions(rows):
    x, y = np.array(rows, dtype=float).T
    assert pairwise_accuracy(x[:, None], y)[0] == pytest.approx(slow_accuracy(x, y))
    usable = np.ptp(x) > 0 and np.ptp(y) > 0
    wanted = {
        "system-accuracy": slow_accuracy(x, y),
        "system-pearson": stats.pearsonr(x, y).statistic if usable else NAN,
        "system-spearman": stats.spearmanr(x, y).statistic if usable else NAN,
        "system-kendall": stats.kendalltau(x, y).statistic if usable else NAN,
    }
    for found in (system_statistics(x, y), complete_statistics(x, y)):
        for key, value in wanted.items():
            assert float(found[key]) == pytest.approx(value, abs=1e-6, nan_ok=True), key


def test_confidence_counts_all_flips():
    scores = np.round(RNG.normal(size=(9, 3)), 1)
    scores[0, 0] = NAN
    for pair, (a, b) in enumerate(itertools.combinations(range(3), 2)):
        z = scores[:, a] - scores[:, b]
        z = z[~np.isnan(z)]
        sums = np.array([np.dot(s, z) for s in itertools.product((-1, 1), repeat=z.size)])
        wanted = np.mean(sums > z.sum() + 1e-9) + np.mean(np.abs(sums - z.sum()) <= 1e-9) / 2
        assert confidence(scores, 1)[pair] == pytest.approx(wanted, abs=1e-12)


def test_confidence_within_the_error_of_a_thousand_flips():
    """As in the reference implementation, which draws them."""
    human = RNG.normal(size=(150, 5)) + np.arange(5) / 12
    metric = human + RNG.normal(size=human.shape)

    def drawn(scores):
        signs = RNG.choice([-1, 1], size=(4_000, 150))
        pairs = itertools.combinations(range(5), 2)
        differences = [scores[:, a] - scores[:, b] for a, b in pairs]
        return np.array([np.mean(signs @ z >= z.sum()) for z in differences])

    exact = soft_accuracy(confidence(metric)[:, None], confidence(human))[0]
    assert exact == pytest.approx(1 - np.mean(np.abs(drawn(metric) - drawn(human))), abs=0.012)


def test_a_metric_equal_to_people_has_soft_accuracy_1_and_a_constant_one_half_confidence():
    human = RNG.normal(size=(30, 4))
    assert soft_accuracy(confidence(human)[:, None], confidence(human))[0] == 1.0
    assert_allclose(confidence(np.ones((30, 4))), 0.5)


def slow_acc_eq(metric, human):
    gaps = {0.0}
    for row in metric:
        gaps |= {abs(a - b) for a, b in itertools.combinations(row, 2) if not math.isnan(a - b)}
    best = -1.0
    for threshold in sorted(gaps):
        rows = []
        for m, h in zip(metric, human, strict=True):
            right = [
                (0 if abs(m[a] - m[b]) <= threshold + 1e-12 else np.sign(m[a] - m[b])) == np.sign(h[a] - h[b])
                for a, b in itertools.combinations(range(len(m)), 2)
                if not math.isnan(m[a] - m[b])
            ]
            if right:
                rows.append(np.mean(right))
        best = max(best, float(np.mean(rows)))
    return best


@pytest.mark.parametrize("seed", range(8))
def test_acc_eq_from_its_definition(seed):
    rng = np.random.default_rng(seed)
    human = rng.integers(-3, 1, (9, 4)).astype(float)
    metric = np.round(human + rng.normal(size=human.shape), seed % 3)
    if seed % 2:
        gone = rng.random(human.shape) < 0.2
        human[gone] = metric[gone] = NAN
    assert acc_eq(metric, human).accuracy == pytest.approx(slow_acc_eq(metric, human), abs=1e-12)


def test_by_item_is_scipy_row_by_row():
    human = RNG.integers(0, 3, (40, 5)).astype(float)
    metric = np.round(human + RNG.normal(size=human.shape), 0)
    gone = RNG.random(human.shape) < 0.15
    human[gone] = metric[gone] = NAN
    for ours, theirs in (
        (pearson_by_item, stats.pearsonr),
        (spearman_by_item, stats.spearmanr),
        (kendall_by_item, stats.kendalltau),
    ):
        for found, m, h in zip(ours(metric, human), metric, human, strict=True):
            there = ~np.isnan(m)
            u, v = m[there], h[there]
            usable = u.size > 1 and np.ptp(u) > 0 and np.ptp(v) > 0
            assert found == pytest.approx(theirs(u, v).statistic if usable else NAN, abs=1e-12, nan_ok=True)


def slow_perm_both(x, y, human, statistic, resamples, rng):
    there = ~np.isnan(human)
    x, y = (np.where(there, standardised(side, there), NAN) for side in (x, y))
    observed = abs(statistic(x, human) - statistic(y, human))
    extreme = 0
    for _ in range(resamples):
        swap = rng.random(x.shape) < 0.5
        u, v = np.where(swap, y, x), np.where(swap, x, y)
        extreme += abs(statistic(u, human) - statistic(v, human)) >= observed - 1e-12
    return (extreme + 1) / (resamples + 1)


def signs_of_pairs(x):
    first, second = np.triu_indices(len(x), 1)
    return np.sign(x[first] - x[second])


def means(scores):
    return np.nanmean(scores, axis=0)


# Thousands of each are needed: SciPy's would spend their time on p-values.
SLOW = {
    "system-pearson": lambda m, h: np.corrcoef(means(m), means(h))[0, 1],
    "system-kendall": lambda m, h: np.mean(signs_of_pairs(means(m)) * signs_of_pairs(means(h))),
    "system-accuracy": lambda m, h: np.mean(signs_of_pairs(means(m)) == signs_of_pairs(means(h))),
    "segment-pearson": lambda m, h: np.corrcoef(m[~np.isnan(h)], h[~np.isnan(h)])[0, 1],
}


def test_perm_both_agrees_with_cells_exchanged_one_by_one():
    rng = np.random.default_rng(8)
    human = rng.normal(size=(25, 6)) + np.arange(6) / 4
    human[rng.random(human.shape) < 0.1] = NAN
    metrics = np.array([human + rng.normal(size=human.shape) * s for s in (0.9, 1.2)]) * [[[1.0]], [[50.0]]]
    found = perm_both(metrics, human, np.array([0]), np.array([1]), resamples=4_000)
    for key, statistic in SLOW.items():
        wanted = slow_perm_both(metrics[0], metrics[1], human, statistic, 1_500, rng)
        assert found[key].p_values()[0] == pytest.approx(wanted, abs=0.055), key


def test_perm_both_does_not_depend_on_other_metrics_or_scale():
    human = RNG.normal(size=(30, 5))
    metrics = human + RNG.normal(size=(4, 30, 5))
    every = perm_both(metrics, human, np.array([0, 2]), np.array([1, 3]), resamples=300)
    alone = perm_both(metrics[:2] * 7 + 3, human, np.array([1]), np.array([0]), resamples=300)
    for key in every:
        assert every[key].p_values()[0] == pytest.approx(alone[key].p_values()[0], abs=1e-12)


def test_equal_metrics_are_never_told_apart():
    human = RNG.normal(size=(30, 5))
    metric = human + RNG.normal(size=human.shape)
    both, a, b = np.array([metric, metric]), np.array([0]), np.array([1])
    for p in perm_both(both, human, a, b, resamples=200).values():
        assert p.p_values()[0] == p.adjusted()[0] == 1.0
    assert exchanged_confidence(both, human, confidence(human), a, b, resamples=200).p_values()[0] == 1.0
    assert exchanged_means(np.array([metric[:, 0], metric[:, 0]]), a, b).p_values()[0] == 1.0


def test_soft_accuracy_exchanged_item_by_item():
    rng = np.random.default_rng(11)
    human = rng.normal(size=(40, 4)) + np.arange(4) / 5
    metrics = human + rng.normal(size=(2, 40, 4)) * np.array([0.7, 1.6])[:, None, None]
    p_human = confidence(human)
    z = np.array([standardised(m, ~np.isnan(human)) for m in metrics])

    def soft(m):
        d = np.array([m[:, a] - m[:, b] for a, b in itertools.combinations(range(4), 2)])
        return 1 - np.mean(np.abs(stats.norm.sf(d.sum(axis=1) / np.sqrt((d**2).sum(axis=1))) - p_human))

    own, extreme = abs(soft(z[0]) - soft(z[1])), 0
    for _ in range(3_000):
        swap = rng.random((40, 1)) < 0.5
        extreme += abs(soft(np.where(swap, z[1], z[0])) - soft(np.where(swap, z[0], z[1]))) >= own - 1e-9
    found = exchanged_confidence(metrics, human, p_human, np.array([0]), np.array([1]), resamples=4_000)
    assert found.p_values()[0] == pytest.approx(extreme / 3_000, abs=0.04)


def test_adjusted_p_from_the_definition_of_step_down_maxima():
    rng = np.random.default_rng(2)
    drawn = np.abs(rng.normal(size=(4, 500))) * np.array([1, 5, 0.1, 2])[:, None]
    observed = np.array([2.5, 13.0, 0.02, 5.2])
    scaled = drawn / np.sqrt((drawn**2).mean(axis=1, keepdims=True))
    own = observed / np.sqrt((drawn**2).mean(axis=1))
    wanted, largest = np.empty(4), 0.0
    for place, pair in enumerate(np.argsort(-own)):
        left = np.argsort(-own)[place:]
        largest = max(largest, (1 + np.sum(scaled[left].max(axis=0) >= own[pair])) / 501)
        wanted[pair] = largest
    assert_allclose(Exchanged(observed, drawn, 0.0).adjusted(), wanted)


def test_means_over_items_exchanged_exactly():
    by_item = np.round(RNG.random((2, 10)), 2)
    z = by_item[0] - by_item[1]
    sums = [abs(np.dot(s, z)) for s in itertools.product((-1, 1), repeat=10)]
    found = exchanged_means(by_item, np.array([0]), np.array([1]), resamples=8_000).p_values()[0]
    assert found == pytest.approx(np.mean(np.array(sums) >= abs(z.sum()) - 1e-9), abs=0.02)


# The command line


def test_command_line_on_numbers(capsys):
    assert main(["correlate", "--r", "0.5", "--n", "28", "--json", "-"]) == 0
    found = json.loads(capsys.readouterr().out)["tests"][0]
    assert found["statistic"] == pytest.approx(np.arctanh(0.5) * 5)
    assert main(["correlate", "--r", ".4,.5,.1", "--n", "103", "--json", "-"]) == 0
    # R, psych: r.test(n = 103, r12 = .4, r13 = .5, r23 = .1)
    assert json.loads(capsys.readouterr().out)["tests"][0]["statistic"] == pytest.approx(-0.8913, abs=1e-4)
    assert main(["correlate", "--r", "1", "--n", "3"]) == 0
    assert "Undefined: too few" in capsys.readouterr().out


def test_command_line_on_files(tmp_path, capsys):
    rng = np.random.default_rng(5)
    people = rng.normal(size=(30, 6)) + np.arange(6) / 3
    metrics = {"human": people, "TER": -people + rng.normal(size=(30, 6)), "good": people * 2 + 1}
    lines = ["system,item,human,TER,good"]
    for i in range(30):
        lines += [f"s{j},u{i}," + ",".join(str(metrics[m][i, j]) for m in metrics) for j in range(6)]
    (tmp_path / "m.csv").write_text("\n".join(lines))
    (tmp_path / "w.csv").write_text("A,B,C\n" + "\n".join(",".join(map(str, row[:3])) for row in people))
    of = ["correlate", str(tmp_path / "m.csv"), "--json", "-", "--resamples", "200", "--of"]
    assert main([*of, "human,TER"]) == 0
    found = json.loads(capsys.readouterr().out)
    wanted = stats.pearsonr(people.mean(axis=0), -metrics["TER"].mean(axis=0))
    assert found["tests"][0]["estimate"] == pytest.approx(wanted.statistic)
    assert [test["test"] for test in found["tests"]] == ["fisher-z", "permutation-correlation"]
    assert "lower is better: 'TER'" in found["observations"]
    assert main([*of, "human,TER", "--over", "items", "--lower", "none"]) == 0
    found = json.loads(capsys.readouterr().out)["tests"][0]
    assert found["estimate"] == pytest.approx(
        stats.pearsonr(people.ravel(), metrics["TER"].ravel()).statistic
    )
    assert main([*of, "human,TER,good"]) == 0
    assert json.loads(capsys.readouterr().out)["tests"][0]["test"] == "williams"
    assert main(["correlate", str(tmp_path / "w.csv"), "--of", "A,B", "--statistic", "spearman"]) == 0
    assert "over 30 items" in capsys.readouterr().out
    for wrong in (
        ["--r", "2", "--n", "9"],
        ["--r", ".1,.2", "--n", "9"],
        ["--r", ".1"],
        [str(tmp_path / "m.csv"), "--of", "human"],
        [str(tmp_path / "m.csv"), "--of", "human,TERR"],
        [str(tmp_path / "m.csv"), "--of", "human,TER", "--over", "what"],
        [str(tmp_path / "m.csv"), "--of", "human,TER,good", "--alternative", "less"],
        [str(tmp_path / "w.csv"), "--of", "A,Q"],
        [str(tmp_path / "w.csv"), "--of", "A,B", "--statistic", "tau"],
    ):
        assert main(["correlate", *wrong]) == 2
        text = capsys.readouterr()
        assert text.out == ""
        assert len(text.err.splitlines()) == 1


def test_the_row_of_the_permutation_test_says_what_it_tests(tmp_path, capsys):
    """With --rho its p stood beside that of another hypothesis without a word."""
    file = tmp_path / "w.csv"
    scores = np.random.default_rng(1).normal(size=(30, 2))
    file.write_text("A,B\n" + "\n".join(f"{a},{a + b}" for a, b in scores))
    rows = {}
    for rho in ("0", "0.6"):
        assert main(["correlate", str(file), "--of", "A,B", "--resamples", "99", "--rho", rho]) == 0
        rows[rho] = next(line for line in capsys.readouterr().out.splitlines() if "Permutation" in line)
    assert "whatever --rho" not in rows["0"]
    assert "Permutation test of Pearson's r, of no association whatever --rho" in rows["0.6"]
