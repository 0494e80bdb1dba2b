"""All draws of one pair at once, as boards take them piece by piece."""

from nlpstat_core.engine.swaps.tails import SwapTail, tilted_draws


def tilted_tail(*pair, **told) -> SwapTail:
    """What `tilted_draws` has found when it ends."""
    pieces = tilted_draws(*pair, **told)
    while True:
        try:
            next(pieces)
        except StopIteration as end:
            return end.value
