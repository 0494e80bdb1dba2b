"""From the scores as given to the evaluation units that are compared."""

from dataclasses import replace

import numpy as np

from nlpstat_core.arrays import BoolArray
from nlpstat_core.catalogue import CORRECTIONS, TESTS
from nlpstat_core.config import RECOMMENDED, AnalysisConfig
from nlpstat_core.errors import AnalysisError, ConfigError, Remedy, shown, unknown
from nlpstat_core.scores.documents import whole_documents
from nlpstat_core.scores.matrix import ScoreMatrix
from nlpstat_core.scores.units import evaluation_units

LARGEST_SCORE = 1e100  # squares and sums of larger scores overflow


def refuse_overflow(scores: ScoreMatrix) -> None:
    """Raises AnalysisError: Scores whose squares are no numbers any more."""
    if np.any(np.abs(scores.values) > LARGEST_SCORE):
        raise AnalysisError(
            f"Scores above {LARGEST_SCORE:g} in size can't be compared; divide all of them first."
        )


def prepared_units(scores: ScoreMatrix, config: AnalysisConfig) -> ScoreMatrix:
    """The evaluation units that are compared: grouped rows, after the policy for missing scores.

    Raises AnalysisError: A missing score under the policy "error", no complete unit under "complete", a test
        that needs counts or documents that the scores don't have.
    """
    check_applicable(scores, config)
    if scores.measured is not None:
        return _complete(scores, config)
    refuse_overflow(scores)
    units = counted_runs(scores, config)
    if config.unit_size > 1:
        units = grouped_rows(units, config)
        if config.block_column is not None:
            units = whole_documents(scores, units, config, config.block_column)
    return _complete(units, config)


def grouped_rows(scores: ScoreMatrix, config: AnalysisConfig) -> ScoreMatrix:
    """Rows joined to evaluation units as the settings say."""
    return evaluation_units(
        scores,
        size=config.unit_size,
        metric=config.unit_metric,
        remainder=config.unit_remainder,
        shuffle_seed=config.shuffle_seed,
    )


def _complete(units: ScoreMatrix, config: AnalysisConfig) -> ScoreMatrix:
    """The units after the policy for missing scores."""
    if not units.has_missing or config.missing == "pairwise":
        return units
    if config.missing == "error":
        row, column = np.argwhere(~units.present)[0]
        where = f"row {row + 1}" if units.units is None else f"item {shown(units.units[row])}"
        raise AnalysisError(
            f"System {shown(units.systems[column])} has no score for {where}; "
            "choose another policy for missing scores (pairwise or complete) or give the score."
        )
    complete: BoolArray = np.all(units.present, axis=1)
    if not complete.any():
        raise AnalysisError(
            "No item has a score from every system; choose missing=pairwise, or leave out a system."
        )
    return units.rows(complete)


def counted_runs(scores: ScoreMatrix, config: AnalysisConfig) -> ScoreMatrix:
    """The scores with the runs that tests count: none where runs are samples."""
    if scores.runs is None:
        return scores
    if config.runs == "samples":
        return replace(scores, runs=None)
    if config.pooled_runs != scores.runs.pooled:
        return replace(scores, runs=replace(scores.runs, pooled=config.pooled_runs))
    return scores


def check_applicable(scores: ScoreMatrix, config: AnalysisConfig) -> None:
    """Refuse a test that needs documents or counts where there are none.

    Raises ConfigError: A block column that isn't there, or a block test without one.
    Raises AnalysisError: A row without a document; a test of counts on scores, or counts with a hypothesised
        difference.
    """
    column = config.block_column
    if column is not None:
        if column not in scores.labels:
            raise ConfigError(unknown("column of documents", column, scores.labels))
        if not all(scores.labels[column]):
            row = scores.labels[column].index("") + 1
            raise AnalysisError(f"Row {row} has no document in column {shown(column)}; fill it in.")
    method = None if config.test == RECOMMENDED else TESTS[config.test]
    if method is not None and method.design == "blocks" and column is None:
        there = ", ".join(shown(name) for name in list(scores.labels)[:5])
        columns = f" (columns of labels here: {there})" if there else ""
        raise ConfigError(
            f"{method.label} compares whole documents; name the column of documents",
            Remedy("block_column", form="aside"),
            f"{columns}.",
        )
    if method is not None and method.design == "counts":
        _check_kind(scores, method.label, method.hypothesis)
    if scores.counts is not None:
        _check_counted(config)
    if scores.measured is not None or (method is not None and method.design == "measure"):
        _check_measured(scores, config)
    if method is not None and method.design == "runs":
        _check_runs(scores, method.label, config)
    if scores.runs is not None and config.runs == "training" and config.correction == "max-t":
        raise AnalysisError(
            "max-t draws signs for items and doesn't allow for training runs; choose another correction, for "
            "example holm, or runs=samples where results need to hold for these runs only."
        )


def _check_measured(scores: ScoreMatrix, config: AnalysisConfig) -> None:
    """Refuse the swap test on scores without outputs, and what a measure that is no mean can't be asked."""
    method = None if config.test == RECOMMENDED else TESTS[config.test]
    if scores.measured is None:
        raise AnalysisError(
            f"{config.test} exchanges outputs, but these are scores of items; read gold and outputs with "
            "read_submissions (nlpstat submissions)."
        )
    label = scores.measured.label
    if method is not None and method.design != "measure":
        raise AnalysisError(
            f"{label} is not a mean of item scores, and {method.in_sentence} compares those; choose "
            "recommended or swap."
        )
    if config.delta:
        raise AnalysisError(f"The swap test of {label} compares with a difference of 0; leave out delta.")
    if config.unit_size > 1:
        raise AnalysisError(
            f"{label} is computed from all items, so items made of several rows have no {label}; name the "
            "column of documents instead."
        )


def _check_runs(scores: ScoreMatrix, label: str, config: AnalysisConfig) -> None:
    """Refuse a test over runs where there is one run a system, or where runs are samples."""
    if scores.runs is None:
        raise AnalysisError(
            f"{label} needs several runs of the systems, and these scores have one; "
            "give a column of runs (seed, run), or choose t."
        )
    if config.runs == "samples":
        raise AnalysisError(f"{label} takes runs as trainings; choose runs=training, or another test.")


def _check_kind(scores: ScoreMatrix, label: str, kind: str) -> None:
    """Refuse a test of one kind of counts on other scores."""
    if scores.counts is None or scores.counts.kind != kind:
        need = "correct and total" if kind == "accuracy" else "tp, fp and fn"
        raise AnalysisError(f"{label} needs counts per item ({need}); these are other scores.")


def _check_counted(config: AnalysisConfig) -> None:
    """Refuse what counts can't be asked: a shift of swapped counts, resampled means of micro-averages."""
    method = None if config.test == RECOMMENDED else TESTS[config.test]
    design = "counts" if method is None else method.design
    swapped = method is not None and method.sign_flips and design == "blocks"
    if config.delta and (design == "counts" or swapped):
        raise AnalysisError(
            "The exact tests of counts compare with a difference of 0; for a hypothesised difference choose "
            "a test of the items' own scores, for example t, or with documents block-t."
        )
    if CORRECTIONS[config.correction].resamples and design in ("blocks", "counts"):
        raise AnalysisError(
            "max-t resamples the items' own scores, but this test compares the micro-averaged scores "
            "of counts; choose another correction, for example holm."
        )


def baseline_column(units: ScoreMatrix, config: AnalysisConfig) -> int | None:
    """Column of the baseline, or None when all pairs are compared.

    Raises ConfigError: No system has this name.
    """
    if config.baseline is None:
        return None
    if config.baseline not in units.systems:
        raise ConfigError(unknown("baseline", config.baseline, units.systems))
    return units.systems.index(config.baseline)


def refuse_undirected(scores: ScoreMatrix, config: AnalysisConfig) -> None:
    """Stop where a one-sided alternative would ask each pair by the order of its columns.

    Raises ConfigError: More than two systems, no baseline, and an alternative other than "two-sided".
    """
    if config.alternative != "two-sided" and config.baseline is None and scores.n_systems > 2:
        raise ConfigError(
            f"The alternative {config.alternative} is about the first system of each pair, which depends on "
            f"the order of the {scores.n_systems:,} columns; choose a baseline that the others are compared "
            "with, or the alternative two-sided."
        )
