"""Tables that lie beside the files of scores, such as the leaderboard made of them, known by their units."""

from collections.abc import Sequence

from nlpstat_core.readers.join import Named

FEW = 5  # times as many units as such a table has are in the files of scores
FEWEST_FILES = 2


def sums_beside(files: Sequence[Named], by_tool: bool) -> list[int]:
    """Which of several files hold a few units of their own, while all others share theirs.

    by_tool: Whether the first files are those of a tool, which need no second file to be known as scores.
    Returns: Positions; nothing where the others aren't of one kind.

    >>> from nlpstat_core.readers.part import Part
    >>> import numpy as np
    >>> def of(name, units):
    ...     return Named(name, name, Part(values=np.zeros((len(units), 1)), systems=[name], units=units))
    >>> items = [f"u{i}" for i in range(9)]
    >>> sums_beside([of("A", items), of("B", items), of("board", ["all"])], by_tool=False)
    [2]
    """
    units = [set(file.part.units or ()) for file in files]
    most = max(map(len, units), default=0)
    small = [i for i, own in enumerate(units) if FEW * len(own) < most and (own or by_tool)]
    large = [own for i, own in enumerate(units) if i not in small]
    if not large or len(large) < (1 if by_tool else FEWEST_FILES) or not set.intersection(*large):
        return []
    known = set.union(*large)
    return [i for i in small if not units[i] & known]
