"""A few hundred of the damaged settings files of `make fuzz`, and those that once ended in a traceback."""

from __future__ import annotations

from pathlib import Path

import pytest

from nlpstat_core.config import AnalysisConfig
from nlpstat_core.errors import ConfigError
from nlpstat_core.readers.settings_files import config_from_bytes, renamed
from tests.fuzz.settings import run


def test_damaged_settings_end_in_one_sentence(tmp_path: Path) -> None:
    found = run(300, tmp_path, seed=7)
    assert found.failures == []
    assert min(found.outcomes["used"], found.outcomes["refused"]) > 20


@pytest.mark.parametrize(
    "text",
    [
        "effects:",
        "intervals:",
        "test: {}",
        "correction: [[1]]",
        "alpha: " + "9" * 4000,
        "seed: 0x" + "f" * 5000,
        "resamples: 100000000000000000000000",
        "question: [mean]",
        "effects: {cohen-d: 1}",
        "alpha: 1e-300",
        "delta: 1.0e+308",
        "normality_alpha: !!bool x",
        "seed: !!timestamp x",
        "seed: !!int ''",
        "1: 2",
        "? [a, b]\n: c",
        "skewness_limits: 3",
    ],
)
def test_settings_of_the_wrong_kind(text: str) -> None:
    with pytest.raises(ConfigError) as caught:
        AnalysisConfig.from_mapping(renamed(config_from_bytes(text.encode(), "x.yml"))[0])
    assert str(caught.value).isprintable()
    assert len(str(caught.value)) < 400
