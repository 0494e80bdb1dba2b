"""What a p-value, an interval and power mean, and what they don't: the common misreadings, in our words."""

from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True)
class Meaning:
    """One kind of number. `is_not`: sentences, each about one misreading."""

    name: str
    is_this: str
    is_not: tuple[str, ...]


MEANINGS = (
    Meaning(
        name="p-value",
        is_this="How often chance would show a difference at least as large as the observed one if the null "
        "hypothesis of the test were true.",
        is_not=(
            "It is not the probability that the null hypothesis is true, nor that a finding is a fluke.",
            "It says nothing about how large or important a difference is: on many test items a tiny "
            "difference has a tiny p. The effect sizes say how large.",
            "A p above α is no evidence that two systems perform alike: the test set may be too small to "
            "tell them apart. Name an equivalence margin to test for that.",
            "One pair below α and another above it does not mean that the two pairs differ from each other.",
        ),
    ),
    Meaning(
        name="adjusted p-value",
        is_this="The smallest level at which the pair would count as different when all pairs are judged "
        "together with the correction that is named.",
        is_not=(
            "It is not the p-value of the pair alone, and it changes with the number of pairs compared.",
            "Below α it does not guarantee that this particular pair differs: the correction controls the "
            "error rate of all pairs together.",
        ),
    ),
    Meaning(
        name="confidence interval",
        is_this="The result of a procedure that, over many test sets drawn in the same way, contains the "
        "true value as often as its level says.",
        is_not=(
            "It does not say that the true value lies in this particular interval with that probability.",
            "It is not the range of the differences on single test items.",
            "Two overlapping intervals of scores do not mean that there is no difference: the paired test of "
            "the two systems decides.",
            "It covers the choice of the test items only, not new training runs, other annotators or other "
            "domains.",
        ),
    ),
    Meaning(
        name="power",
        is_this="How often the test would find a difference of an assumed size with an assumed number of "
        "test items. Scores that are tied or on a coarse scale get this difference by the logistic swap: the "
        "sizes of the differences stay, their directions are redrawn; other scores are all shifted by the "
        "same amount.",
        is_not=(
            "It is not the probability that a significant difference is real.",
            "Power computed from the observed difference says nothing that p has not said already; so none "
            "is shown here.",
            "High power does not make a difference important, and low power does not make a significant one "
            "wrong; it makes its size look larger than it is.",
        ),
    ),
)
