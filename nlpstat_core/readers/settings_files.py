"""Configuration files: YAML or JSON with our names, and NLPStatTest's YAML with its names."""

import json
from pathlib import Path
from typing import Any

from nlpstat_core.catalogue import Catalogue
from nlpstat_core.config import SETTINGS
from nlpstat_core.errors import ConfigError, shown
from nlpstat_core.settings import Setting

# A whole analysis.json of a usual board is some megabytes; YAML is written by hand and slow to parse.
MOST_JSON_BYTES = 8 * 1024 * 1024
MOST_YAML_BYTES = 64 * 1024
_RENAMED = {name: setting for setting in SETTINGS.values() for name in setting.formerly}
_TRIPPED = (AttributeError, TypeError)
_SHUFFLE = ("shuffled", "random_seed")
# Their other keys: planning and power curves are commands and a page of ours, folders are --out.
_PLANNING, _CURVE, _FILES = "the planning on the Power page", "the curve on the Power page", "the Report page"
_IN_APP = {"pre": _PLANNING, "power": _CURVE, "eff": "the confidence level in the settings"}
_ELSEWHERE = {
    "pre_mu_diff": "power plan --delta",
    "pre_sd": "power plan --sd",
    "pre_pow_lev": "power plan --power",
    "pre_alpha": "power plan --alpha",
    "pre_alternative": "power plan --alternative",
    "eff_size_alpha": "--confidence-level",
    "power_alpha": "power curve --alpha",
    "power_method": "power curve --method",
    "power_dist_name": "power curve --method",
    "power_num_of_subsample": "power curve --points",
    "power_num_intervals": "power curve --points",
    "power_B": "power curve --iterations",
    "fig_output_dir": "--out",
    "report_output_dir": "--out",
    "sample_output_dir": "--out",
}


def read_config(path: str | Path) -> dict[str, Any]:
    """A YAML or JSON configuration: field names of AnalysisConfig, and `reading`. Raises ConfigError."""
    from nlpstat_core.readers.open.disk import read_at_most

    try:
        data = read_at_most(path, MOST_JSON_BYTES + 1)
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or "no valid path"
        raise ConfigError(f"The configuration {shown(path)} can't be read: {reason}.") from error
    return config_from_bytes(data, str(path))


def config_from_bytes(data: bytes, name: str) -> dict[str, Any]:
    """A YAML or JSON configuration that is in memory already.

    data: Settings as a mapping, or a whole analysis.json, whose `config` is taken.
    Raises ConfigError: Too large, not text, neither YAML nor JSON, or not a mapping.

    At most 8 MB of JSON or 64 kB of YAML; aliases in YAML are refused, because a few lines of them can stand
    for billions of values.
    """
    if len(data) > MOST_JSON_BYTES:
        raise ConfigError(f"The configuration {shown(name)} is too large: settings fit in a few lines.")
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise ConfigError(f"The configuration {shown(name)} can't be read: it is not UTF-8 text.") from error
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        found = _from_yaml(text, name)
    if found is None:
        return {}
    if isinstance(found, dict) and isinstance(found.get("config"), dict):
        found = found["config"]
    if not isinstance(found, dict):
        raise ConfigError(f"The configuration {shown(name)} must hold settings as 'name: value' lines.")
    for key in found:
        if not isinstance(key, str):
            raise ConfigError(f"The configuration {shown(name)} has {shown(key)} where a name is expected.")
    return found


def _from_yaml(text: str, name: str) -> Any:
    import yaml

    class Loader(yaml.SafeLoader):
        """Plain data without aliases."""

        def compose_node(self, parent: Any, index: Any) -> Any:
            if self.check_event(yaml.AliasEvent):
                alias = shown(f"*{self.peek_event().anchor}")  # type: ignore[no-untyped-call]
                raise ConfigError(
                    f"The configuration {shown(name)} has the reference {alias}, which isn't followed; write "
                    "the value itself there."
                )
            return super().compose_node(parent, index)

    if len(text) > MOST_YAML_BYTES:
        raise ConfigError(f"The configuration {shown(name)} is too large: settings fit in a few lines.")
    try:
        return yaml.load(text, Loader)
    except ConfigError:
        raise
    # The parser's own constructors let these through for a date, number or truth value that is none.
    except (yaml.YAMLError, RecursionError, ValueError, ArithmeticError, LookupError, *_TRIPPED) as error:
        raise ConfigError(f"The configuration {shown(name)} is neither YAML nor JSON.") from error


def renamed(data: dict[str, Any], *, in_app: bool = False) -> tuple[dict[str, Any], tuple[str, ...]]:
    """A configuration with our names only.

    data: Our names, NLPStatTest's, or both; ours win.
    in_app: Whether the notes name places of the app instead of options of the command line.
    Returns data: Unknown names stay, so that they are refused where they are checked.
    Returns notes: One sentence for every key of NLPStatTest.

    >>> renamed({"sig_test_alpha": 0.01, "sig_test_name": "bootstrap"})[0]
    {'alpha': 0.01, 'test': 'bootstrap-mean'}
    """
    theirs = {*_RENAMED, *_ELSEWHERE, *_SHUFFLE}
    found = {key: value for key, value in data.items() if key not in theirs}
    notes = []
    for key, value in data.items():
        if key in _RENAMED:
            setting = _RENAMED[key]
            notes.append(f"{key} is now called {setting.name}.")
            found.setdefault(setting.name, _value(setting, value))
        elif key in _ELSEWHERE:
            place = _IN_APP.get(key.split("_")[0], _FILES) if in_app else _ELSEWHERE[key]
            notes.append(f"{key} has no effect here: see {place}.")
    if any(key in data for key in _SHUFFLE):
        notes.append("shuffled and random_seed are now called shuffle_seed; nothing there keeps the order.")
        if data.get("shuffled", True) and data.get("random_seed") is not None:
            found.setdefault("shuffle_seed", data["random_seed"])
    if notes and "test" not in found:
        # Theirs chooses the test from each pair's data and knows no documents.
        found.setdefault("question", "each-pair")
        found.setdefault("block_column", None)
    return found, tuple(notes)


def _value(setting: Setting, value: Any) -> Any:
    """Their keys of procedures as ours."""
    if setting.catalogue is None:
        return value
    if setting.kind == "choices":
        given = value if isinstance(value, list) else str(value).split(",")
        return [_present_key(setting.catalogue, str(key).strip()) for key in given]
    return _present_key(setting.catalogue, value) if isinstance(value, str) else value


def _present_key(catalogue: Catalogue[Any], theirs: str) -> str:
    """The key of the procedure that NLPStatTest calls by this name; other names as they are."""
    return next((record.key for record in catalogue if theirs in record.former_keys), theirs)
