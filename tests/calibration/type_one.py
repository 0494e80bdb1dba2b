"""Type I error of every paired test of single units under twelve true null hypotheses."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from nlpstat_core.arrays import FloatArray
from nlpstat_core.catalogue import TESTS
from nlpstat_core.config import Alternative, AnalysisConfig
from nlpstat_core.engine.columns.batch import PairBatch
from nlpstat_core.methods.significance.bootstrap_mean import bootstrap_mean
from nlpstat_core.quantities import MEAN, MEDIAN
from tests.calibration.populations import POPULATIONS, batch_of
from tests.calibration.rows import Row
from tests.calibration.trials import (
    BOTH_SIDES,
    REPLICATIONS,
    RESAMPLES,
    PValues,
    by_key,
    each_pair,
    in_groups,
    others,
    tried,
)

SIZES = (20, 50, 200)


def equal_tails(batch: PairBatch, alternative: Alternative, seed: int) -> FloatArray:
    config = AnalysisConfig(alternative=alternative, seed=seed, resamples=RESAMPLES)
    return bootstrap_mean(batch, config, tails="equal").p_value


# Subject: p-values, what is promised for continuous scores, kinds of null it is tried on.
SUBJECTS: dict[str, tuple[PValues, str, str]] = {
    "t": (by_key("t"), "equal", "EM"),
    "wilcoxon": (by_key("wilcoxon"), "at-most", "EMD"),
    "wilcoxon (pratt)": (by_key("wilcoxon", zero_method="pratt"), "at-most", "E"),
    "wilcoxon (continuity)": (by_key("wilcoxon", continuity=True), "at-most", "E"),
    "sign": (by_key("sign"), "at-most", "EMD"),
    "permutation-mean": (by_key("permutation-mean"), "equal", "EM"),
    "permutation-median": (by_key("permutation-median"), "at-most", "ED"),
    "bootstrap-mean": (in_groups(by_key("bootstrap-mean")), "equal", "EM"),
    "bootstrap-mean (equal tails)": (in_groups(equal_tails), "equal", "EM"),
    "bootstrap-median": (by_key("bootstrap-median"), "at-most", "ED"),
    "mcnemar": (by_key("mcnemar"), "at-most", "E"),
    "mcnemar (mid-p)": (by_key("mcnemar", mcnemar="mid-p"), "at-most", "E"),
    "mcnemar (asymptotic)": (by_key("mcnemar", mcnemar="asymptotic"), "at-most", "E"),
    "mcnemar (continuity)": (by_key("mcnemar", mcnemar="continuity"), "at-most", "E"),
    "each-pair": (each_pair, "at-most", "EMD"),
}


# Null hypotheses that a test of a quantity is tried on: exchangeable systems, equal means or medians.
KINDS = {MEAN: "EM", MEDIAN: "ED"}


def subjects() -> dict[str, tuple[PValues, str, str]]:
    """What is tried: `SUBJECTS`, and every other paired test of the catalogue by what its record says."""
    derived = {
        key: (run, bound, KINDS.get(TESTS[key].quantity, "E"))
        for key, (run, bound) in others("paired", SUBJECTS).items()
    }
    return SUBJECTS | derived


def wanted(subject: str, population: str, n: int) -> bool:
    """Whether a test is tried on a population; variants only where they differ from the test itself."""
    known = POPULATIONS[population]
    if subject.startswith("mcnemar"):
        return population == "binary"
    if subject == "wilcoxon (continuity)" and n <= 50:
        return False
    if subject == "wilcoxon (pratt)" and known.decimals:
        return False
    if subject == "bootstrap-mean (equal tails)" and not (known.kind == "M" or population == "normal"):
        return False
    return known.kind in subjects()[subject][2]


def rows(replications: int = REPLICATIONS) -> Iterator[list[Row]]:
    """All cells, one after the other: both sides for skewed differences and at n = 50, else two-sided."""
    for n in SIZES:
        for population, known in POPULATIONS.items():

            def draw(
                rng: np.random.Generator, many: int, n: int = n, population: str = population
            ) -> PairBatch:
                known = POPULATIONS[population]
                return batch_of(*known.draw(rng, (n, many)), known.decimals)

            here = {
                key: (run, bound if known.decimals else "at-most")
                for key, (run, bound, _) in subjects().items()
                if wanted(key, population, n)
            }
            sides = BOTH_SIDES if known.kind != "E" or n == 50 else BOTH_SIDES[:1]
            situation = f"{known.kind}: {population}"
            name = f"type-one|{population}|{n}"
            yield tried("type-one", situation, f"n = {n}", draw, here, sides, replications, name=name)
