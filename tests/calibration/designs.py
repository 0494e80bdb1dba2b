"""Type I error of the tests of whole documents, of independent samples and of counts."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from scipy import special

from nlpstat_core.arrays import FloatArray, IntArray
from nlpstat_core.config import Alternative
from nlpstat_core.engine.columns.batch import PairBatch
from nlpstat_core.engine.columns.own_scores import OwnScores
from nlpstat_core.engine.columns.unit_block import UnitBlock
from nlpstat_core.methods.diagnosis.variance_ratio import variance_ratio
from nlpstat_core.scores.counts import CountKind, Counts
from tests.calibration.populations import batch_of
from tests.calibration.rows import Row
from tests.calibration.trials import (
    BOTH_SIDES,
    REPLICATIONS,
    Draw,
    Subjects,
    by_key,
    each_pair,
    in_groups,
    others,
    tried,
)

ICC = 0.3
TWO_SIDED = BOTH_SIDES[:1]
# Resamples of the tests of independent samples, which draw them for every pair anew: (399 + 1)·α/2 is a whole
# number for every level, so that twice the smaller tail can reach the level exactly.
FEWER = 399


def by_rank_sum(batch: PairBatch, alternative: Alternative, seed: int) -> FloatArray:
    """Mann and Whitney's p-values; without ties they depend on U only, so each U is tested once."""
    run = by_key("mann-whitney")
    own = batch.units.own_scores
    if batch.units.decimals == 0:
        return run(batch, alternative, seed)
    both = np.concatenate([own[:, batch.left], own[:, batch.right]])
    ranks = np.argsort(np.argsort(both, axis=0), axis=0)  # NaN last
    u = np.where(np.isnan(both), 0, ranks)[: own.shape[0]].sum(axis=0)
    _, first, place = np.unique(u, return_index=True, return_inverse=True)
    return run(batch.take(first), alternative, seed)[place]


def variance_test(batch: PairBatch, alternative: Alternative, seed: int) -> FloatArray:
    """p-values of the F test of equal variances."""
    pairs = zip(batch.left, batch.right, strict=True)
    return np.array(
        [
            variance_ratio(batch.units.own.sample(a), batch.units.own.sample(b), alternative).p_value
            for a, b in pairs
        ]
    )


BLOCK_TESTS: Subjects = {
    "block-t": (by_key("block-t"), "at-most"),
    "block-permutation": (by_key("block-permutation"), "at-most"),
    "block-bootstrap": (in_groups(by_key("block-bootstrap")), "at-most"),
}
UNIT_TESTS: Subjects = {
    "t": (by_key("t"), "equal"),
    "permutation-mean": (by_key("permutation-mean"), "equal"),
    "each-pair": (each_pair, "at-most"),
}
UNPAIRED_TESTS: Subjects = {
    "welch-t": (by_key("welch-t"), "equal"),
    "student-t": (by_key("student-t"), "equal"),
    "mann-whitney": (by_rank_sum, "at-most"),
    "permutation-unpaired": (in_groups(by_key("permutation-unpaired", resamples=FEWER)), "equal"),
    "bootstrap-unpaired": (in_groups(by_key("bootstrap-unpaired", resamples=FEWER)), "equal"),
}


def document_sizes(kind: str, documents: int) -> IntArray:
    """Units of each document: all 10, spread like a lognormal law, or one as large as all others."""
    if kind == "equal documents":
        return np.full(documents, 10)
    if kind == "one giant document":
        return np.append(np.full(documents - 1, 10), 10 * (documents - 1))
    normal = special.ndtri((np.arange(documents) + 0.5) / documents)
    return np.maximum(1, np.rint(6 * np.exp(1.2 * normal))).astype(np.int64)


def documents(sizes: IntArray, skewed: bool) -> Draw:
    """Differences with intraclass correlation 0.3 by document; skewed: exponential document effects."""

    def draw(rng: np.random.Generator, many: int) -> PairBatch:
        ids = np.repeat(np.arange(sizes.size), sizes)
        shape = (sizes.size, many)
        effect = rng.exponential(size=shape) - 1 if skewed else rng.normal(size=shape)
        base = rng.normal(size=(ids.size, many))
        z = np.sqrt(ICC) * effect[ids] + np.sqrt(1 - ICC) * rng.normal(size=base.shape)
        return batch_of(base + z, base, 10, block_ids=ids)

    return draw


def samples(n_u: int, n_v: int, law: str, sd: float = 1.0) -> Draw:
    """Two independent samples of equal mean; u has `sd` times the spread of v."""

    def draw(rng: np.random.Generator, many: int) -> PairBatch:
        own = np.full((n_u + n_v, 2 * many), np.nan)
        own[:n_u, :many] = sd * _centred(law, rng, (n_u, many))
        own[n_u:, many:] = _centred(law, rng, (n_v, many))
        units = UnitBlock(
            np.zeros((0, 2 * many)),
            0 if law == "likert" else 10,
            np.zeros(2 * many, dtype=bool),
            all_scores=OwnScores(own),
        )
        return PairBatch(units, np.arange(many), np.arange(many) + many)

    return draw


def _centred(law: str, rng: np.random.Generator, shape: tuple[int, int]) -> FloatArray:
    if law == "likert":
        return np.clip(np.rint(3.4 + 1.1 * rng.normal(size=shape)), 1, 5)
    if law == "t3":
        return rng.standard_t(3, size=shape)
    if law == "lognormal":
        return rng.lognormal(size=shape) - np.exp(0.5)
    return rng.normal(size=shape)


def counted(kind: CountKind, n: int, totals: str, documents_of: int | None = None) -> Draw:
    """Counts of two systems that are equally good on every unit; `totals` says whether these agree."""

    def draw(rng: np.random.Generator, many: int) -> PairBatch:
        able = np.tile(rng.beta(4, 2, size=(n, many)), 2)
        items = np.tile(2 + rng.poisson(6, size=(n, many)), 2)
        if totals == "unequal totals":
            items = 1 + rng.poisson(items)
        elif totals == "equal totals":
            items = np.full_like(items, 10)
        hits = rng.binomial(items, able).astype(float)
        misses = items - hits + (rng.poisson(1.5, size=hits.shape) if kind == "f1" else 0.0)
        counts = Counts(kind=kind, hits=hits, misses=misses)
        ids = None if documents_of is None else np.arange(n) // documents_of
        units = UnitBlock(
            counts.unit_scores(), 10, np.zeros(2 * many, dtype=bool), counts=counts, block_ids=ids
        )
        return PairBatch(units, np.arange(many), np.arange(many) + many)

    return draw


def block_rows(replications: int = REPLICATIONS) -> Iterator[list[Row]]:
    """Documents of equal and unequal size, few and many; the tests of single units beside them."""
    block_tests = {**BLOCK_TESTS, **others("blocks", BLOCK_TESTS)}
    for kind, numbers in (
        ("equal documents", (6, 10, 20, 50)),
        ("unequal documents", (6, 10, 20, 50)),
        ("one giant document", (10, 20)),
    ):
        for count in numbers:
            draw = documents(document_sizes(kind, count), skewed=False)
            subjects = {**block_tests, **(UNIT_TESTS if count == 20 and kind == "equal documents" else {})}
            sides = BOTH_SIDES if count == 20 else TWO_SIDED
            yield tried("blocks", f"E: {kind}", f"G = {count}", draw, subjects, sides, replications, 1_000)
    for count in (10, 20):
        draw = documents(document_sizes("equal documents", count), skewed=True)
        situation = "M: skewed documents, means equal"
        yield tried("blocks", situation, f"G = {count}", draw, block_tests, BOTH_SIDES, replications, 1_000)


def unpaired_rows(replications: int = REPLICATIONS) -> Iterator[list[Row]]:
    """Equal and unequal sizes, equal and unequal spreads."""
    unpaired_tests = {**UNPAIRED_TESTS, **others("unpaired", UNPAIRED_TESTS)}
    for law, sizes in (
        ("normal", ((20, 20), (10, 40), (50, 50))),
        ("t3", ((20, 20),)),
        ("likert", ((20, 20),)),
        ("lognormal", ((20, 20), (10, 40), (50, 50))),
    ):
        for n_u, n_v in sizes:
            subjects = dict(unpaired_tests)
            if law == "likert":
                subjects = {key: (run, "at-most") for key, (run, _) in subjects.items()}
            elif n_u == n_v:
                subjects["variance-ratio"] = (variance_test, "equal")
            sides = BOTH_SIDES if (n_u, n_v) == (10, 40) and law != "likert" else TWO_SIDED
            draw = samples(n_u, n_v, law)
            yield tried("unpaired", f"E: {law}", f"n = {n_u}, {n_v}", draw, subjects, sides, replications)
    for n_u, n_v, where in (
        (20, 20, "one sample spreads 3 times wider"),
        (10, 40, "the small sample spreads 3 times wider"),
        (40, 10, "the large sample spreads 3 times wider"),
    ):
        draw = samples(n_u, n_v, "normal", 3.0)
        size = f"n = {n_u}, {n_v}"
        yield tried("unpaired", f"M: {where}", size, draw, unpaired_tests, TWO_SIDED, replications)


def count_rows(replications: int = REPLICATIONS) -> Iterator[list[Row]]:
    """The exact tests of accuracy and F1, and whole documents of counts."""
    for kind, totals, sizes in (
        ("accuracy", "equal totals", (20, 50, 200)),
        ("accuracy", "unequal totals", (20, 50)),
        ("f1", "unequal totals", (20, 50)),
    ):
        for n in sizes:
            subjects: Subjects = {f"{kind}-exact": (by_key(f"{kind}-exact"), "at-most")}
            sides = BOTH_SIDES if n == 50 else TWO_SIDED
            draw = counted(kind, n, totals)
            yield tried(
                "counts", f"E: {kind}, {totals}", f"n = {n}", draw, subjects, sides, replications, 500
            )
        if totals == "unequal totals":
            by_document: Subjects = {
                "block-permutation": (by_key("block-permutation"), "at-most"),
                "block-t": (by_key("block-t"), "equal"),
            }
            draw = counted(kind, 100, totals, documents_of=5)
            situation = f"E: {kind} by document"
            yield tried("counts", situation, "G = 20", draw, by_document, TWO_SIDED, replications, 500)
