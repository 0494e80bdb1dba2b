"""What simulations found about the procedures where they are not exactly as good as they promise.

The figures behind these sentences stand in tests/calibration/RESULTS.md; a test compares the two.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True)
class Finding:
    """One sentence about how procedures behave where their assumptions fail.

    Attributes
    ----------
    about : tuple of str
        Keys of the tests, effect sizes and corrections that it concerns, or names of other procedures.
    text : str
        May name the rates as {rates}.
    rates : tuple of two int, or None
        Lowest and highest rate that was measured, in per cent: two-sided at the 5 % level, of intervals at
        95 %, of boards at 5 %.
    """

    about: tuple[str, ...]
    text: str
    rates: tuple[int, int] | None = None

    @property
    def sentence(self) -> str:
        """The sentence with its figures."""
        low, high = self.rates or (0, 0)
        return self.text.format(rates=f"{low} to {high}" if low < high else f"{low}")


_REJECTED = "in simulations {rates} % of true null hypotheses were rejected at the 5 % level."
_HELD = "in simulations its 95 % interval held the truth {rates} % of the time."

FINDINGS: dict[str, Finding] = {
    "t-heavy-tails": Finding(
        about=("t",),
        text="Where differences have heavy tails two-sided p-values are cautious and one-sided ones can err "
        f"either way: {_REJECTED}",
        rates=(2, 5),
    ),
    "few-values": Finding(
        about=("t", "mcnemar"),
        text="With scores of 0 and 1 and few units approximate p-values (the t test's, McNemar's but for the "
        "exact ones) take few values and can lie a little on either side of the level.",
    ),
    "skewed-mean": Finding(
        about=("t", "permutation-mean"),
        text="Where differences are strongly skewed even 200 units are too few for the normal approximation, "
        f"and the permutation test's symmetry fails: {_REJECTED}",
        rates=(6, 14),
    ),
    "bootstrap-tails": Finding(
        about=("bootstrap-mean",),
        text="Where differences have heavy tails or units are few two-sided p-values are cautious and "
        f"one-sided ones too small: {_REJECTED}",
        rates=(1, 5),
    ),
    "bootstrap-skewed": Finding(
        about=("bootstrap-mean",),
        text=f"Strongly skewed differences need many units, though fewer than for the t test: {_REJECTED}",
        rates=(5, 10),
    ),
    "wilcoxon-other-question": Finding(
        about=("wilcoxon",),
        text="It asks whether differences are symmetric about 0, so where they are skewed it rejects "
        f"although the means (or the medians) are equal: {_REJECTED}",
        rates=(10, 97),
    ),
    "sign-other-question": Finding(
        about=("sign",),
        text="It asks about wins and losses, so where means are equal and differences skewed it finds one: "
        f"{_REJECTED}",
        rates=(20, 100),
    ),
    "recommended-skewed": Finding(
        about=("recommended",),
        text="Choosing the test from the data keeps the level for exchangeable systems, but where "
        f"differences are skewed it chooses tests that are not about the mean: {_REJECTED}",
        rates=(6, 100),
    ),
    "median-needs-symmetry": Finding(
        about=("permutation-median",),
        text="It assumes differences that are symmetric under the null hypothesis; where their median is 0 "
        f"but they are skewed: {_REJECTED}",
        rates=(5, 7),
    ),
    "bootstrap-median-few": Finding(
        about=("bootstrap-median",),
        text=f"With few units it rejects a little too often: {_REJECTED}",
        rates=(6, 7),
    ),
    "units-in-documents": Finding(
        about=("t", "permutation-mean"),
        text="Units of one document are alike (intraclass correlation 0.3 in 20 documents of 10 units), so "
        f"tests of single units find too much: {_REJECTED}",
        rates=(31, 31),
    ),
    "unequal-documents": Finding(
        about=("block-t", "block-bootstrap"),
        text="Where documents differ much in size standard errors by document come out too small, while the "
        f"block permutation test keeps its level: {_REJECTED}",
        rates=(7, 24),
    ),
    "few-documents": Finding(
        about=("block-bootstrap",),
        text=f"With ten documents or fewer, none much larger than the others, it is cautious: {_REJECTED}",
        rates=(3, 4),
    ),
    "skewed-documents": Finding(
        about=("block-t", "block-permutation", "block-bootstrap"),
        text="Where few documents are much harder for one system than the others (skewed differences), 20 "
        f"documents are too few: {_REJECTED}",
        rates=(6, 7),
    ),
    "unequal-spreads": Finding(
        about=("student-t", "permutation-unpaired"),
        text="It takes the two spreads for equal; where the smaller sample spreads wider it rejects too "
        f"often and where the larger one does too seldom, unlike Welch's test: {_REJECTED}",
        rates=(0, 25),
    ),
    "mann-whitney-spreads": Finding(
        about=("mann-whitney",),
        text="It asks whether both systems' scores have the same distribution, so it also reacts to unequal "
        f"spreads: {_REJECTED}",
        rates=(7, 14),
    ),
    "unpaired-skewed": Finding(
        about=("welch-t", "student-t", "bootstrap-unpaired"),
        text="Skewed or heavy-tailed scores in samples of unequal size need many units; in equal samples the "
        f"error is on the safe side: {_REJECTED}",
        rates=(2, 8),
    ),
    "bootstrap-unpaired-few": Finding(
        about=("bootstrap-unpaired",),
        text=f"With ten units on a side it is not quite exact, whatever the spreads: {_REJECTED}",
        rates=(4, 4),
    ),
    "variance-ratio-shape": Finding(
        about=("variance-ratio",),
        text="The F test of equal variances reacts to scores that are not normal as much as to unequal "
        f"variances: {_REJECTED}",
        rates=(29, 56),
    ),
    "interval-skewed": Finding(
        about=("t", "bootstrap-mean", "permutation-mean", "mean-difference", "board-score"),
        text="Intervals for the mean of strongly skewed differences or scores are too short for few units, "
        "the bootstrap's least so: in simulations 95 % intervals held the truth {rates} % of the "
        "time.",
        rates=(91, 93),
    ),
    "bootstrap-interval-few": Finding(
        about=("bootstrap-mean",),
        text="Percentile, basic and BCa intervals are too short for few units, which the default interval, "
        "studentised, is not: in simulations 95 % intervals held the truth {rates} % of the time.",
        rates=(88, 95),
    ),
    "bootstrap-interval-tails": Finding(
        about=("bootstrap-mean",),
        text="With heavy-tailed differences and few units its symmetric interval is cautious, that with "
        "equal tails too short: in simulations 95 % intervals held the truth {rates} % of the time.",
        rates=(93, 97),
    ),
    "median-interval-few": Finding(
        about=("bootstrap-median",),
        text=f"With few units its percentile interval is a little too short: {_HELD}",
        rates=(93, 94),
    ),
    "median-basic": Finding(
        about=("bootstrap-median",),
        text=f"The basic interval, as NLPStatTest has it, can be far too short: {_HELD}",
        rates=(80, 95),
    ),
    "standardised-shape": Finding(
        about=("cohen-d", "hedges-g"),
        text="Its intervals assume normal differences; heavy tails make them too short and skewed "
        "differences too long or too short: in simulations 95 % intervals held the truth {rates} "
        "% of the time.",
        rates=(90, 100),
    ),
    "percentile-effects": Finding(
        about=("cohen-d-av", "rank-biserial", "wilcoxon-r"),
        text="Percentile bootstrap intervals of effect sizes are too short for few units: in simulations 95 "
        "% intervals held the truth {rates} % of the time.",
        rates=(91, 95),
    ),
    "fisher-r": Finding(
        about=("wilcoxon-r",),
        text="Fisher's transformation only approximates the distribution of r, and one-sided intervals less "
        f"well than two-sided ones: {_HELD}",
        rates=(95, 95),
    ),
    "wilson-share": Finding(
        about=("common-language",),
        text="With few units a share takes few values, so that the interval's level lies above or below the "
        f"one asked for: {_HELD}",
        rates=(92, 96),
    ),
    "unequal-documents-interval": Finding(
        about=("block-t", "block-permutation", "block-bootstrap", "board-score"),
        text="Where documents differ much in size intervals by document are too short: in simulations 95 % "
        "intervals held the truth {rates} % of the time.",
        rates=(66, 93),
    ),
    "unpaired-interval": Finding(
        about=("student-t", "mann-whitney", "cohen-d", "hedges-g", "cliffs-delta", "common-language"),
        text="For independent samples intervals that take the two spreads for equal fail where these differ: "
        "in simulations 95 % intervals held the truth {rates} % of the time.",
        rates=(74, 86),
    ),
    "unpaired-interval-skewed": Finding(
        about=("welch-t", "student-t", "permutation-unpaired", "bootstrap-unpaired", "mean-difference"),
        text="For independent samples of few skewed scores intervals of the difference of means are a little "
        "too long: in simulations 95 % intervals held the truth {rates} % of the time.",
        rates=(96, 98),
    ),
    "no-correction": Finding(
        about=("none",),
        text="On boards of eight systems, all or some of them alike, {rates} % of the simulations found a "
        "false difference at the 5 % level.",
        rates=(18, 56),
    ),
    "board-of-skewed": Finding(
        about=("holm", "shaffer", "benjamini-hochberg"),
        text="A correction can't repair p-values that are too small: on boards of eight systems whose "
        "differences are skewed {rates} % of the simulations found a false difference at the 5 % "
        "level.",
        rates=(7, 25),
    ),
    "max-t-skewed": Finding(
        about=("max-t",),
        text="With skewed differences between systems of unlike shape (50 units, eight systems) {rates} "
        "% of the simulated boards had a false difference at the 5 % level.",
        rates=(7, 10),
    ),
    "simultaneous-skewed": Finding(
        about=("simultaneous",),
        text="With skewed differences between systems of unlike shape (50 units, eight systems) Bonferroni's "
        "and the sign-flip max-T intervals are too short, those of the bootstrap are not: in simulations all "
        "28 intervals at 95 % held together {rates} % of the time.",
        rates=(90, 93),
    ),
    "omnibus-few-units": Finding(
        about=("omnibus",),
        text="On ten units the chi-square of Friedman, Cochran, and Skillings and Mack and the correction of "
        f"Greenhouse and Geisser are cautious, the F of Iman and Davenport is not: {_REJECTED}",
        rates=(2, 5),
    ),
    "omnibus-spreads": Finding(
        about=("omnibus",),
        text="Where one system's scores spread wider than the others' tests of all systems at once err, the "
        f"analysis of variance without Greenhouse and Geisser's correction most: {_REJECTED}",
        rates=(5, 11),
    ),
    "few-expected": Finding(
        about=("categorical",),
        text="Where expected counts are about 5 or fewer the chi-square tests err a little to either side of "
        f"the level, which Fisher's test does not exceed: {_REJECTED}",
        rates=(4, 4),
    ),
    "planned-wilcoxon": Finding(
        about=("wilcoxon",),
        text="The power that planning states for it is an approximation, for ten units two points above the "
        "simulated one.",
    ),
}

_NAMES = {
    "recommended": "Test chosen from the data",
    "variance-ratio": "F test of equal variances",
    "board-score": "Scores on the board",
    "simultaneous": "Simultaneous intervals",
    "omnibus": "Tests of all systems at once",
    "categorical": "Tests of counts in categories",
}


def findings_about(key: str) -> tuple[str, ...]:
    """What simulations found about a procedure.

    Parameters
    ----------
    key : str
        Of a test, an effect size or a correction.

    Returns
    -------
    tuple of str
        Sentences; none where it is as good as it promises.
    """
    return tuple(finding.sentence for finding in FINDINGS.values() if key in finding.about)


def findings_by_procedure() -> dict[str, tuple[str, ...]]:
    """All findings under the names of the procedures that they concern.

    Returns
    -------
    mapping of str to tuple of str
        Procedures of the catalogues first, in the order of the menus.
    """
    from nlpstat_core.corrections import CORRECTIONS
    from nlpstat_core.effects import EFFECTS
    from nlpstat_core.significance import TESTS

    names = {method.key: method.label for catalogue in (TESTS, CORRECTIONS, EFFECTS) for method in catalogue}
    return {name: findings_about(key) for key, name in (names | _NAMES).items() if findings_about(key)}
