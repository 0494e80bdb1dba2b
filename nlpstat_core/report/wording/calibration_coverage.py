"""Intervals and boards that do other than they promise, and when."""

from nlpstat_core.report.wording.calibration_finding import HELD, REJECTED, Finding

COVERAGE: dict[str, Finding] = {
    "few-runs-interval": Finding(
        about=("crossed-t",),
        text="With two runs per system, intervals of high confidence are too short (99 % intervals held the "
        f"truth 97 % of the time); {HELD}",
        rates=(93, 95),
    ),
    "interval-skewed": Finding(
        about=("t", "bootstrap-mean", "permutation-mean", "mean-difference", "board-score"),
        text="Intervals for the mean of strongly skewed differences or scores are too short for few items, "
        "the bootstrap's least so: in simulations 95 % intervals held the truth {rates} % of the time.",
        rates=(91, 93),
    ),
    "bootstrap-interval-few": Finding(
        about=("bootstrap-mean",),
        text="Percentile, basic and BCa intervals are too short for few items, which the default interval, "
        "studentised, is not: in simulations 95 % intervals held the truth {rates} % of the time.",
        rates=(88, 95),
    ),
    "bootstrap-interval-tails": Finding(
        about=("bootstrap-mean",),
        text="With heavy-tailed differences and few items its symmetric interval is conservative, the "
        "equal-tailed one too short: in simulations 95 % intervals held the truth {rates} % of the time.",
        rates=(93, 97),
    ),
    "median-interval-few": Finding(
        about=("bootstrap-median",),
        text=f"With few items its percentile interval is a little too short: {HELD}",
        rates=(93, 94),
    ),
    "median-basic": Finding(
        about=("bootstrap-median",),
        text=f"The basic interval, as NLPStatTest has it, can be far too short: {HELD}",
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
        text="Percentile bootstrap intervals of effect sizes are too short for few items: in simulations "
        "95 % intervals held the truth {rates} % of the time.",
        rates=(91, 95),
    ),
    "fisher-r": Finding(
        about=("wilcoxon-r",),
        text="Fisher's transformation only approximates the distribution of r, and one-sided intervals less "
        f"well than two-sided ones: {HELD}",
        rates=(95, 95),
    ),
    "wilson-share": Finding(
        about=("common-language",),
        text="With few items a share takes few values, so that the interval's level lies above or below the "
        f"one asked for: {HELD}",
        rates=(92, 96),
    ),
    "unequal-documents-interval": Finding(
        about=("block-t", "block-bootstrap", "board-score"),
        text="Where documents differ greatly in size, intervals by document are sometimes a little too "
        "short, more so at lower levels: in simulations 95 % intervals held the truth {rates} % of the time.",
        rates=(93, 96),
    ),
    "unpaired-interval": Finding(
        about=("student-t", "mann-whitney", "cohen-d", "hedges-g", "cliffs-delta", "common-language"),
        text="For independent samples intervals that assume equal variances fail where the variances differ: "
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
        "differences are skewed {rates} % of the simulations found a false difference at the 5 % level.",
        rates=(7, 25),
    ),
    "max-t-skewed": Finding(
        about=("max-t",),
        text="With skewed differences between systems of unlike shape (50 items, eight systems) {rates} "
        "% of the simulated boards had a false difference at the 5 % level.",
        rates=(7, 10),
    ),
    "simultaneous-skewed": Finding(
        about=("simultaneous",),
        text="With skewed differences between systems of unlike shape (50 items, eight systems) Bonferroni's "
        "and the sign-flip max-T intervals are too short, those of the bootstrap are not: in simulations all "
        "28 intervals at 95 % held together {rates} % of the time.",
        rates=(90, 93),
    ),
    "omnibus-few-units": Finding(
        about=("omnibus",),
        text="On ten items the chi-square of Friedman, Cochran, and Skillings and Mack and the correction of "
        f"Greenhouse and Geisser are conservative, the F of Iman and Davenport is not: {REJECTED}",
        rates=(2, 5),
    ),
    "omnibus-spreads": Finding(
        about=("omnibus",),
        text="Where one system's scores vary more than the others', tests of all systems together err, the "
        f"analysis of variance without Greenhouse and Geisser's correction most: {REJECTED}",
        rates=(5, 11),
    ),
    "few-expected": Finding(
        about=("categorical",),
        text="Where expected counts are about 5 or fewer the chi-square tests err a little to either side of "
        f"the level, which Fisher's test does not exceed: {REJECTED}",
        rates=(4, 4),
    ),
    "planned-wilcoxon": Finding(
        about=("wilcoxon",),
        text="The power that planning states for it is an approximation, for ten items two points above the "
        "simulated one.",
    ),
    "jackknife-correlation-tails": Finding(
        about=("swap",),
        text="The jackknife's interval of a difference in Pearson's correlation is a little too short where "
        "errors have heavy tails: in simulations 95 % intervals held the truth {rates} % of the time.",
        rates=(92, 94),
    ),
}
