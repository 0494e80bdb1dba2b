"""Items worth a look: difficulty, agreement with the rest, and how far the ranking depends on them."""

from dataclasses import dataclass

import numpy as np

from nlpstat_core.arrays import BoolArray, FloatArray, IntArray
from nlpstat_core.errors import AnalysisError
from nlpstat_core.scores.direction import advantage
from nlpstat_core.scores.matrix import ScoreMatrix
from nlpstat_core.stopping import stop_if_asked

# Below so many systems a correlation over systems says nothing about an item.
FEWEST_SYSTEMS = 8
# From so many systems on equal rows of 0 and 1 are no coincidence.
MANY_SYSTEMS = 20
KEPT = 0.95  # a rank correlation that counts as the same ranking
FLAG_LEVEL = 0.05
_HALVES, _SUBSETS = 1_000, 200
_SHARES = (0.02, 0.05, 0.1, 0.15, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9)
_FEWEST_ITEMS = 2
_CELLS = 4_000_000
_DUST = 1e-12


@dataclass(frozen=True, eq=False, kw_only=True, repr=False)
class ItemTable:
    """Every item over the systems; arrays have shape (n_units,), in the order of the scores.

    units: Ids, or row numbers from 1.
    difficulty: Mean over the systems that have the item, metric points; NaN where none has.
    solved: Share of the systems with a score of 1, for 0/1 scores; else NaN.
    item_rest: Correlation over systems with the sum of the other items, over the items that every system has;
        for an item that some system lacks over the systems that have it. NaN below eight systems (with the
        item) and without a spread.
    item_rest_high: Upper end of Fisher's 95 % interval.
    p_negative: One-sided p-value of a negative correlation by Fisher's z, after Benjamini and Hochberg.
    everybody, nobody: Items on which all systems reach the highest score, or none is above the lowest.
    constant: All systems have the same score, so the item separates none.
    negative: `p_negative` ≤ 0.05: stronger systems do worse here.
    copy_of: Row of an earlier item with the same score of every system; −1 for none.
    alpha: Cronbach's alpha (KR-20 for 0/1), items as questions and systems as persons; NaN below three
        systems.
    split_half: Reliability of the ranking: Spearman's correlation of the systems' means on two random halves,
        mean of 1,000 divisions, stepped up by Spearman and Brown; NaN below three systems or four items.
    agreement, agreement_low (float arrays, of the shape of `sizes`): Spearman's correlation of the ranking by
        so many random items with that by all: mean and 5 % point of 200 draws.
    enough: Fewest items of `sizes` whose 5 % point is at least 0.95; all items where there is none.
    """

    units: tuple[str, ...]
    difficulty: FloatArray
    solved: FloatArray
    item_rest: FloatArray
    item_rest_high: FloatArray
    p_negative: FloatArray
    everybody: BoolArray
    nobody: BoolArray
    constant: BoolArray
    negative: BoolArray
    copy_of: IntArray
    alpha: float
    split_half: float
    sizes: IntArray
    agreement: FloatArray
    agreement_low: FloatArray
    enough: int

    def __repr__(self) -> str:
        return (
            f"<ItemTable: {len(self.units):,} items, {int(self.constant.sum()):,} constant, "
            f"{int(self.negative.sum()):,} negative>"
        )

    def __len__(self) -> int:
        return len(self.units)


def item_table(scores: ScoreMatrix, *, seed: int = 0) -> ItemTable:
    """Every item of a board over its systems.

    scores: Evaluation units × systems; means where systems have runs.
    Raises AnalysisError: Fewer than two items.

    Alpha, the curve and the rest of a correlation use the items that every system has. Cost O(n·S) for the
    table and O(B·n·S) for halves and subsets.

    Source: Cronbach (1951), doi:10.1007/BF02310555.
    """
    if scores.n_units < _FEWEST_ITEMS:
        raise AnalysisError("The item analysis needs at least two items.")
    values, present = scores.values, scores.present
    counts = present.sum(axis=1)
    filled = np.where(present, values, 0.0)
    with np.errstate(invalid="ignore"):
        difficulty = np.where(counts > 0, filled.sum(axis=1) / np.maximum(counts, 1), np.nan)
    high = np.where(present, values, -np.inf).max(axis=1, initial=-np.inf)
    low = np.where(present, values, np.inf).min(axis=1, initial=np.inf)
    some = counts > 0
    best, worst = (high[some].max(), low[some].min()) if some.any() else (np.nan, np.nan)
    if scores.lower_is_better:
        best, worst = worst, best
    constant = some & (high == low) & (counts > 1)
    whole = np.flatnonzero(present.all(axis=1))
    item_rest = np.full(scores.n_units, np.nan)
    if scores.n_systems >= FEWEST_SYSTEMS and whole.size >= _FEWEST_ITEMS:
        item_rest[whole] = item_rest_correlations(values[whole])
        total = values[whole].sum(axis=0)
        for row in np.flatnonzero((counts >= FEWEST_SYSTEMS) & (counts < scores.n_systems)).tolist():
            with_it = present[row]
            item_rest[row] = _correlation(values[row, with_it], total[with_it])
    upper, p_negative = _fisher(item_rest, counts)
    order = scores.canonical_order
    complete = values[order[present[order].all(axis=1)]]
    sizes, agreement, lowest = _agreement(complete, scores.lower_is_better, seed)
    kept = np.flatnonzero(lowest >= KEPT)
    return ItemTable(
        units=scores.units or tuple(str(row) for row in range(1, scores.n_units + 1)),
        difficulty=difficulty,
        solved=difficulty if scores.is_binary else np.full(scores.n_units, np.nan),
        item_rest=item_rest,
        item_rest_high=upper,
        p_negative=p_negative,
        everybody=constant & (low == best) & (high == best),
        nobody=constant & (low == worst) & (high == worst),
        constant=constant,
        negative=p_negative <= FLAG_LEVEL,
        copy_of=_copies(scores),
        alpha=cronbach_alpha(complete),
        split_half=_split_half(complete, scores.lower_is_better, seed),
        sizes=sizes,
        agreement=agreement,
        agreement_low=lowest,
        enough=int(sizes[kept[0]]) if kept.size else complete.shape[0],
    )


def item_rest_correlations(values: FloatArray) -> FloatArray:
    """Correlation over systems of every item with the sum of the other items.

    values (float array, shape (n_units, n_systems)): Without missing cells.
    Returns float array, shape (n_units,): NaN where the item or the rest has no spread.
    """
    n_systems = values.shape[1]
    centred = values - values.mean(axis=1, keepdims=True)
    total = centred.sum(axis=0)
    own = np.einsum("ij,ij->i", centred, centred)
    with_total = centred @ total
    rest = float(total @ total) - 2 * with_total + own
    scale = np.maximum(np.abs(values).max(axis=1), 1e-300) ** 2 * n_systems
    flat = (own <= _DUST**2 * scale) | (rest <= _DUST * np.maximum(own, float(total @ total)))
    with np.errstate(divide="ignore", invalid="ignore"):
        found = (with_total - own) / np.sqrt(own * rest)
    return np.where(flat, np.nan, np.clip(found, -1.0, 1.0))


def _correlation(x: FloatArray, y: FloatArray) -> float:
    """Pearson's correlation; NaN where one has no spread."""
    flat = [np.ptp(part) <= _DUST * max(float(np.abs(part).max()), 1e-300) for part in (x, y)]
    if any(flat):
        return float("nan")
    x, y = x - x.mean(), y - y.mean()
    return float(np.clip(x @ y / np.sqrt((x @ x) * (y @ y)), -1.0, 1.0))


def cronbach_alpha(values: FloatArray) -> float:
    """Cronbach's alpha with items as questions and systems as persons.

    values (float array, shape (n_units, n_systems)): Without missing cells.
    Returns: NaN below two items or three systems, or where the systems' sums are all alike.
    """
    n, n_systems = values.shape
    if n < _FEWEST_ITEMS or n_systems < 3:
        return float("nan")
    total = float(np.var(values.sum(axis=0), ddof=1))
    parts = float(np.var(values, axis=1, ddof=1).sum())
    if total <= _DUST**2 * max(parts, 1e-300):
        return float("nan")
    return float(n / (n - 1) * (1 - parts / total))


def _fisher(correlation: FloatArray, n_systems: IntArray) -> tuple[FloatArray, FloatArray]:
    """Upper end of Fisher's 95 % interval, and the adjusted p-value of a negative correlation."""
    from scipy import special

    from nlpstat_core.methods.corrections import adjust_p_values

    root = np.sqrt(np.maximum(n_systems - 3, 1))
    with np.errstate(divide="ignore"):
        z = np.arctanh(correlation)
    upper = np.tanh(z + special.ndtri(0.975) / root)
    return upper, adjust_p_values(special.ndtr(z * root), "benjamini-hochberg")


def _copies(scores: ScoreMatrix) -> IntArray:
    """The earlier item with the same scores; scores of few values coincide by chance and are left alone."""
    copy_of = np.full(scores.n_units, -1, dtype=np.int64)
    values = scores.values
    seen: dict[bytes, int] = {}
    for row in np.flatnonzero(scores.present.all(axis=1)).tolist():
        distinct = np.unique(values[row]).size
        if distinct > 2 or (distinct == 2 and scores.n_systems >= MANY_SYSTEMS):
            first = seen.setdefault(values[row].tobytes(), row)
            copy_of[row] = first if first != row else -1
    return copy_of


def _split_half(values: FloatArray, lower: bool, seed: int) -> float:
    n, n_systems = values.shape
    if n < 4 or n_systems < 3:
        return float("nan")
    rng = np.random.default_rng([seed, n, 1])
    found: list[FloatArray] = []
    for inside in _subsets(rng, n, n // 2, _HALVES):
        stop_if_asked()
        first = inside @ values
        rest = values.sum(axis=0) - first
        found.append(_spearman(advantage(first / (n // 2), lower), advantage(rest / (n - n // 2), lower)))
    r = np.concatenate(found)
    r = r[~np.isnan(r)]
    return float(np.mean(2 * r / (1 + r))) if r.size and (r > -1).all() else float("nan")


def _agreement(values: FloatArray, lower: bool, seed: int) -> tuple[IntArray, FloatArray, FloatArray]:
    """How well the ranking by some random items agrees with that by all."""
    n, n_systems = values.shape
    if n < 4 or n_systems < 3:
        return np.zeros(0, dtype=np.int64), np.zeros(0), np.zeros(0)
    rng = np.random.default_rng([seed, n, 2])
    sizes = np.unique([max(_FEWEST_ITEMS, round(share * n)) for share in _SHARES])
    whole = advantage(values.mean(axis=0), lower)
    mean, low = np.empty(sizes.size), np.empty(sizes.size)
    for place, size in enumerate(sizes.tolist()):
        stop_if_asked()
        drawn = [
            _spearman(
                advantage(inside @ values / size, lower), np.broadcast_to(whole, (len(inside), n_systems))
            )
            for inside in _subsets(rng, n, size, _SUBSETS)
        ]
        r = np.nan_to_num(np.concatenate(drawn))
        mean[place], low[place] = r.mean(), np.quantile(r, 0.05)
    return sizes.astype(np.int64), mean, low


def _subsets(rng: np.random.Generator, n: int, size: int, many: int) -> list[FloatArray]:
    """Random subsets of items as rows of 0 and 1, some at a time."""
    step = max(1, _CELLS // n)
    found = []
    for start in range(0, many, step):
        part = min(step, many - start)
        inside = np.zeros((part, n))
        chosen = np.argpartition(rng.random((part, n)), size - 1, axis=1)[:, :size]
        np.put_along_axis(inside, chosen, 1.0, axis=1)
        found.append(inside)
    return found


def _spearman(a: FloatArray, b: FloatArray) -> FloatArray:
    """Spearman's correlation of every row; NaN where all are tied."""
    from scipy.stats import rankdata

    # Means that differ by rounding only are ties.
    ranks = [rankdata(np.round(rows, 10), axis=1) for rows in (a, b)]
    x, y = (rows - rows.mean(axis=1, keepdims=True) for rows in ranks)
    with np.errstate(invalid="ignore", divide="ignore"):
        r: FloatArray = (x * y).sum(axis=1) / np.sqrt((x**2).sum(axis=1) * (y**2).sum(axis=1))
    return r
