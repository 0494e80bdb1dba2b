"""What tests ask about, in the words of menus, headlines and reports."""

from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True)
class Quantity:
    """A quantity that tests and effect sizes are about.

    key: The name in JSON and CSV (`hypothesis`).
    title: Heading of its group in menus.
    asks: After "It asks about".
    text: What a test is about, in a sentence; may name {delta}.
    differ: After the word "differ".
    whether: The question put to every pair, beginning with "whether"; empty where no default asks it.
    """

    key: str
    title: str
    asks: str
    text: str
    differ: str
    whether: str = ""


MEAN = Quantity(
    key="mean",
    title="mean",
    asks="the mean",
    text="the mean difference",
    differ="in the mean",
    whether="whether the two mean scores differ",
)
ACCURACY = Quantity(
    key="accuracy",
    title="accuracy",
    asks="accuracy",
    text="the difference in micro-averaged accuracy",
    differ="in accuracy",
    whether="whether the two micro-averaged accuracies differ",
)
F1 = Quantity(
    key="f1",
    title="F1",
    asks="F1",
    text="the difference in micro-averaged F1",
    differ="in F1",
    whether="whether the two micro-averaged F1 scores differ",
)
WINS = Quantity(
    key="win-probability",
    title="wins and losses",
    asks="wins and losses",
    text="whether each system is as likely to win an item as to lose it",
    differ="in wins and losses",
)
RANKS = Quantity(
    key="symmetric-about-zero",
    title="symmetry about 0 (ranks)",
    asks="symmetry around 0 (the pseudo-median of the differences)",
    text="whether the differences are symmetric about {delta}",
    differ="by signed ranks",
)
MEDIAN = Quantity(
    key="median",
    title="median",
    asks="the median of the differences",
    text="the median of the differences",
    differ="in the median",
)
MEASURE = Quantity(
    key="measure",
    title="measures of submissions",
    asks="the measure",
    text="the difference in the measure",
    differ="in the measure",
    whether="whether the two systems differ in the measure",
)
# The order of the menus; a quantity of a test's own comes after these.
QUANTITIES = (MEAN, ACCURACY, F1, WINS, RANKS, MEDIAN)
