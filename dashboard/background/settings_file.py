"""The settings in a file, found by a reading process: YAML of a few kilobytes takes seconds."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from dashboard.background.outputs import told_choices
from nlpstat_core.config import SETTINGS, AnalysisConfig
from nlpstat_core.errors import ConfigError

if TYPE_CHECKING:
    from dashboard.background.looks import File
    from dashboard.background.worker_talk import Progress, ShouldStop

SUBMISSIONS = "submissions"
# Widgets hold whole numbers up to here; larger seeds work on the command line.
LARGEST = 2**53 - 1
# The configuration, keywords of `read_scores`, and one sentence for every key of NLPStatTest.
Found = tuple[AnalysisConfig, dict[str, object], tuple[str, ...]]


def found_in(file: File, told: Mapping[str, object], progress: Progress, should_stop: ShouldStop) -> Found:
    """The settings in an uploaded file, within the bounds of reading."""
    from nlpstat_core.readers.open.memory import memory_at_most

    with memory_at_most():
        return settings_in(*file)


def settings_in(data: bytes, name: str) -> Found:
    """The settings in a file.

    Returns config: What the file doesn't name is at its default.
    Returns reading: Keywords of `read_scores`; those of `read_submissions` where its format is SUBMISSIONS.
    Returns notes: One sentence for every key of NLPStatTest.
    Raises ConfigError: No configuration, or one the app can't hold.
    """
    from nlpstat_core.readers.roles.choices import choices_from, reading_keywords
    from nlpstat_core.readers.settings_files import config_from_bytes, renamed

    found, notes = renamed(config_from_bytes(data, name), in_app=True)
    told = found.pop("reading", None) or {}
    of_outputs: dict[str, object] = {}
    if isinstance(told, Mapping) and told.get("format") == SUBMISSIONS:
        choices = told_choices(told)
        if choices is None:
            raise ConfigError("Its reading of gold and outputs can't be understood; leave reading out.")
        told, of_outputs = {}, {"format": SUBMISSIONS, **choices}
    if isinstance(told, Mapping) and "composite" in told:
        notes = (
            *notes,
            "It is about a composite of several tracks, which is made on the page of all boards.",
        )
        told = {name: value for name, value in told.items() if name not in ("composite", "lower")}
    reading = reading_keywords(told)
    choices_from(reading)
    reading |= of_outputs
    if found.pop("boards", None) is not None:
        notes = (*notes, "What it says on several metrics or data sets is chosen on the Leaderboard page.")
    config = AnalysisConfig.from_mapping(found)
    for name, setting in SETTINGS.items():
        value = getattr(config, name)
        if setting.kind == "whole" and value is not None and value > LARGEST:
            raise ConfigError(f"{name} is too large for the app: at most {LARGEST:,}, not {value}.")
    return config, reading, notes
