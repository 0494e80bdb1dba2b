"""Options shared by the commands: how a score file is read, every setting; numbers and names."""

import argparse
import math
import shlex
from collections.abc import Mapping
from typing import Any

from nlpstat_core.config import SETTINGS
from nlpstat_core.errors import ConfigError, Remedy, shown
from nlpstat_core.reading import FLAGS, LISTS, READING

# Bounds on the reading process, which are no keywords of `read_scores`.
BOUNDS = {
    "max_memory": "bytes that reading a file may take on top of the program's own (default 4 GiB; Linux)",
    "max_seconds": "seconds that reading a file may take (default 600)",
}

# Settings that options can set; their values stay text, which AnalysisConfig converts or refuses.
OPTIONS = tuple(setting for setting in SETTINGS.values() if setting.kind != "limits")


def option_of(keyword: str) -> str:
    """The option for a keyword or a setting."""
    return f"--{keyword.replace('_', '-')}"


def add_reading(parser: argparse.ArgumentParser) -> None:
    """Options that say how the score file is read."""
    group = parser.add_argument_group("reading")
    for keyword, teaches in (READING | BOUNDS).items():
        group.add_argument(option_of(keyword), help=teaches)
    group.add_argument(
        "--systems-as-rows", action="store_true", default=None, help="one row per system, one column per item"
    )
    group.add_argument(
        "--quotes",
        action=argparse.BooleanOptionalAction,
        default=None,
        help="whether quotation marks enclose cells, if both readings are possible",
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
        help="higher scores are better, whatever the metric's name suggests",
    )


def reading_choices(options: argparse.Namespace, from_config: Mapping[str, Any]) -> dict[str, Any]:
    """The keywords of `read_scores`: those of a configuration, then those of the options.

    from_config: `reading` of a configuration file.
    Raises ConfigError: A choice that doesn't exist, or a bound that is no whole number.
    """
    from nlpstat_core.readers import reading_keywords

    reading = reading_keywords(from_config)
    for key in (*READING, *FLAGS):
        value = getattr(options, key)
        if value is None:
            continue
        if key in LISTS:
            value = names_of(value)
        if key.startswith("max_"):
            value = whole_number(option_of(key), value)
        reading[key] = value
    return reading


def names_of(text: str) -> list[str]:
    """Names separated by commas.

    >>> names_of("en, de,")
    ['en', 'de']
    """
    return [name.strip() for name in text.split(",") if name.strip()]


def metrics_turned(text: str | None) -> list[str] | None:
    """What `--lower` names: metrics or data sets whose lower scores are better, or none of them."""
    return None if text is None else [] if text == "none" else names_of(text)


def add_lower(parser: argparse.ArgumentParser) -> None:
    """The option for `metrics_turned`."""
    parser.add_argument(
        "--lower",
        metavar="METRICS",
        help="metrics whose lower scores are better, separated by commas, or none",
    )


def as_option(remedy: Remedy) -> str:
    """A remedy in the words of the command line.

    >>> as_option(Remedy("roles", "unit=doc id")), as_option(Remedy("systems_as_rows", True))
    ("say --roles 'unit=doc id'", 'say --systems-as-rows')
    """
    option = option_of(remedy.keyword)
    flag = remedy.value is None or remedy.value is True
    value = ",".join(remedy.value) if isinstance(remedy.value, tuple) else str(remedy.value)
    return remedy.called(option if flag else f"{option} {shlex.quote(value)}")


def whole_number(option: str, text: str, most: int | None = None, *, least: int = 1) -> int:
    """A whole number from an option.

    least, most: The smallest and the largest that are taken.
    Raises ConfigError.
    """
    try:
        value = int(text)
    except ValueError:
        value = least - 1
    if value < least:
        raise ConfigError(f"{option} must be a whole number, at least {least}, not {shown(text)}.")
    if most is not None and value > most:
        raise ConfigError(f"{option} must be a whole number, at most {most:,}, not {shown(text)}.")
    return value


def real_number(option: str, text: str) -> float:
    """A finite number from an option. Raises ConfigError."""
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if not math.isfinite(value):
        raise ConfigError(f"{option} must be a finite number, not {shown(text)}.")
    return value


def real_option(options: argparse.Namespace, name: str) -> float | None:
    """A finite number that an option gives; None when it wasn't given. Raises ConfigError."""
    text = getattr(options, name)
    return None if text is None else real_number(option_of(name), text)


def whole_option(options: argparse.Namespace, name: str) -> int | None:
    """A whole number of either sign that an option gives; None when it wasn't given. Raises ConfigError."""
    text = getattr(options, name)
    try:
        return None if text is None else int(text)
    except ValueError:
        raise ConfigError(f"{option_of(name)} must be a whole number, not {shown(text)}.") from None


def chosen_settings(options: argparse.Namespace) -> dict[str, Any]:
    """The settings that options name, by field of AnalysisConfig."""
    chosen = {setting: getattr(options, setting.name) for setting in OPTIONS}
    return {
        setting.name: None if setting.says_none(value) else value
        for setting, value in chosen.items()
        if value is not None
    }


def add_progress(parser: argparse.ArgumentParser) -> None:
    """The option for those who watch a pipe."""
    parser.add_argument(
        "--progress",
        action="store_true",
        help="show the expected time and, every ten seconds, the progress, also on a pipe",
    )


def add_workers(parser: argparse.ArgumentParser) -> None:
    """The option for those who have several cores."""
    parser.add_argument(
        "--workers",
        default="1",
        help="number of threads, or processes for long work (default 1); results don't depend on it",
    )


def workers_of(options: argparse.Namespace) -> int:
    """How many threads, or processes, compute. Raises UsageError: No such number."""
    from nlpstat_core.engine.resampling.sharing_out import MOST_WORKERS

    return whole_number("--workers", options.workers, MOST_WORKERS)


def add_settings(
    parser: argparse.ArgumentParser,
    here: Mapping[str, tuple[str, str, argparse._ArgumentGroup]] | None = None,
) -> None:
    """Options for every setting, and --config. `here`: value, help and group of those that mean more here."""
    group = parser.add_argument_group("settings")
    for setting in OPTIONS:
        action = "store_true" if setting.kind == "flag" else "store"
        value, teaches, place = (here or {}).get(setting.name, (None, setting.help, group))
        made = place.add_argument(
            option_of(setting.name), action=action, default=None, help=teaches.replace("%", "%%")
        )
        made.metavar = value
    group.add_argument(
        "--preset", help="settings of a published analysis (see `methods`); --config and options override it"
    )
    group.add_argument(
        "--config", help="YAML or JSON file with these settings (also NLPStatTest's); options override it"
    )
