"""Sentences about a judge corrected by people."""

from collections.abc import Iterator

import numpy as np

from nlpstat_core.arrays import BoolArray
from nlpstat_core.errors import shown, some_shown
from nlpstat_core.formatting import count_of, format_interval, format_score, is_or_are
from nlpstat_core.methods.corrections import CORRECTIONS
from nlpstat_core.notes import doubts
from nlpstat_core.report.wording.sentences import withheld_by
from nlpstat_core.report.wording.statements import RESULTS, Statement, stated
from nlpstat_core.results.judge import CONSTANT_JUDGE, JudgedBoard
from nlpstat_core.results.judge_itself import CROSSED, NESTED

MORE = 20  # labels, whose worth is told
BOARD_LEGEND = (
    "Corrected: estimate of people's mean over all items; worth: labels that people alone would need for the "
    "same standard error of that mean; ●: no other system is found to be better."
)
PAIRS_LEGEND = (
    "A − B is estimated from the pair's own differences, with the judge weighted by how much it helps there, "
    "so it can deviate from the difference of the corrected means; worth: labels that people alone would "
    "need for the same standard error of A − B."
)
ROGAN_GLADEN = (
    "As a second method, shares of 1 were corrected by the judge's sensitivity and specificity on labelled "
    "items, with adjusted intervals"
)


def headline(found: JudgedBoard) -> str:
    """Who is best by the corrected board, or why nothing is said yet."""
    if (why := withheld_by(doubts(found.notes))) is not None:
        return why
    best, top = shown(found.systems[found.order[0]]), found.top_group
    group = len(top)
    first = [name for name, rank in zip(found.systems, found.rank, strict=True) if rank == 1]
    if len(first) > 1:
        return (
            f"{some_shown(first)} share the first place on {shown(found.human)}, with the judge corrected by "
            f"people's labels; {_top_group(found)}."
        )
    if first[0] not in top:
        return (
            f"{best} has the best corrected mean on {shown(found.human)}, but another system is found to be "
            f"better by the pair's own differences: {_top_group(found)}."
        )
    others = len(found.systems) - 1
    if _beaten_by_the_best(found) == others:
        whom = "the other system" if others == 1 else "every other system"
        return (
            f"{best} is better than {whom} on {shown(found.human)}, with the judge corrected by people's "
            f"labels."
        )
    if group == 1:
        return (
            f"{best} leads on {shown(found.human)}, with the judge corrected by people's labels; no "
            f"other system is found to be better."
        )
    return (
        f"{best} leads on {shown(found.human)}, with the judge corrected by people's labels; "
        f"{_top_group(found)}."
    )


def _top_group(found: JudgedBoard) -> str:
    top = found.top_group
    if len(top) == 1:
        return f"for {shown(top[0])} alone no other system is found to be better"
    if not top:
        return "for every system another one is found to be better"
    return f"the top group has {len(top):,} systems: for each of them, no other system is found to be better"


def _beaten_by_the_best(found: JudgedBoard) -> int:
    best, pairs = found.order[0], found.corrected
    better = (-1.0 if found.lower_is_better else 1.0) * pairs.difference
    wins = np.where(found.left == best, better > 0, (found.right == best) & (better < 0))
    return int(np.count_nonzero(wins & pairs.significant))


def counted_sentence(found: JudgedBoard) -> str:
    """How many pairs differ by the corrected board, by people's labels and by the judge alone."""
    differ, alone, judged = (
        int(pairs.significant.sum()) for pairs in (found.corrected, found.people_pairs, found.judge_pairs)
    )
    against = int(np.count_nonzero(contradicted(found)))
    turned = f", {against:,} of them the other way round" if against else ""
    label = CORRECTIONS[found.correction].label
    return (
        f"{differ:,} of {count_of(found.left.size, 'pair')} {is_or_are(differ)} found to differ ({label}, "
        f"alpha {found.alpha:g}); by people's labels alone {alone:,}, by the judge alone {judged:,}{turned}."
    )


def contradicted(found: JudgedBoard) -> BoolArray:
    """Pairs on which the judge alone and the corrected board are both sure, of opposite directions."""
    both = found.corrected.significant & found.judge_pairs.significant
    way = -1.0 if found.turned else 1.0
    return np.asarray(both & (way * found.corrected.difference * found.judge_pairs.difference < 0))


def labels_phrase(found: JudgedBoard) -> str:
    """Labels of a system: "120 labels", or "80 to 120 labels"."""
    fewest, most = int(found.labels.min()), int(found.labels.max())
    return count_of(fewest, "label") if fewest == most else f"{fewest:,} to {most:,} labels"


def worth_sentence(found: JudgedBoard) -> str:
    """What the labels are worth beside the judge, and what more of them would bring."""
    if (found.labels == found.n_items).all():
        return "People judged every item, so there is nothing to correct and the judge isn't used."
    worth = found.worth_of_pairs
    known = ~np.isnan(worth)
    if np.isnan(found.corrected.difference).all():
        return "How many labels the judge replaces can't be told: no two systems share enough labelled items."
    if not known.any():
        return "How many labels the judge replaces can't be estimated: the labels' differences don't vary."
    typical, n = float(np.median(worth[known])), float(np.median(found.corrected.n_items[known]))
    text = (
        f"For comparing two systems, {n:,.0f} labels with the judge are worth about {typical:,.0f} labels "
        "without it (median over pairs)"
    )
    if np.isnan(found.narrower):
        return f"{text}."
    share = 100 * (1 - found.narrower)
    return f"{text}; {MORE} more would make intervals about {share:.0f} % narrower."


def apart_sentence(found: JudgedBoard) -> str:
    """How many labels would tell the first two apart; "" where they differ, or none would."""
    if found.more_labels is None:
        return ""
    first, second = (shown(found.systems[place]) for place in found.order[:2])
    if found.more_labels > found.n_items:
        return (
            f"Telling {first} and {second} apart would take about {found.more_labels:,} labelled items, more "
            f"than the {found.n_items:,} there are, if the true difference is the estimated one."
        )
    return (
        f"About {found.more_labels:,} labelled items in all would tell {first} and {second} apart with a "
        "power of 80 %, if the true difference is the estimated one."
    )


def moves(found: JudgedBoard) -> Iterator[str]:
    """Who has another rank than by the judge alone, the farthest first, and why."""
    if _says_nothing(found):
        yield "The judge alone ranks nobody: it gives every output the same score."
        return
    far = np.abs(found.rank_judge - found.rank)
    for place in sorted(np.flatnonzero(far), key=lambda i: (-far[i], found.rank[i])):
        name = shown(found.systems[place])
        text = f"{name}: rank {found.rank_judge[place]} by the judge alone, {found.rank[place]} corrected. "
        bias = float(found.bias[place])
        if np.isnan(bias):
            yield f"{text}Too few items are labelled for all systems to estimate the judge's bias."
            continue
        much = f"{format_score(abs(bias))} {'more' if bias > 0 else 'less'}{_direction(found)}"
        ends = np.array([found.bias_lower[place], found.bias_upper[place]])
        within = format_interval(float(ends[0]), float(ends[1]))
        if found.bias_p[place] <= found.alpha:
            yield f"{text}Compared with people, the judge gives it {much} than the others, interval {within}."
        else:
            yield (
                f"{text}The judge isn't found to favour or disfavour it after correction over systems "
                f"(unadjusted interval {within}): the move may be chance."
            )


def _says_nothing(found: JudgedBoard) -> bool:
    return any(note.code == CONSTANT_JUDGE for note in found.notes)


def bias_sentence(found: JudgedBoard) -> str:
    """Which systems the judge favours."""
    if np.isnan(found.bias).all():
        if _says_nothing(found):
            return "The judge gives every output the same score, so it favours no system more than another."
        return "Fewer than three items are labelled for all systems: the judge's bias can't be estimated."
    sure = found.bias_p <= found.alpha
    more, less = (
        [found.systems[i] for i in np.flatnonzero(sure & side)] for side in (found.bias > 0, found.bias < 0)
    )
    if not more and not less:
        return "The judge isn't found to favour any system (Holm over systems)."
    parts = [
        f"gives {word} points to {some_shown(names)}"
        for word, names in (("more", more), ("fewer", less))
        if names
    ]
    than = f"than to the others{_direction(found)} (Holm over systems)"
    return f"Compared with people, the judge {' and '.join(parts)} {than}."


def _direction(found: JudgedBoard) -> str:
    """What more points mean, where that isn't good."""
    return f" (in points of {shown(found.human)}, where lower is better)" if found.lower_is_better else ""


def itself_sentences(found: JudgedBoard) -> Iterator[str]:
    """How often a 0/1 judge is wrong, and what the judge leans to."""
    verdicts = found.itself.zero_one
    if verdicts is not None:
        missed, one = int(verdicts.missed.sum()), int((verdicts.missed + verdicts.both).sum())
        invented, zero = int(verdicts.invented.sum()), int((verdicts.invented + verdicts.neither).sum())
        turned = ", with its 0 and 1 exchanged as its lower scores are better," if found.turned else ""
        yield (
            f"Over all systems the judge{turned} gives 0 to {missed:,} of the {one:,} labels on which people "
            f"give 1, and 1 to {invented:,} of the {zero:,} on which they give 0."
        )
    for one_column in found.itself.leanings:
        within = format_interval(one_column.lower, one_column.upper)
        much = f"{format_score(abs(one_column.slope))} {'more' if one_column.slope > 0 else 'less'}"
        if one_column.p_adjusted <= found.alpha:
            yield (
                f"Where {shown(one_column.name)} is larger by {format_score(one_column.deviation)} (one "
                f"standard deviation), the judge gives {much} than people do, interval {within}."
            )
        else:
            yield f"The judge isn't found to favour {shown(one_column.name)} (interval {within})."


def raters_sentence(found: JudgedBoard) -> str:
    """Whom errors hold for, and what raters' ratings were brought to; "" where raters weren't named."""
    raters = found.of_raters
    if raters is None:
        return ""
    n = len(raters.names)
    if raters.design == CROSSED:
        text = f"Standard errors generalise to other raters like these {n:,}, who rated items in common"
    elif raters.n_groups == n:
        text = f"Standard errors are by rater: the {n:,} raters share no item"
    else:
        many = f"{raters.n_groups:,} groups of {n:,} raters"
        text = f"Standard errors are by group of raters: {many} share no item"
    text += "; points are standard deviations of a rater's ratings." if raters.standardised else "."
    sure = raters.p_adjusted <= found.alpha
    parts = []
    for word, side in (("lower", raters.severity < 0), ("higher", raters.severity > 0)):
        odd = [raters.names[i] for i in np.flatnonzero(sure & side)]
        if odd:
            parts.append(f"{some_shown(odd)} {'rates' if len(odd) == 1 else 'rate'} {word}")
    if parts:
        text += f" {' and '.join(parts)} than the others who rated the same outputs (Holm over raters)."
    return text


def checks_sentence(found: JudgedBoard) -> str:
    """Whether the labelled items look like a random part of all."""
    p = found.checks_frame()["p_adjusted"].to_numpy(dtype=np.float64)
    known = p[~np.isnan(p)]
    if (found.labels == found.n_items).all():
        return "Every item is labelled, so there is no choice of items to check."
    if not known.size:
        return "These scores can't show whether the labelled items are a random sample of all."
    odd = int(np.count_nonzero(known < 0.05))
    if odd:
        return (
            f"{odd:,} of {count_of(known.size, 'check')} {'finds' if odd == 1 else 'find'} that the labelled "
            "items differ from the others: the correction then holds only for items like the labelled ones."
        )
    return (
        f"None of {count_of(known.size, 'check')} finds that the labelled items differ from the others; "
        "this doesn't prove that they were drawn at random, which the correction assumes."
    )


def judge_statements(found: JudgedBoard) -> tuple[Statement, ...]:
    """The paragraph of the methods and that of the results, without full stops; why there is none yet."""
    if doubts(found.notes):
        return (stated(headline(found), (), RESULTS),)
    by = "with items taken as independent"
    raters = found.of_raters
    if raters is not None and raters.design == NESTED:
        by = f"with errors clustered by {raters.n_groups:,} groups of raters that share no item"
    elif found.documents:
        by = f"with errors clustered by {shown(found.documents)}"
    elif found.strata:
        by = f"within the strata {shown(found.strata)} that labels were drawn from, weighted by their sizes"
    if raters is not None and raters.design == CROSSED:
        by += (
            f" and the variance of {len(raters.names):,} raters (Henderson's method, as items × runs) added, "
            "Satterthwaite's degrees of freedom"
        )
    if found.standardised:
        by += "; each rater's ratings were first scaled to mean 0 and standard deviation 1"
    method = (
        f"Scores of {shown(found.judge)} on {found.n_items:,} items were corrected by {labels_phrase(found)} "
        f"of {shown(found.human)} per system: prediction-powered means and pair differences with the weight "
        f"of the judge tuned by leave-one-out, Student's t, {by}"
    )
    correction = CORRECTIONS[found.correction]
    adjusted = f"All {count_of(found.left.size, 'pair')} were corrected together ({correction.label})"
    results = [headline(found), counted_sentence(found), worth_sentence(found), bias_sentence(found)]
    results += [*itself_sentences(found), *filter(None, [raters_sentence(found)])]
    if apart := apart_sentence(found):
        results.append(apart)
    return (
        Statement(method, ("angelopoulos2023", "angelopoulos2023b")),
        Statement(adjusted, correction.references),
        stated(checks_sentence(found)),
        *(
            [Statement(ROGAN_GLADEN, ("rogan1978", "lang2014"))]
            if found.itself.zero_one is not None and not found.documents and not found.strata
            else []
        ),
        *(stated(text, (), RESULTS) for text in results),
    )
