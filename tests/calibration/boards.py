"""Whole boards: family-wise error and false discovery rate of every correction, simultaneous intervals."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterator, Mapping
from dataclasses import dataclass, replace

import numpy as np

from nlpstat_core.arrays import BoolArray, FloatArray
from nlpstat_core.board.pairs.columns import chunk_columns
from nlpstat_core.board.pairs.decision import decide
from nlpstat_core.catalogue import TESTS
from nlpstat_core.config import RECOMMENDED, AnalysisConfig
from nlpstat_core.engine.columns.batch import PairBatch
from nlpstat_core.engine.columns.pairing import pair_indices
from nlpstat_core.engine.columns.unit_block import UnitBlock
from nlpstat_core.methods.corrections import CORRECTIONS, Comparisons, Family, adjust_family
from nlpstat_core.scores.matrix import ScoreMatrix
from tests.calibration.rows import Figure, Row, measured, share, standard_error

SYSTEMS = 8
EACH_PAIR = "each-pair"  # stands where a test's key stands: each pair's test is chosen from its data
REPLICATIONS = 2_000
RESAMPLES = 999
ALPHA = 0.05
UNITS = 50
DOCUMENTS = 20
# Boards whose p-values are computed as one batch.
PIECE = 100
FALSE_DISCOVERY = ("benjamini-hochberg", "benjamini-yekutieli")
LEFT, RIGHT = pair_indices(SYSTEMS)
NAMES = tuple(f"s{i}" for i in range(SYSTEMS))
LABELS = tuple(f"d{i * DOCUMENTS // UNITS}" for i in range(UNITS))

# True means of the systems in their own noise's standard deviations.
TRUTHS: dict[str, tuple[float, ...]] = {
    "all equal": (0.0,) * SYSTEMS,
    "two groups": (0.0,) * 4 + (0.7,) * 4,
    "steps of two": (0.0, 0.0, 0.6, 0.6, 1.2, 1.2, 1.8, 1.8),
}
Law = Callable[[np.random.Generator, FloatArray], FloatArray]


def normal(rng: np.random.Generator, means: FloatArray) -> FloatArray:
    """Scores with one decimal, as a metric would print them."""
    unit = rng.normal(size=(UNITS, 1))
    return np.round(unit + means + rng.normal(size=(UNITS, SYSTEMS)), 1)


def unlike(rng: np.random.Generator, means: FloatArray) -> FloatArray:
    """Every second system fails seldom and badly, the others excel seldom: means are as given."""
    noise = rng.exponential(size=(UNITS, SYSTEMS)) - 1
    noise[:, ::2] *= -1
    return rng.normal(size=(UNITS, 1)) + means + noise


def right_or_wrong(rng: np.random.Generator, means: FloatArray) -> FloatArray:
    """0/1 scores of units of different difficulty."""
    unit = rng.normal(size=(UNITS, 1))
    return (unit + means + rng.normal(size=(UNITS, SYSTEMS)) > 0).astype(float)


def in_documents(rng: np.random.Generator, means: FloatArray) -> FloatArray:
    """Normal scores with intraclass correlation 0.3 within documents of two or three units."""
    place = np.arange(UNITS) * DOCUMENTS // UNITS
    effect = rng.normal(size=(DOCUMENTS, SYSTEMS))[place]
    return means + np.sqrt(0.3) * effect + np.sqrt(0.7) * rng.normal(size=(UNITS, SYSTEMS))


@dataclass(frozen=True)
class Setting:
    """A kind of scores, the tests with the corrections tried on them, and the true means."""

    law: Law
    corrections: Mapping[str, tuple[str, ...]]
    truths: tuple[str, ...]
    blocks: bool = False
    decimals: int = 10


PLAIN = tuple(key for key in CORRECTIONS.keys if not CORRECTIONS[key].resamples)
ALL = (*PLAIN, *(key for key in CORRECTIONS.keys if CORRECTIONS[key].resamples))
SHORT = ("holm", "shaffer", "benjamini-hochberg", "max-t")
SETTINGS: dict[str, Setting] = {
    "normal": Setting(
        normal,
        {
            "t": ALL,
            "wilcoxon": SHORT,
            "sign": SHORT,
            "permutation-mean": SHORT,
            "bootstrap-mean": SHORT,
            EACH_PAIR: PLAIN,
        },
        tuple(TRUTHS),
        decimals=1,
    ),
    "unlike skewed shapes": Setting(
        unlike, dict.fromkeys(("t", "bootstrap-mean", EACH_PAIR), SHORT), ("all equal", "two groups")
    ),
    "binary": Setting(right_or_wrong, {"mcnemar": SHORT}, ("all equal", "two groups"), decimals=0),
    "documents": Setting(
        in_documents,
        dict.fromkeys(("block-t", "block-permutation"), SHORT),
        ("all equal", "two groups"),
        blocks=True,
    ),
}


def fits(test: str, correction: str) -> bool:
    """Whether a correction can be used with a test."""
    fit = CORRECTIONS[correction].fits
    return fit is None or (test in TESTS and fit(TESTS[test]))


def config_of(setting: Setting, test: str, correction: str, seed: int) -> AnalysisConfig:
    return AnalysisConfig(
        question="each-pair",
        test=RECOMMENDED if test == EACH_PAIR else test,
        correction=correction,
        alpha=ALPHA,
        seed=seed,
        resamples=RESAMPLES,
        effects=(),
        block_column="document" if setting.blocks else None,
    )


def matrix(values: FloatArray, blocks: bool) -> ScoreMatrix:
    return ScoreMatrix(values=values, systems=NAMES, labels={"document": LABELS} if blocks else {})


def p_values(boards: list[FloatArray], setting: Setting, test: str, seed: int) -> FloatArray:
    """p-values of all pairs of some boards, shape (boards, pairs); a bootstrap draws anew for every board."""
    ids = np.arange(UNITS) * DOCUMENTS // UNITS if setting.blocks else None
    parts = [[board] for board in boards] if test == "bootstrap-mean" else [boards]
    found = []
    for number, part in enumerate(parts):
        values = np.ascontiguousarray(np.concatenate(part, axis=1))
        first = SYSTEMS * np.arange(len(part))[:, None]
        two = np.all((values == 0) | (values == 1), axis=0)
        units = UnitBlock(values, setting.decimals, two, block_ids=ids)
        batch = PairBatch(units, (first + LEFT).ravel(), (first + RIGHT).ravel())
        config = config_of(setting, test, "none", seed + number)
        found.append(chunk_columns(batch, config, False)["p_value"].reshape(len(part), -1))
    return np.concatenate(found)


@dataclass
class Tally:
    """False and true findings of the boards so far."""

    any_false: int = 0
    share_false: float = 0.0
    squares: float = 0.0
    found: int = 0

    def add(self, significant: BoolArray, null: BoolArray) -> None:
        wrong = int(np.count_nonzero(significant & null))
        part = wrong / max(int(np.count_nonzero(significant)), 1)
        self.any_false += wrong > 0
        self.share_false += part
        self.squares += part**2
        self.found += int(np.count_nonzero(significant & ~null))

    def figures(self, boards: int, n_false_nulls: int, correction: str) -> tuple[Figure, ...]:
        mean = self.share_false / boards
        error = float(np.sqrt(max(self.squares / boards - mean**2, 0.0) / boards))
        family = None if correction in FALSE_DISCOVERY else ALPHA
        figures = [
            replace(share("family-wise error", 0.0, self.any_false, boards), nominal=family),
            Figure("false discovery rate", ALPHA, mean, error),
        ]
        if n_false_nulls:
            found = self.found / boards / n_false_nulls
            figures.append(Figure("differences found", None, found, standard_error(found, boards)))
        return tuple(figures)


def board_cell(name: str, truth: str, many: int, seed: int, only: Container[str] | None) -> list[Row]:
    """Rows of all tests and corrections on the same boards."""
    setting, means = SETTINGS[name], np.array(TRUTHS[truth])
    null = means[LEFT] == means[RIGHT]
    chosen = {
        (test, correction): Tally()
        for test, corrections in setting.corrections.items()
        for correction in corrections
        if fits(test, correction) and (only is None or f"{correction}: {test}" in only)
    }
    if not chosen:
        return []
    for start in range(0, many, PIECE):
        rng = np.random.default_rng([seed, start])
        boards = [setting.law(rng, means) for _ in range(min(PIECE, many - start))]
        for test in dict.fromkeys(test for test, _ in chosen):
            own_seed = (seed + start) % 2**31
            p = p_values(boards, setting, test, own_seed)
            for number, (board, row) in enumerate(zip(boards, p, strict=True)):
                scores = matrix(board, setting.blocks)
                for key, tally in chosen.items():
                    if key[0] == test:
                        config = config_of(setting, *key, own_seed + number)
                        known = Comparisons(units=scores, left=LEFT, right=RIGHT, config=config)
                        adjusted = adjust_family(Family(p_values=row, comparisons=known), key[1])
                        tally.add(decide(adjusted.p_values, ALPHA), null)
    blank = Row.blank("boards", f"{name}; {truth}", f"S = {SYSTEMS}, n = {UNITS}", many, seed)
    return [
        blank.of(f"{correction}: {test}", "at-most", tally.figures(many, int((~null).sum()), correction))
        for (test, correction), tally in chosen.items()
    ]


def rows(replications: int = REPLICATIONS) -> Iterator[list[Row]]:
    """Every correction with every kind of test, under the global and under partial null hypotheses."""
    for name, setting in SETTINGS.items():
        for truth in setting.truths:

            def measure(
                many: int, seed: int, only: Container[str] | None, name: str = name, truth: str = truth
            ) -> list[Row]:
                return board_cell(name, truth, many, seed, only)

            yield measured(f"boards|{name}|{truth}", replications, measure)
