"""Documents: how many are compared; could those be that a label column names, and at what price."""

from collections.abc import Iterator, Sequence
from itertools import compress

import numpy as np

from nlpstat_core.board.pairs.decision import lowest_level
from nlpstat_core.catalogue import TESTS
from nlpstat_core.config import AUTO, NONE, RECOMMENDED, AnalysisConfig
from nlpstat_core.engine.columns.blocks import (
    FEW_BLOCKS,
    VERY_FEW_BLOCKS,
    Blocks,
    blocks_of,
    pair_design_effects,
)
from nlpstat_core.engine.columns.pairing import chunks
from nlpstat_core.errors import shown
from nlpstat_core.formatting import count_of, format_p
from nlpstat_core.methods.corrections import CORRECTIONS
from nlpstat_core.notes import Note
from nlpstat_core.readers import document_column
from nlpstat_core.readers.roles.documents import compared_documents, document_columns, n_documents
from nlpstat_core.report.wording.groups import smallest_block_p
from nlpstat_core.report.wording.sentences import documents_phrase
from nlpstat_core.results.analysis import AnalysisData
from nlpstat_core.results.columns import PairTable
from nlpstat_core.scores.documents import blocks_needed
from nlpstat_core.scores.matrix import ScoreMatrix

PROPOSED, TOO_FEW = "block-column-proposed", "block-column-too-few"
INCOMPLETE = "block-column-incomplete"
COMPARED, CHOSEN, RESERVED = "documents-compared", "documents-chosen", "block-column-reserved"
# Pairs whose design effect is looked at: enough for a median.
MOST_PAIRS = 2_000


def documents_notes(
    units: ScoreMatrix, config: AnalysisConfig, pairs: PairTable, family: int
) -> Iterator[Note]:
    """Which documents were compared and why these, or whether documents could be, and how to choose."""
    used = config.block_column
    if used is None:
        column = document_column(units) or _the_only_document(units)
        found = None if column is None else documents_note(units, config, pairs, family, column)
        yield from () if found is None else (found,)
    else:
        if config.test == RECOMMENDED:
            text = (
                "Items of one document aren't independent, so documents are compared: "
                f"{documents_phrase(units, used)}; --block-column none (in Python block_column=None) treats "
                "items as independent."
            )
            yield Note(COMPARED, "info", text)
        others = [name for name in compared_documents(units) if name != used]
        if others:
            counts = [count_of(n_documents(units, name), "document") for name in others]
            named = ", ".join(f"{shown(name)} ({n})" for name, n in zip(others, counts, strict=True))
            text = (
                f"{'Another column names' if len(others) == 1 else 'Other columns name'} documents too: "
                f"{named}. Those of {shown(used)} were compared (else --block-column {shown(others[0])})."
            )
            yield Note(CHOSEN, "info", text)
    for word in (AUTO, NONE):
        if word in units.labels and word != used:
            text = (
                f"A column is called {shown(word)}, which means something else as a choice of documents. "
                f"If it names documents, give it this role (--roles block={word})."
            )
            yield Note(RESERVED, "info", text)


def _the_only_document(units: ScoreMatrix) -> str | None:
    """The column that says of all units that they are of one document."""
    return next(
        (name for name in document_columns(units) if len(set(units.labels[name])) == 1 < units.n_units), None
    )


def documents_note(
    units: ScoreMatrix, config: AnalysisConfig, pairs: PairTable, family: int, column: str
) -> Note | None:
    """Whether whole documents could be compared on this board, and what that would cost.

    units: With the label column.
    config: Without documents.
    column: The label column that seems to name documents.
    Returns: "block-column-proposed" where block permutation could separate pairs of such a family,
        "block-column-too-few" where it could not, or there is one document only; None where each unit is a
        document of its own.
    """
    cells, name = units.labels[column], shown(column)
    ids = np.unique(np.array(cells, dtype=str), return_inverse=True)[1].astype(np.int64)
    blocks = blocks_of(ids)
    if blocks.n_blocks >= units.n_units or blocks.n_blocks < 1:
        return None
    alike = (
        f"Items of the same {column} may be alike, but this analysis treats all {units.n_scored:,} as "
        "independent"
    )
    if not all(cells):
        text = (
            f"{alike}, because column {name} names no document in {cells.count(''):,} of "
            f"{count_of(len(cells), 'row')}. Name one in every row, or leave these rows out."
        )
        return Note(INCOMPLETE, "caution", text)
    if blocks.n_blocks == 1:
        text = (
            f"{alike}; by column {name} all of them are of one document, so what is found may hold for this "
            "document only. Say so when you report."
        )
        return Note(TOO_FEW, "caution", text)
    documents = _described(blocks)
    needed = blocks_needed(lowest_level(config, family), config.alternative)
    many_enough = blocks.n_blocks >= VERY_FEW_BLOCKS and blocks.effective >= VERY_FEW_BLOCKS
    if blocks.n_blocks >= needed and (many_enough or column in compared_documents(units)):
        text = (
            f"{alike}. Compare whole documents{_how(config, name)}? Column {name} names {documents}"
            f"{_price(units, pairs, ids)}."
        )
        if blocks.effective < FEW_BLOCKS:
            text += " With so few of them, tests and intervals are only approximate."
        return Note(PROPOSED, "caution", text)
    many = f"{family:,} pairs under {CORRECTIONS[config.correction].label}" if family > 1 else "a p-value"
    if blocks.n_blocks >= needed:
        text = (
            f"{alike}; column {name} names only {documents}, and no test of fewer than {VERY_FEW_BLOCKS} of "
            "similar size is reliable. Say so when you report."
        )
        return Note(TOO_FEW, "caution", text)
    text = (
        f"{alike}; column {name} names only {documents}, too few to compare whole documents: their smallest "
        f"p-value is {format_p(smallest_block_p(blocks.n_blocks, config))}, and {many} at {config.alpha:g} "
        f"would need at least {count_of(needed, 'document')}. Say so when you report, or compare fewer pairs."
    )
    return Note(TOO_FEW, "caution", text)


def units_text(analysis: AnalysisData, noun: str = "item", systems: Sequence[str] = ()) -> str:
    """How many units there are and, where documents are blocks, in how many of them.

    noun: What a unit is called.
    systems: Only units for which all of these have scores; without any, units for which some system has one.
    """
    units = analysis.units
    there = units.present[:, [units.index(name) for name in systems]]
    rows = there.all(axis=1) if systems else units.present.any(axis=1)
    shared: list[bool] = np.asarray(rows).tolist()
    text = count_of(sum(shared), noun)
    column = analysis.config.block_column
    if column is None:
        return text
    return f"{text} in {count_of(len(set(compress(units.labels[column], shared))), 'document')}"


def _how(config: AnalysisConfig, name: str) -> str:
    """How whole documents are compared instead, by which test where one was chosen by name."""
    method = None if config.test == RECOMMENDED else TESTS[config.test]
    if method is None:
        return f" (--block-column {name})"
    if method.by_documents:
        return f", by {TESTS[method.by_documents].in_sentence} (--block-column {name})"
    return f", by the recommended test (--test {RECOMMENDED} --block-column {name})"


def _described(blocks: Blocks) -> str:
    """How many documents, and how many of equal size would weigh as much where that is much less."""
    text = count_of(blocks.n_blocks, "document")
    if blocks.effective < 0.75 * blocks.n_blocks:
        text += (
            f", which differ in size and carry as much information as {blocks.effective:.0f} of equal size"
        )
    return text


def _price(units: ScoreMatrix, pairs: PairTable, ids: np.ndarray) -> str:
    """How large standard errors would be if whole documents were compared."""
    chosen = np.unique(np.linspace(0, len(pairs) - 1, min(len(pairs), MOST_PAIRS)).astype(np.int64))
    work = chunks(units, pairs.left[chosen], pairs.right[chosen], block_ids=ids)
    effects = np.concatenate([pair_design_effects(chunk.batch) for chunk in work])
    effects = effects[~np.isnan(effects)]
    if effects.size == 0:
        return ""
    factor = float(np.sqrt(np.median(effects)))
    if 0.95 < factor < 1.05:
        return "; standard errors would hardly change"
    return (
        f"; standard errors would be {factor:.2g} times as large for the typical pair, so that "
        f"{'fewer' if factor > 1 else 'more'} pairs may be found to differ"
    )
