"""Names that look like one: what they have in common but capitals, spaces, hyphens and underscores."""

import re
import unicodedata
from collections.abc import Iterable

from nlpstat_core.errors import shown
from nlpstat_core.notes import Note

_BETWEEN = re.compile(r"[\s_\-]+")
_MOST = 3


def names_alike(names: Iterable[str]) -> list[tuple[str, ...]]:
    """Groups of names that differ in capitals, spaces, hyphens and underscores only.

    >>> names_alike(["GPT-4", "b", "gpt 4", "B", "c"])
    [('GPT-4', 'gpt 4'), ('b', 'B')]
    """
    groups: dict[str, list[str]] = {}
    for name in dict.fromkeys(names):
        groups.setdefault(_BETWEEN.sub("", unicodedata.normalize("NFKC", name).casefold()), []).append(name)
    return [tuple(group) for group in groups.values() if len(group) > 1]


def notes_on_names(names: Iterable[str]) -> tuple[Note, ...]:
    """A caution where names look like one system's."""
    groups = names_alike(names)
    if not groups:
        return ()
    told = "; ".join(" and ".join(map(shown, group)) for group in groups[:_MOST])
    more = f"; and {len(groups) - _MOST:,} more" if len(groups) > _MOST else ""
    text = (
        "Names that differ only in capitals, spaces, hyphens or underscores count as different systems: "
        f"{told}{more}. Give a system one name everywhere."
    )
    return (Note("names-alike", "caution", text),)
