"""Claims that rest on a few units: differences too skewed for a test of a mean on so many units."""

import numpy as np

from nlpstat_core.arrays import BoolArray, IntArray
from nlpstat_core.catalogue import TESTS
from nlpstat_core.config import AnalysisConfig
from nlpstat_core.engine.columns.blocks import blocks_of
from nlpstat_core.formatting import count_of, format_score, is_or_are
from nlpstat_core.methods.diagnosis.few_units import NOTE, wanted
from nlpstat_core.notes import Note, doubts
from nlpstat_core.results.analysis import AnalysisData
from nlpstat_core.results.columns import PairTable
from nlpstat_core.scores.documents import block_ids
from nlpstat_core.scores.matrix import ScoreMatrix

# Stands beside every decided pair that rests on a few units; seen in grey print, too.
MARK = "‡"
# Pairs that a sentence calls by name.
MOST_NAMED = 5

PAIR_NOTE = (
    "A few of the {averaged} decide this difference (skewness {skewness}; a test needs 25 times its square, "
    "{wanted}): p may be far too small or too large, and rarer, larger differences can't be seen "
    "in these scores."
)


_MEAN, _MEASURE = "a test of the mean", "the swap test"
_SIMULATED = {
    _MEAN: "lognormal differences at a level of 5 %: 16 % false findings with 100 items, 8 % with 1,000",
    _MEASURE: "Pearson's correlation and lognormal errors at a level of 5 %: 14 % false findings with 100 "
    "items, 9 % with 1,000",
}


def _a_test(pairs: PairTable) -> str:
    """What compares so skewed differences: all pairs of a board by a measure have the same test."""
    used = {TESTS[pairs.tests[code]].design for code in np.unique(pairs.test_code) if code >= 0}
    return _MEASURE if used == {"measure"} else _MEAN


def drawn_noun(config: AnalysisConfig, design: str) -> str:
    """What a test takes as independent: "unit" or "document"."""
    return (
        "document" if config.block_column is not None and design in ("blocks", "runs", "measure") else "item"
    )


def mark_words(pairs: PairTable, row: int, config: AnalysisConfig) -> str:
    """The sentence behind a pair's verdict, with a space; empty where it doesn't rest on a few units."""
    if not pairs.rests_on_few[row]:
        return ""
    design = TESTS[pairs.tests[pairs.test_code[row]]].design
    return f" It rests on a few {drawn_noun(config, design)}s ({MARK})."


def legend_words(analysis: AnalysisData) -> str:
    """What the mark means, under tables and figures; empty where no claim rests on a few units."""
    if not analysis.pairs.rests_on_few.any():
        return ""
    return f"{MARK} rests on a few {few_of(analysis)}: too skewed for {_a_test(analysis.pairs)} on so many"


def second_line(analysis: AnalysisData) -> str:
    """How many of the claims in the headline rest on a few units; empty where none does."""
    marked = int(np.count_nonzero(analysis.pairs.rests_on_few))
    if not marked or doubts(analysis.scores.notes):
        return ""
    what = f"a few {few_of(analysis)} ({MARK})"
    decided = int(np.count_nonzero(analysis.pairs.verdict_code != 0))
    if len(analysis.pairs) == 1:
        tested = _a_test(analysis.pairs)
        return f"This rests on {what}: the difference is too skewed for {tested} on so many."
    if marked == decided:
        few = {1: "The one decided pair rests", 2: "Both decided pairs rest"}
        return f"{few.get(decided, f'All {decided:,} decided pairs rest')} on {what}."
    return f"{marked:,} of the {decided:,} decided pairs {'rests' if marked == 1 else 'rest'} on {what}."


def few_units_note(config: AnalysisConfig, pairs: PairTable) -> Note | None:
    """Which pairs rest on a few units, the decided ones by name."""
    concerned = pairs.notes.get(NOTE)
    if concerned is None or not concerned.any():
        return None
    count, marked = int(concerned.sum()), np.flatnonzero(pairs.rests_on_few)
    designs = {TESTS[pairs.tests[code]].design for code in np.unique(pairs.test_code[concerned])}
    noun = drawn_noun(config, designs.pop()) if len(designs) == 1 else "item"
    simulated = _SIMULATED[_a_test(pairs)]
    text = (
        f"In {count:,} of {count_of(len(pairs), 'pair')} the difference rests on a few {noun}s: it is so "
        f"skewed that {_a_test(pairs)} needs at least 25 times its squared skewness in {noun}s. With "
        f"fewer it may find a difference far too easily, or miss one (simulated with {simulated}), and "
        "larger differences may be so rare that these scores hold none."
    )
    if marked.size:
        are = is_or_are(marked.size)
        text += (
            f" {marked.size:,} of these pairs {are} decided and marked {MARK}: {named_pairs(pairs, marked)}."
        )
    return Note(NOTE, "caution", text)


def facts_of(units: ScoreMatrix, config: AnalysisConfig, pairs: PairTable, row: int) -> dict[str, object]:
    """What the sentence on one pair names: averaged, skewness, wanted."""
    design = "" if pairs.test_code[row] < 0 else TESTS[pairs.tests[pairs.test_code[row]]].design
    noun, count = drawn_noun(config, design), int(pairs.n_units[row])
    ids = block_ids(units, config)
    if noun == "document" and ids is not None:
        count = blocks_of(ids[units.present[:, [pairs.left[row], pairs.right[row]]].all(axis=1)]).n_blocks
    elif pairs.unpaired[row]:
        count = int(pairs.n_a[row] + pairs.n_b[row])
    skewness = float(pairs.mean_skewness[row])
    needed = float(wanted(np.array(skewness), float(count)))
    return {
        "averaged": count_of(count, noun),
        "skewness": format_score(skewness * np.sqrt(count)),
        "wanted": "none" if np.isnan(needed) else f"{np.ceil(needed):,.0f}",
    }


def marked_systems(analysis: AnalysisData) -> IntArray:
    """How many decided pairs of every system rest on a few units, in the order of the leaderboard."""
    pairs = analysis.pairs
    marked: BoolArray = pairs.rests_on_few
    ends = np.concatenate([pairs.left[marked], pairs.right[marked]])
    counts: IntArray = np.bincount(ends, minlength=len(pairs.systems))[analysis.leaderboard.column]
    return counts


def named_pairs(pairs: PairTable, rows: IntArray) -> str:
    """The pairs by their systems, the first few of many."""
    names = [
        f"{pairs.systems[pairs.left[row]]} and {pairs.systems[pairs.right[row]]}" for row in rows[:MOST_NAMED]
    ]
    more = rows.size - len(names)
    return "; ".join(names) + (f"; and {more:,} more" if more else "")


def few_of(analysis: AnalysisData) -> str:
    """What the marked pairs rest on a few of: "units", "documents"."""
    pairs = analysis.pairs
    codes = np.unique(pairs.test_code[pairs.rests_on_few])
    nouns = {f"{drawn_noun(analysis.config, TESTS[pairs.tests[code]].design)}s" for code in codes}
    return " or ".join(sorted(nouns, reverse=True))
