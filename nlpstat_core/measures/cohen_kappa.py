"""Cohen's kappa: agreement beyond chance."""

from nlpstat_core.arrays import FloatArray
from nlpstat_core.measures.agreement import encode
from nlpstat_core.measures.record import Law, Measure


def value(gold: FloatArray, own: FloatArray) -> FloatArray:
    """(n·right − Σ p g)/(n² − Σ p g); undefined where all have one label."""
    n = gold.sum(axis=0)
    chance = (own[1:] * gold).sum(axis=0)
    found: FloatArray = (n * own[0] - chance) / (n**2 - chance)
    return found


METHOD = Measure(
    key="cohen-kappa",
    label="Cohen's kappa",
    kind="labels",
    bounds=(-1.0, 1.0),
    summary="Agreement with gold beyond what the labels' frequencies give by chance; undefined where gold "
    "and outputs have one label only.",
    formula=r"\frac{p_o - p_e}{1 - p_e}",
    encode=encode,
    law=Law(value=value),
    reference="scikit-learn's cohen_kappa_score",
)
