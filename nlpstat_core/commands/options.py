"""Options shared by the commands: how a score file is read, and every setting."""

from __future__ import annotations

import argparse

# Option, AnalysisConfig field, help. Values stay text: AnalysisConfig converts or refuses them.
SETTINGS: tuple[tuple[str, str, str], ...] = (
    ("--test", "test", "test for every pair, or 'recommended' (see `methods`)"),
    ("--correction", "correction", "correction for multiple comparisons (see `methods`)"),
    ("--alpha", "alpha", "significance level of the family"),
    ("--seed", "seed", "seed of every random number"),
    ("--alternative", "alternative", "two-sided, greater or less: system a relative to b"),
    ("--delta", "delta", "hypothesised difference a − b"),
    ("--confidence-level", "confidence_level", "level of the intervals (default 1 − alpha)"),
    ("--baseline", "baseline", "compare every system with this one only"),
    ("--effects", "effects", "effect sizes for all pairs, separated by commas"),
    ("--intervals", "intervals", "costly intervals for all pairs, separated by commas"),
    ("--resamples", "resamples", "resamples of bootstrap, max-T and Monte Carlo"),
    ("--unit-size", "unit_size", "adjacent rows that form one evaluation unit"),
    ("--unit-metric", "unit_metric", "mean or median of the rows of a unit"),
    ("--unit-remainder", "unit_remainder", "left-over rows: spread or drop"),
    ("--shuffle-seed", "shuffle_seed", "shuffle rows before they form units"),
    ("--block-column", "block_column", "label column that names the documents"),
    ("--missing", "missing", "missing scores: pairwise, complete or error"),
    ("--equivalence-margin", "equivalence_margin", "differences smaller than this are equivalent"),
    ("--normality-alpha", "normality_alpha", "level of the Shapiro–Wilk test"),
    ("--zero-method", "zero_method", "zeros in Wilcoxon's test: wilcox, pratt or zsplit"),
    ("--mcnemar", "mcnemar", "variant: exact, mid-p, asymptotic or continuity"),
)


def add_reading(parser: argparse.ArgumentParser) -> None:
    """Options that say how the score file is read.

    Parameters
    ----------
    parser : argparse.ArgumentParser
    """
    group = parser.add_argument_group("reading")
    group.add_argument("--format", help="format of the file when the guess is wrong (see `formats`)")
    group.add_argument("--metric", help="metric to read when the file has several")
    group.add_argument("--id-column", help="column that holds the unit ids")
    group.add_argument("--label-columns", help="label columns, separated by commas")
    group.add_argument("--lower-is-better", action="store_true", default=None, help="lower scores are better")
    group.add_argument("--max-bytes", help="refuse larger files")


def add_settings(parser: argparse.ArgumentParser) -> None:
    """Options for every setting, and --config.

    Parameters
    ----------
    parser : argparse.ArgumentParser
    """
    group = parser.add_argument_group("settings")
    for option, field, teaches in SETTINGS:
        group.add_argument(option, dest=field, help=teaches)
    group.add_argument(
        "--continuity", action="store_true", default=None, help="continuity correction (Wilcoxon)"
    )
    group.add_argument(
        "--config", help="YAML or JSON file with these settings (also of NLPStatTest); options win over it"
    )
