"""Sentences on score and cost."""

from nlpstat_core.formatting import count_of, listed_names, some_names
from nlpstat_core.results.cost import CostFront

SURE = 0.95
MOST_NAMED = 4


def front_headline(found: CostFront) -> str:
    """Who is on the front."""
    front, many = found.front, len(found.systems)
    if len(front) == 1 < many:
        return f"{front[0]} matches or beats every other system on both {found.metric} and {found.cost}."
    said = f"{len(front):,} of {count_of(many, 'system')} are on the front of {found.metric} and {found.cost}"
    rest = "" if len(front) == many else " Each of the others is matched or beaten on both by one of these."
    return f"{said}: {some_names(front)}.{rest}"


def front_sentence(found: CostFront) -> str:
    """How firmly systems stand on the front or off it."""
    shares = list(zip(found.systems, found.on_front.tolist(), found.probability.tolist(), strict=True))
    on = [(name, q) for name, here, q in shares if here and q < SURE]
    off = [(name, q) for name, here, q in shares if not here and q > 1 - SURE]
    said = []
    if on:
        said.append(f"on the front, but in fewer than {100 * SURE:.0f} % of the resamples: {_told(on)}")
    if off:
        limit = 100 * (1 - SURE)
        said.append(f"off the front, but on it in more than {limit:.0f} % of the resamples: {_told(off)}")
    if not said:
        return f"At least {100 * SURE:.0f} % of the resamples agree on every system."
    text = "; ".join(said)
    return f"{text[0].upper()}{text[1:]}."


def _told(named: list[tuple[str, float]]) -> str:
    shown = [f"{name} ({100 * q:.0f} %)" for name, q in named[:MOST_NAMED]]
    more = len(named) - MOST_NAMED
    return listed_names([*shown, f"{more:,} more"] if more > 0 else shown)


def front_legend(found: CostFront) -> str:
    """What the columns are."""
    one = "documents" if found.documents else "items"
    return (
        f"{count_of(found.items, 'item')} count. Intervals at {100 * found.level:g} %, of one mean at a "
        "time. On the front: no other system is at least as good on both and better on one. Probability: in "
        f"which share of {found.resamples:,} resamples of the {one}, score and cost of all systems together, "
        "it is on the front; no p-value, and it leans towards the middle for systems that are close."
    )
