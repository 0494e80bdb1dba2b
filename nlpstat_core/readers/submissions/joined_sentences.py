"""Sentences in CoNLL columns joined to gold's, and a look at whether their words are the same."""

from collections.abc import Sequence
from typing import Any

from nlpstat_core.errors import ScoreFileError, shown
from nlpstat_core.notes import Note
from nlpstat_core.readers.submissions.cells import Cells
from nlpstat_core.readers.submissions.conll import Sentences
from nlpstat_core.readers.submissions.gold import Gold
from nlpstat_core.readers.submissions.joining import MOST_APART, Joined, by_ids

_TELLING = 3  # words that tell a sentence from another one


def sentences_joined(cells: Cells, own: Sentences, gold: Gold, right: Sentences) -> Joined:
    """The sentences of a system, one for each of gold's; raises ScoreFileError for others."""
    if own.kind != right.kind:
        raise ScoreFileError(f"it holds {own.kind} and gold {right.kind}; give both alike.")
    items = gold.items
    named = own.ids is not None and right.ids is not None
    if named:
        joined = by_ids(cells, gold, list(own.ids or ()), list(range(len(own.values))))  # type: ignore[arg-type]
        rows = joined.outputs
    else:
        if len(own.values) != len(items):
            raise ScoreFileError(
                f"it has {len(own.values):,} sentences and gold {len(items):,}; give every sentence of gold, "
                "a blank line after each."
            )
        joined, rows = Joined(outputs=(), by_order=True), range(len(items))
    outputs: list[Any] = []
    notes = (*joined.notes, *_words_alike(own, right, rows, items))
    for place, row in enumerate(rows):
        if row is None:
            outputs.append(None)
            continue
        mine, theirs = own.values[row], right.values[place]
        where = f"line {own.lines[row]:,}, sentence {shown(items[place])}"
        if len(mine) != len(theirs):
            text = f"{where}: {len(mine)} tokens where gold has {len(theirs)}"
            raise ScoreFileError(f"{text}; give every token of gold.")
        outputs.append(mine)
    has_words = any(own.tokens) and any(right.tokens)
    return Joined(outputs=outputs, by_order=not named and not has_words, notes=notes)


def _words_alike(
    own: Sentences, right: Sentences, rows: Sequence[int | None], items: Sequence[str]
) -> tuple[Note, ...]:
    """A caution where some words are spelt otherwise than in gold, since systems may normalise them.

    Raises ScoreFileError: Too many words are others, or a sentence is another one of gold's.
    """
    known = {words for words in right.tokens if len(words) >= _TELLING}
    compared, apart, first = 0, 0, None
    for place, row in enumerate(rows):
        words, others = ((), ()) if row is None else (own.tokens[row], right.tokens[place])
        if row is None or not words or not others:
            continue
        compared += len(others)
        if words == others:
            continue
        pairs = list(zip(words, others, strict=False))
        word, other = next((both for both in pairs if both[0] != both[1]), ("", ""))
        where = f"line {own.lines[row]:,}, sentence {shown(items[place])}"
        what = f"{where}: the word {shown(word)} stands where gold has {shown(other)}"
        if words in known and word != other:
            raise ScoreFileError(f"{what}; give gold's sentences in gold's order.")
        if len(words) == len(others):
            apart += sum(one != two for one, two in pairs)
            first = first or what
    if first is None:
        return ()
    if apart > MOST_APART * compared:
        raise ScoreFileError(f"{first}; give gold's sentences in gold's order.")
    text = f"{apart:,} of {compared:,} words are not spelt as in gold ({first}): tags count by their place."
    return (Note("words-not-as-in-gold", "caution", text),)
