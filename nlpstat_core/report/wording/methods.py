"""Methods and results: what a paper has to state about an analysis, sentence by sentence."""

from collections.abc import Iterator

import numpy as np

from nlpstat_core.board.ranking.additive import same_units
from nlpstat_core.config import RECOMMENDED
from nlpstat_core.engine.columns.outcomes import P_KINDS
from nlpstat_core.formatting import count_of
from nlpstat_core.methods.corrections import CORRECTIONS
from nlpstat_core.methods.effects import EFFECTS
from nlpstat_core.methods.significance import TESTS
from nlpstat_core.methods.significance.documents import as_run
from nlpstat_core.methods.significance.swap import FIRST_DRAWS
from nlpstat_core.report.wording.documents import units_text
from nlpstat_core.report.wording.measures import measure_statements
from nlpstat_core.report.wording.question import question_text, with_measure
from nlpstat_core.report.wording.ragged import scored_pairs, untested_disjoint, without_scores
from nlpstat_core.report.wording.runs import runs_statements
from nlpstat_core.report.wording.sentences import hypothesis_text, mixture, null_text, withheld
from nlpstat_core.report.wording.simultaneous import simultaneous_statements
from nlpstat_core.report.wording.statements import (
    RESULTS,
    Statement,
    found_statements,
    named_test,
    power_statement,
)
from nlpstat_core.report.wording.titles import with_direction
from nlpstat_core.report.wording.top_pair import pair_statements, top_row
from nlpstat_core.report.wording.tracks import composite_text
from nlpstat_core.results.analysis import AnalysisData
from nlpstat_core.version import VERSION

_CITED_BY_RULE = ("zhu2020", "shapiro1965")
_P_KINDS = {
    "exact": "exact",
    "contour": "integrated numerically from the permutation distribution (no resampling)",
    "asymptotic": "taken from the test's asymptotic or parametric distribution",
    "monte-carlo": "estimated from {resamples:,} random resamples",
}
_WEIGHTED = (
    "estimated from at least {resamples:,} weighted random draws (relative standard error up to {error})"
)
_SWAPPED = (
    "estimated from up to {first:,} swaps drawn under a tilt towards the observed difference and weighted "
    "back, together with the integrated tail of the linearised measure, and from {resamples:,} where these "
    "left the decision open (relative standard error up to {error})"
)


def methods(analysis: AnalysisData) -> tuple[Statement, ...]:
    """Everything a report has to state: data, hypotheses, test and why, level, correction, results, power."""
    return tuple(
        statement
        for part in (
            *(
                _data,
                runs_statements,
                _test,
                measure_statements,
                _assumptions,
                _hypotheses,
                _p_values,
                correction_statements,
                _estimates,
                _software,
            ),
            _found,
        )
        for statement in part(analysis)
        if statement.text
    )


def cited(statements: tuple[Statement, ...]) -> tuple[str, ...]:
    """Keys of the publications that a paragraph cites, in the order of their first citation."""
    return tuple(dict.fromkeys(key for statement in statements for key in statement.references))


def _units_of_pairs(analysis: AnalysisData) -> str:
    """The units that every pair shares, or how many each pair has where scores are missing."""
    if same_units(analysis.units):
        return f"the same {units_text(analysis, 'item')}"
    few, many = _shared(analysis)
    if (
        few == many
        and not analysis.pairs.unpaired.any()
        and not untested_disjoint(analysis.units, analysis.pairs).any()
    ):
        return f"{units_text(analysis, 'item')}, each pair on {many:,} that both systems have"
    return f"{units_text(analysis, 'item')}"


def _shared(analysis: AnalysisData) -> tuple[int, int]:
    """Fewest and most units shared by a pair that was compared on shared units; 0 and 0 without one."""
    pairs = analysis.pairs
    there = pairs.n_units[(pairs.n_units > 0) & ~pairs.unpaired]
    return (int(there.min()), int(there.max())) if there.size else (0, 0)


def _data(analysis: AnalysisData) -> Iterator[Statement]:
    units, config, rows = analysis.units, analysis.config, analysis.scores.n_units
    what = (
        "compared by their scores" if units.metric is None else f"compared by their scores of {units.metric}"
    )
    if units.measured is not None:
        what = f"compared by {units.metric}"
    scored = units.n_systems - len(without_scores(units))
    were = "was" if scored == 1 else "were"
    text = f"{count_of(scored, 'system')} {were} {with_direction(what, units)} on"
    if config.unit_size == 1:
        yield Statement(f"{text} {_units_of_pairs(analysis)}")
    else:
        order = "" if config.shuffle_seed is None else f", shuffled with seed {config.shuffle_seed},"
        yield Statement(
            f"{text} {units_text(analysis, 'item')}, each the {config.unit_metric} of about "
            f"{config.unit_size} adjacent rows of {rows:,}{order} in the score file"
        )
    yield Statement(composite_text(analysis))
    yield from data_caveats(analysis)


def data_caveats(analysis: AnalysisData) -> Iterator[Statement]:
    """What isn't the same for all pairs: a baseline, documents, missing scores, independent samples."""
    units, config = analysis.units, analysis.config
    if config.baseline is not None:
        yield Statement(f"Systems were compared with the baseline {config.baseline} only")
    if config.block_column is not None:
        yield Statement(
            f"Items belong to the documents named by the column {config.block_column}; documents, not items, "
            "are taken as independent"
        )
    unpaired = analysis.pairs.notes.get("unpaired")
    if unpaired is not None and unpaired.any():
        yield Statement(
            f"{int(unpaired.sum()):,} of {count_of(len(analysis.pairs), 'pair')} "
            f"{'shares no item and was' if unpaired.sum() == 1 else 'share no item and were'} compared as "
            "independent samples"
        )
    left_out = int(np.count_nonzero(untested_disjoint(units, analysis.pairs)))
    if left_out:
        yield Statement(
            f"{left_out:,} of {count_of(len(analysis.pairs), 'pair')} "
            f"{'shares no item and was' if left_out == 1 else 'share no item and were'} not compared"
        )
    if not same_units(units):
        few, many = _shared(analysis)
        if many:
            counted = f"{few:,} to {many:,}" if few < many else f"{few:,}"
            yield Statement(
                f"Scores are missing; pairs were compared on the items that both systems have ({counted})"
            )
        if analysis.leaderboard.own_score is not None:
            yield Statement(
                "As systems have different items, they were ordered by a least-squares fit of an effect of "
                "the item plus an effect of the system"
            )


def _test(analysis: AnalysisData) -> Iterator[Statement]:
    config, used = analysis.config, mixture(analysis.pairs)
    if config.test != RECOMMENDED:
        test = as_run(config, runs=analysis.units.runs is not None).test
        method = TESTS[test]
        yield Statement(
            f"{_pairs_compared(analysis)} compared by the same test, {named_test(test)}, which is about "
            f"{with_measure(hypothesis_text(method.hypothesis, config.delta), analysis.units)}",
            method.references,
        )
        return
    if config.about_means:
        yield from _tests_of_means(analysis, used)
        return
    counted = ", ".join(f"{TESTS[key].label} for {count_of(count, 'pair')}" for key, count in used.items())
    yield Statement(
        f"The test was chosen from the data: for each pair the kind of scores, the skewness of the "
        f"differences (limit {config.skewness_limits[0]:g}) and the Shapiro–Wilk test of normality at "
        f"{config.normality_alpha:g} decided between tests ({counted or 'none suits them'})",
        (*_CITED_BY_RULE, *(key for test in used for key in TESTS[test].references)),
    )
    if len(used) > 1:
        yield Statement(
            "Tests chosen in this way ask different questions, so the p-values of two pairs need not be "
            "about the same quantity"
        )
    yield from (Statement(TESTS[test].when_chosen) for test in used)


def _pairs_compared(analysis: AnalysisData) -> str:
    """The subject of a sentence on all pairs, or on those that have a p-value."""
    undefined = np.isnan(analysis.pairs.p_value)
    return "The pairs that could be compared were" if undefined.any() else "Every pair was"


def _tests_of_means(analysis: AnalysisData, used: dict[str, int]) -> Iterator[Statement]:
    """One question for all pairs; the test follows from the kind of scores, never from their differences."""
    counted = " and ".join(
        named_test(key) if len(used) == 1 else f"{named_test(key)} ({count_of(count, 'pair')})"
        for key, count in used.items()
    )
    yield Statement(
        f"{_pairs_compared(analysis)} tested for the same question, "
        f"{question_text(analysis.config, analysis.pairs)}, by "
        f"{counted or 'no test, since none suits these scores'}; the test was chosen by the kind of scores, "
        "not by looking at the differences",
        tuple(key for test in used for key in TESTS[test].references),
    )


def _assumptions(analysis: AnalysisData) -> Iterator[Statement]:
    for test in mixture(analysis.pairs):
        text = "; ".join(TESTS[test].assumptions)
        name = named_test(test)
        yield Statement(f"{name[0].upper()}{name[1:]} assumes: {text}")


def _hypotheses(analysis: AnalysisData) -> Iterator[Statement]:
    config, board = analysis.config, analysis.leaderboard
    first, second = board.system[0], board.system[1]
    if config.baseline is not None:
        first = next(name for name in board.system if name != config.baseline)
        second = config.baseline
    a, b = sorted((first, second), key=analysis.units.index)
    for test in mixture(analysis.pairs):
        null = null_text(TESTS[test].null, a, b, config.delta)
        yield Statement(f"Null hypothesis of {named_test(test)}, for example for {a} and {b}: {null}")
    side = {
        "two-sided": f"{a} and {b} differ in either direction",
        "greater": f"{a} scores higher than {b}",
        "less": f"{a} scores lower than {b}",
    }[config.alternative]
    margin = f" (by other than {config.delta:g})" if config.delta else ""
    yield Statement(f"The alternative is {config.alternative}: {side}{margin}")


def _p_values(analysis: AnalysisData) -> Iterator[Statement]:
    """How every test's p-values were computed, with numbers of pairs where there is more than one way."""
    pairs = analysis.pairs
    nowhere = np.zeros(len(pairs), dtype=bool)
    swapped = nowhere | pairs.notes.get("swap-draws", False)
    weighted = nowhere | pairs.notes.get("monte-carlo-last-resort", False)
    groups = [
        ((pairs.p_kind_code == code) & ~weighted & ~swapped, _P_KINDS[kind])
        for code, kind in enumerate(P_KINDS)
    ]
    parts = []
    for test in mixture(pairs):
        own = (pairs.test_code == pairs.tests.index(test)) & ~np.isnan(pairs.p_value)
        ways = []
        for group, text in (*groups, (weighted, _WEIGHTED), (swapped, _SWAPPED)):
            chosen = group & own
            if chosen.any():
                error = f"{100.0 * float(pairs.error[chosen].max()):.2g} %"
                how = text.format(resamples=analysis.config.resamples, first=FIRST_DRAWS, error=error)
                ways.append((how, int(np.count_nonzero(chosen))))
        counted = [how if len(ways) == 1 else f"{how} for {count_of(count, 'pair')}" for how, count in ways]
        listed = ", ".join(counted[:-1]) + " and " + counted[-1] if len(counted) > 1 else "".join(counted)
        parts.append(f"those of {named_test(test)} are {listed}")
    text = "; ".join(parts)
    yield Statement(f"The p-values {text.removeprefix('those ')}" if parts else "")


def correction_statements(analysis: AnalysisData) -> Iterator[Statement]:
    """The level, what corrects for many comparisons, and what counts as equivalent."""
    config, method = analysis.config, CORRECTIONS[analysis.config.correction]
    if analysis.family_size == 0:
        yield Statement(f"The significance level is {config.alpha:g}; there is no p-value")
    elif analysis.family_size == 1 and not method.resamples:
        yield Statement(
            f"The significance level is {config.alpha:g}; there is one comparison, so nothing to correct for"
        )
    elif config.correction == "none":
        yield Statement(
            f"The {analysis.family_size:,} p-values were not corrected for multiple comparisons; each was "
            f"judged at the significance level {config.alpha:g}"
        )
    else:
        yield Statement(
            f"The significance level is {config.alpha:g}; the {analysis.family_size:,} p-values were "
            f"corrected together by the method of {method.label} ({method.error_rate})",
            method.references,
        )
    apart = untested_disjoint(analysis.units, analysis.pairs)
    scored = scored_pairs(analysis.units, analysis.pairs)
    undefined = int(np.count_nonzero(np.isnan(analysis.pairs.p_value) & ~apart & scored))
    if undefined:
        noun = "further pair" if apart.any() else "pair"
        yield Statement(f"The test is undefined for {count_of(undefined, noun)}")
    if config.equivalence_margin is not None:
        yield Statement(
            f"Two systems are called equivalent when two one-sided tests place their difference within "
            f"±{config.equivalence_margin:g}; the p-values of difference and of equivalence were corrected "
            "together, so that one error rate holds for both kinds of claims"
        )


def _estimates(analysis: AnalysisData) -> Iterator[Statement]:
    config, keys = analysis.config, tuple(analysis.pairs.effects)
    if keys:
        labels = ", ".join(EFFECTS[key].label for key in keys)
        yield Statement(
            f"Effect sizes are {labels}; intervals are {100 * config.level:g} % confidence intervals of "
            "single comparisons",
            tuple(key for effect in keys for key in EFFECTS[effect].references),
        )
    yield from simultaneous_statements(analysis)
    if analysis.leaderboard.rank_interval is not None and withheld(analysis) is None:
        yield Statement(
            "Top group, rank intervals, clusters and letters follow from the same decisions on pairs: rank "
            "intervals count the systems that are significantly better and worse, the top group holds those "
            "that no other is significantly better than, and a cluster ends where every pair across the line "
            "is separated"
        )


def _found(analysis: AnalysisData) -> Iterator[Statement]:
    if (why := withheld(analysis)) is not None:
        yield Statement(why.removesuffix("."), (), RESULTS)
        return
    yield from found_statements(analysis)
    row = top_row(analysis)
    if row is not None:
        yield from pair_statements(analysis, row)
        yield from power_statement(analysis, row)


def _software(analysis: AnalysisData) -> Iterator[Statement]:
    yield Statement(
        f"Computed with nlpstat {VERSION}; seed {analysis.config.seed}; "
        f"settings {analysis.signature}; scores {analysis.fingerprint}",
        ("zhu2020",),
    )
