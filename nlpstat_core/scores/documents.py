"""Documents (blocks) of units: their numbers, merged where units straddle them, how many are needed."""

import math
from dataclasses import replace

import numpy as np

from nlpstat_core.arrays import IntArray
from nlpstat_core.config import AnalysisConfig
from nlpstat_core.errors import AnalysisError, Remedy, shown
from nlpstat_core.notes import Note
from nlpstat_core.scores.matrix import ScoreMatrix
from nlpstat_core.scores.units import grouped, row_order

# Merged documents are named by all their names up to so many.
_NAMED_DOCUMENTS = 3


def block_ids(units: ScoreMatrix, config: AnalysisConfig) -> IntArray | None:
    """Number of the block (document) of every unit, or None when no block column is named."""
    if config.block_column is None:
        return None
    _, numbers = np.unique(np.array(units.labels[config.block_column], dtype=str), return_inverse=True)
    return numbers.astype(np.int64)


def shared_documents(
    units: ScoreMatrix, config: AnalysisConfig, left: IntArray, right: IntArray
) -> IntArray | None:
    """Documents in which the systems of each pair share a unit; None where units stand alone."""
    ids = block_ids(units, config)
    if ids is None:
        return None
    if not units.has_missing:
        return np.full(left.shape, np.unique(ids).size)
    shared = np.zeros((units.n_systems, units.n_systems), dtype=np.int64)
    for document in range(int(ids.max()) + 1):
        there = units.present[ids == document].astype(np.float32)
        shared += there.T @ there > 0
    return shared[left, right]


def whole_documents(
    scores: ScoreMatrix, units: ScoreMatrix, config: AnalysisConfig, column: str
) -> ScoreMatrix:
    """Evaluation units with documents as blocks: documents that share a unit count as one block.

    scores: The rows that were joined.
    units: The evaluation units made of them.
    Returns: The units; where a unit straddles documents, labels of `column` name the merged blocks and a note
        ("blocks-merged") says how many.
    Raises AnalysisError: All documents run into one.

    Blocks have to be independent of each other, so two documents that one unit has rows of can't be two
    blocks. Merging them keeps every block test valid and leaves the units as they are without blocks.
    """
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import connected_components

    names, codes = np.unique(np.array(scores.labels[column], dtype=str), return_inverse=True)
    order = row_order(scores.n_units, config.shuffle_seed)
    groups = grouped(order, config.unit_size, config.unit_remainder)
    first = np.repeat([codes[group[0]] for group in groups], [len(group) for group in groups])
    every = codes[np.concatenate(groups)]
    links = coo_array((np.ones(every.size), (first, every)), shape=(names.size, names.size))
    n_merged, component = connected_components(links, directed=False)
    if n_merged == names.size:
        return units
    if n_merged < 2:
        shuffled = "Shuffled items mix" if config.shuffle_seed is not None else "Such items run through"
        raise AnalysisError(
            f"{shuffled} the documents of {shown(column)}, so that none stands alone; compare single rows",
            Remedy("unit_size", 1, "aside"),
            ", or name no column of documents",
            Remedy("block_column", "none", "aside"),
            ".",
        )
    merged = [_merged_name(names[component == number].tolist()) for number in range(n_merged)]
    labels = tuple(merged[component[codes[group[0]]]] for group in groups)
    straddling = sum(np.unique(codes[group]).size > 1 for group in groups)
    text = (
        f"{straddling:,} of {len(groups):,} items hold rows of several documents; documents that "
        f"share an item count as one: {n_merged:,} documents are left of {names.size:,}."
    )
    note = Note("blocks-merged", "caution", text)
    return replace(units, labels={**units.labels, column: labels}, notes=(*units.notes, note))


def _merged_name(documents: list[str]) -> str:
    if len(documents) <= _NAMED_DOCUMENTS:
        return " + ".join(documents)
    return f"{documents[0]} + {len(documents) - 1} more"


def blocks_needed(limit: float, alternative: str) -> int:
    """Fewest blocks with which a block permutation test can reach a p-value.

    Returns: The smallest G with 2^(1−G) ≤ limit, 2^(−G) for one side.

    >>> blocks_needed(0.05, "two-sided"), blocks_needed(0.05 / 120, "two-sided")
    (6, 13)
    """
    return math.ceil(-math.log2(limit) - 1e-12) + (alternative == "two-sided")
