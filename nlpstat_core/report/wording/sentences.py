"""Sentences about a board: hypotheses, headlines, counts; those about a pair stand in `verdicts`."""

import math
from collections import Counter
from collections.abc import Iterable

import numpy as np

from nlpstat_core.board.ranking.claims import Claims, claims_of
from nlpstat_core.config import AnalysisConfig
from nlpstat_core.errors import Remedy, Sentence, shown
from nlpstat_core.formatting import count_of, format_score, is_or_are, listed_names, p_equals, some_names
from nlpstat_core.methods.corrections import CORRECTIONS, family_size
from nlpstat_core.methods.diagnosis.variance_ratio import VarianceRatio
from nlpstat_core.methods.significance import TESTS
from nlpstat_core.notes import Note, doubts
from nlpstat_core.readers.roles.documents import n_documents
from nlpstat_core.report.wording.question import (
    differ_in,
    label_of_test,
    one_hypothesis,
    quantity_of,
    with_measure,
)
from nlpstat_core.report.wording.ragged import not_tested
from nlpstat_core.report.wording.verdicts import (
    EQUIVALENT,
    TWO_TESTS,
    _contradicted,
    _verdict,
    deciding_p,
    pair_headline,
)
from nlpstat_core.results.analysis import AnalysisData
from nlpstat_core.results.columns import PairTable
from nlpstat_core.results.pair import Estimate, PairData
from nlpstat_core.scores.matrix import ScoreMatrix

NOTHING_COMPARED = "No pair of systems could be compared."
# Of a larger top group the first names are said, and how many they are.
MOST_NAMED = 20


def hypothesis_text(key: str | None, delta: float = 0.0) -> str:
    """What a test is about, in words."""
    return "nothing" if key is None else quantity_of(key).text.format(delta=f"{delta:g}")


def null_hypothesis(test: str, a: str, b: str, delta: float = 0.0) -> str:
    """The null hypothesis with the systems' names."""
    return f"H0 for {a} − {b}: {null_text(TESTS[test].null, a, b, delta)}."


def null_text(null: str, a: str, b: str, delta: float | None = None) -> str:
    """A null hypothesis of a catalogue with names and δ.

    delta: None writes δ.

    >>> null_text("the scores of {a} and {b} have the same distribution{shift}", "X", "Y", 0.5)
    'the scores of X and Y have the same distribution, after a shift of 0.5'
    """
    number = "δ" if delta is None else f"{delta:g}"
    shift = "" if delta == 0 else f", after a shift of {number}"
    return null.format(delta=number, shift=shift, a=a, b=b)


def variance_sentence(ratio: VarianceRatio) -> str:
    """What the F test says about the spreads of two independent samples, and how far to trust it."""
    if math.isnan(ratio.p_value):
        return (
            "The F test of equal variances is undefined: it needs two items and some variation in each "
            "sample."
        )
    first, second = ratio.degrees_of_freedom
    return (
        f"F test of equal variances: variance ratio {format_score(ratio.statistic)} on {first:g} and "
        f"{second:g} degrees of freedom, {p_equals(ratio.p_value)}. It reacts to non-normal scores as much "
        "as to unequal variances; Welch's test doesn't need it as a preliminary."
    )


def achieved_text(estimate: Estimate) -> str:
    """The level that an order-statistic interval really has, after a comma; else empty."""
    if math.isnan(estimate.achieved):
        return ""
    return f", achieved level {100 * estimate.achieved:.3g} %"


def correction_phrase(config: AnalysisConfig) -> str:
    """How the family was corrected, for a sentence: "after Holm at 0.05"."""
    if config.correction == "none":
        return f"without correction at {config.alpha:g}"
    return f"after {CORRECTIONS[config.correction].label} at {config.alpha:g}"


def withheld(*analyses: AnalysisData) -> Sentence | None:
    """Why no result is said yet: how a file was read is in doubt, and what settles that; None else."""
    return withheld_by(doubts(note for analysis in analyses for note in analysis.scores.notes))


def withheld_by(open_doubts: Iterable[Note]) -> Sentence | None:
    """Why no result is said before some doubts are settled; None without one."""
    open_doubts = tuple(dict.fromkeys(open_doubts))
    if not open_doubts:
        return None
    first, more = open_doubts[0].text, len(open_doubts) - 1
    also = f" ({count_of(more, 'more question')} below)" if more else ""
    said = Sentence(*first.parts) if isinstance(first, Sentence) else Sentence(first)
    accept = Remedy("accept", tuple(dict.fromkeys(note.code for note in open_doubts)))
    return Sentence(
        "No result is given until this question is answered: ",
        said,
        also,
        " If the file was read correctly, ",
        accept,
        ".",
    )


def headline(analysis: AnalysisData) -> str:
    """The answer in one sentence, with metric and direction where needed; or why there is none yet."""
    scores, said = analysis.scores, answer(analysis)
    if withheld(analysis) is not None:
        return said  # with the remedies it names
    one_of = f"{scores.metric}: " if "metrics" in scores.several else ""
    turned = analysis.units.lower_is_better and not np.isnan(analysis.pairs.p_value).all()
    return f"{one_of}{said.removesuffix('.')}{'; lower scores are better.' if turned else '.'}"


def answer(analysis: AnalysisData) -> str:
    """The headline where the metric stands beside it."""
    if (why := withheld(analysis)) is not None:
        return why
    pairs, config = analysis.pairs, analysis.config
    if len(pairs) == 1:
        return f"{_verdict(pairs, 0, config, None, swapped=False).removesuffix('.')}{comparing(analysis)}."
    found, counted = claims_of(pairs, analysis.leaderboard), counted_pairs(analysis)
    if config.baseline is not None:
        return f"Against {config.baseline}: {against_baseline(analysis)}; {counted}."
    if not found.compared and not (pairs.verdict_code == EQUIVALENT).any():
        return NOTHING_COMPARED
    counted += not_tested(analysis.units, pairs)
    if not found.separated:
        apart = bool(np.any(pairs.significant))
        none = "No evidence of a difference between any two systems"
        return f"{'No two systems are separated' if apart else none}: {counted}."
    return f"{_top_claim(found)}{_contested(found)}; {counted}."


def _top_claim(found: Claims) -> str:
    """Who leads: a system that is better than every other, or who the top group is."""
    if found.better_than_all:
        return f"{found.top[0]} is significantly better than every other system{_scored(found, 'has')}"
    if len(found.top) == 1:
        return f"Top group: {found.top[0]}, significantly better than {_others_beaten(found)}"
    if len(found.top) > MOST_NAMED:
        of_all = f"{len(found.top):,} of {found.others + 1:,} systems{_scored(found)}"
        return f"Top group: {of_all} ({some_names(found.top)})"
    return f"Top group: {listed_names(found.top)}"


def top_claim(analysis: AnalysisData) -> str:
    """Who leads on a board with a ranking, as a sentence of its own, also where no two are separated."""
    found = claims_of(analysis.pairs, analysis.leaderboard)
    if found.separated:
        return f"{_top_claim(found)}{_contested(found)}"
    if len(found.top) < 2:
        return NOTHING_COMPARED.removesuffix(".")
    everyone = f"all {len(found.top):,}{_scored(found)} are in the top group"
    named = f": {listed_names(found.top)}" if len(found.top) <= MOST_NAMED else ""
    return f"No two systems are separated, so {everyone}{named}"


def _others_beaten(found: Claims) -> str:
    return f"{found.beaten:,} of {found.others:,} other systems{_scored(found)}"


def _scored(found: Claims, have: str = "have") -> str:
    """Which systems are meant where some have no score at all."""
    return f" that {have} scores" if found.empty else ""


def _contested(found: Claims) -> str:
    """That a test speaks against a system of the top group, where one does."""
    if not found.contested:
        return ""
    tests = (
        "the test of 1 pair points"
        if found.contested == 1
        else f"the tests of {found.contested:,} pairs point"
    )
    return f" (though {tests} against {'it' if len(found.top) == 1 else 'members of it'})"


def contradiction(found: Claims) -> str:
    """What significant tests point against where pairs count as not separated; empty where none does."""
    against = (("the mean", found.against_mean), ("the order of the board", found.against_order))
    return " or ".join(what for what, count in against if count)


def against_baseline(analysis: AnalysisData) -> str:
    """How many systems differ from the baseline, b of every pair: "3 better, 1 worse, 2 undecided"."""
    pairs = analysis.pairs
    code, compared = pairs.verdict_code, ~np.isnan(pairs.p_value)
    counts = {
        "better": int(np.count_nonzero(code == 1)),
        "worse": int(np.count_nonzero(code == 2)),
        "equivalent": int(np.count_nonzero(code == EQUIVALENT)),
        "undecided": int(np.count_nonzero((code == 0) & compared)),
        "not compared": int(np.count_nonzero((code == 0) & ~compared)),
    }
    always = ("better", "worse", "undecided")
    return ", ".join(f"{n:,} {word}" for word, n in counts.items() if n or word in always)


def top_sentence(analysis: AnalysisData) -> str:
    """Is the best separated from the next, and who shares the top; the headline where there is no ranking."""
    pairs, config, board = analysis.pairs, analysis.config, analysis.leaderboard
    if config.baseline is not None or len(pairs) == 1 or board.rank_interval is None or withheld(analysis):
        return headline(analysis)
    first, second = board.system[0], board.system[1]
    row = pairs.find(int(board.column[0]), int(board.column[1]))
    if row is None or math.isnan(pairs.p_value[row]):
        return headline(analysis)
    alone, corrected = deciding_p(pairs, row)
    if config.correction != "none":
        p = p_equals(corrected, "adjusted p", alpha=config.alpha)
        evidence = f"{p}, {CORRECTIONS[config.correction].label}"
    else:
        evidence = f"{p_equals(alone, alpha=config.alpha)}, not corrected"
    if pairs.verdict_code[row] == EQUIVALENT:
        evidence = f"{TWO_TESTS}, {evidence}"
    if pairs.contradicting[row]:
        evidence += f"; the test and {_contradicted(pairs, row)} point in opposite directions"
    verdict = {0: "isn't separated from", EQUIVALENT: "is equivalent to"}.get(
        int(pairs.verdict_code[row]), "is separated from"
    )
    found = claims_of(pairs, board)
    if found.better_than_all:
        shared = f"{found.top[0]} holds the top alone"
    elif len(found.top) == 1:
        shared = f"the top group is {found.top[0]}, significantly better than {_others_beaten(found)}"
    else:
        scored = int(np.count_nonzero(~np.isnan(board.score)))
        some = "" if scored == len(board) else " that have scores"
        shared = f"{len(found.top):,} of {scored:,} systems{some} share the top"
    return f"{first} {verdict} {second} ({evidence}); {shared}{_contested(found)}."


def counted_pairs(analysis: AnalysisData) -> str:
    """How many pairs are decided, and after what: "23 of 120 pairs are found to differ in the mean after Holm
    at 0.05".

    Returns: Says so where the family goes beyond this board, and where tests point against means or the
        order.
    """
    found = claims_of(analysis.pairs, analysis.leaderboard)
    own, whole = family_size(analysis.pairs.p_value), analysis.family_size
    beyond = "" if own == whole else f" over {whole:,} comparisons on several boards"
    what = with_measure(differ_in(analysis.config, analysis.pairs), analysis.units)
    if one_hypothesis(analysis.config, analysis.pairs) is None and own:
        what = f", {what} ({mixture_text(analysis.pairs)}),"
    else:
        what = f" {what}"
    verb = is_or_are(1 if own == 1 else found.separated)
    text = (
        f"{found.separated:,} of {count_of(own, 'pair')} {verb} found to differ{what} "
        f"{correction_phrase(analysis.config)}{beyond}{comparing(analysis)}"
    )
    if against := contradiction(found):
        count = found.against_mean + found.against_order
        text += f", not counting {count:,} in which the test points against {against}"
    if found.short_of_delta:
        text += (
            f", not counting {found.short_of_delta:,} whose difference is only found to be other than "
            f"{analysis.config.delta:g}"
        )
    return text


def comparing(analysis: AnalysisData) -> str:
    """That documents were compared, for the end of a sentence; empty where units are independent."""
    column = analysis.config.block_column
    return "" if column is None else f", comparing {documents_phrase(analysis.units, column)}"


def documents_phrase(units: ScoreMatrix, column: str) -> str:
    """The documents of units that have scores: "170 documents (column doc)"."""
    return f"{count_of(n_documents(units, column), 'document')} (column {shown(column)[1:-1]})"


def mixture(pairs: PairTable) -> dict[str, int]:
    """How many pairs each test was used for, most used first."""
    used = pairs.test_code[(pairs.test_code >= 0) & ~np.isnan(pairs.p_value)]
    codes, counts = np.unique(used, return_counts=True)
    found = {pairs.tests[code]: int(count) for code, count in zip(codes, counts, strict=True)}
    return dict(sorted(found.items(), key=lambda item: -item[1]))


def mixture_text(*tables: PairTable) -> str:
    """The tests used with their numbers of pairs: "Paired t test 60 pairs, Sign test 1 pair"."""
    used: Counter[str] = Counter()
    for pairs in tables:
        used.update(mixture(pairs))
    return ", ".join(f"{label_of_test(key)} {count_of(count, 'pair')}" for key, count in used.most_common())


def pair_answer(pair: PairData, analysis: AnalysisData) -> str:
    """The answer for one pair of a board in one sentence, or why there is none yet."""
    return withheld(analysis) or pair_headline(pair, analysis.config, family=analysis.family_size)
