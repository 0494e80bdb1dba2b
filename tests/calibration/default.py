"""The default procedure on boards like real ones: family-wise error where nothing differs, and its power.

Boards are resampled from real score matrices (../shared/data, not part of the project) with every system
centred at the common mean, so that all means are equal while skewness, ties of units and correlation stay;
0/1 scores and counts, which centring would break, have their systems exchanged within units instead. Beside
them stand three made-up designs: exchangeable systems (E), equal means with skewed differences (M), equal
medians with skewed differences (D, where the means really differ).
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterator
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path

import numpy as np

import nlpstat_core as ns
from nlpstat_core.arrays import BoolArray, FloatArray, IntArray
from nlpstat_core.board.pairs.columns import chunk_columns
from nlpstat_core.config import AnalysisConfig
from nlpstat_core.engine.columns.batch import PairBatch
from nlpstat_core.engine.columns.pairing import pair_indices
from nlpstat_core.engine.columns.unit_block import UnitBlock
from nlpstat_core.methods.corrections import adjust_p_values
from nlpstat_core.methods.significance.documents import as_run
from nlpstat_core.scores.grid import MOST_DECIMALS
from nlpstat_core.scores.matrix import ScoreMatrix
from tests.calibration.rows import Figure, Row, measured, share, standard_error

DATA = Path(__file__).parents[3] / "shared" / "data"
ALPHA = 0.05
SYSTEMS = 8
BOARDS = 100
PIECE = 20
UNPROMISED = ("M: equal means", "D: ")
LEFT, RIGHT = pair_indices(SYSTEMS)
PROCEDURES: dict[str, dict[str, str]] = {
    "default": {},
    "each-pair": {"question": "each-pair"},
    "t": {"test": "t"},
}
# File, metric, units resampled; documents where the last is a column.
REAL: tuple[tuple[str, tuple[int, ...], str | None], ...] = (
    ("wmt24_ende_chrf", (100, 300, 1000), None),
    ("wmt24_ende_sentbleu", (100, 300), None),
    ("wmt_mqm_newstest2021_zhen", (100, 300), None),
    ("alpacaeval1_gpt4_pref", (100, 300), None),
    ("wmt20_toen_ter", (100, 300), None),
    ("trec_adhoc8_ap", (50, 100), None),
    ("mbppplus_pass", (100, 300), None),
    ("wmt24_ende_chrf", (30, 80), "doc"),
    ("wmt20_toen_ter", (30, 80), "doc"),
)


@dataclass(frozen=True, eq=False)
class Population:
    """Units that boards are drawn from, with the documents they belong to."""

    values: FloatArray
    decimals: int
    blocks: IntArray | None
    exchangeable: bool

    @property
    def centred(self) -> FloatArray:
        """Every system at the common mean."""
        means = self.values.mean(axis=0)
        found: FloatArray = self.values - means + means.mean()
        return found


@lru_cache(maxsize=4)
def population(name: str, column: str | None) -> Population:
    """Eight systems of a real board, evenly spaced in its order, on the units that all of them have."""
    scores = ns.read_scores(DATA / f"{name}.csv")
    chosen = most_shared(scores)
    rows = scores.present[:, chosen].all(axis=1)
    values = scores.values[np.ix_(rows, chosen)]
    blocks = None
    if column is not None:
        names = np.array(scores.labels[column], dtype=str)[rows]
        blocks = np.unique(names, return_inverse=True)[1].astype(np.int64)
    discrete = bool(np.all((values == 0) | (values == 1)))
    return Population(values, scores.decimals, blocks, discrete)


def most_shared(scores: ScoreMatrix) -> IntArray:
    """Columns of eight different systems, evenly by mean, of the largest set that shares its units."""
    patterns, counts = np.unique(scores.present, axis=0, return_counts=True)
    enough = patterns.sum(axis=1) >= SYSTEMS
    shared = patterns[enough][np.argmax(counts[enough])]
    columns = np.flatnonzero(shared)
    rows = scores.present[:, columns].all(axis=1)
    _, first = np.unique(scores.values[np.ix_(rows, columns)], axis=1, return_index=True)
    columns = columns[np.sort(first)]
    order = columns[np.argsort(scores.values[np.ix_(rows, columns)].mean(axis=0))]
    chosen: IntArray = order[np.linspace(0, order.size - 1, SYSTEMS).round().astype(int)]
    return chosen


Draw = Callable[[np.random.Generator], tuple[FloatArray, IntArray | None]]


def resampled(found: Population, size: int, *, null: bool) -> Draw:
    """A board drawn from a population: units, or whole documents, with replacement."""
    values = found.centred if null and not found.exchangeable else found.values

    def draw(rng: np.random.Generator) -> tuple[FloatArray, IntArray | None]:
        ids = None
        if found.blocks is None:
            rows = rng.integers(values.shape[0], size=size)
        else:
            members = [np.flatnonzero(found.blocks == g) for g in range(int(found.blocks.max()) + 1)]
            taken = [members[g] for g in rng.integers(len(members), size=size)]
            rows = np.concatenate(taken)
            ids = np.repeat(np.arange(size), [part.size for part in taken])
        board = values[rows]
        return (rng.permuted(board, axis=1) if null and found.exchangeable else board), ids

    return draw


def made_up(law: str, size: int) -> Draw:
    """Boards of a design: systems exchangeable, equal in the mean, or equal in the median."""

    def draw(rng: np.random.Generator) -> tuple[FloatArray, IntArray | None]:
        unit, noise = rng.normal(size=(size, 1)), rng.lognormal(size=(size, SYSTEMS))
        if law == "E":
            return unit + noise, None
        centre = np.exp(0.5) if law == "M" else 1.0
        noise = noise - centre
        noise[:, ::2] *= -1
        return unit + noise, None

    return draw


def significant(boards: list[tuple[FloatArray, IntArray | None]], decimals: int, name: str) -> BoolArray:
    """Decisions of a procedure with Holm's correction, shape (boards, pairs)."""
    blocked = boards[0][1] is not None
    config = AnalysisConfig(
        **PROCEDURES[name],  # type: ignore[arg-type]
        alpha=ALPHA,
        effects=(),
        block_column="document" if blocked else None,
    )
    config = as_run(config)
    found = []
    parts = [[board] for board in boards] if blocked else [boards]
    for part in parts:
        values = np.ascontiguousarray(np.concatenate([board for board, _ in part], axis=1))
        first = SYSTEMS * np.arange(len(part))[:, None]
        two = np.all((values == 0) | (values == 1), axis=0)
        units = UnitBlock(values, decimals, two, block_ids=part[0][1])
        batch = PairBatch(units, (first + LEFT).ravel(), (first + RIGHT).ravel())
        columns = chunk_columns(batch, config, False)
        p = columns["p_value"].reshape(len(part), -1)
        found.append(np.stack([adjust_p_values(row, "holm") <= ALPHA for row in p]))
    return np.concatenate(found)


def cell(
    situation: str, size: str, draw: Draw, decimals: int, many: int, seed: int, only: Container[str] | None
) -> list[Row]:
    """Rows of all procedures on the same boards where no means differ."""
    rng = np.random.default_rng(seed)
    chosen = [name for name in PROCEDURES if only is None or name in only]
    wrong = dict.fromkeys(chosen, 0)
    for start in range(0, many, PIECE):
        boards = [draw(rng) for _ in range(min(PIECE, many - start))]
        for name in chosen:
            wrong[name] += int(significant(boards, decimals, name).any(axis=1).sum())
    blank = Row.blank("default", situation, size, many, seed)
    rows = []
    for name in chosen:
        figure = share("family-wise error", ALPHA, wrong[name], many)
        # t is the yardstick, NLPStatTest's choice asks other questions; where differences are lognormal or
        # means differ nothing is promised of any test of the mean.
        promised = name == "default" and not situation.startswith(UNPROMISED)
        rows.append(blank.of(name, "at-most", (figure if promised else replace(figure, nominal=None),)))
    return rows


def power_cell(
    situation: str,
    size: str,
    found: Population,
    draw: Draw,
    many: int,
    seed: int,
    only: Container[str] | None,
) -> list[Row]:
    """Rows of all procedures on boards with the real means: differences found, and found the wrong way."""
    rng = np.random.default_rng(seed)
    chosen = [name for name in PROCEDURES if only is None or name in only]
    counts = dict.fromkeys(chosen, 0)
    for start in range(0, many, PIECE):
        boards = [draw(rng) for _ in range(min(PIECE, many - start))]
        for name in chosen:
            counts[name] += int(significant(boards, found.decimals, name).sum())
    blank = Row.blank("default", situation, size, many, seed)
    rows = []
    for name in chosen:
        rate = counts[name] / many / LEFT.size
        rows.append(
            blank.of(name, "at-most", (Figure("pairs found", None, rate, standard_error(rate, many)),))
        )
    return rows


def rows(boards: int = BOARDS) -> Iterator[list[Row]]:
    """Boards resampled from real ones, then the three designs.

    The real ones need ../shared/data; without it there is nothing to resample and the run says so.
    """
    if not DATA.is_dir():
        raise SystemExit(f"The group 'default' resamples real boards, which are not in {DATA}.")
    for name, sizes, column in REAL:
        found = population(name, column)
        decimals = found.decimals if found.exchangeable else MOST_DECIMALS
        for size in sizes:
            text = f"n = {size}" if column is None else f"G = {size}"
            null = resampled(found, size, null=True)
            kind = "E" if found.exchangeable else "M"
            what = f"{name} by document" if column else name

            def wrong(
                many: int,
                seed: int,
                only: Container[str] | None,
                place: tuple[str, str, Draw, int] = (f"{kind}: {what}", text, null, decimals),
            ) -> list[Row]:
                return cell(*place, many, seed, only)

            yield measured(f"default|{what}|{size}", boards, wrong)
            real = resampled(found, size, null=False)

            def right(
                many: int,
                seed: int,
                only: Container[str] | None,
                place: tuple[str, str, Population, Draw] = (f"real means: {what}", text, found, real),
            ) -> list[Row]:
                return power_cell(*place, many, seed, only)

            yield measured(f"default|{what}|{size}|power", boards // 4, right)
    for law, what in (("E", "exchangeable, skewed"), ("M", "equal means, skewed"), ("D", "equal medians")):
        for size in (100, 300):

            def designed(
                many: int,
                seed: int,
                only: Container[str] | None,
                place: tuple[str, str, Draw] = (f"{law}: {what}", f"n = {size}", made_up(law, size)),
                law: str = law,
            ) -> list[Row]:
                return cell(*place, MOST_DECIMALS, many, seed, only)

            yield measured(f"default|{law}|{size}", boards, designed)
