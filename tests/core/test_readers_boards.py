"""Every metric or data set of an upload as a board of its own, wherever the file keeps them."""

import io

import numpy as np
import pytest
import xlsxwriter

import nlpstat_core as ns
from nlpstat_core.readers import read_board
from nlpstat_core.readers.roles.documents import dataset_column
from tests.core.reading import packed

LONG = "dataset,item,system,bleu,ter\n" + "".join(
    f"{name},{name}{i},{system},{0.1 * i + k:.1f},{0.2 * i + k:.1f}\n"
    for name in ("x", "y")
    for i in range(3)
    for k, system in enumerate("AB")
)
WIDE = "item,corpus,A,B,C\n" + "".join(
    f"{name}{i},{name},{i},{i % 2},{i % 3 if name == 'x' else ''}\n" for name in ("x", "y") for i in range(4)
)


def boards(text, each, name="scores.csv", **choices):
    return ns.read_boards((text if isinstance(text, bytes) else text.encode(), name), each=each, **choices)


def workbook(sheets):
    made = io.BytesIO()
    book = xlsxwriter.Workbook(made, {"in_memory": True})
    for name, rows in sheets.items():
        sheet = book.add_worksheet(name)
        for i, row in enumerate(rows):
            sheet.write_row(i, 0, row)
    book.close()
    return made.getvalue()


def test_metrics_are_columns_of_scores_each_with_its_direction():
    found = boards(LONG, "metric")
    assert {name: scores.lower_is_better for name, scores in found.items()} == {"bleu": False, "ter": True}
    assert found["ter"].values[1].tolist() == [0.2, 1.2]
    assert found["bleu"].metric == "bleu"


def test_metrics_named_in_a_column():
    rows = [f"{m},{s},{i},{i + k}" for m in ("wer", "acc") for k, s in enumerate("AB") for i in range(3)]
    found = boards("\n".join(["metric,system,item,score", *rows]), "metric")
    assert {name: scores.lower_is_better for name, scores in found.items()} == {"wer": True, "acc": False}


def test_metrics_of_the_wmt_tasks_and_of_trec_eval():
    lines = [
        f"{m}\tcs-en\tset\trefA\t{s}\tdoc\t{i}\t0.{i}{k}"
        for m in ("chrF", "TER")
        for k, s in enumerate("AB")
        for i in (1, 2, 3)
    ]
    assert list(boards("\n".join(lines), "metric")) == ["chrF", "TER"]
    runs = [f"{m}\t{t}\t0.{t}{k}" for k in (1, 2) for m in ("map", "P_5") for t in (1, 2)]
    text = "runid\tall\tA\n".join(["\n".join(runs[:4]) + "\n", "\n".join(runs[4:]) + "\nrunid\tall\tB\n"])
    assert set(boards(text, "metric")) == {"map", "P_5"}


def test_data_sets_are_the_values_of_a_column():
    found = boards(LONG, "dataset", metric="ter")
    assert list(found) == ["x", "y"]
    assert found["y"].units == ("y0", "y1", "y2")
    assert found["y"].lower_is_better
    again = ns.read_scores((LONG.encode(), "scores.csv"), **ns.readers.reading_keywords(found["y"].reading))
    assert again.fingerprint == found["y"].fingerprint


def test_a_system_without_scores_in_a_data_set_is_not_on_its_board():
    found = boards(WIDE, "dataset")
    assert found["x"].systems == ("A", "B", "C")
    assert found["y"].systems == ("A", "B")
    assert "systems-not-in-dataset" in {note.code for note in found["y"].notes}
    whole = ns.read_scores((WIDE.encode(), "scores.csv"))
    assert whole.several == {"datasets": ["x", "y"]}
    np.testing.assert_array_equal(found["x"].values, whole.values[:4])


def test_any_label_column_can_name_the_data_sets():
    text = WIDE.replace("corpus", "domain")
    with pytest.raises(ns.ScoreFileError, match="only one board here"):
        boards(text, "dataset")
    assert list(boards(text, "dataset", dataset_column="domain")) == ["x", "y"]
    with pytest.raises(ns.ScoreFileError, match=r"no column of labels 'domian' .did you mean 'domain'"):
        boards(text, "dataset", dataset_column="domian")


def test_ids_that_are_data_sets_are_units():
    assert dataset_column({"dataset": ["a", "b", "c"]}) is None
    with pytest.raises(ns.ScoreFileError, match="only one board here"):
        boards("dataset,A,B\nx,1,2\ny,2,3\nz,1,1\n", "dataset")


def test_counts_keep_their_counts():
    rows = [f"{d}{i},{d},{i % 3},4,{i % 2},4" for d in "xy" for i in range(4)]
    text = "\n".join(["item,dataset,A correct,A total,B correct,B total", *rows])
    found = boards(text, "dataset")
    assert found["x"].counts is not None
    assert found["x"].counts.hits.shape == (4, 2)


PLAIN = {"news.csv": "item,A,B\n1,0.1,0.2\n2,0.3,0.1\n", "talks.csv": "item,A,B,C\n1,1,2,3\n2,3,1,2\n"}


def test_files_of_an_archive_or_a_list():
    for source in (
        (packed(PLAIN), "all.zip"),
        [(text.encode(), name) for name, text in PLAIN.items()],
    ):
        found = ns.read_boards(source, each="dataset")
        assert {name: scores.n_systems for name, scores in found.items()} == {"news": 2, "talks": 3}
        one = ns.read_scores(source, dataset="talks")
        np.testing.assert_array_equal(one.values, found["talks"].values)
        assert one.several["datasets"] == ["news", "talks"]
        with pytest.raises(ns.ScoreFileError, match="choose one with dataset"):
            ns.read_scores(source)


def test_a_folder(tmp_path):
    for name, text in PLAIN.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    assert list(ns.read_boards(tmp_path, each="metric")) == ["news", "talks"]


def test_sheets_of_a_workbook():
    rows = [["item", "A", "B"], ["s1", 0.5, 0.25], ["s2", 0.5, 0.75]]
    data = workbook({"cs-en": rows, "de-en": rows, "read me": [["one board a sheet"]]})
    found = boards(data, "dataset", "board.xlsx")
    assert list(found) == ["cs-en", "de-en"]
    assert "read me" in found.left_out
    notes = ns.analyse_boards(found).notes
    assert any(note.code == "board-left-out" and "'read me'" in note.text for note in notes)


def test_directions_that_are_told():
    found = boards(LONG, "metric", lower=["bleu"])
    assert {name: scores.lower_is_better for name, scores in found.items()} == {"bleu": True, "ter": False}
    assert found.reading["lower"] == ["bleu"]
    with pytest.raises(ns.ConfigError, match=r"no metric 'blue' .did you mean 'bleu'"):
        boards(LONG, "metric", lower=["blue"])


@pytest.mark.parametrize(
    ("choices", "given"),
    [
        ({"each": "sheet"}, "Unknown kind of board 'sheet'"),
        ({"each": "metric", "metric": "ter"}, "leave one out"),
        ({"each": "metric", "frmat": "x"}, "Unknown reading choice 'frmat'"),
    ],
)
def test_choices_that_cannot_be_used(choices, given):
    with pytest.raises(ns.ConfigError, match=given):
        boards(LONG, **choices)


def test_one_data_set_that_is_not_there():
    with pytest.raises(ns.ScoreFileError, match=r"no data set 'z'.*the file has 'x', 'y'"):
        ns.read_scores((LONG.encode(), "scores.csv"), dataset="z")
    with pytest.raises(ns.ScoreFileError, match="say dataset_column"):
        ns.read_scores((b"item,A,B\n1,1,2\n2,2,3\n", "scores.csv"), dataset="z")


def test_only_one_that_can_be_compared():
    text = "item,dataset,A,B\n1,x,1,2\n2,x,2,3\n3,y,1,1\n4,x,2,2\n"
    with pytest.raises(ns.ScoreFileError, match=r"only 'x' can be compared; 'y' can't: .*only 1 item"):
        boards(text, "dataset")


def test_an_archive_is_not_unpacked_again_for_every_file(monkeypatch):
    """An archive of thousands of broken files was unpacked thousands of times."""
    from nlpstat_core.readers.open import files as opening
    from nlpstat_core.readers.open.packed import unzip

    times = []

    def counted(data, *bounds):
        times.append(len(data))
        return unzip(data, *bounds)

    monkeypatch.setattr(opening, "unzip", counted)
    files = {f"s{i}.csv": "item,A\n1,x\n2,3\n" for i in range(40)}
    with pytest.raises(ns.ScoreFileError, match=r"'s0\.csv'"):
        read_board((packed(files), "all.zip"))
    assert len(times) == 1
    times.clear()
    board = "item,A,B\n1,1,2\n2,3,4\n"
    assert read_board((packed({**files, "y.csv": board, "z.csv": board}), "all.zip")).systems == ("A", "B")
    assert len(times) == 1
