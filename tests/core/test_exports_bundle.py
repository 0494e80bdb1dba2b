"""Workbook, participants' pages, the zip of everything, and replay to the last digit."""

import io
import json
import zipfile

import pytest
from core.boards import HOSTILE, hostile_board, matrix, plain_board

import nlpstat_core as ns
from nlpstat_core import cli
from nlpstat_core.exports.bundle import bundle, replay_json
from nlpstat_core.exports.excel import workbook
from nlpstat_core.exports.participant import participant_html, participant_sheets


def names(data):
    return zipfile.ZipFile(io.BytesIO(data)).namelist()


def test_the_workbook_holds_no_formula_and_no_link():
    files = zipfile.ZipFile(io.BytesIO(workbook(hostile_board())))
    sheets = [files.read(name).decode() for name in files.namelist() if "worksheets/sheet" in name]
    assert len(sheets) == 7
    assert not any("<f>" in sheet or "<hyperlink" in sheet for sheet in sheets)
    assert workbook(plain_board()) == workbook(plain_board())


def test_the_workbook_can_be_read_back():
    calamine = pytest.importorskip("python_calamine")
    book = calamine.CalamineWorkbook.from_filelike(io.BytesIO(workbook(plain_board())))
    assert book.sheet_names == [
        "Leaderboard",
        "Pairs",
        "Adjusted p",
        "Systems",
        "Notes",
        "Methods",
        "Settings",
    ]
    rows = book.get_sheet_by_name("Pairs").to_python()
    pairs = plain_board().pairs
    assert [row[rows[0].index("p_value")] for row in rows[1:]] == pytest.approx(
        pairs.p_value.tolist(), rel=1e-15
    )


def test_the_bundle_holds_everything_and_is_the_same_every_time():
    data = bundle(plain_board())
    assert {
        "analysis.json",
        "report.html",
        "report.tex",
        "pairs.svg",
        "board.svg",
        "references.bib",
        "analysis.xlsx",
    } <= set(names(data))
    assert data == bundle(plain_board())


def test_signature_and_fingerprint_are_in_every_report_of_the_bundle():
    files = zipfile.ZipFile(io.BytesIO(bundle(plain_board())))
    for name in files.namelist():
        if name.rpartition(".")[2] in ("json", "html", "md", "svg", "txt") and name != "replay.json":
            assert plain_board().fingerprint in files.read(name).decode().replace("\\", ""), name


def test_a_participants_page_agrees_with_the_board():
    analysis = plain_board()
    text = participant_html(analysis, "Beta")
    assert "Rank 2 of 4" in text
    assert all(name in text for name in ("Alpha", "Gamma", "Delta"))


def test_hidden_names_are_nowhere():
    analysis = ns.analyse(
        matrix(("Alpha", "Beta", "Gamma", "Delta")), ns.AnalysisConfig(baseline="Delta", test="t")
    )
    text = participant_html(analysis, "Beta", hide_others=True)
    assert not any(name in text for name in ("Alpha", "Gamma", "Delta"))
    hidden = participant_html(plain_board(), "Beta", hide_others=True)
    assert not any(name in hidden for name in ("Alpha", "Gamma", "Delta"))
    assert "the system on rank 1" in hidden


def test_sheets_have_safe_file_names():
    found = names(participant_sheets(hostile_board()))
    assert len(found) == len(set(found)) == len(HOSTILE)
    assert not any(set(name) & set("/\\:*?\"<>|'$ ") for name in found)


def test_the_replay_file_gives_the_same_digits(tmp_path, capfdbinary):
    path = tmp_path / "board.csv"
    rows = [",".join(["unit", *matrix("ABC").systems])]
    rows += [f"u{i}," + ",".join(map(repr, line)) for i, line in enumerate(matrix("ABC").values.tolist())]
    path.write_text("\n".join(rows) + "\n", encoding="utf-8")
    settings = {"test": "bootstrap-mean", "correction": "max-t", "resamples": 600, "seed": 7, "unit_size": 2}
    analysis = ns.analyse(ns.read_scores(path), ns.AnalysisConfig(**settings))
    replay = tmp_path / "replay.json"
    replay.write_text(replay_json(analysis), encoding="utf-8")
    assert cli.main(["analyse", str(path), "--config", str(replay), "--json", "-"]) == 0
    printed = json.loads(capfdbinary.readouterr().out)
    assert printed == json.loads(json.dumps(analysis.to_dict()))
    assert printed["fingerprint"] == analysis.fingerprint
