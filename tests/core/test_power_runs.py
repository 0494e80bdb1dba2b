"""Power over items and runs: against simulated tables, closed forms, and the plans and curves made of it."""

from __future__ import annotations

import json

import numpy as np
import pytest
from core.oracles_runs import simulated
from core.test_crossed_t import batch_of
from scipy import stats

import nlpstat_core as ns
from nlpstat_core.cli import main
from nlpstat_core.power import plan_runs
from nlpstat_core.power.crossed import CrossedDesign, crossed_power, design_of, even_draws, random_draws
from nlpstat_core.scores.runs import Runs

SPREAD = {"sd_items": 0.3, "sd_runs": 0.02, "sd_residual": 0.2}


def design(n, n_runs, *, interaction=0.3, runs=0.2, residual=0.5):
    return CrossedDesign(
        interaction=2 * interaction**2,
        runs=(runs**2, runs**2),
        residual=(residual**2, residual**2),
        n_units=n,
        n_runs=n_runs,
    )


@pytest.mark.parametrize(
    ("n", "n_runs", "difference"), [(30, (3, 3), 0.6), (60, (2, 5), 0.4), (12, (4, 4), 0.0)]
)
def test_the_share_of_simulated_tables_that_are_rejected(n, n_runs, difference):
    """Whole tables are drawn and tested, which the power itself never does."""
    rng, many = np.random.default_rng([n, *n_runs]), 1000
    rejected = 0
    for _ in range(many):
        a, b = simulated(rng, n, n_runs, effects=(1.0, 0.3, 0.2, 0.5), difference=difference)
        rejected += ns.crossed_t_p_value(a, b) <= 0.05
    power, _ = crossed_power(design(n, n_runs), difference, 0.05, "two-sided", even_draws())
    assert rejected / many == pytest.approx(power, abs=3.5 * np.sqrt(0.25 / many) + 0.004)


def test_without_runs_and_residuals_it_is_the_paired_t_test():
    found, _ = crossed_power(design(20, (2, 2), runs=0, residual=0), 0.3, 0.05, "two-sided", even_draws())
    shift = 0.3 / (0.3 * np.sqrt(2)) * np.sqrt(20)
    limit = stats.t.ppf(0.975, 19)
    exact = stats.nct.sf(limit, 19, shift) + stats.nct.cdf(-limit, 19, shift)
    assert found == pytest.approx(exact, abs=0.003)


def test_the_level_in_the_32_designs():
    """No run effect, a small and a large one, with and without items × systems: the true level of the test.

    The worst is n = 1,000 with two runs: 6.1 % (a million draws say 6.11 ± 0.02).
    """
    kinds = ((0.0, 1.0), (0.1, 0.0), (0.1, 1.0), (0.5, 1.0))
    levels = []
    for n in (100, 1000):
        for n_runs in (2, 3, 5, 10):
            for place, (runs, interaction) in enumerate(kinds):
                made = design(n, (n_runs, n_runs), interaction=interaction, runs=runs, residual=1.0)
                draws = random_draws(place, n_runs, 16_000)
                levels.append(crossed_power(made, 0.0, 0.05, "two-sided", draws)[0])
    assert len(levels) == 32
    assert min(levels) > 0.025
    assert max(levels) < 0.0635
    assert sorted(levels)[-2] < 0.0605


def test_the_draws_lie_evenly():
    draws = even_draws()
    assert draws.shape == (5, 4096)
    for row in draws:
        assert stats.kstest(row, "uniform").statistic < 0.003
    assert np.abs(np.corrcoef(draws) - np.eye(5)).max() < 0.02


def test_each_of_the_five_numbers_from_the_other_four():
    plan = plan_runs(runs=5, difference=0.06, power=0.8, alpha=0.05, **SPREAD)
    assert plan.solved == "units"
    assert plan.power >= 0.8
    fewer = plan_runs(runs=5, difference=0.06, units=plan.units - 1, alpha=0.05, **SPREAD)
    assert fewer.power < 0.8
    assert plan_runs(units=plan.units, difference=0.06, power=0.8, alpha=0.05, **SPREAD).runs == 5
    found = plan_runs(units=400, runs=4, power=0.9, alpha=0.01, alternative="greater", **SPREAD)
    again = plan_runs(
        units=400, runs=4, difference=found.difference, alpha=0.01, alternative="greater", **SPREAD
    )
    assert again.power == pytest.approx(0.9, abs=1e-6)
    less = plan_runs(units=400, runs=4, power=0.9, alpha=0.01, alternative="less", **SPREAD)
    assert less.difference == pytest.approx(-found.difference)
    level = plan_runs(
        units=400, runs=4, power=0.9, difference=found.difference, alternative="greater", **SPREAD
    )
    assert level.alpha == pytest.approx(0.01, rel=1e-5)
    corrected = plan_runs(
        units=400, runs=4, power=0.9, alpha=0.05, correction="holm", comparisons=10, **SPREAD
    )
    assert corrected.comparison_alpha == pytest.approx(0.005)


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ({"runs": 2, "difference": 0.01, "power": 0.8, "alpha": 0.05}, "runs differ too much"),
        ({"units": 5, "difference": 0.01, "power": 0.8, "alpha": 0.05}, "items differ too much"),
        ({"units": 5, "difference": 0.01, "power": 0.8}, "Give four of"),
        ({"units": 5, "runs": 3, "difference": 0.01, "power": 0.8, "alpha": 0.05}, "All five"),
        ({"runs": 1, "difference": 0.01, "power": 0.8, "alpha": 0.05}, "runs must be a whole number"),
        ({"runs": 3, "difference": 0.0, "power": 0.8, "alpha": 0.05}, "nothing to find"),
        ({"runs": 3, "difference": float("nan"), "power": 0.8, "alpha": 0.05}, "finite"),
        ({"runs": 3, "units": 9, "power": 1.0, "alpha": 0.05}, "power must be"),
        ({"runs": 3, "units": 9, "power": 0.01, "alpha": 0.05}, "not above the level"),
        ({"runs": 3, "units": 9, "power": 0.8, "alpha": 2.0}, "alpha must be"),
    ],
)
def test_plans_that_no_number_fits(asked, said):
    with pytest.raises(ns.ConfigError, match=said):
        plan_runs(**asked, **SPREAD)
    with pytest.raises(ns.ConfigError, match="sd_runs must be"):
        plan_runs(units=9, runs=3, power=0.8, alpha=0.05, sd_items=1, sd_runs=-1, sd_residual=1)
    with pytest.raises(ns.ConfigError, match="nothing varies"):
        plan_runs(units=9, runs=3, power=0.8, alpha=0.05, sd_items=0, sd_runs=0, sd_residual=0)


def board(n=40, n_runs=3, **more):
    rng = np.random.default_rng(8)
    tables = simulated(rng, n, (n_runs, n_runs), difference=0.6)
    names = (tuple(map(str, range(n_runs))),) * 2
    runs = Runs(values=tuple(tables), names=names)
    return ns.ScoreMatrix(values=runs.means, systems="AB", runs=runs, **more)


def test_a_curve_over_items_for_any_number_of_runs():
    scores = board()
    curve = ns.power_curve(scores, "A", "B", sizes=[5, 10, 40], iterations=500)
    assert (curve.test, curve.n_runs, curve.model) == ("crossed-t", (3, 3), "normal")
    assert np.all(np.diff(curve.power) > 0)
    assert np.all((curve.lower <= curve.power) & (curve.power <= curve.upper))
    more = ns.power_curve(scores, "A", "B", sizes=[5, 10, 40], n_runs=12, iterations=500)
    assert np.all(more.power > curve.power)
    swapped = ns.power_curve(scores, "B", "A", sizes=[5, 10, 40], iterations=500)
    assert swapped.power == pytest.approx(curve.power, abs=0.03)
    assert swapped.difference == pytest.approx(-curve.difference)
    one = design_of(batch_of([scores.runs.values[0], scores.runs.values[1]]))
    parts = ns.analyse(scores).variation().pair("A", "B")
    assert one.interaction == pytest.approx(parts.interaction)
    assert sum(one.runs) == pytest.approx(parts.runs)
    assert one.error == pytest.approx(parts.now)


def test_curves_of_documents_and_what_is_refused():
    scores = board(labels={"doc": [str(i // 4) for i in range(40)]})
    curve = ns.power_curve(scores, "A", "B", sizes=[20, 80], block_column="doc", iterations=300)
    assert curve.documents.tolist() == [5, 20]
    with pytest.raises(ns.ConfigError, match="n_runs must be"):
        ns.power_curve(scores, "A", "B", n_runs=1)
    with pytest.raises(ns.ConfigError, match="n_runs is for"):
        ns.power_curve(scores, "A", "B", runs="samples", n_runs=3)
    with pytest.raises(ns.AnalysisError, match="no test over items"):
        ns.power_curve(scores, "A", "B", test="sign")
    lone = ns.ScoreMatrix(values=[[1, 2], [3, 5], [2, 2]], systems="AB")
    with pytest.raises(ns.ConfigError, match="n_runs is for"):
        ns.power_curve(lone, "A", "B", n_runs=3)


def test_the_command_line_plans_and_draws_over_both(tmp_path, capsys):
    spread = "--sd-items 0.3 --sd-runs 0.02 --sd-residual 0.2"
    assert main(f"power plan --n-runs 5 --delta 0.06 --power 0.8 {spread} --json -".split()) == 0
    found = json.loads(capsys.readouterr().out)
    plan = plan_runs(runs=5, difference=0.06, power=0.8, alpha=0.05, **SPREAD)
    assert (found["units"], found["solved"]) == (plan.units, "units")
    assert main(f"power plan --units 900 --delta 0.06 --power 0.8 {spread}".split()) == 0
    assert "runs per system with 900 test items are needed" in capsys.readouterr().out
    for bad in (
        f"--n-runs 5 --delta 0.06 --power 0.8 {spread} --sd 1",
        "--n-runs 5 --delta 0.06 --power 0.8 --sd-items 1",
        "--test t --n-runs 5 --delta 0.06 --sd 1 --power 0.8",
        f"--n-runs x --delta 0.06 --power 0.8 {spread}",
        f"--n-runs 5 --delta 0.06 --power 0.8 --alpha 7 {spread}",
    ):
        assert main(["power", "plan", *bad.split()]) == 2
        out, text = capsys.readouterr()
        assert (out, text.count("\n")) == ("", 1), bad
    rows = ["system,item,seed,score"]
    scores = board()
    for place, system in enumerate("AB"):
        table = scores.runs.values[place]
        rows += [f"{system},{i},{r},{table[i, r]:.6f}" for i in range(40) for r in range(3)]
    (tmp_path / "runs.csv").write_text("\n".join(rows))
    asked = ["power", "curve", str(tmp_path / "runs.csv"), "A", "B", "--points", "3", "--iterations", "100"]
    assert main([*asked, "--n-runs", "3,6"]) == 0
    text = capsys.readouterr().out
    assert "(3 runs per system)" in text
    assert "(6 runs per system)" in text
    assert main([*asked, "--json", "-"]) == 0
    assert json.loads(capsys.readouterr().out)["n_runs"] == [3, 3]
    assert main([*asked, "--n-runs", "1"]) == 2
