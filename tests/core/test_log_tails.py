"""Logarithms of tails against 50-digit arithmetic, on grids that reach far below the smallest float."""

import numpy as np
import pytest
from golden.golden import load

from nlpstat_core.engine.distributions.tails import chi2_log_sf, f_log_sf, normal_log_sf, t_log_sf
from nlpstat_core.engine.signflip.binomial import log_upper_tails
from nlpstat_core.methods.omnibus.iman_davenport import iman_davenport_of
from nlpstat_core.methods.omnibus.outcome import Omnibus


def found(golden):
    options = golden.options
    at = np.array([options["at"]])
    return {
        "f": lambda: f_log_sf(at, options["df1"], options["df2"]),
        "t": lambda: t_log_sf(at, options["df"]),
        "chi-square": lambda: chi2_log_sf(at, options["df"]),
        "normal": lambda: normal_log_sf(at),
        "binomial": lambda: log_upper_tails(np.array([int(options["n"])]), at.astype(int)),
    }[golden.method]()[0]


@pytest.mark.parametrize("method", ["f", "t", "chi-square", "normal", "binomial"])
def test_every_tail_agrees_with_fifty_digits(method):
    grid = load("log_tails", method)
    assert any(golden.values["log_p"] < -2_000 for golden in grid)
    values = np.array([found(golden) for golden in grid])
    wanted = np.array([golden.values["log_p"] for golden in grid])
    # The logarithm to thirteen digits, and p itself to eleven.
    error = np.abs(values - wanted) / np.maximum(1e-13 * np.abs(wanted), 1e-11)
    worst = int(np.argmax(error))
    assert error[worst] <= 1, (str(grid[worst]), values[worst], wanted[worst])


def test_an_omnibus_test_of_many_units():
    """110 systems on 249 units with F = 87.06: p is 1e-1647, not undefined."""
    units, between = 249, 109
    statistic = units * between * 87.06 / (units - 1 + 87.06)  # Friedman's, from F
    base = Omnibus("friedman", statistic, 0.0, 0.0, (float(between),), units)
    result = iman_davenport_of(base, between + 1)
    assert result.statistic == pytest.approx(87.06)
    assert result.log10_p == pytest.approx(-1646.9057219626, rel=1e-12)


def test_ends_of_the_line():
    ends = np.array([0.0, np.inf])
    np.testing.assert_array_equal(f_log_sf(ends, 4, 20), [0.0, -np.inf])
    np.testing.assert_array_equal(chi2_log_sf(ends, 4), [0.0, -np.inf])
    np.testing.assert_array_equal(t_log_sf(np.array([np.inf, np.nan]), 9), [-np.inf, np.nan])
