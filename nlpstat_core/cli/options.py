"""Options shared by the commands: how a score file is read, and every setting."""

from __future__ import annotations

import argparse
import shlex
from collections.abc import Mapping
from typing import Any

from nlpstat_core.config import SETTINGS
from nlpstat_core.errors import ConfigError, Remedy, shown

# Option, help: how a file is read; with underscores the option is the keyword of `read_scores`.
READING = {
    "--format": "format of the file when the guess is wrong (see `formats`)",
    "--metric": "metric to read when the file has several",
    "--dataset": "data set to read when the file has several",
    "--dataset-column": "label column that names the data sets",
    "--id-column": "column of the unit ids; several, separated by commas, make them together; or none",
    "--label-columns": "label columns, separated by commas",
    "--system-column": "column of the system names in long data",
    "--run-column": "column that names the runs (seeds); names where the systems' names hold them; or none",
    "--delimiter": "sign between columns, or its name: tab, semicolon, comma, whitespace",
    "--roles": "what the columns are, for example unit=utt_id,system=model,score=wer (see `formats`)",
    "--sheet": "sheet of a workbook",
    "--header-row": "line of a text, or row of a sheet, that holds the names of the columns",
    "--drop-rows": "rows to leave out by a word in them, separated by commas, as Average; none keeps means",
    "--bad-cells": "text among scores: refuse (default), or missing to take it as no score",
    "--repeats": "rows of one unit and system: refuse (default), or the first, last or mean of them counts",
    "--as-percent": "systems whose scores are multiplied by 100, separated by commas",
    "--accept": "problems of reading that are none, by their codes, separated by commas",
    "--max-bytes": "refuse larger files",
    "--max-unpacked-bytes": "refuse archives, workbooks and .gz files that hold more",
    "--max-rows": "refuse tables with more rows, texts with more lines, JSON of more objects and lists",
    "--max-columns": "refuse tables with more columns",
    "--max-cells": "refuse tables with more cells",
}

# Bounds on the reading process, which are no keywords of `read_scores`.
BOUNDS = {
    "--max-memory": "bytes that reading may take beyond what the program takes itself (default 4 GiB; Linux)",
    "--max-seconds": "seconds that reading may take (default 600)",
}

FLAGS = ("--lower-is-better", "--systems-as-rows", "--quotes")

# Settings that options can set; their values stay text, which AnalysisConfig converts or refuses.
OPTIONS = tuple(setting for setting in SETTINGS.values() if setting.kind != "limits")


def add_reading(parser: argparse.ArgumentParser) -> None:
    """Options that say how the score file is read."""
    group = parser.add_argument_group("reading")
    for option, teaches in (READING | BOUNDS).items():
        group.add_argument(option, help=teaches)
    group.add_argument(
        "--systems-as-rows", action="store_true", default=None, help="one row per system, one column per unit"
    )
    group.add_argument(
        "--quotes",
        action=argparse.BooleanOptionalAction,
        default=None,
        help="whether quotation marks enclose cells, where both readings fit",
    )
    direction = group.add_mutually_exclusive_group()
    direction.add_argument(
        "--lower-is-better", action="store_true", default=None, help="lower scores are better"
    )
    direction.add_argument(
        "--higher-is-better",
        action="store_false",
        dest="lower_is_better",
        default=None,
        help="higher scores are better, whatever the metric is called",
    )


def reading_choices(options: argparse.Namespace, from_config: Mapping[str, Any]) -> dict[str, Any]:
    """The keywords of `read_scores`: those of a configuration, then those of the options.

    from_config: `reading` of a configuration file.
    Raises ConfigError: A choice that doesn't exist, or a bound that is no whole number.
    """
    from nlpstat_core.readers import reading_keywords

    reading = reading_keywords(from_config)
    for option in (*READING, *FLAGS):
        key = option[2:].replace("-", "_")
        value = getattr(options, key)
        if value is None:
            continue
        if key in ("label_columns", "drop_rows", "as_percent", "accept"):
            value = [name.strip() for name in value.split(",") if name.strip()]
        if key.startswith("max_"):
            value = whole_number(option, value)
        reading[key] = value
    return reading


def as_option(remedy: Remedy) -> str:
    """A remedy in the words of the command line.

    Examples
    --------
    >>> as_option(Remedy("roles", "unit=doc id")), as_option(Remedy("systems_as_rows", True))
    ("say --roles 'unit=doc id'", 'say --systems-as-rows')
    """
    option = f"--{remedy.keyword.replace('_', '-')}"
    flag = remedy.value is None or remedy.value is True
    value = ",".join(remedy.value) if isinstance(remedy.value, tuple) else str(remedy.value)
    return remedy.called(option if flag else f"{option} {shlex.quote(value)}")


def whole_number(option: str, text: str, most: int | None = None) -> int:
    """A positive whole number from an option.

    most: The largest that is taken.
    Raises ConfigError.
    """
    try:
        value = int(text)
    except ValueError:
        value = 0
    if value < 1:
        raise ConfigError(f"{option} must be a whole number, at least 1, not {shown(text)}.")
    if most is not None and value > most:
        raise ConfigError(f"{option} must be a whole number, at most {most:,}, not {shown(text)}.")
    return value


def chosen_settings(options: argparse.Namespace) -> dict[str, Any]:
    """The settings that options name, by field of AnalysisConfig."""
    chosen = {setting: getattr(options, setting.name) for setting in OPTIONS}
    return {
        setting.name: None if setting.says_none(value) else value
        for setting, value in chosen.items()
        if value is not None
    }


def add_settings(parser: argparse.ArgumentParser, here: Mapping[str, str] | None = None) -> None:
    """Options for every setting, and --config; `here` has the help of settings that mean more here."""
    group = parser.add_argument_group("settings")
    for setting in OPTIONS:
        action = "store_true" if setting.kind == "flag" else "store"
        teaches = (here or {}).get(setting.name, setting.help).replace("%", "%%")
        group.add_argument(setting.option, action=action, default=None, help=teaches)
    group.add_argument(
        "--preset", help="settings of a published analysis (see `methods`); --config and options win over it"
    )
    group.add_argument(
        "--config", help="YAML or JSON file with these settings (also of NLPStatTest); options win over it"
    )
