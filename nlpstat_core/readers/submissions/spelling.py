"""Labels and tags that are written otherwise than gold's: taken as these where nothing else differs."""

import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence

from nlpstat_core.errors import Remedy, ScoreFileError, Sentence, shown, some_shown
from nlpstat_core.formatting import count_of
from nlpstat_core.notes import Note
from nlpstat_core.readers.submissions.kinds import number_in

_TRUTH = {"0": "false", "1": "true", "no": "false", "yes": "true"}
_LETTERS_OF_TRUTH = {"f": "false", "t": "true", "n": "false", "y": "true"}
_JOINS, _PERHAPS_JOINS = "|;,", "+/&"
_MARKED = re.compile(r"([BIESLUM])[-_](.+)", re.IGNORECASE)
_LETTERS = {"L": "E", "U": "S", "M": "I"}  # BILOU and BMES as BIOES
NO_TYPE = ""
Tags = tuple[str, ...]


def labels_alike(
    system: str, outputs: Sequence[str | None], known: Sequence[str]
) -> tuple[list[str | None], tuple[Note, ...]]:
    """Outputs spelt as gold's labels where these are numbers ("1.0" is gold's "1"); what is new is said."""
    there, given = set(known), dict.fromkeys(output for output in outputs if output is not None)
    spelt = {number_in(label): label for label in known if number_in(label) is not None}
    looks = _one_to_one(known, as_seen)
    others = [label for label in given if label not in there]
    found_as = {label: spelt.get(number_in(label)) or looks.get(as_seen(label), label) for label in others}
    taken = {label: gold for label, gold in found_as.items() if label != gold}
    if given and not taken and there.isdisjoint(given):
        taken = _written_otherwise(list(given), known)
        if not taken and len(given) > 1:
            raise ScoreFileError(
                f"none of its labels ({some_shown(list(given), 3)}) is one of gold's ({some_shown(known, 3)}"
                "); give the labels as gold writes them."
            )
    found = [output if output is None else taken.get(output, output) for output in outputs]
    notes: list[Note] = []
    if taken:
        first, label = next(iter(taken.items()))
        text = f"{shown(system)}: {shown(first)} was taken as gold's {shown(label)}."
        notes.append(Note("labels-matched", "info", text))
    strange = Counter(label for label in found if label is not None and label not in there)
    if strange:
        named = some_shown(list(strange), 5)
        many = count_of(sum(strange.values()), "output")
        text = f"{shown(system)} gave {many} with labels that gold doesn't have ({named}): each is an error."
        notes.append(Note("labels-not-in-gold", "caution", text))
    return found, tuple(notes)


def sets_alike(
    system: str, column: Sequence[Tags | None], known: Sequence[str]
) -> tuple[list[Tags | None], tuple[Note, ...]]:
    """`labels_alike` for items with several labels each."""
    given = [label for labels in column for label in labels or ()]
    if not given or not known:
        return list(column), ()
    found, notes = labels_alike(system, given, known)
    spelt = dict(zip(given, found, strict=True))
    return [
        None if labels is None else tuple(sorted({str(spelt[label]) for label in labels}))
        for labels in column
    ], notes


def _written_otherwise(given: Sequence[str], known: Sequence[str]) -> dict[str, str]:
    """Labels of which none is gold's as gold's, where only capitals, or words for 0 and 1, differ."""
    letters = len(given) == 2 == len(known) and _LETTERS_OF_TRUTH.keys() >= {*map(str.casefold, given)}
    letters |= len(given) <= 2 == len(known) and _LETTERS_OF_TRUTH.keys() >= {*map(str.casefold, known)}
    for spelling in (str.casefold, _as_truth, *((_as_letters,) if letters else ())):
        spelt = {spelling(label): label for label in known}
        found = {label: spelt[spelling(label)] for label in given if spelling(label) in spelt}
        if len(spelt) == len(known) and found and len(set(found.values())) == len(found):
            return found
    return {}


def _as_letters(label: str) -> str:
    return _LETTERS_OF_TRUTH.get(label.casefold(), _as_truth(label))


def _as_truth(label: str) -> str:
    return _TRUTH.get(label.casefold(), label.casefold())


def _one_to_one(known: Sequence[str], spelling: Callable[[str], str]) -> dict[str, str]:
    """Gold's labels by a spelling; empty where two share one."""
    found = {spelling(label): label for label in known}
    return found if len(found) == len(known) else {}


def as_seen(label: str) -> str:
    """What people see of a label: composed letters, plain spaces, no signs without width."""
    seen = unicodedata.normalize("NFC", label).replace("\ufe0f", "")
    return " ".join("".join(sign for sign in seen if unicodedata.category(sign) != "Cf").split())


def joined_labels(known: Sequence[str]) -> tuple[Note, ...]:
    """A caution where gold's labels are combinations of others, as where items have several."""
    there = set(known)
    for label in known:
        for sign in (*_JOINS, *_PERHAPS_JOINS):
            parts = {part.strip() for part in label.split(sign)}
            if len(parts) > 1 and (parts <= there if sign in _PERHAPS_JOINS else parts & there):
                text = Sentence(
                    f"Gold's label {shown(label)} joins others of its labels: every combination counts as a "
                    "label of its own, for an item has one label here",
                    Remedy("kind", "label-sets", "aside", "if items have several"),
                    ".",
                )
                return (Note("labels-joined", "caution", text),)
    return ()


def plain_tags(system: str, column: Sequence[Tags | None]) -> tuple[list[Tags | None], tuple[Note, ...]]:
    """Tags of other schemes as BIOES, "B_PER" as "B-PER"; what was read otherwise is said."""
    plain = {tag: _plain_tag(tag) for tags in column for tag in tags or ()}
    changed = {tag: own for tag, own in plain.items() if tag != own}
    if not changed:
        return list(column), ()
    tag, own = next(iter(changed.items()))
    text = f"{system}: tags are written otherwise ({shown(tag)} was read as {shown(own)})."
    found = [None if tags is None else tuple(plain[tag] for tag in tags) for tags in column]
    return found, (Note("tags-matched", "info", text),)


def _plain_tag(tag: str) -> str:
    marked = _MARKED.fullmatch(tag)
    if marked is None:
        return "O" if tag == "o" else tag
    mark = marked[1].upper()
    return f"{_LETTERS.get(mark, mark)}-{marked[2]}"


def types_of(column: Iterable[Tags | None]) -> dict[str, str]:
    """Types of the spans of tags, each with the first tag of it; NO_TYPE where a tag marks no span."""
    found: dict[str, str] = {}
    for tag in dict.fromkeys(tag for tags in column for tag in tags or ()):
        if tag != "O":
            found.setdefault(tag.partition("-")[2] or NO_TYPE, tag)
    return found


def no_spans(tag: str) -> str:
    """The refusal of gold whose tags aren't those of spans."""
    return (
        f"gold's tag {shown(tag)} marks no span, as B-PER, I-PER and O do; for the class of every token give "
        "one token a line as an item of its own, with labels."
    )


def tags_alike(
    system: str, column: Sequence[Tags | None], gold: Mapping[str, str]
) -> tuple[list[Tags | None], tuple[Note, ...]]:
    """Tags with gold's types where capitals alone differ; types that gold lacks are said.

    gold: `types_of` gold.
    Raises ScoreFileError: None of the tags is of a type of gold's.
    """
    column, notes = plain_tags(shown(system), column)
    own = types_of(column)
    if NO_TYPE in own and NO_TYPE not in gold:
        raise ScoreFileError(
            f"its tag {shown(own[NO_TYPE])} marks neither the begin nor the inside of a span; give tags as "
            f"gold writes them, such as {shown(next(iter(gold.values()), 'B-PER'))}."
        )
    if own and gold and not own.keys() & gold.keys():
        spelt = {kind.casefold(): kind for kind in gold}
        if len(spelt) < len(gold) or not all(kind.casefold() in spelt for kind in own):
            raise ScoreFileError(
                f"none of its tags ({some_shown(list(own.values()), 3)}) names a type of gold's spans "
                f"({some_shown(list(gold), 3)}); give tags as gold writes them, such as "
                f"{shown(next(iter(gold.values())))}."
            )
        kind = next(iter(own))
        text = f"{shown(system)}: the type {shown(kind)} was taken as gold's {shown(spelt[kind.casefold()])}."
        found = [None if tags is None else tuple(_with_type(tag, spelt) for tag in tags) for tags in column]
        return found, (*notes, Note("labels-matched", "info", text))
    strange = [kind for kind in own if kind not in gold]
    if strange and gold:
        many = sum(tag.partition("-")[2] in strange for tags in column for tag in tags or ())
        text = (
            f"{shown(system)} gave {count_of(many, 'tag')} of types that gold doesn't have "
            f"({some_shown(strange, 5)}): each span is an error."
        )
        notes = (*notes, Note("labels-not-in-gold", "caution", text))
    return list(column), notes


def _with_type(tag: str, spelt: Mapping[str, str]) -> str:
    mark, sign, kind = tag.partition("-")
    return f"{mark}-{spelt[kind.casefold()]}" if sign else tag


def scheme_of(column: Iterable[Tags | None]) -> str:
    """IOB2, IOB1 or BIOES, by how the spans of tags begin and end."""
    by_b = by_i = 0
    for tags in column:
        before = ""
        for tag in tags or ():
            mark, _, kind = tag.partition("-")
            if mark in ("E", "S"):
                return "BIOES"
            by_b += mark == "B" and kind != before
            by_i += mark == "I" and kind != before
            before = kind
    return "IOB1" if by_i and not by_b else "IOB2"
