"""Tests that reject true null hypotheses more or less often than they promise, and when."""

from nlpstat_core.report.wording.calibration_finding import REJECTED, Finding

ERRORS: dict[str, Finding] = {
    "runs-ignored": Finding(
        about=("t",),
        text="Where systems were trained several times and the runs averaged, a test of the items "
        f"treats these runs as fixed (the test over items and runs does not): {REJECTED}",
        rates=(6, 84),
    ),
    "few-runs": Finding(
        about=("crossed-t",),
        text="With two or three runs per system the variance of the runs is known so poorly that small "
        f"levels are not held (up to 2.7 % of true null hypotheses were rejected at the 1 % level); "
        f"{REJECTED}",
        rates=(4, 6),
    ),
    "t-heavy-tails": Finding(
        about=("t",),
        text="Where differences have heavy tails, two-sided p-values are conservative and one-sided ones "
        f"can err either way: {REJECTED}",
        rates=(2, 5),
    ),
    "few-values": Finding(
        about=("t", "mcnemar"),
        text="With scores of 0 and 1 and few items approximate p-values (the t test's, McNemar's except "
        "the exact variants) take few values and can lie a little on either side of the level.",
    ),
    "skewed-mean": Finding(
        about=("t", "permutation-mean"),
        text="Where differences are strongly skewed even 200 items are too few for the normal approximation, "
        f"and the permutation test's symmetry fails: {REJECTED}",
        rates=(6, 14),
    ),
    "bootstrap-tails": Finding(
        about=("bootstrap-mean",),
        text="Where differences have heavy tails or items are few, two-sided p-values are conservative "
        f"and one-sided ones too small: {REJECTED}",
        rates=(1, 5),
    ),
    "bootstrap-skewed": Finding(
        about=("bootstrap-mean",),
        text=f"Strongly skewed differences need many items, though fewer than for the t test: {REJECTED}",
        rates=(5, 10),
    ),
    "wilcoxon-other-question": Finding(
        about=("wilcoxon",),
        text="It asks whether differences are symmetric about 0, so where they are skewed it rejects "
        f"although the means (or the medians) are equal: {REJECTED}",
        rates=(10, 97),
    ),
    "sign-other-question": Finding(
        about=("sign",),
        text="It asks about wins and losses, so where means are equal and differences skewed it finds one: "
        f"{REJECTED}",
        rates=(20, 100),
    ),
    "recommended-skewed": Finding(
        about=("each-pair",),
        text="Choosing the test from the data keeps the level for exchangeable systems, but where "
        f"differences are skewed it chooses tests that are not about the mean: {REJECTED}",
        rates=(6, 100),
    ),
    "median-needs-symmetry": Finding(
        about=("permutation-median",),
        text="It assumes differences that are symmetric under the null hypothesis; where their median is 0 "
        f"but they are skewed: {REJECTED}",
        rates=(5, 7),
    ),
    "bootstrap-median-few": Finding(
        about=("bootstrap-median",),
        text=f"With few items it rejects a little too often: {REJECTED}",
        rates=(6, 7),
    ),
    "units-in-documents": Finding(
        about=("t", "permutation-mean"),
        text="Items of one document are alike (intraclass correlation 0.3 in 20 documents of 10 items), so "
        f"tests of single items find too much: {REJECTED}",
        rates=(31, 31),
    ),
    "unequal-documents": Finding(
        about=("block-t", "block-bootstrap"),
        text="Where documents differ greatly in size, block t and the block bootstrap sometimes reject a "
        "little too often, more so at levels above 5 % and one-sided, while the block permutation test keeps "
        f"its level: {REJECTED}",
        rates=(5, 7),
    ),
    "skewed-documents": Finding(
        about=("block-t", "block-permutation", "block-bootstrap"),
        text="Where few documents are much harder for one system than the others (skewed differences), 20 "
        f"documents are too few: {REJECTED}",
        rates=(6, 7),
    ),
    "unequal-spreads": Finding(
        about=("student-t", "permutation-unpaired"),
        text="It assumes equal variances; where the smaller sample varies more it rejects too "
        f"often, and where the larger one does too seldom, unlike Welch's test: {REJECTED}",
        rates=(0, 25),
    ),
    "mann-whitney-spreads": Finding(
        about=("mann-whitney",),
        text="It asks whether both systems' scores have the same distribution, so it also reacts to "
        f"unequal variances: {REJECTED}",
        rates=(7, 14),
    ),
    "unpaired-skewed": Finding(
        about=("welch-t", "student-t", "bootstrap-unpaired"),
        text="Skewed or heavy-tailed scores in samples of unequal size need many items; in equal samples the "
        f"error is on the safe side: {REJECTED}",
        rates=(2, 8),
    ),
    "bootstrap-unpaired-few": Finding(
        about=("bootstrap-unpaired",),
        text=f"With ten items per system it is only approximate, whether or not the variances differ: "
        f"{REJECTED}",
        rates=(4, 4),
    ),
    "variance-ratio-shape": Finding(
        about=("variance-ratio",),
        text="The F test of equal variances reacts to scores that are not normal as much as to unequal "
        f"variances: {REJECTED}",
        rates=(29, 56),
    ),
    "swap-correlation-tails": Finding(
        about=("swap",),
        text="For Pearson's correlation of outputs with heavy-tailed errors it finds too many differences, "
        f"because the scale on which outputs are exchanged rests on a few items: {REJECTED}",
        rates=(7, 10),
    ),
}
