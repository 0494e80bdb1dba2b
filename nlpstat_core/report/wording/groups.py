"""Notes on documents (blocks) and on counts as sentences."""

from collections.abc import Iterator

import numpy as np

from nlpstat_core.arrays import BoolArray
from nlpstat_core.board.pairs.decision import lowest_level
from nlpstat_core.catalogue import CORRECTIONS, TESTS
from nlpstat_core.config import AnalysisConfig
from nlpstat_core.engine.columns.blocks import blocks_of
from nlpstat_core.formatting import count_of, format_p
from nlpstat_core.notes import Note, Severity
from nlpstat_core.records import SignificanceTest
from nlpstat_core.report.wording.sentences import mixture, mixture_text
from nlpstat_core.results.columns import PairTable
from nlpstat_core.scores.documents import block_ids, blocks_needed
from nlpstat_core.scores.matrix import ScoreMatrix

GROUP_NOTES: dict[str, tuple[Severity, str]] = {
    "no-blocks": ("problem", "Tests of whole documents need a column of documents (block_column)."),
    "too-few-blocks": ("problem", "The shared items belong to {documents}: it is undefined below two."),
    "too-few-degrees": (
        "problem",
        "With {documents}, so few or so unequal in size, fewer than 3 degrees of freedom are left: no "
        "standard error by document can be trusted, so it is undefined.",
    ),
    "no-error-by-documents": (
        "caution",
        "With {documents}, so few or so unequal in size (as {effective} of equal size), fewer than 3 degrees "
        "of freedom are left: no standard error by document can be trusted. The block permutation test and "
        "its interval need none; effect sizes and means on the leaderboard have no interval, and what could "
        "be detected or is needed has no value.",
    ),
    "interval-needs-more-documents": (
        "problem",
        "With {documents} no difference at all can be ruled out at this level, so the interval is open at "
        "both ends: so few documents can decide nothing.",
    ),
    "very-few-blocks": (
        "problem",
        "The shared items belong to only {documents}; with fewer than 10, no test of documents is reliable.",
    ),
    "few-blocks": (
        "caution",
        "The shared items belong to {documents}; with fewer than 20, the interval and the tests based "
        "on the standard error are only approximate.",
    ),
    "unequal-blocks": (
        "caution",
        "The {documents} differ greatly in size: they carry as much information as {effective} of equal "
        "size.",
    ),
    "few-effective-blocks": (
        "caution",
        "The {documents} differ in size and carry only as much information as {effective} of equal size: "
        "where a few long ones decide, every test of documents, block permutation too, may find a difference "
        "that isn't there more often than its level says.",
    ),
    "smallest-p-by-blocks": (
        "problem",
        "With {documents} the smallest possible p-value is {smallest_p}, so this test can find no "
        "difference at any lower level.",
    ),
    "no-counts": ("problem", "This test needs counts per item of a kind that these scores don't have."),
    "counts-need-zero-delta": ("problem", "The exact tests of counts compare with a difference of 0 only."),
    "unit-means": (
        "caution",
        "{test} compares the items' own scores and counts every item equally; the board and the difference "
        "are micro-averaged, so the two may disagree.",
    ),
}
# The same where it is true of some pairs only, those that share fewer units.
IN_SOME_PAIRS = {
    "very-few-blocks": "the shared items belong to fewer than 10 documents: no test of documents is reliable "
    "there.",
    "few-blocks": "the shared items belong to fewer than 20 documents: there the interval and the tests "
    "based on the standard error are only approximate.",
    "unequal-blocks": "the documents of the shared items differ greatly in size.",
    "no-error-by-documents": "the documents of the shared items leave fewer than 3 degrees of freedom, being "
    "so few or so unequal in size: no standard error by document can be trusted there, so effect sizes have "
    "no interval.",
    "too-few-degrees": "the documents of the shared items leave fewer than 3 degrees of freedom, being so "
    "few or so unequal in size: no standard error by document can be trusted there.",
    "few-effective-blocks": "the documents of the shared items carry only as much information as a few of "
    "equal size: a few long ones decide, and every test of documents may find a difference that is not there "
    "more often than its level says.",
}


def block_facts(units: ScoreMatrix, config: AnalysisConfig, shared: BoolArray) -> dict[str, object]:
    """What sentences on blocks may name: documents of the shared units, effective, smallest_p."""
    ids = block_ids(units, config)
    blocks = blocks_of(np.zeros(0, dtype=np.int64) if ids is None else ids[shared])
    return {
        "documents": count_of(blocks.n_blocks, "document"),
        "effective": f"{blocks.effective:.1f}",
        "smallest_p": format_p(smallest_block_p(blocks.n_blocks, config)),
    }


def block_notes(units: ScoreMatrix, config: AnalysisConfig, pairs: PairTable, family: int) -> Iterator[Note]:
    """What to know about an analysis of units in documents. `family`: p-values corrected together."""
    ids = block_ids(units, config)
    if ids is None:
        return
    yield from (note for note in units.notes if note.code == "blocks-merged")
    n_blocks, used = blocks_of(ids).n_blocks, mixture(pairs)
    for code, in_some in IN_SOME_PAIRS.items():
        if code in pairs.notes:
            severity, text = GROUP_NOTES[code]
            concerned, compared = pairs.notes[code], ~np.isnan(pairs.p_value)
            if bool((compared & ~concerned).any()):
                text = f"In {int(concerned.sum()):,} of {count_of(len(pairs), 'pair')} {in_some}"
            facts = block_facts(units, config, np.ones(units.n_units, dtype=bool))
            yield Note(code, severity, text.format(**facts))
    text = (
        "Items of the same document may be alike. The intervals of effect sizes of paired comparisons are by "
        "document; the test of all systems together, skewness, tests of normality and tests of single items "
        "treat all items as independent."
    )
    yield Note("units-as-independent", "info", text)
    lowest = [TESTS[key] for key in used if TESTS[key].lowest_with_all_signs]
    if lowest:
        needed = blocks_needed(lowest_level(config, family), config.alternative)
        if n_blocks < needed:
            smallest = format_p(smallest_block_p(n_blocks, config))
            label = CORRECTIONS[config.correction].label
            many = f"{family:,} pairs under {label}" if family > 1 else "a p-value"
            text = (
                f"With {count_of(n_blocks, 'document')} {_procedure(lowest[0])} has a smallest p-value of "
                f"{smallest}; {many} at {config.alpha:g} would need at least {count_of(needed, 'document')}, "
                f"so no pair can be significant{_fewer_pairs(n_blocks, config)}."
            )
            yield Note("smallest-p-by-blocks", "problem", text)


def _procedure(test: SignificanceTest) -> str:
    """A test's name without the word "test"."""
    return test.in_sentence.removeprefix("the ").removesuffix(" test")


def _fewer_pairs(n_blocks: int, config: AnalysisConfig) -> str:
    """What may be done where the documents are enough for one pair alone; nothing where they aren't."""
    return ": compare fewer pairs" if n_blocks >= blocks_needed(config.alpha, config.alternative) else ""


def single_units_sentence(config: AnalysisConfig) -> str | None:
    """What summary and shape of a pair's differences leave out where documents are named; else None."""
    if config.block_column is None:
        return None
    return (
        "The summary, skewness and tests of normality take items as independent; only the test and its "
        f"interval allow for items of one {config.block_column} being alike."
    )


def count_notes(units: ScoreMatrix, pairs: PairTable) -> Iterator[Note]:
    """What to know about an analysis of counts."""
    counts = units.counts
    if counts is None:
        return
    what = "accuracy (correct items over all items)" if counts.kind == "accuracy" else "F1"
    text = (
        f"Scores and differences are micro-averaged {what}, with intervals of the linearised ratio; effect "
        "sizes, skewness and histograms are about the items' own scores."
    )
    yield Note("micro-averaged", "info", text)
    if "unit-means" in pairs.notes and pairs.notes["unit-means"].any():
        text = (
            f"The test used ({mixture_text(pairs)}) compares the items' own scores and counts every item "
            "equally, while the board shows micro-averaged scores: the exact test of these counts asks about "
            "the board's scores."
        )
        yield Note("unit-means", "caution", text)


def smallest_block_p(n_blocks: int, config: AnalysisConfig) -> float:
    """Smallest p-value of the block permutation test."""
    return min(1.0, 2.0 ** ((config.alternative == "two-sided") - n_blocks))
