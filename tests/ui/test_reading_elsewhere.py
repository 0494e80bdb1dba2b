"""Nothing that was uploaded is read in the server's process: there, whatever reads files fails here."""

from __future__ import annotations

import io
import sys
import zipfile
from typing import Any

import pyarrow.parquet
import pytest
import yaml
from ui.driver import button, finished, open_app, score_file, settings_field, show, upload, words
from ui.test_earlier import compare
from ui.test_repairs import workbook

from dashboard.scores.reading_form import OPEN_REFUSED
from nlpstat_core.readers import preview, read_board
from nlpstat_core.readers.open.files import open_files

SETTINGS = b"test: wilcoxon\nalpha: 0.01\nreading: {format: wide-csv}\n"


class ReadHere(AssertionError):
    """A file was taken apart in the server's process."""


@pytest.fixture
def unreadable(monkeypatch: pytest.MonkeyPatch) -> None:
    """What takes files apart fails in this process; worker processes have their own."""

    def fails(*_: Any, **__: Any) -> None:
        raise ReadHere

    for name, module in list(sys.modules.items()):
        if name.startswith("nlpstat_core.readers") and getattr(module, "open_files", None) is open_files:
            monkeypatch.setattr(module, "open_files", fails)
    monkeypatch.setattr(yaml, "load", fails)
    monkeypatch.setattr(pyarrow.parquet, "ParquetFile", fails)
    monkeypatch.setattr(zipfile.ZipFile, "_RealGetContents", fails)


def test_the_trap_snaps(unreadable) -> None:
    for reads in (preview, read_board):
        with pytest.raises(ReadHere):
            reads((score_file(3), "scores.csv"))
    with pytest.raises(ReadHere):
        zipfile.ZipFile(io.BytesIO(workbook()))


def test_files_of_every_fate(app, unreadable) -> None:
    upload(app, score_file(3))
    assert "of 3 pairs are found to differ" in words(app)
    show(app)
    rows = "\n".join(f"u{i},0.{i},0.{i + 1},0.{9 - i}" for i in range(1, 8))
    upload(app, f"item,A,B,C\nu0,0.5,6O.12,0.1\n{rows}\n".encode())
    assert "'6O.12' isn't a number" in app.error[0].value
    show(app, OPEN_REFUSED)
    button(app, "Treat '6O.12' and cells like it as missing")()
    assert "**3 systems**" in words(app)
    upload(app, workbook(), "scores.xlsx")
    assert "2 systems" in words(app)
    finished(app.file_uploader[0].set_value([("a.txt", b"1\n2\n3\n", ""), ("b.txt", b"2\n3\n3\n", "")]).run())
    assert "a.txt and 1 more" in words(app)
    assert not app.exception


def test_examples_settings_and_links(unreadable) -> None:
    at = open_app(None, reading='{"format": "wide-csv"}', direction="lower")
    upload(at, score_file(3))
    assert "lower is better" in words(at)
    settings_field(at).upload("settings.yml", SETTINGS, "text/yaml").run()
    finished(at)
    assert at.session_state["alpha"] == 0.01
    example = next(item for item in at.button if str(item.key).startswith("example "))
    finished(example.click().run())
    assert not at.exception
    assert at.session_state["_session"].example is not None


def test_an_earlier_board(app, unreadable) -> None:
    compare(app, score_file(4), score_file(3))
    assert "Added: sys003." in words(app)
