"""Planning: R's pwr and power.t.test, statsmodels, simulation, enumeration; round trips and refusals."""

import itertools
import warnings
from dataclasses import replace

import numpy as np
import pytest
from golden.golden import load
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from nlpstat_core.errors import ConfigError
from nlpstat_core.methods.significance import TESTS
from nlpstat_core.power import comparison_alpha, plan, required_units
from nlpstat_core.power.binomial import critical_counts, power_reaches, sign_power
from nlpstat_core.power.levels import detectable_noncentrality, t_power
from nlpstat_core.power.ranks import wilcoxon_power
from nlpstat_core.power.solving import smallest_units
from nlpstat_core.report.wording.power import plan_sentence

ALTERNATIVES = ("two-sided", "greater", "less")
QUICK = settings(max_examples=25, deadline=None)


def power_of_t(n, effect, alpha, alternative):
    return float(t_power(np.array([effect * np.sqrt(n)]), n - 1, alpha, alternative)[0])


@pytest.mark.parametrize(
    ("request_", "units"),
    [
        ({"effect": 0.2, "power": 0.8, "alpha": 0.05}, 199),
        ({"effect": 0.5}, 34),
        ({"effect": 0.5, "alternative": "greater"}, 27),
        ({"effect": -0.5, "alternative": "less"}, 27),
        ({"effect": 1.0}, 10),
        ({"effect": 1.5}, 6),
        ({"effect": 0.1, "power": 0.9, "alpha": 0.01}, 1492),
    ],
)
def test_check_numbers(request_, units):
    assert required_units(**request_) == units


@pytest.mark.parametrize("golden", load("power", "required-n"), ids=str)
def test_required_units_as_in_r(golden):
    options = golden.options
    found = required_units(options["effect"], options["power"], options["alpha"], golden.alternative)
    assert found == golden.values["n_required"]
    at = power_of_t(found, options["effect"], options["alpha"], golden.alternative)
    assert at == pytest.approx(golden.values["power_at_n"], rel=1e-9)


@pytest.mark.parametrize("golden", load("power", "power"), ids=str)
def test_power_as_in_r(golden):
    options = golden.options
    n = int(options["n"])
    if golden.case == "sign":
        power = sign_power(n, options["share"] - 0.5, options["alpha"], golden.alternative)
    else:
        power = power_of_t(n, options["effect"], options["alpha"], golden.alternative)
    assert power == pytest.approx(golden.values["power"], rel=1e-9, abs=1e-10)


@pytest.mark.parametrize("golden", load("power", "detectable"), ids=str)
def test_detectable_effect_as_in_r(golden):
    options = golden.options
    found = plan(
        units=int(options["n"]),
        power=options["power"],
        alpha=options["alpha"],
        alternative=golden.alternative,
    )
    assert found.effect == pytest.approx(golden.values["effect"], rel=1e-6)


def test_power_as_in_statsmodels():
    from statsmodels.stats.power import TTestPower

    words = {"two-sided": "two-sided", "greater": "larger", "less": "smaller"}
    for n, effect, alpha, alternative in itertools.product(
        (2, 5, 33, 400), (-0.4, 0.05, 0.3, 1.0), (0.05, 1e-4), ALTERNATIVES
    ):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            theirs = TTestPower().power(effect, n, alpha, alternative=words[alternative])
        if np.isfinite(theirs):
            assert power_of_t(n, effect, alpha, alternative) == pytest.approx(theirs, rel=1e-6, abs=1e-9)


@pytest.mark.parametrize(("n", "effect"), [(30, 8.0), (2001, 1.2), (50, 40.0), (3, 60.0)])
def test_power_where_the_usual_series_fails(n, effect):
    """SciPy's noncentral t is NaN or off there; the definition as an integral over s is not."""
    limit = stats.t.isf(0.025, n - 1)
    scale = np.sqrt(stats.chi2.ppf((np.arange(20_000) + 0.5) / 20_000, n - 1) / (n - 1))
    expected = stats.norm.sf(limit * scale - effect * np.sqrt(n)).mean()
    assert power_of_t(n, effect, 0.05, "two-sided") == pytest.approx(expected, abs=1e-4)
    assert power_of_t(n, -effect, 0.05, "two-sided") == power_of_t(n, effect, 0.05, "two-sided")


def test_power_of_t_by_simulation():
    rng = np.random.default_rng(0)
    for n, effect, alternative in ((6, 1.0, "two-sided"), (25, 0.5, "greater"), (25, -0.5, "less")):
        z = rng.normal(effect, 1, (n, 20_000))
        rejected = stats.ttest_1samp(z, 0, alternative=alternative).pvalue <= 0.05
        power = power_of_t(n, effect, 0.05, alternative)
        assert rejected.mean() == pytest.approx(power, abs=4 * np.sqrt(power * (1 - power) / 20_000))


@pytest.mark.parametrize("alternative", ALTERNATIVES)
def test_sign_power_is_the_enumeration(alternative):
    for n, win, alpha in itertools.product((1, 2, 5, 9, 14), (0.5, 0.7, 1.0, 0.2), (0.05, 0.2, 0.0625)):
        expected = sum(
            stats.binom.pmf(k, n, win)
            for k in range(n + 1)
            if stats.binomtest(k, n, alternative=alternative).pvalue <= alpha
        )
        assert sign_power(n, win - 0.5, alpha, alternative) == pytest.approx(expected, abs=1e-12)


def test_mcnemar_power_is_the_enumeration_of_all_tables():
    n, only_a, only_b, alpha = 12, 0.35, 0.15, 0.1
    expected = 0.0
    for b in range(n + 1):
        for c in range(n + 1 - b):
            if b + c and stats.binomtest(b, b + c).pvalue <= alpha:
                expected += stats.multinomial.pmf([b, c, n - b - c], n, [only_a, only_b, 1 - only_a - only_b])
    decided = only_a + only_b
    assert sign_power(n, only_a / decided - 0.5, alpha, decided=decided) == pytest.approx(expected, abs=1e-12)


def test_exact_power_never_exceeds_its_randomised_bound():
    for n in range(2, 80):
        for decided in (1.0, 0.4):
            real = sign_power(n, 0.15, 0.05, decided=decided)
            bound = sign_power(n, 0.15, 0.05, decided=decided, randomised=True)
            more = sign_power(n + 1, 0.15, 0.05, decided=decided, randomised=True)
            assert real <= bound + 1e-12 <= more + 2e-12


def test_the_first_number_after_which_power_never_drops_below_the_target():
    for effect, decided, alpha in ((0.1, 1.0, 0.05), (0.2, 0.5, 0.001), (0.3, 1.0, 0.05), (0.45, 0.2, 0.05)):
        found = required_units(effect, alpha=alpha, test="mcnemar", decided=decided)
        after = range(found, 2 * found + 100)
        assert min(sign_power(n, effect, alpha, decided=decided) for n in after) >= 0.8
        assert sign_power(found - 1, effect, alpha, decided=decided) < 0.8
    found = required_units(0.6, test="wilcoxon")
    assert (
        min(wilcoxon_power(n, 0.6, 0.05) for n in range(found, 80))
        >= 0.8
        > wilcoxon_power(found - 1, 0.6, 0.05)
    )


@pytest.mark.parametrize(("icc", "length", "documents"), [(0.0, 4, 30), (0.2, 5, 25), (0.5, 10, 12)])
def test_plans_in_documents_by_simulating_the_block_test(icc, length, documents):
    from core.oracles import board

    from nlpstat_core import AnalysisConfig

    design_effect = 1 + (length - 1) * icc
    found = plan(
        units=documents * length, effect=0.3, alpha=0.05, per_document=length, design_effect=design_effect
    )
    assert found.documents == documents
    assert found.design_effect == design_effect
    rng = np.random.default_rng(documents)
    z = np.repeat(rng.normal(size=(documents, 3_000)), length, axis=0) * np.sqrt(icc)
    z += rng.normal(size=z.shape) * np.sqrt(1 - icc) + 0.3
    batch = board(np.hstack([z, np.zeros((z.shape[0], 1))]))
    units = replace(batch.units, block_ids=np.repeat(np.arange(documents), length))
    batch = replace(batch, units=units).take(batch.right == 3_000)
    p = TESTS["block-t"].run(batch, AnalysisConfig(block_column="doc")).p_value
    assert np.mean(p <= 0.05) == pytest.approx(found.power, abs=0.03)


def test_a_plan_has_the_documents_that_its_tests_need():
    """Ten by the rule of the recommended test; more where ten signs don't reach the level of a family."""
    few = plan(effect=2.0, power=0.8, alpha=0.05, per_document=6)
    assert (few.documents, few.units, few.documents_for_power) == (10, 60, 3)
    assert "3 documents would have the power, but with fewer than 10 documents" in plan_sentence(few)
    for alternative in ("two-sided", "greater"):
        family = plan(
            effect=2.0,
            power=0.8,
            alpha=0.05,
            per_document=6,
            correction="bonferroni",
            comparisons=300,
            alternative=alternative,
        )
        least = 2.0 ** ((alternative == "two-sided") - np.arange(60))
        assert family.documents == int(np.argmax(least <= 0.05 / 300)) > 10
        assert "smallest p-value" in plan_sentence(family)
    asked = plan(units=30, effect=0.5, alpha=0.05, per_document=6)
    assert asked.documents == 5
    assert "Caution" in plan_sentence(asked)
    assert "Caution" not in plan_sentence(plan(units=60, effect=0.5, alpha=0.05, per_document=6))
    assert plan(effect=0.2, power=0.8, alpha=0.05).fewest_documents is None


def test_documents_cost_units():
    alone = required_units(0.2)
    few = plan(effect=0.2, power=0.8, alpha=0.05, per_document=10, design_effect=1.9)
    assert few.units == 10 * few.documents >= 1.9 * alone
    assert plan(effect=0.2, power=0.8, alpha=0.05, per_document=10).units - alone in range(25)
    fewer = plan(effect=0.2, power=0.8, alpha=0.05, per_document=10, design_effect=0.5)
    assert alone / 2 <= fewer.units <= alone / 2 + 35  # documents whose units make up for each other
    back = plan(units=few.units, power=few.power, alpha=0.05, per_document=10, design_effect=1.9)
    assert back.effect == pytest.approx(0.2, rel=1e-6)
    for wrong, text in (
        ({"per_document": 0.5}, "per_document must be"),
        ({"design_effect": 1.1}, "needs documents"),
        ({"per_document": 5, "design_effect": 0}, "design_effect must be"),
        ({"per_document": 5, "design_effect": np.inf}, "design_effect must be"),
        ({"per_document": 5, "test": "sign"}, "block t test"),
    ):
        with pytest.raises(ConfigError, match=text):
            plan(**{"effect": 0.2, "power": 0.8, "alpha": 0.05, **wrong})
    with pytest.raises(ConfigError, match="fewer than two documents"):
        plan(effect=0.2, units=5, alpha=0.05, per_document=10)


def test_critical_counts_are_those_of_the_test():
    for n in (1, 5, 6, 17, 40, 333):
        for tail in (0.025, 0.05, 1e-4):
            reached = [c for c in range(n + 1) if stats.binom.sf(c - 1, n, 0.5) <= tail]
            assert critical_counts(np.array([n]), tail)[0] == (reached[0] if reached else n + 1)


@pytest.mark.parametrize(
    ("n", "effect", "within"), [(8, 0.8, 0.02), (12, 1.0, 0.02), (40, 0.5, 0.01), (120, 0.25, 0.01)]
)
def test_wilcoxon_power_by_simulating_the_test(n, effect, within):
    from core.oracles import board

    from nlpstat_core import AnalysisConfig

    rng = np.random.default_rng(n)
    z = rng.normal(effect, 1, (n, 4_000))
    zero = np.zeros((n, 1))
    batch = board(np.hstack([z, zero]))
    batch = batch.take(batch.right == 4_000)
    for alternative in ("two-sided", "greater"):
        p = TESTS["wilcoxon"].run(batch, AnalysisConfig(alternative=alternative)).p_value
        expected = wilcoxon_power(n, effect, 0.05, alternative)
        assert np.mean(p <= 0.05) == pytest.approx(expected, abs=within + 0.02)


def test_wilcoxon_power_at_its_ends():
    assert wilcoxon_power(5, 9.0, 0.05) == 0.0  # the smallest p of five units is 0.0625
    assert wilcoxon_power(6, 9.0, 0.05) == pytest.approx(1.0, abs=1e-6)
    assert wilcoxon_power(400, 0.0, 0.05) == pytest.approx(0.05, abs=1e-3)
    big = wilcoxon_power(100_000, 0.01, 0.05)
    assert big == pytest.approx(power_of_t(round(100_000 * 3 / np.pi), 0.01, 0.05, "two-sided"), abs=2e-3)


@QUICK
@given(
    effect=st.floats(0.02, 2.0),
    power=st.floats(0.1, 0.99),
    alpha=st.floats(1e-6, 0.09),
    alternative=st.sampled_from(ALTERNATIVES),
)
def test_round_trips(effect, power, alpha, alternative):
    signed = -effect if alternative == "less" else effect
    found = plan(effect=signed, power=power, alpha=alpha, alternative=alternative)
    same = {"alternative": alternative}
    assert plan(units=found.units, effect=signed, alpha=alpha, **same).power == found.power >= power
    if found.power < 1 - 1e-6:
        back = plan(units=found.units, power=found.power, alpha=alpha, **same)
        assert back.effect == pytest.approx(signed, rel=1e-5)
        level = plan(units=found.units, power=found.power, effect=signed, **same)
        assert level.alpha == pytest.approx(alpha, rel=1e-4)
    if found.units > 2:
        assert plan(units=found.units - 1, effect=signed, alpha=alpha, **same).power < power


@QUICK
@given(
    units=st.integers(6, 3000),
    effect=st.floats(0.01, 0.4),
    alpha=st.floats(1e-5, 0.2),
    test=st.sampled_from(["t", "wilcoxon", "sign", "mcnemar"]),
    alternative=st.sampled_from(["two-sided", "greater"]),
)
def test_power_rises(units, effect, alpha, test, alternative):
    base = {"units": units, "effect": effect, "alpha": alpha, "test": test, "alternative": alternative}
    power = plan(**base).power
    assert plan(**{**base, "effect": min(0.5, effect * 1.2)}).power >= power - 1e-12
    assert plan(**{**base, "alpha": alpha * 1.2}).power >= power - 1e-12
    if test == "t" or (test == "wilcoxon" and units > 50):
        assert plan(**{**base, "units": units + 1}).power >= power - 1e-12
    assert plan(
        **{**base, "effect": -effect, "alternative": "less" if alternative == "greater" else alternative}
    ).power == pytest.approx(power, abs=1e-12)


@pytest.mark.parametrize("test", ["sign", "mcnemar", "wilcoxon"])
def test_other_tests_come_back_too(test):
    found = plan(effect=0.2, power=0.8, alpha=0.05, test=test)
    assert plan(units=found.units, power=found.power, alpha=0.05, test=test).effect == pytest.approx(0.2)
    level = plan(units=found.units, power=found.power, effect=0.2, test=test).alpha
    at = plan(units=found.units, effect=0.2, alpha=level, test=test)
    assert level <= 0.05 + 1e-12
    assert at.power == pytest.approx(found.power, rel=1e-9)


def test_a_whole_board():
    alone, board = required_units(0.2), required_units(0.2, correction="holm", comparisons=325)
    assert board == required_units(0.2, alpha=0.05 / 325)
    assert board > 2 * alone
    assert comparison_alpha(0.05, "sidak", 10) == pytest.approx(1 - 0.95**0.1)
    harmonic = sum(1 / k for k in range(1, 11))
    assert comparison_alpha(0.05, "benjamini-yekutieli", 10) == pytest.approx(0.05 / 10 / harmonic)
    assert comparison_alpha(0.05, "none", 10) == comparison_alpha(0.05, "max-t", 1) == 0.05
    for correction in ("holm", "sidak", "benjamini-yekutieli"):
        found = plan(effect=0.3, power=0.8, units=400, correction=correction, comparisons=10)
        again = plan(effect=0.3, alpha=found.alpha, units=400, correction=correction, comparisons=10)
        assert again.power == pytest.approx(0.8, abs=1e-9)


def test_the_larger_the_family_the_larger_the_detectable_difference():
    sizes = [detectable_noncentrality(0.8, 996, 0.05 / m, "two-sided") for m in (1, 10, 325, 10**6)]
    assert sizes == sorted(sizes)
    assert np.isnan(detectable_noncentrality(0.8, 0, 0.05, "two-sided"))


@pytest.mark.parametrize(
    ("wrong", "specified"),
    [
        ({"effect": 0.2, "power": 0.8}, "Give three of"),
        ({"effect": 0.2, "power": 0.8, "alpha": 0.05, "units": 9}, "All four"),
        ({"effect": 0.0, "power": 0.8, "alpha": 0.05}, "nothing to find"),
        ({"effect": -0.2, "power": 0.8, "alpha": 0.05, "alternative": "greater"}, "not greater"),
        ({"units": 5, "power": 0.8, "alpha": 0.05, "test": "sign"}, "more items are needed"),
        ({"units": 5, "power": 0.8, "alpha": 0.05, "test": "wilcoxon"}, "more items are needed"),
        ({"units": 50, "power": 0.04, "alpha": 0.05}, "not above the level"),
        ({"units": 6, "power": 0.9, "effect": 0.01, "test": "sign"}, "at any level"),
        ({"effect": 1e-9, "power": 0.8, "alpha": 0.05}, "larger effect"),
        ({"units": 1, "power": 0.8, "alpha": 0.05}, "units must be"),
        ({"units": 2.5, "power": 0.8, "alpha": 0.05}, "units must be"),
        ({"effect": 0.2, "power": 1.0, "alpha": 0.05}, "power must be"),
        ({"effect": 0.2, "power": 0.8, "alpha": 0.0}, "alpha must be"),
        ({"effect": float("nan"), "power": 0.8, "alpha": 0.05}, "effect must be"),
        ({"effect": 0.6, "power": 0.8, "alpha": 0.05, "test": "sign"}, "between -0.5 and 0.5"),
        ({"effect": 0.2, "power": 0.8, "alpha": 0.05, "decided": 0.0, "test": "sign"}, "decided must be"),
        ({"effect": 0.2, "power": 0.8, "alpha": 0.05, "test": "wilcoxn"}, "Did you mean 'wilcoxon'"),
        ({"effect": 0.2, "power": 0.8, "alpha": 0.05, "alternative": "larger"}, "Unknown alternative"),
        ({"effect": 0.2, "power": 0.8, "alpha": 0.05, "correction": "holms"}, "Unknown correction"),
        ({"effect": 0.2, "power": 0.8, "alpha": 0.05, "comparisons": 0}, "comparisons must be"),
    ],
)
def test_refusals(wrong, specified):
    with pytest.raises(ConfigError, match=specified):
        plan(**wrong)


@given(
    st.integers(1, 600),
    st.floats(-0.5, 0.5),
    st.floats(1e-6, 0.5),
    st.sampled_from(["two-sided", "greater", "less"]),
    st.floats(0.02, 1.0),
    st.booleans(),
)
def test_whether_a_power_is_reached_is_told_as_by_the_power(units, effect, alpha, side, decided, randomised):
    power = sign_power(units, effect, alpha, side, decided, randomised=randomised)
    for wanted in (power, power * (1 - 1e-6), power * (1 + 1e-6) + 1e-15, 0.8):
        reached = power_reaches(wanted, units, effect, alpha, side, decided, randomised=randomised)
        assert reached == (power >= wanted) or abs(power - wanted) < 1e-14


@given(st.integers(1, 100_000), st.integers(1, 200_000))
def test_a_guess_changes_no_number_of_units(answer, near):
    asked = []

    def enough(units):
        asked.append(units)
        return units >= answer

    assert smallest_units(enough, 1, near=near) == smallest_units(lambda units: units >= answer, 1)
    assert min(asked) >= 1
