"""Brier score of probabilities."""

from nlpstat_core.measures.errors_of_items import OfChances, squared
from nlpstat_core.measures.record import MEAN_LAW, Measure

METHOD = Measure(
    key="brier",
    label="Brier score",
    kind="chances",
    lower_is_better=True,
    bounds=(0.0, 1.0),
    is_mean=True,
    summary="The mean squared error of probabilities.",
    formula=r"\frac1n \sum (x_i - y_i)^2",
    options={"positive": None},
    encode=OfChances(squared, "The Brier score"),
    law=MEAN_LAW,
    reference="scikit-learn's brier_score_loss",
)
