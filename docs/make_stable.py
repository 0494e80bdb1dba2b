"""What users build on, as plain data: kept for each release in docs/stable.json, which a test compares with.

python -m docs.make_stable   (when a release is made, never between two)
"""

from __future__ import annotations

import argparse
import inspect
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import nlpstat_core as ns
from nlpstat_core import testing
from nlpstat_core.cli.gate import BROKEN, STATUS
from nlpstat_core.cli.program import _parser
from nlpstat_core.config import SETTINGS
from nlpstat_core.readers import example_text
from nlpstat_core.readers.formats import READERS
from nlpstat_core.report.exports.folder import EXTRAS, FILES
from nlpstat_core.report.wording import note_texts
from nlpstat_core.version import VERSION

KEPT = Path(__file__).with_name("stable.json")


def stable() -> dict[str, Any]:
    """Names and parameters, settings, options, files, JSON keys, note codes, exit statuses.

    Returns
    -------
    dict
    """
    names = {f"ns.{name}": getattr(ns, name) for name in ns.__all__ if not name.startswith("_")}
    names |= {f"nlpstat_core.testing.{name}": getattr(testing, name) for name in testing.__all__}
    board = ns.analyse(ns.read_scores((example_text().encode(), "scores.csv")))
    first, second = board.leaderboard.system[:2]
    gate = ns.gate(board.scores, baseline=first, margin=1)
    return {
        "version": VERSION,
        "names": {name: _parameters(value) for name, value in names.items()},
        "settings": {
            name: sorted(str(choice) for choice in setting.choices) for name, setting in SETTINGS.items()
        },
        "options": dict(_options(_parser(), "nlpstat")),
        "formats": [reader.key for reader in READERS],
        "files": [name for name, _ in FILES] + [extra.key for extra in EXTRAS],
        "json": {
            "analysis": sorted(set(_keys(board.to_dict()))),
            "pair": sorted(set(_keys(board.pair(first, second).to_dict()))),
            "gate": sorted(set(_keys(gate.to_dict()))),
        },
        "notes": {code: severity for code, (severity, _) in sorted(note_texts().items())},
        "exit statuses": {"done": 0, "refused": 2, "stopped": 130, "gate": STATUS | {"broken": BROKEN}},
    }


def _parameters(value: Any) -> list[str]:
    try:
        return [name for name in inspect.signature(value).parameters if name != "self"]
    except ValueError:  # exceptions take what any does
        return []


def _options(parser: argparse.ArgumentParser, path: str) -> Iterator[tuple[str, list[str]]]:
    parser.complete() if hasattr(parser, "complete") else None
    yield path, sorted(option for action in parser._actions for option in action.option_strings)
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            for name, part in action.choices.items():
                yield from _options(part, f"{path} {name}")


def _keys(value: Any, path: str = "") -> Iterator[str]:
    """Paths of all keys; those of lists stand once."""
    if isinstance(value, dict):
        for key, below in value.items():
            yield f"{path}.{key}".strip(".")
            yield from _keys(below, f"{path}.{key}")
    elif isinstance(value, list):
        for below in value:
            yield from _keys(below, f"{path}[]")


def lost(kept: Any, now: Any, path: str = "") -> Iterator[str]:
    """What was there and isn't any more, or is another: users of the last release would notice.

    Parameters
    ----------
    kept, now : dict, list or plain value
    path : str

    Yields
    ------
    str
    """
    if isinstance(kept, dict):
        for key, below in kept.items():
            if key not in now:
                yield f"{path} {key}".strip()
            elif key != "version":
                yield from lost(below, now[key], f"{path} {key}")
    elif isinstance(kept, list):
        yield from (f"{path} {entry}".strip() for entry in kept if entry not in now)
    elif kept != now:
        yield f"{path}: {kept} became {now}".strip()


if __name__ == "__main__":
    KEPT.write_text(json.dumps(stable(), indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
