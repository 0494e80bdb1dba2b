"""`correlate`: tests of one correlation, or of two that share people or are of the same observations."""

from __future__ import annotations

import argparse
import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from nlpstat_core.cli.options import (
    add_lower,
    add_reading,
    metrics_turned,
    names_of,
    reading_choices,
    real_number,
    whole_number,
)
from nlpstat_core.cli.output import add_output
from nlpstat_core.errors import ConfigError, shown, unknown

if TYPE_CHECKING:
    from nlpstat_core.arrays import FloatArray
    from nlpstat_core.methods.correlation.columns import CorrelationTest

OVER = ("systems", "items")
# Correlations in the order of --r, by how many there are.
TOLD = {1: ("r",), 3: ("r12", "r13", "r23"), 6: ("r12", "r34", "r13", "r14", "r23", "r24")}
LABELS = {
    "fisher-z": "Fisher's z of Pearson's r",
    "williams": "Williams' t of r12 − r13",
    "steiger": "Steiger's z of r12 − r34",
}
STATISTICS = {"pearson": "Pearson's r", "spearman": "Spearman's ρ", "kendall": "Kendall's τ-b"}


def add_correlate_options(parser: argparse.ArgumentParser) -> None:
    """What `correlate` is given."""
    add = parser.add_argument
    add("files", nargs="*", metavar="FILE", help="scores; not with --r")
    add(
        "--of",
        metavar="NAMES",
        help="two metrics or systems (Fisher's z and a permutation test), three (Williams: does 1 correlate "
        "more with 2 or with 3?) or four (Steiger: r of 1 and 2 against r of 3 and 4), separated by commas",
    )
    add_lower(parser)
    add("--over", help="with metrics: systems (their means, default) or items (single scores)")
    add(
        "--r",
        metavar="NUMBERS",
        help="correlations instead of files: r | r12,r13,r23 | r12,r34,r13,r14,r23,r24",
    )
    add("--n", help="with --r: number of observations")
    add("--rho", default="0", help="hypothesised correlation, for Fisher's z (default 0)")
    add("--alternative", default="two-sided", help="two-sided, greater or less, for one correlation")
    add("--confidence-level", default="0.95", help="confidence level of intervals (default 0.95)")
    add(
        "--statistic",
        default="pearson",
        help="correlation of the permutation test: pearson, spearman or kendall",
    )
    add(
        "--resamples",
        default="10000",
        help="random pairings, if there are too many to count all (default 10000)",
    )
    add("--seed", default="0", help="random seed (default 0)")
    add_output(parser)
    add_reading(parser)


def correlate_command(options: argparse.Namespace) -> str:
    """`correlate`: tests of one correlation or of two."""
    if options.r is not None:
        if options.files or options.of is not None:
            raise ConfigError("--r is used alone: leave out files and --of.")
        text, found = _of_numbers(options)
    else:
        if not options.files or options.of is None:
            raise ConfigError("correlate takes a score file with --of NAMES, or --r with --n.")
        text, found = _of_files(options)
    if options.json:
        return _json(text, found)
    return _text(text, found)


def _of_numbers(options: argparse.Namespace) -> tuple[str, list[tuple[str, CorrelationTest]]]:
    from nlpstat_core.methods.correlation.fisher_z import fisher_z
    from nlpstat_core.methods.correlation.steiger import steiger
    from nlpstat_core.methods.correlation.williams import williams

    given = [real_number("--r", part) for part in options.r.split(",")]
    if len(given) not in TOLD:
        raise ConfigError(f"--r takes one, three or six correlations, not {len(given)}.")
    if options.n is None:
        raise ConfigError("--r needs --n, the number of observations behind the correlations.")
    n, r = whole_number("--n", options.n), dict(zip(TOLD[len(given)], given, strict=True))
    text = f"{', '.join(f'{name} = {value:g}' for name, value in r.items())}; n = {n:,}"
    if len(given) == 1:
        return text, [(LABELS["fisher-z"], fisher_z(given[0], n, **_settings(options)))]
    _refuse_sided(options)
    if len(given) == 3:
        return text, [(LABELS["williams"], williams(**r, n=n))]
    return text, [(LABELS["steiger"], steiger(**r, n=n))]


def _of_files(options: argparse.Namespace) -> tuple[str, list[tuple[str, CorrelationTest]]]:
    import numpy as np

    from nlpstat_core.methods.correlation.fisher_z import fisher_z
    from nlpstat_core.methods.correlation.permutation import permuted_correlation
    from nlpstat_core.methods.correlation.steiger import steiger
    from nlpstat_core.methods.correlation.williams import williams

    names = names_of(options.of)
    if len(names) not in (2, 3, 4) or len(set(names)) != len(names):
        raise ConfigError("--of takes two, three or four different names, separated by commas.")
    columns, what = _observations(options, names)
    n = columns.shape[1]
    text = f"{', '.join(map(shown, names))} over {n:,} {what}, taken as independent"
    with np.errstate(divide="ignore", invalid="ignore"):
        r = np.atleast_2d(np.corrcoef(columns)) if n > 1 else np.full((len(names),) * 2, np.nan)
    r[:, np.ptp(columns, axis=1) == 0] = r[np.ptp(columns, axis=1) == 0] = np.nan
    r = np.clip(r, -1.0, 1.0)
    if len(names) == 2:
        settings = _settings(options)
        found = [(LABELS["fisher-z"], fisher_z(float(r[0, 1]), n, **settings))]
        drawn: dict[str, Any] = {key: settings[key] for key in ("alternative", "level")}
        drawn["resamples"] = whole_number("--resamples", options.resamples)
        drawn["seed"] = whole_number("--seed", options.seed, least=0)
        if options.statistic not in STATISTICS:
            raise ConfigError(unknown("statistic", options.statistic, STATISTICS))
        test = permuted_correlation(columns[0], columns[1], statistic=options.statistic, **drawn)
        # Other hypothesised correlations have no permutation test: under them pairings aren't exchangeable.
        zero = "" if settings["rho"] == 0 else ", of no association whatever --rho"
        found.append((f"Permutation test of {STATISTICS[options.statistic]}{zero}", test))
        return text, found
    _refuse_sided(options)
    if len(names) == 3:
        test = williams(float(r[0, 1]), float(r[0, 2]), float(r[1, 2]), n)
        text += f"; r12 = {r[0, 1]:.4f}, r13 = {r[0, 2]:.4f}, r23 = {r[1, 2]:.4f}"
        return text, [(LABELS["williams"], test)]
    others = {f"r{i + 1}{j + 1}": float(r[i, j]) for i, j in ((0, 2), (0, 3), (1, 2), (1, 3))}
    text += f"; r12 = {r[0, 1]:.4f}, r34 = {r[2, 3]:.4f}"
    return text, [(LABELS["steiger"], steiger(float(r[0, 1]), float(r[2, 3]), **others, n=n))]


def _observations(options: argparse.Namespace, names: Sequence[str]) -> tuple[FloatArray, str]:
    """Scores of every name, higher being better, where all have one; and what they are of."""
    import numpy as np

    from nlpstat_core.analysis.metrics.aligned import aligned
    from nlpstat_core.readers import read_boards, read_scores

    reading = reading_choices(options, {})
    over = options.over or "systems"
    if over not in OVER:
        raise ConfigError(unknown("observation", over, OVER))
    scores = read_scores(options.files, **reading)
    metrics = [*(scores.several.get("metrics") or scores.several.get("sheets") or ())]
    if not any(name in metrics for name in names):
        if options.over is not None:
            raise ConfigError("--over goes with metrics; columns of systems are correlated over their items.")
        for name in names:
            if name not in scores.systems:
                raise ConfigError(unknown("metric or system", name, [*metrics, *scores.systems]))
        columns = scores.values[:, [scores.index(name) for name in names]].T
        return columns[:, ~np.isnan(columns).any(axis=0)], "items"
    for name in names:
        if name not in metrics:
            raise ConfigError(unknown("metric", name, metrics))
    boards = read_boards(options.files, each="metric", lower=metrics_turned(options.lower), **reading)
    for name in names:
        if name not in boards:
            raise ConfigError(f"{shown(name)} can't be read as scores of several systems.")
    judged = aligned({name: boards[name] for name in names}, names[0])
    tables = np.stack([judged.human, *judged.scores])
    there = ~np.isnan(tables).any(axis=0)
    swapped = (
        f" (turned, because lower is better: {', '.join(map(shown, judged.lower))})" if judged.lower else ""
    )
    if over == "items":
        return tables[:, there], f"scores of single items{swapped}"
    own = there.any(axis=0)
    sums = np.where(there, tables, 0.0).sum(axis=1)[:, own]
    return sums / there.sum(axis=0)[own], f"systems{swapped}"


def _refuse_sided(options: argparse.Namespace) -> None:
    if options.alternative != "two-sided" or options.rho != "0":
        raise ConfigError("--alternative and --rho go with one correlation; tests of two are two-sided.")


def _settings(options: argparse.Namespace) -> dict[str, Any]:
    level = real_number("--confidence-level", options.confidence_level)
    if not 0 < level < 1:
        raise ConfigError(f"--confidence-level must be above 0 and below 1, not {level:g}.")
    return {"rho": real_number("--rho", options.rho), "level": level, "alternative": options.alternative}


def _text(text: str, found: Sequence[tuple[str, CorrelationTest]]) -> str:
    from nlpstat_core.cli.terminal import table
    from nlpstat_core.formatting import format_fixed_interval
    from nlpstat_core.report.exports.tables.table import fixed, p_values, words, written

    tests = [test for _, test in found]
    ends = ((test.lower, test.upper) for test in tests)
    columns = (
        words("test", (label for label, _ in found)),
        fixed("estimate", (test.estimate for test in tests), 4),
        written(
            "interval",
            ("none" if all(map(math.isnan, both)) else format_fixed_interval(*both, 4) for both in ends),
            (test.lower for test in tests),
        ),
        fixed("statistic", (test.statistic for test in tests), 4),
        p_values("p", (test.p_value for test in tests), None),
    )
    lines = [text, "", *table(columns)]
    if any(math.isnan(test.p_value) for _, test in found):
        lines += ["", "Undefined: too few observations, scores that are all the same, or correlations of ±1."]
    return "\n".join(lines)


def _json(text: str, found: Sequence[tuple[str, CorrelationTest]]) -> str:
    from dataclasses import asdict

    from nlpstat_core.report.exports.data.numbers import number
    from nlpstat_core.report.exports.data.plain import json_text
    from nlpstat_core.version import VERSION

    tests = []
    for label, test in found:
        plain = {
            key: number(value) if isinstance(value, float) else value for key, value in asdict(test).items()
        }
        tests.append({"label": label, **plain})
    return json_text({"version": VERSION, "observations": text, "tests": tests})
