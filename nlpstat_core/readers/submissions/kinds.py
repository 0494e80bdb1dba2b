"""Labels, numbers, texts or tags: guessed from gold and outputs, with the reason, and converted."""

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from nlpstat_core.errors import Remedy, ScoreFileError, Sentence, shown, some_shown
from nlpstat_core.formatting import count_of
from nlpstat_core.notes import Note
from nlpstat_core.readers.open.cells import is_missing, number
from nlpstat_core.readers.submissions.cells import Cell
from nlpstat_core.readers.submissions.conll import TAG
from nlpstat_core.readers.submissions.gold import Gold
from nlpstat_core.scores.submissions import Kind

FEW = 20  # items of which hardly any comes twice, though they may be labels
MOST_NUMBERS = 20  # different whole numbers that may still be classes
LONGEST_LABEL = 60  # signs
_WORDS = 4
_TRUTH = {"0": "false", "1": "true", "no": "false", "yes": "true"}


def guess_kind(gold: Gold, outputs: Mapping[str, Sequence[Any]]) -> tuple[Kind, str]:
    """The kind and why."""
    if gold.sentences is not None:
        kind: Kind = "trees" if gold.sentences.kind == "trees" else "tags"
        return kind, "gold is in CoNLL columns"
    right = gold.right
    if gold.several:
        return "texts", "gold has several references"
    given = [cell for cell in right if isinstance(cell, tuple) or cell.strip()]
    if (
        given
        and all(_tags(cell) is not None for cell in given)
        and any(len(_tags(cell) or ()) > 1 for cell in given)
    ):
        return "tags", "gold's cells are sequences of tags"
    if any(isinstance(cell, tuple) for cell in right):
        return "texts", "gold has lists of references"
    texts = [str(cell).strip() for cell in given]
    distinct = Counter(texts)
    if texts and all(_number(text) is not None for text in distinct):
        fractions = [text for text in distinct if not float(_number(text) or 0).is_integer()]
        if fractions:
            return "numbers", f"gold has numbers such as {shown(fractions[0])}"
        if len(distinct) > MOST_NUMBERS:
            return "numbers", f"gold has {len(distinct):,} different numbers"
        scored = _with_fractions(outputs)
        if scored is not None:
            return "numbers", f"the outputs are numbers such as {shown(scored)}"
        return "labels", f"gold has {len(distinct)} different whole numbers"
    often = len(distinct) <= 0.5 * len(texts) or (len(texts) < FEW and len(distinct) < len(texts))
    if often and _are_short(distinct):
        return "labels", f"gold has {len(distinct):,} different short texts"
    return "texts", "gold's texts are long, or hardly any occurs twice"


def _are_short(texts: Iterable[str]) -> bool:
    return all(len(text) <= LONGEST_LABEL and len(text.split()) <= _WORDS for text in texts)


def doubtful_kind(gold: Gold, kind: Kind) -> tuple[Note, ...]:
    """Say that gold was taken as texts, where it is so few and so short ones that they may be labels."""
    texts = [cell for cell in gold.right if isinstance(cell, str)]
    if kind != "texts" or not 0 < len(texts) == len(gold.right) < FEW or not _are_short(texts):
        return ()
    text = f"Gold's {len(texts)} short answers, none of which occurs twice, were taken as texts"
    said = Sentence(text, Remedy("kind", "labels", "aside", "if they are labels"), ".")
    return (Note("kind-guessed", "caution", said),)


def _with_fractions(outputs: Mapping[str, Sequence[Any]]) -> str | None:
    """An output that is a fraction, where the outputs of some system are all numbers."""
    for column in outputs.values():
        texts = [cell.strip() for cell in column if isinstance(cell, str) and not is_missing(cell)]
        if texts and all(_number(text) is not None for text in set(texts)):
            found = next((text for text in texts if not float(_number(text) or 0).is_integer()), None)
            if found is not None:
                return found
    return None


def _number(text: str) -> float | None:
    value = None if text.lower() in ("true", "false") else number(text)
    return None if value is None or math.isnan(value) else value


def _tags(cell: Cell) -> tuple[str, ...] | None:
    tags = cell if isinstance(cell, tuple) else tuple(cell.split())
    return tags if tags and all(map(TAG.fullmatch, tags)) else None


def converted_gold(gold: Gold, kind: Kind) -> list[Any]:
    """What is right for each item as this kind has it; raises ScoreFileError with the item."""
    if gold.sentences is not None:
        _check_sentences(gold, kind)
        return list(gold.sentences.values)
    found: list[Any] = []
    for item, cell in zip(gold.items, gold.right, strict=True):
        if kind == "texts":
            found.append((cell if cell else ("",)) if isinstance(cell, tuple) else (cell.strip(),))
            continue
        value = _converted(cell, kind, None)
        if value is None:
            what = {"numbers": "number", "labels": "label", "tags": "sequence of tags"}.get(kind, "tree")
            raise ScoreFileError(f"gold has no {what} for the item {shown(item)}; give one, or leave it out.")
        found.append(value)
    return found


def _check_sentences(gold: Gold, kind: Kind) -> None:
    if gold.sentences is not None and kind != gold.sentences.kind:
        text = f"gold is in CoNLL columns, {gold.sentences.kind} and no {kind}; leave the kind out"
        raise ScoreFileError(text, Remedy("kind", form="aside"), ".")


def converted_outputs(gold: Gold, kind: Kind, outputs: Sequence[Any], right: Sequence[Any]) -> list[Any]:
    """A system's outputs as this kind has them, None where there is none; raises ScoreFileError."""
    if gold.sentences is not None:
        return list(outputs)
    found: list[Any] = []
    for item, cell, own in zip(gold.items, outputs, right, strict=True):
        try:
            value = None if cell is None else _converted(cell, kind, own)
        except ScoreFileError as error:
            raise ScoreFileError(f"item {shown(item)}: ", error.sentence) from None
        if kind == "tags" and value is not None and len(value) != len(own):
            text = f"item {shown(item)}: {len(value)} tags where gold has {len(own)}"
            raise ScoreFileError(f"{text}; give one tag per token.")
        found.append(value)
    return found


def _converted(cell: Cell, kind: Kind, right: Any) -> Any:
    """A cell as this kind has it; None for one that holds nothing."""
    if kind == "texts":
        return cell.strip() if isinstance(cell, str) else " ".join(cell)
    if kind == "tags":
        tags = cell if isinstance(cell, tuple) else tuple(cell.split())
        return tags or None
    if kind == "trees":
        raise ScoreFileError("trees are read from CoNLL-U; give ten columns per token.")
    if isinstance(cell, tuple):
        if len(cell) != 1:
            raise ScoreFileError(
                f"{shown(list(cell))} is a list where one {kind[:-1]} should stand; give one."
            )
        cell = cell[0]
    text = cell.strip()
    if kind == "labels":
        return text or None
    if is_missing(text):
        return None
    value = number(text)
    if value is None:
        raise ScoreFileError(
            f"{shown(text)} is not a number; correct it, or choose another kind",
            Remedy("kind", "labels", "aside"),
            Remedy("kind", "texts", "aside"),
            ".",
        )
    return value


def labels_alike(
    system: str, outputs: Sequence[str | None], known: Sequence[str]
) -> tuple[list[str | None], tuple[Note, ...]]:
    """Outputs spelt as gold's labels where these are numbers ("1.0" is gold's "1"); what is new is said."""
    there, given = set(known), dict.fromkeys(output for output in outputs if output is not None)
    spelt = {_number(label): label for label in known if _number(label) is not None}
    numbers = {label: spelt.get(_number(label), label) for label in given if label not in there}
    taken = {label: gold for label, gold in numbers.items() if label != gold}
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


def _written_otherwise(given: Sequence[str], known: Sequence[str]) -> dict[str, str]:
    """Labels of which none is gold's as gold's, where only capitals, or words for 0 and 1, differ."""
    for spelling in (str.casefold, _as_truth):
        spelt = {spelling(label): label for label in known}
        found = {label: spelt[spelling(label)] for label in given if spelling(label) in spelt}
        if len(spelt) == len(known) and found and len(set(found.values())) == len(found):
            return found
    return {}


def _as_truth(label: str) -> str:
    return _TRUTH.get(label.casefold(), label.casefold())
