"""read_outputs: gold and outputs of systems, whatever shapes they come in, as one checked record."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Literal

from nlpstat_core.errors import (
    ConfigError,
    Remedy,
    ScoreError,
    ScoreFileError,
    about_file,
    shown,
    some_shown,
    unknown,
)
from nlpstat_core.notes import Note
from nlpstat_core.readers.open.files import Given
from nlpstat_core.readers.open.limits import Limits
from nlpstat_core.readers.submissions.files import ATTEMPTS, Attempts, Files, gold_files, system_files, whose
from nlpstat_core.readers.submissions.gold import Gold, gold_of
from nlpstat_core.readers.submissions.joining import Joined, with_ids
from nlpstat_core.readers.submissions.kinds import (
    NumeralError,
    converted_gold,
    converted_outputs,
    doubtful_kind,
    guess_kind,
    plain_numerals,
)
from nlpstat_core.readers.submissions.outputs import outputs_of, refuse_other_order
from nlpstat_core.readers.submissions.sets import sign_between
from nlpstat_core.readers.submissions.shuffled import (
    first_line_notes,
    own_gold_notes,
    scale_notes,
    shuffled_notes,
)
from nlpstat_core.readers.submissions.spelling import (
    NO_TYPE,
    joined_labels,
    labels_alike,
    no_spans,
    plain_tags,
    sets_alike,
    tags_alike,
    types_of,
)
from nlpstat_core.scores.submissions import KINDS, Kind, Submissions, counted_as_wrong

Missing = Literal["refuse", "wrong", "leave-out"]
MISSING = ("refuse", "wrong", "leave-out")
_DEFAULTS = Limits()


def read_outputs(
    gold: Files,
    systems: Files | Mapping[str, Given] | None = None,
    *,
    kind: Kind | None = None,
    missing_outputs: Missing = "refuse",
    attempts: Attempts = "last",
    file: str | None = None,
    id_column: str | None = None,
    gold_column: str | None = None,
    output_column: str | None = None,
    label_columns: Sequence[str] | None = None,
    limits: Limits = _DEFAULTS,
) -> Submissions:
    """Gold and outputs as one record; `read_submissions` says what the keywords mean.

    systems: None where gold's own table has a column for each system, or its archive their files.
    """
    for what, value, valid in (
        ("kind of outputs", kind, KINDS),
        ("way to take missing outputs", missing_outputs, MISSING),
        ("choice of attempts", attempts, ATTEMPTS),
    ):
        if value is not None and value not in valid:
            raise ConfigError(unknown(what, value, valid))
    notes: list[Note] = []
    told = (id_column, gold_column, output_column, *(label_columns or ()))
    own, rest = gold_files(gold, systems, told, limits, notes)
    name = own[0].name
    try:
        read = [
            gold_of(
                cells,
                id_column=id_column,
                gold_column=gold_column,
                label_columns=label_columns,
                with_systems=systems is None and not rest,
            )
            for cells in own
        ]
        right = read[0] if len(read) == 1 else _references(read)
    except ScoreError as error:
        raise about_file(name, error) from None
    notes += right.notes
    attempt_of: dict[str, str] = {}
    joined: dict[str, Joined] = {
        system: Joined(outputs=column, by_order=False) for system, column in right.systems.items()
    }
    if systems is None and not rest and not joined:
        raise ScoreFileError(
            f"{shown(name)} has gold and no systems; give their outputs, one file per system, or a column "
            f"each."
        )
    files = system_files(systems, rest, attempts, file, told, limits, notes, attempt_of)
    if len(own) == 1 and (parted := with_ids(own[0], dict(files))) is not None:
        right = gold_of(
            parted[0], id_column=None, gold_column=None, label_columns=label_columns, with_systems=False
        )
        files = list(parted[1].items())
        notes += parted[2]
    for system, cells in files:
        try:
            found = outputs_of(cells, right, system, id_column, output_column, len(files) == 1)
        except ScoreError as error:
            raise about_file(system if cells.name == system else whose(system, cells.name), error) from None
        for each, outputs in found.items():
            if each in joined:
                raise ScoreFileError(f"the system {shown(each)} appears twice; give each its own name.")
            joined[each] = outputs
            notes += [_of_system(note, each) for note in (*cells.notes, *outputs.notes)]
    refuse_other_order(joined)
    return _assembled(
        right,
        joined,
        notes,
        kind=kind,
        missing_outputs=missing_outputs,
        source=name,
        reading={
            "missing_outputs": missing_outputs,
            "attempts": attempts,
            **({} if file is None else {"file": file}),
            **right.reading,
            **({} if output_column is None else {"output_column": output_column}),
            **({} if not attempt_of else {"attempt_of": attempt_of}),
        },
    )


def _of_system(note: Note, system: str) -> Note:
    return (
        note
        if shown(system) in note.text
        else Note(note.code, note.severity, f"{shown(system)}: {note.text}")
    )


def _references(read: Sequence[Gold]) -> Gold:
    """Several files of gold as references of the same items, in their order."""
    first = read[0]
    if any(one.sentences is not None for one in read):
        raise ScoreFileError("several files of gold are references of texts; give one file of CoNLL columns.")
    if any(len(one.right) != len(first.right) or one.items != first.items for one in read):
        sizes = ", ".join(f"{len(one.right):,}" for one in read)
        raise ScoreFileError(f"the files of references have {sizes} items; give all the same items.")
    right = [tuple(map(str, cells)) for cells in zip(*(one.right for one in read), strict=True)]
    return Gold(
        ids=first.ids, right=right, name=first.name, several=True, labels=first.labels, reading=first.reading
    )


def _assembled(
    right: Gold,
    joined: Mapping[str, Joined],
    notes: list[Note],
    *,
    kind: Kind | None,
    missing_outputs: Missing,
    source: str,
    reading: Mapping[str, Any],
) -> Submissions:
    """The record: kind settled, cells converted, missing outputs as the organizer chose."""
    likely, reason = guess_kind(right, {system: one.outputs for system, one in joined.items()})
    if kind is None:
        notes += doubtful_kind(right, likely)
    if kind is not None and kind != likely:
        reason = f"chosen, where {likely} are likely"
    kind = kind or likely
    if kind == "numbers":
        plain, said = plain_numerals("gold", right.right)
        right, notes = replace(right, right=plain), [*notes, *said]
    sign = "" if kind != "label-sets" else sign_between([right.right, *(j.outputs for j in joined.values())])
    gold = converted_gold(right, kind, sign)
    known = sorted(set(gold)) if kind == "labels" else []
    notes += joined_labels(known)
    if kind == "tags":
        gold, said = plain_tags("Gold", gold)
        notes += said
        types = types_of(gold)
        if NO_TYPE in types:
            raise about_file(source, ScoreFileError(no_spans(types[NO_TYPE])))
    outputs: dict[str, list[Any]] = {}
    for system, one in joined.items():
        try:
            if kind == "numbers":
                column, said = plain_numerals(shown(system), one.outputs)
                one, notes = replace(one, outputs=column), [*notes, *said]
            column = converted_outputs(right, kind, one.outputs, gold, sign)
            if kind == "labels":
                column, said = labels_alike(system, column, known)
                notes += said
            elif kind == "label-sets":
                column, said = sets_alike(system, column, sorted({label for own in gold for label in own}))
                notes += said
            elif kind == "tags":
                column, said = tags_alike(system, column, types)
                notes += said
        except NumeralError:
            raise
        except ScoreError as error:
            raise about_file(system, error) from None
        if kind == "texts" and (empty := sum(output == "" for output in column)):
            text = f"{shown(system)} has {empty:,} empty outputs."
            notes.append(Note("empty-outputs", "caution", text))
        outputs[system] = column
    notes += own_gold_notes(kind, gold, outputs)
    if kind == "numbers":
        notes += scale_notes(gold, outputs)
    if right.ids is None:
        notes += first_line_notes(kind, gold, outputs)
    notes += shuffled_notes(kind, gold, {name: outputs[name] for name, one in joined.items() if one.by_order})
    _settle_missing(right, kind, gold, outputs, missing_outputs, notes)
    try:
        return Submissions(
            kind=kind,
            items=right.items,
            gold=tuple(gold),
            outputs={name: tuple(column) for name, column in outputs.items()},
            labels={name: tuple(column) for name, column in right.labels.items()},
            notes=tuple(dict.fromkeys(notes)),
            source=source,
            reading={
                "kind": kind,
                "reason": reason,
                "by_order": [system for system, one in joined.items() if one.by_order],
                **reading,
            },
        )
    except ScoreError as error:
        raise about_file(source, error) from None


def _settle_missing(
    right: Gold,
    kind: Kind,
    gold: Sequence[Any],
    outputs: dict[str, list[Any]],
    missing_outputs: Missing,
    notes: list[Note],
) -> None:
    """Refuse missing outputs, take them as wrong, or let them be, each said."""
    for system, column in outputs.items():
        gone = [place for place, output in enumerate(column) if output is None]
        if not gone:
            continue
        items = some_shown([right.items[place] for place in gone], 3)
        what = f"{shown(system)} has no output for {len(gone):,} of {len(column):,} items ({items})"
        leave_out = Remedy("missing_outputs", "leave-out", "aside")
        if missing_outputs == "refuse" and kind == "numbers":
            raise ScoreFileError(
                f"{what}; complete it, or leave each out of the system's pairs", leave_out, "."
            )
        if missing_outputs == "refuse":
            raise ScoreFileError(
                f"{what}; complete it, count these as wrong",
                Remedy("missing_outputs", "wrong", "aside"),
                ", or leave each out of the system's pairs",
                leave_out,
                ".",
            )
        if missing_outputs == "wrong":
            if kind == "numbers":
                text = (
                    f"{what}, and a missing number can't count as wrong; complete it or leave the items out"
                )
                raise ScoreFileError(text, leave_out, ".")
            for place in gone:
                column[place] = counted_as_wrong(kind, gold[place])
        if len(gone) == len(column):
            raise ScoreFileError(f"{shown(system)} has no output for any item; leave the system out.")
        done = "each counts as wrong" if missing_outputs == "wrong" else "they are left out of its pairs"
        notes.append(Note("outputs-missing", "caution", f"{what}: {done}."))
