"""What tests of the readers share: a text read as a file, what it is refused with, what is asked of it."""

import io
import zipfile
from collections.abc import Mapping
from typing import Any

import pytest

from nlpstat_core.errors import ScoreFileError
from nlpstat_core.readers import RolesNeeded, read_scores
from nlpstat_core.scores.matrix import ScoreMatrix


def read(content: str | bytes, name: str = "scores.csv", **choices: Any) -> ScoreMatrix:
    return read_scores((content.encode() if isinstance(content, str) else content, name), **choices)


def complaint(content: str | bytes, name: str = "scores.csv", **choices: Any) -> str:
    """The sentence that a file is refused with, in one line with its name."""
    with pytest.raises(ScoreFileError) as raised:
        read(content, name, **choices)
    message = str(raised.value)
    assert "\n" not in message
    assert message.startswith(f"'{name}'")
    assert message.endswith(".")
    return message


def asked(content: str | bytes, name: str = "scores.csv", **choices: Any) -> RolesNeeded:
    """The question about a file's columns."""
    with pytest.raises(RolesNeeded) as raised:
        read(content, name, **choices)
    assert "\n" not in str(raised.value)
    return raised.value


def packed(files: Mapping[str, str | bytes]) -> bytes:
    """A zip archive of files by name."""
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return target.getvalue()
