"""Compact letters: systems that share one are not separated, whatever the pattern of decisions."""

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from nlpstat_core.arrays import BoolArray
from nlpstat_core.stopping import stop_if_asked

MOST_GROUPS = 1_000
_ALPHABET = 26


def letters(separated: BoolArray) -> tuple[str, ...] | None:
    """Letters of every system: two systems share a letter iff their pair is not separated.

    separated (bool array, shape (S, S)): Symmetric, in rank order; the diagonal is not looked at.
    Returns tuple of str, length S, or None: One letter for every group of systems none of which is separated
        from another, "a" for the group of the best system; from the 27th group on letters are doubled ("aa")
        and blanks divide them. None above 1,000 groups.

    The groups are all maximal cliques of the graph of pairs that are not separated, so every symmetric
    matrix is reproduced, non-transitive ones included, and no letter can be spared within a group.

    Source: Piepho (2004), doi:10.1198/1061860043515.

    >>> first_and_last = np.array([[0, 0, 1], [0, 0, 0], [1, 0, 0]], dtype=bool)
    >>> letters(first_and_last)
    ('a', 'ab', 'b')
    """
    groups = maximal_groups(~separated)
    if groups is None:
        return None
    names = [letter_name(number) for number in range(len(groups))]
    between = "" if len(groups) <= _ALPHABET else " "
    carried: list[list[str]] = [[] for _ in range(separated.shape[0])]
    for name, group in zip(names, groups, strict=True):
        for system in group:
            carried[system].append(name)
    return tuple(between.join(own) for own in carried)


def letter_name(number: int) -> str:
    """The name of a group: a, b, …, z, aa, ab, …; `number`: from 0."""
    name = ""
    number += 1
    while number:
        number, rest = divmod(number - 1, _ALPHABET)
        name = chr(ord("a") + rest) + name
    return name


def maximal_groups(together: BoolArray, most: int = MOST_GROUPS) -> list[list[int]] | None:
    """All maximal cliques of a graph, in the order of their members.

    together (bool array, shape (S, S)): Symmetric: which pairs may stand in one group; the diagonal is not
        looked at.
    most: More groups than this are not listed.
    Returns: Members ascending; groups in lexicographic order. None where there are more than `most`.

    Systems with the same neighbours and together with each other stand in the same groups and are one
    vertex. Vertices are added one by one; the maximal cliques so far can't be more than those of the whole
    graph, so the work is bounded by the groups to be found. Cost at most O(most·S³) for S distinct rows,
    O(S²) where few differ.
    """
    rows, own = np.packbits(together, axis=1), np.arange(together.shape[0])
    rows[own, own // 8] |= (128 >> own % 8).astype(np.uint8)  # each with itself
    _, first, twin_of = np.unique(rows, axis=0, return_index=True, return_inverse=True)
    order = np.argsort(first)  # the distinct rows in rank order
    distinct = first[order]
    groups = _cliques((np.unpackbits(row, count=own.size)[distinct] for row in rows[distinct]), most)
    if groups is None:
        return None
    place = np.argsort(order)[twin_of.ravel()]
    return sorted(np.flatnonzero(_as_mask(group, order.shape[0])[place]).tolist() for group in groups)


def _cliques(rows: Iterable[NDArray[np.uint8]], most: int) -> list[int] | None:
    """Maximal cliques of a graph, given by its vertices' neighbours, members as bits; None above `most`."""
    groups = [0]
    for vertex, row in enumerate(rows):
        stop_if_asked()
        bits = np.packbits(row, bitorder="little").tobytes()
        near = int.from_bytes(bits, "little") & ((1 << vertex) - 1)
        apart = [group for group in groups if group & ~near]  # where all members are neighbours a group grows
        grown = _maximal_sets({group & near for group in groups})
        groups = apart + [group | 1 << vertex for group in grown]
        if len(groups) > most:
            return None
    return groups


def _maximal_sets(sets: set[int]) -> list[int]:
    """The sets that are not inside another one."""
    kept: list[int] = []
    for candidate in sorted(sets, key=int.bit_count, reverse=True):
        for larger in kept:
            if candidate & larger == candidate:
                break
        else:
            kept.append(candidate)
    return kept


def _as_mask(bits: int, size: int) -> BoolArray:
    """The members of a set of bits as an array."""
    packed = np.frombuffer(bits.to_bytes(-(-size // 8), "little"), dtype=np.uint8)
    return np.unpackbits(packed, count=size, bitorder="little").astype(bool)
