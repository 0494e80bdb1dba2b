"""Workbook, participants' pages, the zip of everything, and replay to the last digit."""

import importlib
import io
import json
import zipfile
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from core.boards import HOSTILE, hostile_board, matrix, plain_board

import nlpstat_core as ns
from nlpstat_core import cli
from nlpstat_core.board.ranking.rank_distribution import board_rank_distribution
from nlpstat_core.report.exports.data.csv_text import csv_text
from nlpstat_core.report.exports.data.plain import replay_json
from nlpstat_core.report.exports.documents.excel import workbook
from nlpstat_core.report.exports.documents.participant import participant_sheets
from nlpstat_core.report.exports.folder import FILES, bundle, extras, write_folder
from nlpstat_core.report.exports.tables.board import board_table, systems_table


def names(data):
    return zipfile.ZipFile(io.BytesIO(data)).namelist()


def test_the_workbook_holds_no_formula_and_no_link():
    files = zipfile.ZipFile(io.BytesIO(workbook(hostile_board())))
    sheets = [files.read(name).decode() for name in files.namelist() if "worksheets/sheet" in name]
    assert len(sheets) == 7
    assert not any("<f>" in sheet or "<hyperlink" in sheet for sheet in sheets)
    assert workbook(plain_board()) == workbook(plain_board())


def test_the_workbook_can_be_read_back():
    calamine = importlib.import_module("python_calamine")
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
    every = {name for name, _ in (*FILES, *extras(["all"]))}
    assert set(names(data)) == every - {"everything.zip"}
    assert data == bundle(plain_board())


@pytest.mark.parametrize("board", [plain_board, hostile_board])
def test_signature_and_fingerprint_are_in_every_file_of_the_bundle(board):
    analysis = board()
    files = zipfile.ZipFile(io.BytesIO(bundle(analysis)))
    for name in files.namelist():
        if name.endswith(".zip"):  # a page each, of which another test looks into
            continue
        if name in ("replay.json", "references.bib", "analysis.xlsx"):
            continue  # settings and literature belong to no data; the workbook has a test of its own
        text = files.read(name).decode()
        text = text.replace("\\allowbreak{}", "").replace("{}", "").replace("\\", "").replace("\n", "")
        for sentence in (analysis.fingerprint, analysis.signature):
            assert sentence in text.replace("textbar", "|").replace("&#x27;", "'"), name


def test_csv_files_say_where_they_come_from_and_any_reader_takes_them():
    for frame in (plain_board().pairs_frame(), plain_board().leaderboard_frame()):
        read = pd.read_csv(io.StringIO(csv_text(frame)))
        assert list(read.columns) == [*frame.columns, "signature", "fingerprint"]
        assert set(read["signature"]) == {plain_board().signature}
        assert set(read["fingerprint"]) == {plain_board().fingerprint}
    assert plain_board().p_matrix().attrs["fingerprint"] == plain_board().fingerprint


@pytest.mark.parametrize("sign", "=+-@＝＋－＠﹦﹢﹣﹫")
def test_no_name_is_a_formula_in_a_spreadsheet_whatever_keyboard_wrote_it(sign):
    names = [f"{sign}1+1", f"\u3000{sign}A1", "plain", f"a{sign}b"]
    frame = pd.DataFrame({f"{sign}metric": names, "score": [-1.5, 0.25, -2e-300, 7.0]})
    head, *rows = csv_text(frame).splitlines()
    assert head == f"'{sign}metric,score"
    assert [row.partition(",")[0] for row in rows] == [f"'{names[0]}", f"' {sign}A1", "plain", names[3]]
    assert pd.read_csv(io.StringIO(csv_text(frame)))["score"].tolist() == frame["score"].tolist()


def test_every_sheet_of_the_workbook_says_where_it_comes_from():
    calamine = importlib.import_module("python_calamine")
    data = workbook(plain_board())
    book = calamine.CalamineWorkbook.from_filelike(io.BytesIO(data))
    for sheet in ("Leaderboard", "Pairs", "Adjusted p", "Systems"):
        head, first = book.get_sheet_by_name(sheet).to_python()[:2]
        assert head[-2:] == ["signature", "fingerprint"]
        assert first[-2:] == [plain_board().signature, plain_board().fingerprint]
    files = zipfile.ZipFile(io.BytesIO(data))
    sheets = [files.read(name).decode() for name in files.namelist() if "worksheets/sheet" in name]
    assert all(plain_board().fingerprint in sheet for sheet in sheets)  # the printed footer
    assert all('state="frozen"' in sheet for sheet in sheets)


def test_a_p_value_too_small_for_excel_is_text_not_zero():
    calamine = importlib.import_module("python_calamine")
    values = np.column_stack([np.arange(3_000.0) % 7 + 1, np.arange(3_000.0) % 7, np.zeros(3_000)])
    analysis = ns.analyse(ns.ScoreMatrix(values=values, systems="ABC"), ns.AnalysisConfig(test="sign"))
    assert analysis.pairs.p_value.min() < 1e-307
    book = calamine.CalamineWorkbook.from_filelike(io.BytesIO(workbook(analysis)))
    rows = book.get_sheet_by_name("Pairs").to_python()
    assert "< 1e-300" in [row[rows[0].index("p_value")] for row in rows[1:]]


def test_summary_statistics_are_those_of_the_scores():
    table = systems_table(plain_board(), 99)
    values = plain_board().scores.values
    for row in table.rows:
        column = values[:, plain_board().scores.index(row[0].text)]
        expected = [60, column.mean(), column.std(ddof=1), column.min(), np.median(column), column.max()]
        assert [cell.key for cell in row[1:]] == pytest.approx(expected, rel=1e-12)


def test_best_is_the_share_of_first_ranks():
    table = board_table(plain_board(), 99)
    place = [column.label for column in table.columns].index("Best")
    shares = board_rank_distribution(plain_board()).best[plain_board().leaderboard.column]
    assert [row[place].key for row in table.rows] == shares.tolist()
    assert "not a p-value" in table.remark


def sheet(analysis: ns.Analysis, system: str, **options: bool) -> str:
    """The page of one participant."""
    with zipfile.ZipFile(io.BytesIO(participant_sheets(analysis, **options))) as packed:
        found = next(name for name in packed.namelist() if name.endswith(f"-{system}.html"))
        return packed.read(found).decode()


def test_a_participants_page_agrees_with_the_board():
    analysis = plain_board()
    text = sheet(analysis, "Beta")
    assert "Rank 2 of 4" in text
    assert all(name in text for name in ("Alpha", "Gamma", "Delta"))
    assert "In the top group: no other system" in text  # ranks 1 to 2
    assert "In the top group" not in sheet(analysis, analysis.leaderboard.system[-1])


def test_a_participants_page_says_what_it_is_about():
    scores = replace(matrix(("Alpha", "Beta")), source="Alpha.out and 1 more", metric="chrF")
    analysis = ns.analyse(scores)
    about = f"chrF · higher is better · {scores.n_units} items"
    shown = sheet(analysis, "Beta", dated="2026-11-24")
    assert f"Alpha.out and 1 more · {about} · 2026-11-24" in shown
    hidden = sheet(analysis, "Beta", hide_others=True)
    assert f"<p>{about}</p>" in hidden
    assert "Alpha" not in hidden  # a file may be called like a system


def test_hidden_names_are_nowhere():
    analysis = ns.analyse(
        matrix(("Alpha", "Beta", "Gamma", "Delta")), ns.AnalysisConfig(baseline="Delta", test="t")
    )
    text = sheet(analysis, "Beta", hide_others=True)
    assert not any(name in text for name in ("Alpha", "Gamma", "Delta"))
    hidden = sheet(plain_board(), "Beta", hide_others=True)
    assert not any(name in hidden for name in ("Alpha", "Gamma", "Delta"))
    assert "the system on rank 1" in hidden


def test_sheets_have_safe_file_names():
    found = names(participant_sheets(hostile_board()))
    assert len(found) == len(set(found)) == len(HOSTILE)
    assert not any(set(name) & set("/\\:*?\"<>|'$ ") for name in found)


REPLAYED = {
    "bootstrap with max-T on shuffled items": {
        **{"test": "bootstrap-mean", "correction": "max-t", "resamples": 600, "seed": 7},
        **{"unit_size": 2, "shuffle_seed": 3},
    },
    "recommended": {"alpha": 0.1, "effects": ("hodges-lehmann", "wilcoxon-r"), "intervals": ("estimate",)},
    "permutation": {"test": "permutation-mean", "correction": "hommel", "delta": 0.01},
    "blocks": {"test": "block-permutation", "block_column": "doc", "correction": "none"},
    "bootstrap of the median": {"test": "bootstrap-median", "resamples": 300, "unit_metric": "median"},
    "baseline with margin": {"test": "wilcoxon", "baseline": "B", "equivalence_margin": 0.05, "seed": 11},
    "one-sided": {"test": "t", "alternative": "greater", "confidence_level": 0.9, "baseline": "B"},
    "shaffer": {"test": "t", "correction": "shaffer"},
}


def _files(analysis, source, replay, folder):
    replay.write_text(replay_json(analysis), encoding="utf-8")
    assert cli.main(["analyse", str(source), "--config", str(replay), "--out", str(folder)]) == 0
    return {name: (folder / name).read_text(encoding="utf-8") for name, _ in FILES}


@pytest.mark.parametrize("settings", REPLAYED.values(), ids=REPLAYED)
def test_the_replay_file_gives_the_same_digits(settings, tmp_path):
    path = tmp_path / "board.csv"
    rows = ["item;doc;A;B;C"]
    for i, line in enumerate(matrix("ABC").values.tolist()):
        rows.append(f"u{i};d{i // 5};" + ";".join(f"{value:.3f}".replace(".", ",") for value in line))
    path.write_text("\n".join(rows) + "\n", encoding="utf-8")
    scores = ns.read_scores((path.read_bytes(), path.name), lower_is_better=True)  # as the app reads it
    analysis = ns.analyse(scores, ns.AnalysisConfig(**settings))
    written = _files(analysis, path, tmp_path / "replay.json", tmp_path / "out")
    assert written["pairs.csv"] == csv_text(analysis.pairs_frame())
    assert written["leaderboard.csv"] == csv_text(analysis.leaderboard_frame())
    assert json.loads(written["analysis.json"]) == json.loads(json.dumps(analysis.to_dict()))
    again = _files(analysis, path, tmp_path / "analysis.json", tmp_path / "again")
    assert again == written


def test_counts_replay_to_the_last_digit(tmp_path):
    rng = np.random.default_rng(5)
    path = tmp_path / "counts.csv"
    rows = ["item,A_correct,A_total,B_correct,B_total"]
    for i, total in enumerate(rng.integers(3, 12, 30).tolist()):
        a, b = rng.binomial(total, 0.7), rng.binomial(total, 0.6)
        rows.append(f"u{i},{a},{total},{b},{total}")
    path.write_text("\n".join(rows) + "\n", encoding="utf-8")
    analysis = ns.analyse(ns.read_scores((path.read_bytes(), path.name)))
    assert set(analysis.pairs.test) == {"accuracy-exact"}
    written = _files(analysis, path, tmp_path / "replay.json", tmp_path / "out")
    assert written["pairs.csv"] == csv_text(analysis.pairs_frame())


def test_a_folder_is_written_whole_or_not_at_all(tmp_path, monkeypatch):
    def broken(analysis):
        raise ns.AnalysisError("no such file today")

    monkeypatch.setattr("nlpstat_core.report.exports.folder.FILES", (*FILES[:2], ("report.html", broken)))
    with pytest.raises(ns.AnalysisError):
        write_folder(plain_board(), tmp_path / "out")
    assert not (tmp_path / "out").exists()
    (tmp_path / "there" / "pairs.csv").mkdir(parents=True)
    monkeypatch.setattr("nlpstat_core.report.exports.folder.FILES", FILES)
    with pytest.raises(ns.NlpstatError, match="can't be written"):
        write_folder(plain_board(), tmp_path / "there")
    assert [path.name for path in (tmp_path / "there").iterdir()] == ["pairs.csv"]
