"""Configuration files from bytes: every shape that is ours or NLPStatTest's, and bounds on the others."""

import json
from dataclasses import replace

import pytest

from nlpstat_core.config import AnalysisConfig
from nlpstat_core.errors import ConfigError
from nlpstat_core.readers.settings_files import (
    MOST_JSON_BYTES,
    MOST_YAML_BYTES,
    config_from_bytes,
    renamed,
)

CHOSEN = replace(AnalysisConfig(), test="sign", alpha=0.01, effects=("hedges-g",), skewness_limits=(0.3, 2.0))


@pytest.mark.parametrize("whole", [False, True])
def test_the_config_of_an_analysis_comes_back(whole):
    data = CHOSEN.to_dict()
    text = json.dumps({"version": "1", "config": data, "pairs": []} if whole else data)
    assert AnalysisConfig.from_mapping(config_from_bytes(text.encode(), "replay.json")) == CHOSEN


def test_yaml_with_a_byte_order_mark_and_nothing_at_all():
    assert config_from_bytes("\ufeffalpha: 0.1\n".encode(), "a.yml") == {"alpha": 0.1}
    assert config_from_bytes(b"", "a.yml") == {}
    assert config_from_bytes(b"null", "a.json") == {}


@pytest.mark.parametrize(
    ("content", "given"),
    [
        (b"\xff\xfe\x00", "UTF-8"),
        (b"- 1\n- 2\n", "name: value"),
        (b"3", "name: value"),
        (b"a: [1,\n", "neither YAML nor JSON"),
        (b"[" * 5_000, "neither YAML nor JSON"),
        (b"a: &x [1]\nb: *x\n", "has the reference '\\*x', which isn't followed"),
        (b"!!python/object/apply:os.getcwd []", "neither YAML nor JSON"),
        (b"#" * (MOST_YAML_BYTES + 1), "too large"),
        (b" " * (MOST_JSON_BYTES + 1), "too large"),
    ],
)
def test_what_is_no_configuration_gets_one_sentence(content, given):
    with pytest.raises(ConfigError, match=given) as caught:
        config_from_bytes(content, "bad\nname.yml")
    assert "\n" not in str(caught.value)


def test_notes_name_places_of_the_app_there():
    theirs = {"power_B": 10, "pre_sd": 1, "eff_size_alpha": 0.1, "fig_output_dir": "x"}
    _, notes = renamed(theirs, in_app=True)
    assert all("page" in note or "settings" in note for note in notes)
    assert not any("--" in note for note in notes)
    _, notes = renamed(theirs)
    assert all("--" in note for note in notes)
