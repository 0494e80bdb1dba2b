"""docs/examples.md: every example runs, and the published digits stand in it."""

import doctest
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "examples.md"


def test_every_example_gives_what_it_says(monkeypatch):
    monkeypatch.chdir(ROOT)
    failed, tried = doctest.testfile(str(PAGE), module_relative=False, encoding="utf-8")
    assert failed == 0
    assert tried > 50


@pytest.mark.parametrize(
    ("where", "digits"),
    [
        ("figure 8", ("0.73526", "0.63647", "0.83405", "0.73415")),
        (
            "case 4",
            ("2.685e-42", "2.088", "1.8702", "2.3342", "0.176", "0.1516", "182.53", "medium"),
        ),
        (
            "case 1",
            ("welch-t Y", "bootstrap-unpaired Y", "mann-whitney Y", "small"),
        ),
        ("case 2", ("sign rejects", "wilcoxon rejects", "bootstrap-mean does not reject", "small")),
        ("case 3", ("B True negligible", "t B inappropriate", "wilcoxon B inappropriate")),
        ("figure 4", ("133 120 {'wilcoxon'}",)),
    ],
)
def test_what_was_published_is_in_the_output(where, digits):
    section = next(
        part for part in PAGE.read_text(encoding="utf-8").split("\n## ") if where in part.split("\n", 1)[0]
    )
    output = "\n".join(re.findall(r"^(?!>>>|\.\.\.).+$", section, re.MULTILINE))
    for text in digits:
        assert text in output
