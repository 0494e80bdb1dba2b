"""Labels, numbers, texts or tags: guessed from gold and outputs, with the reason, and converted."""

import math
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from nlpstat_core.errors import Remedy, ScoreFileError, Sentence, shown
from nlpstat_core.notes import Note
from nlpstat_core.readers.open.cells import DECIMAL_COMMA, INFINITE, is_missing, number
from nlpstat_core.readers.submissions.cells import Cell
from nlpstat_core.readers.submissions.conll import TAG
from nlpstat_core.readers.submissions.gold import Gold
from nlpstat_core.readers.submissions.json_shapes import Levels
from nlpstat_core.readers.submissions.sets import labels_in
from nlpstat_core.scores.submissions import Kind

_SIGN = "[+\\-\u2212]?"
_GAPS = "[ \u00a0\u2009\u202f'\u2019]"
_SPACED = re.compile(rf"{_SIGN}\d{{1,3}}(?:{_GAPS}\d{{3}})+(?:[.,]\d+)?")  # surely groups
_GROUPED = re.compile(rf"{_SIGN}[1-9]\d{{0,2}}(?:,\d{{3}})+")  # 1,200: a comma may be either
_SURELY_GROUPED = re.compile(rf"{_SIGN}[1-9]\d{{0,2}}(?:(?:,\d{{3}})+\.\d+|(?:,\d{{3}}){{2,}})")
_GAP = re.compile(_GAPS)
_MINUS = "\u2212"


class NumeralError(ScoreFileError):
    """Numbers that can be read in two ways."""


def plain_numerals(whose: str, column: Sequence[Any]) -> tuple[list[Any], tuple[Note, ...]]:
    """Cells of numbers with points alone; as they are where these are no numbers, or need no change.

    Raises ScoreFileError: Commas that may group thousands as well as begin decimals.
    """
    cells = [cell.strip() if isinstance(cell, str) else cell for cell in column]
    odd = [cell for cell in cells if isinstance(cell, str) and not is_missing(cell) and number(cell) is None]
    if not odd:
        return list(column), ()
    commas = [cell for cell in odd if not _SPACED.fullmatch(cell)]
    if any(map(_SURELY_GROUPED.fullmatch, commas)):
        if not all(_GROUPED.fullmatch(cell) or _SURELY_GROUPED.fullmatch(cell) for cell in commas):
            return list(column), ()
        read = [_respelt(cell, "") for cell in cells]
    else:
        if not all(_is_comma(cell) or _GROUPED.fullmatch(cell) for cell in commas):
            return list(column), ()
        if commas:
            _check_decimal(whose, commas, cells)
        read = [_respelt(cell, ".") for cell in cells]
    text = f"{whose}: {shown(odd[0])} was read as {shown(read[cells.index(odd[0])])}."
    return read, (Note("numbers-as-written", "caution", text),)


def _check_decimal(whose: str, commas: Sequence[str], cells: Sequence[Any]) -> None:
    """Refuse commas that may be either, and decimal commas beside points."""
    if all(map(_GROUPED.fullmatch, commas)):
        sign = commas[0]
        raise NumeralError(
            f"{whose} has {shown(sign)}, where the comma may begin decimals or group thousands "
            f"({sign.replace(',', '.')} or {sign.replace(',', '')}); write a point for decimals and no sign "
            "between thousands."
        )
    point = next((cell for cell in cells if isinstance(cell, str) and "." in cell), None)
    if point is not None:
        raise NumeralError(
            f"{whose} has decimal commas and points ({shown(commas[0])}, {shown(point)}); write all its "
            "numbers with points."
        )


def _respelt(cell: Any, comma: str) -> Any:
    return _GAP.sub("", cell).replace(",", comma) if isinstance(cell, str) else cell


def _is_comma(cell: str) -> bool:
    return DECIMAL_COMMA.fullmatch(cell.replace(_MINUS, "-")) is not None


def are_decimal_commas(texts: Sequence[str]) -> bool:
    """Whether texts are numbers of which some have a comma, and a decimal one."""
    commas = [text for text in texts if "," in text]
    return (
        any(not _GROUPED.fullmatch(text) for text in commas)
        and all(map(_is_comma, commas))
        and all(number(text) is not None for text in texts if "," not in text)
    )


FEW = 20  # items of which hardly any comes twice, though they may be labels
MOST_NUMBERS = 20  # different whole numbers that may still be classes
LONGEST_LABEL = 60  # signs
_WORDS = 4
_QUOTED = re.compile(r"'([^']*)'|\"([^\"]*)\"")


def guess_kind(gold: Gold, outputs: Mapping[str, Sequence[Any]]) -> tuple[Kind, str]:
    """The kind and why."""
    if gold.sentences is not None:
        kind: Kind = "trees" if gold.sentences.kind == "trees" else "tags"
        return kind, "gold is in CoNLL columns"
    right = gold.right
    if gold.flags:
        return "label-sets", f"gold has a column of 0 and 1 for each of {len(gold.flags)} labels"
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
    if texts and all(number_in(text) is not None for text in distinct):
        fractions = [text for text in distinct if not float(number_in(text) or 0).is_integer()]
        if fractions:
            return "numbers", f"gold has numbers such as {shown(fractions[0])}"
        if len(distinct) > MOST_NUMBERS:
            return "numbers", f"gold has {len(distinct):,} different numbers"
        scored = _with_fractions(outputs)
        if scored is not None:
            return "numbers", f"the outputs are numbers such as {shown(scored)}"
        return "labels", f"gold has {len(distinct)} different whole numbers"
    often = len(distinct) <= 0.5 * len(texts) or (len(texts) < FEW and len(distinct) < len(texts))
    if often and are_short(distinct):
        return "labels", f"gold has {len(distinct):,} different short texts"
    if texts and are_decimal_commas(list(distinct)):
        return "numbers", f"gold has numbers with decimal commas such as {shown(texts[0])}"
    return "texts", "gold's texts are long, or hardly any occurs twice"


def are_short(texts: Iterable[str]) -> bool:
    """Whether texts are a few words each, as labels are."""
    return all(len(text) <= LONGEST_LABEL and len(text.split()) <= _WORDS for text in texts)


def doubtful_kind(gold: Gold, kind: Kind) -> tuple[Note, ...]:
    """Say that gold was taken as texts, where it is so few and so short ones that they may be labels."""
    texts = [cell for cell in gold.right if isinstance(cell, str)]
    if kind != "texts" or not 0 < len(texts) == len(gold.right) < FEW or not are_short(texts):
        return ()
    many = (
        f"{len(texts)} short answers, none of which occurs twice, were"
        if len(texts) > 1
        else "one short answer was"
    )
    text = f"Gold's {many} taken as texts"
    said = Sentence(text, Remedy("kind", "labels", "aside", "if they are labels"), ".")
    return (Note("kind-guessed", "caution", said),)


def _with_fractions(outputs: Mapping[str, Sequence[Any]]) -> str | None:
    """An output that is a fraction, where the outputs of some system are all numbers."""
    for column in outputs.values():
        texts = [cell.strip() for cell in column if isinstance(cell, str) and not is_missing(cell)]
        if texts and all(number_in(text) is not None for text in set(texts)):
            found = next((text for text in texts if not float(number_in(text) or 0).is_integer()), None)
            if found is not None:
                return found
    return None


def number_in(text: str) -> float | None:
    """The number that a text is; None for words, "true" among them."""
    value = None if text.lower() in ("true", "false") else number(text)
    return None if value is None or math.isnan(value) else value


def _tags(cell: Cell) -> tuple[str, ...] | None:
    tags = _listed(cell)
    return tags if tags and all(map(TAG.fullmatch, tags)) else None


def _listed(cell: Cell) -> tuple[str, ...]:
    """Tags of a cell: its words, or the list that Python or NumPy wrote into it."""
    if isinstance(cell, tuple):
        return cell
    inside = cell.strip()
    if inside[:1] == "[" and inside[-1:] == "]":
        return tuple(part for pair in _QUOTED.findall(inside) for part in pair if part)
    return tuple(cell.split())


def converted_gold(gold: Gold, kind: Kind, sign: str = "") -> list[Any]:
    """What is right for each item as this kind has it; raises ScoreFileError with the item."""
    if gold.sentences is not None:
        if kind != gold.sentences.kind:
            text = f"gold is in CoNLL columns, {gold.sentences.kind} and no {kind}; leave the kind out"
            raise ScoreFileError(text, Remedy("kind", form="aside"), ".")
        return list(gold.sentences.values)
    found: list[Any] = []
    if kind == "label-sets":
        return [labels_in(cell, sign) for cell in gold.right]
    for item, cell in zip(gold.items, gold.right, strict=True):
        if kind == "texts" and not isinstance(cell, Levels):
            found.append((cell if cell else ("",)) if isinstance(cell, tuple) else (cell.strip(),))
            continue
        try:
            value = _converted(cell, kind)
        except ScoreFileError as error:
            raise ScoreFileError(f"item {shown(item)}: ", error.sentence) from None
        if value is None:
            what = {"numbers": "number", "labels": "label", "tags": "sequence of tags"}.get(kind, "tree")
            raise ScoreFileError(
                f"gold has no {what} for the item {shown(item)}; give one, or leave it out",
                *_several(kind),
                ".",
            )
        found.append(value)
    return found


def converted_outputs(
    gold: Gold, kind: Kind, outputs: Sequence[Any], right: Sequence[Any], sign: str = ""
) -> list[Any]:
    """A system's outputs as this kind has them, None where there is none; raises ScoreFileError."""
    found: list[Any] = []
    if kind == "label-sets":
        return [None if cell is None else labels_in(cell, sign) for cell in outputs]
    in_columns = gold.sentences is not None
    for item, cell, own in zip(gold.items, outputs, right, strict=True):
        try:
            as_it_is = cell is None or (in_columns and isinstance(cell, tuple))
            value = cell if as_it_is else _converted(cell, kind)
        except ScoreFileError as error:
            raise ScoreFileError(f"item {shown(item)}: ", error.sentence) from None
        if kind == "tags" and value is not None and len(value) != len(own):
            text = f"item {shown(item)}: {len(value)} tags where gold has {len(own)}"
            raise ScoreFileError(f"{text}; give one tag per token.")
        found.append(value)
    return found


def _several(kind: Kind) -> tuple[Remedy, ...]:
    """What to choose where items have several labels or none."""
    when = "if items have several labels or none"
    return (Remedy("kind", "label-sets", "aside", when),) if kind == "labels" else ()


def _converted(cell: Cell, kind: Kind) -> Any:
    """A cell as this kind has it; None for one that holds nothing. Raises ScoreFileError: It has levels."""
    if isinstance(cell, Levels):
        raise ScoreFileError(f"{shown(cell)} has levels of its own; give one answer, as text or a number.")
    if kind == "texts":
        return cell.strip() if isinstance(cell, str) else " ".join(cell)
    if kind == "tags":
        return _listed(cell) or None
    if kind == "trees":
        raise ScoreFileError("trees are read from CoNLL-U; give ten columns per token.")
    if isinstance(cell, tuple):
        if len(cell) != 1:
            raise ScoreFileError(
                f"{shown(list(cell))} is a list where one {kind[:-1]} should stand; give one",
                *_several(kind),
                ".",
            )
        cell = cell[0]
    text = cell.strip()
    if kind == "labels":
        return text or None
    if is_missing(text):
        return None
    value = number(text)
    if value is None and (text.endswith("%") or INFINITE.fullmatch(text)):
        what = "has a percent sign; write the number" if text.endswith("%") else "is infinite; give a number"
        raise ScoreFileError(f"{shown(text)} {what} as gold has it, or leave it empty.")
    if value is None:
        raise ScoreFileError(
            f"{shown(text)} is not a number; correct it, or choose another kind",
            Remedy("kind", "labels", "aside"),
            Remedy("kind", "texts", "aside"),
            ".",
        )
    return value
