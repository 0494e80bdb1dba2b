"""From gold and the outputs of systems to scores: read by a worker process, as any file."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

import streamlit as st
from streamlit.runtime.uploaded_file_manager import UploadedFile

from dashboard.background import answers, submissions
from dashboard.background.outputs import (
    OPTIONS,
    SHOWN,
    Files,
    ItemOutputs,
    Outputs,
    PairOutputs,
    ReadOutputs,
    chosen_options,
)
from dashboard.server.privacy import MEGABYTE, forget_uploads, given_files
from dashboard.session.reading import READING, Pending, begin, draw_waiting, settled
from dashboard.session.results import Answer, ask, drop_jobs
from dashboard.session.state import session
from dashboard.session.uploads import DATA, Example, bounds, most_megabytes, most_seconds, packed
from dashboard.text import markdown
from nlpstat_core.errors import NlpstatError, Sentence

if TYPE_CHECKING:
    from nlpstat_core.analysis.result import Analysis
    from nlpstat_core.board.submissions.by_label import LabelScores

OUTPUTS_OF_PAIR, OUTPUTS_OF_ITEMS, BY_LABEL = "outputs of a pair", "outputs of items", "labels"
Choices = Mapping[str, object]


@dataclass
class PendingOutputs(Pending[ReadOutputs]):
    """Gold and outputs that are being read; `file` only stands for their name."""

    files: Files = field(default_factory=Files)


@dataclass(frozen=True, eq=False)
class Submitted:
    """Gold and outputs behind the scores of the session."""

    files: Files
    choices: Choices
    outputs: Outputs


@dataclass(frozen=True, eq=False)
class Uncompared:
    """Gold and outputs that could be read, with nothing to compare: the outputs of one system."""

    files: Files
    choices: Choices
    found: ReadOutputs


def field_key(what: str) -> str:
    """Key of an upload field, "gold" or "outputs"; a new key is an empty field."""
    return f"{what}-{session().uploader}"


def take_dropped(what: str) -> None:
    """Keep what was dropped on a field, and read it once gold and outputs are both here.

    what: "gold" or "outputs".
    """
    uploaded = given_files(st.session_state.get(field_key(what)))
    if not uploaded:
        return
    here = session()
    files = _taken(uploaded)
    most = most_megabytes()
    if what == "gold":
        here.dropped = replace(here.dropped, gold=files)
    else:
        here.dropped = replace(here.dropped, outputs=packed(files))
    here.outputs_problem = None
    if here.dropped.size > most * MEGABYTE:
        here.dropped = Files()
        here.outputs_problem = Sentence(
            f"Gold and outputs are larger than {most:,} MB together; give fewer files, or those that count."
        )
    elif here.dropped.gold and here.dropped.outputs is not None:
        read_dropped()


def _taken(uploaded: Sequence[UploadedFile]) -> tuple[tuple[bytes, str], ...]:
    files = tuple((file.getvalue(), file.name) for file in uploaded)
    forget_uploads(uploaded)
    session().uploader += 1
    return files


def read_dropped() -> None:
    """Read what is here, as a link or a settings file says, which are for one upload that is read."""
    here = session()
    choices, here.outputs_choices = here.outputs_choices, {}

    def after(could: bool) -> None:
        here = session()
        if here.stopped is not None:
            here.outputs_choices = choices

    read_outputs(here.dropped, choices, after=after)


def use_choices(choices: dict[str, object]) -> str:
    """Read gold and outputs again as a settings file says, or keep it for the next ones.

    Returns: What was done, in a sentence.
    """
    here = session()
    if here.submitted is None:
        here.outputs_choices = choices
        return "It is about gold and outputs: load them, and they are read and measured as it says."
    read_outputs(here.submitted.files, choices)
    return f"{here.submitted.files.name}: read and measured as it says."


def drop_again() -> None:
    """Put gold and outputs aside that weren't read; the data that were there stay."""
    here = session()
    here.dropped = Files()
    here.outputs_problem = here.refused_outputs = here.uncompared = None


def take_outputs_example(example: Example) -> None:
    """Read an example of gold and outputs."""
    file = ((DATA / example["file"]).read_bytes(), example["file"])

    def told(could: bool) -> None:
        if could:
            session().example = example

    read_outputs(Files(gold=(file,)), {"measure": list(example["measures"])}, after=told)


def read_outputs(files: Files, choices: Choices, *, after: Callable[[bool], None] | None = None) -> None:
    """Have gold and outputs read and made the data of every page; on failure say why and keep everything.

    after: Called with whether there is a board, once that is known.
    """
    here = session()
    try:
        keywords, seconds = {**bounds(), **choices}, most_seconds()
    except NlpstatError as error:
        here.outputs_problem = error.sentence
        return
    here.pending = here.stopped = None  # one file is read at a time
    named = (b"", files.name)
    job = begin(READING, submissions.read, named, keywords, seconds, files)
    here.submitting = PendingOutputs(named, choices, job, after, files)
    settle_outputs()


def settle_outputs() -> None:
    """Take what has been read meanwhile; called before anything of a page is drawn."""
    here = session()
    pending = here.submitting
    if pending is None or not pending.job.ended:
        return
    here.submitting = None
    found, problem = settled(pending, READING)
    if found is not None:
        _take(pending.files, pending.choices, found)
    elif problem is not None:
        here.outputs_problem, here.refused_outputs = problem.sentence, (pending.files, pending.choices)
        here.uncompared = None
    if pending.after is not None:
        pending.after(found is not None and found.read is not None)


def _take(files: Files, choices: Choices, found: ReadOutputs) -> None:
    here = session()
    here.dropped = Files()
    if found.read is None:
        here.uncompared = Uncompared(files, choices, found)
        here.outputs_problem = here.refused_outputs = None
        return
    same = here.submitted is not None and here.submitted.files == files
    drop_jobs()
    here.replace_scores(found.read.scores, found.read.facts)
    here.raw, here.choices, here.lower = None, {}, {}
    here.example = here.example if same else None
    here.submitted = Submitted(files, choices, found.outputs)


def draw_reading_outputs() -> None:
    """Which gold and outputs are being read, with a way to stop it."""
    pending = session().submitting
    if pending is not None:
        draw_waiting(pending.job, READING, f"Reading {markdown(pending.files.name)}")


def show_measure(title: str) -> None:
    """Make another of the measures the one that pages are about."""
    given = session().submitted
    assert given is not None
    key = next(key for key in given.outputs.measures if given.outputs.titles[key] == title)
    read_outputs(given.files, {**given.choices, SHOWN: key})


def ask_outputs(analysis: Analysis, a: str, b: str) -> Answer[PairOutputs]:
    """What the systems of a pair answered, as a − b."""
    given = session().submitted
    assert given is not None
    config, outputs = analysis.config, given.outputs
    options = options_of(given.choices)
    told = tuple(sorted(options.items()))
    key = (outputs.fingerprint, outputs.shown, told, a, b, config.level, config.block_column)
    asked = (outputs.packed, outputs.shown, options, a, b, config.level, config.block_column)
    return ask(OUTPUTS_OF_PAIR, key, answers.pair, *asked, quick=True)


def ask_by_label(analysis: Analysis) -> Answer[LabelScores]:
    """Every system on every label."""
    given = session().submitted
    assert given is not None
    config, outputs = analysis.config, given.outputs
    key = (outputs.fingerprint, config.level, config.block_column)
    asked = (outputs.packed, config.level, config.block_column)
    return ask(BY_LABEL, key, answers.by_label, *asked, quick=True)


def ask_item_outputs() -> Answer[ItemOutputs]:
    """Every item over the systems."""
    given = session().submitted
    assert given is not None
    outputs = given.outputs
    return ask(OUTPUTS_OF_ITEMS, outputs.fingerprint, answers.items, outputs.packed, quick=True)


def options_of(choices: Choices) -> dict[str, Any]:
    """The options of measures, as they were chosen."""
    return chosen_options(OPTIONS, choices)
