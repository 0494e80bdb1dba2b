"""Wide tables: ids, labels and systems are found, and what is ambiguous is refused."""

import numpy as np
import pytest

from nlpstat_core.errors import ScoreFileError
from nlpstat_core.readers import read_scores
from tests.core.reading import complaint, read


def test_plain_table() -> None:
    scores = read("item,A,B\ns1,0.5,0.25\ns2,1,\n")
    assert scores.systems == ("A", "B")
    assert scores.units == ("s1", "s2")
    np.testing.assert_array_equal(scores.values, [[0.5, 0.25], [1, np.nan]])
    assert scores.source == "scores.csv"
    assert scores.reading == {
        "format": "wide-csv",
        "reason": "a comma between columns, one column per system",
        "delimiter": ",",
        "id_column": "item",
        "label_columns": [],
        "metric": None,
        "lower_is_better": False,
    }


@pytest.mark.parametrize(
    "header",
    [
        "item",
        "ID",
        "Segment ID",
        "segmentId",
        "seg",
        "topic",
        "",
        "Unnamed: 0",
        "dataset_name",
        "question_id",
        "#",
    ],
)
def test_first_column_is_the_id_by_its_name(header: str) -> None:
    scores = read(f'"{header}",A,B\n3,1,2\n7,3,4\n')
    assert scores.units == ("3", "7")
    assert scores.systems == ("A", "B")
    assert scores.notes == ()


def test_first_column_of_text_is_the_id() -> None:
    assert read("name,A,B\nx,1,2\ny,3,4\n").units == ("x", "y")


def test_first_column_of_whole_numbers_without_repeats_is_the_id() -> None:
    scores = read("number,A,B\n10,1,2\n12,3,4\n")
    assert scores.units == ("10", "12")
    assert [note.code for note in scores.notes] == ["id-column-guessed"]


@pytest.mark.parametrize("cells", [("1", "1"), ("0.5", "0.7"), ("1", "")])
def test_other_first_columns_are_systems(cells: tuple[str, str]) -> None:
    scores = read(f"A,B,C\n{cells[0]},1,2\n{cells[1]},3,4\n")
    assert scores.units is None
    assert scores.systems == ("A", "B", "C")
    assert scores.reading["id_column"] is False


def test_an_id_is_never_a_system() -> None:
    assert "only one system, 'A'" in complaint("x,A\n1,0.5\n2,0.25\n")
    assert "whole numbers without repeats" in complaint("x,A\n1,0.5\n2,0.25\n")
    assert "appears" not in complaint("item,A,B\n1,1,2\n1,3,4\n")


def test_a_named_id_with_repeats_is_an_error() -> None:
    message = complaint("item,A,B\n1,1,2\n2,3,4\n1,5,6\n")
    assert "line 4: the item '1' was on line 2 already" in message


@pytest.mark.parametrize("text", ["item,A,B\n1,1,2\n,3,4\n", "item,A,B\n,1,2\n,3,4\n"])
def test_an_empty_id_is_an_error(text: str) -> None:
    assert "no item id" in complaint(text)


def test_an_id_further_right_is_found() -> None:
    scores = read("domain,item,A,B\nnews,1,0.5,0.5\nnews,2,1,0\n")
    assert scores.units == ("1", "2")
    assert dict(scores.labels) == {"domain": ("news", "news")}
    assert read("A,B,item\n0.5,1,7\n0.25,0,9\n").units == ("7", "9")


def test_a_column_that_groups_gives_way_to_a_finer_id() -> None:
    scores = read("dataset,question,A,B\nd1,q1,1,0\nd1,q2,0,1\n")
    assert scores.units == ("q1", "q2")
    assert dict(scores.labels) == {"dataset": ("d1", "d1")}


def test_the_row_count_of_a_data_frame_gives_way_to_an_id() -> None:
    scores = read(",item,A,B\n0,x,1,0\n1,y,0,1\n")
    assert (scores.units, scores.systems, dict(scores.labels)) == (("x", "y"), ("A", "B"), {})


def test_text_and_known_names_are_labels() -> None:
    text = "item,doc,genre2,A,B\n1,10,news,0.5,1\n2,10,chat,1,0\n3,11,chat,1,0\n"
    scores = read(text)
    assert scores.systems == ("A", "B")
    assert dict(scores.labels) == {"doc": ("10", "10", "11"), "genre2": ("news", "chat", "chat")}
    assert [note.code for note in scores.notes] == ["block-column-proposed"]


def test_systems_that_are_mostly_text_are_told() -> None:
    scores = read("item,A,B,C\n1,0.5,1,failed\n2,1,0,failed\n3,1,0,0.5\n")
    assert scores.systems == ("A", "B")
    assert [note.text for note in scores.notes] == [
        "Column 'C' holds more text than numbers and was taken as a label, not as a system."
    ]
    assert "'B' holds more text" in complaint("item,A,B\n1,0.5,x\n2,1,y\n3,1,0\n")


def test_first_column_of_documents_is_a_label() -> None:
    scores = read("document,A,B\nd1,0.5,1\nd1,1,0\nd2,1,0\n")
    assert scores.units is None
    assert dict(scores.labels) == {"document": ("d1", "d1", "d2")}


def test_choices_of_columns() -> None:
    text = "n,kind,A,B\n1,4,0.5,1\n2,4,1,0\n"
    chosen = read(text, id_column="n", label_columns=["kind"])
    assert (chosen.units, chosen.systems) == (("1", "2"), ("A", "B"))
    without = read(text, id_column=False, label_columns=[])
    assert (without.units, without.systems) == (None, ("n", "kind", "A", "B"))
    assert read(text, id_column="none").systems == ("n", "kind", "A", "B")
    assert "no column 'kinds' (did you mean 'kind'?)" in complaint(text, label_columns=["kinds"])
    assert "no column ''" in complaint(text, id_column="")
    assert "can't be both" in complaint(text, id_column="n", label_columns=["n"])
    assert "'a' isn't a number" in complaint("item,kind,A,B\n1,a,0,1\n2,b,1,0\n", label_columns=[])


def test_a_table_of_systems_by_row() -> None:
    message = complaint("system,BLEU,chrF\nA,30,50\nB,31,52\n")
    assert "seems to name systems" in message
    assert read("system,BLEU,chrF\nA,30,50\nB,31,52\n", id_column="system").systems == ("BLEU", "chrF")


def test_stray_letter_names_line_column_and_value() -> None:
    message = complaint("item,A,B\ns1,0.5,0.25\n\ns2,1,0.3x\ns3,1,0\n")
    assert message == (
        "'scores.csv': line 4, column 'B': '0.3x' isn't a number. "
        "Correct it, leave the cell empty, or say bad_cells='missing'; if the column holds no scores, "
        "make it a label."
    )


def test_the_first_bad_line_is_told() -> None:
    text = "item,A,B\n" + "".join(f"s{i},1,2\n" for i in range(300)) + "s300,1,x\ns301,y,1\n"
    assert "line 302, column 'B': 'x'" in complaint(text)


def test_text_below_the_first_rows_makes_a_label() -> None:
    rows = [f"s{i},,1,2" for i in range(60)] + [f"s{i},note {i},1,2" for i in range(60, 90)]
    scores = read("item,remark,A,B\n" + "\n".join(rows))
    assert scores.systems == ("A", "B")
    assert scores.labels["remark"][60] == "note 60"
    rows = [f"s{i},x,1,2" for i in range(60)] + [f"s{i},{i},1,2" for i in range(60, 200)]
    assert "line 2, column 'remark': 'x' isn't a number" in complaint("item,remark,A,B\n" + "\n".join(rows))


@pytest.mark.parametrize("cell", ["", "NA", "nan", "NaN", "None", "null", "-", "n/a", "N/A", " na "])
def test_missing_scores_stay_missing(cell: str) -> None:
    scores = read(f"item,A,B\n1,0.5,1\n2,{cell},1\n3,0.25,0\n")
    np.testing.assert_array_equal(scores.values[:, 0], [0.5, np.nan, 0.25])
    assert "1 score is missing in 1 of 2 systems ('A' 1)." in [note.text for note in scores.notes]


@pytest.mark.parametrize(
    "cell", ["1_000", "0x1", "1e", "+-1", "1,5", "１", "5%", "-nan", "nan(1)", "1e5.", "--1", "1 2"]
)
def test_what_is_no_number(cell: str) -> None:
    message = complaint(f'item,A,B\n1,0.5,1\n2,"{cell}",1\n3,0.25,0\n')
    assert "line 3, column 'A'" in message
    assert "isn't a number" in message


@pytest.mark.parametrize("cell", ["inf", "-inf", "Infinity", "1e400", "-1e999"])
def test_infinities(cell: str) -> None:
    message = complaint(f"item,A,B\n1,0.5,1\n2,{cell},1\n3,0.25,0\n")
    assert f"line 3, column 'A': '{cell}' is infinite" in message


@pytest.mark.parametrize(
    "cell", ["1e-400", "1E5", "+.5", "5.", " 0.1 ", "0.30000000000000004", "-0.0", "1" * 30]
)
def test_numbers_are_those_of_python(cell: str) -> None:
    assert read(f"item,A,B\n1,{cell},1\n2,3,4\n").values[0, 0] == float(cell)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("item,A,B\n1,1\n2,3,4\n", "line 2 has too few fields (2); give every row the 3"),
        ("item,A,B\n1,1,2\n2,3,4,5\n", "line 3 has too many fields (more than 3)"),
        ("a,b\n1,2,3\n4,5,6\n", "line 2 has too many fields (more than 2)"),
        ("item,A,B\n", "no rows below the header"),
        ("item,A,B\n1,1,2\n", "only 1 item with scores"),
        ("item,A,B\n1,1,2\n2,,\n", "only 1 item with scores"),
        ("item,A\n1,1\n2,3\n", "only one system, 'A'"),
        ("item,A,B\nx,a,b\ny,c,d\n", "no numbers"),
        ("item,A,B\nx,,\ny,,\n", "no numbers"),
        ("item,A,A\n1,1,2\n2,3,4\n", "columns 2 and 3 are both called 'A'"),
        ("item,A, A\n1,1,2\n2,3,4\n", "columns 2 and 3 are both called 'A'"),
        ("item,A,,B\n1,1,2,3\n2,3,4,5\n", "column 3 has no name"),
        ("0.5,0.25\n0.5,0.75\n1,0\n", "line 1 holds numbers where the names"),
        ("s1,0.5,0.25\ns2,0.5,0.75\ns3,1,0\n", "line 1 holds numbers where the names"),
        ("s1,1,0\ns2,0,1\ns3,1,1\n", "line 1 holds numbers where the names"),
        ("just some words\n", "no rows below the header"),
        ("just some words\nand more of them\n", "too many fields"),
        ("oneword\n", "no known format"),
        ("# nothing\n\n", "only blank and comment lines"),
        ('item,A,B\n1,"2,3\n4,5,6\n', "line 2: a quote is opened and never closed"),
        ('item,A,B\n1,"2"x,3\n4,5,6\n', "line 2: a cell continues after its closing quote"),
    ],
)
def test_refused(text: str, sentence: str) -> None:
    assert sentence in complaint(text)


def test_long_texts_are_labels() -> None:
    answer = "word, " * 40_000
    scores = read(f'item,answer,A,B\n1,"{answer}",1,0\n2,short,0,1\n')
    assert scores.labels["answer"] == (answer.strip(), "short")


def test_names_that_are_numbers_need_an_id_column() -> None:
    scores = read("item,1,2.5\nx,0.5,1\ny,0.25,0\n")
    assert scores.systems == ("1", "2.5")


@pytest.mark.parametrize(
    "name", ["NA", "nan", "None", "null", "-", "=1+1", "<b>x</b>", 'a"b', "a,b", "a;b", "ä\u2028ö"]
)
def test_hostile_names_stay_as_they_are(name: str) -> None:
    quoted = name.replace('"', '""')
    scores = read(f'item,"{quoted}",B\n"{quoted}",1,2\ny,3,4\n')
    assert scores.systems == (name, "B")
    assert scores.units == (name, "y")


def test_empty_columns_and_rows_of_spreadsheets_are_left_out() -> None:
    scores = read("item,A,B,,\n1,1,2,,\n2,3,4,,\n,,,,\n,,,,\n")
    assert scores.systems == ("A", "B")
    assert scores.units == ("1", "2")


def test_comments_and_blank_lines() -> None:
    scores = read("# made by hand\n\nitem,A,B\n#1,0,0\n1,1,2\n   \n2,3,4\n")
    assert scores.units == ("1", "2")
    assert scores.notes[0].text == "2 lines (the first is line 1) begin with # and were left out."
    quoted = read('item,A,B\n"#1",1,2\n"x\n#y",3,4\n')
    assert quoted.units == ("#1", "x\n#y")
    assert quoted.notes == ()


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("delimiter", [",", ";", "\t", " "])
def test_delimiters_and_line_ends(delimiter: str, end: str) -> None:
    lines = ["item,A,B", "1,0.5,1", "2,0.25,0", "3,0.75,NA"]
    scores = read(end.join(lines).replace(",", delimiter))
    np.testing.assert_array_equal(scores.values, [[0.5, 1], [0.25, 0], [0.75, np.nan]])
    assert scores.reading["delimiter"] == delimiter


def test_decimal_commas() -> None:
    scores = read("item;A;B\n1;0,5;1\n2;-1,25e1;0\n")
    np.testing.assert_array_equal(scores.values, [[0.5, 1], [-12.5, 0]])
    assert "line 3, column 'A': '1.234' is ambiguous" in complaint("item;A;B\n1;0,5;1\n2;1.234;0\n3;1,5;1\n")
    assert read("A;B\n0,5;0,25\n0,75;1\n").systems == ("A", "B")


def test_a_delimiter_can_be_told() -> None:
    text = "item~A~B\n1~0.5~1\n2~0.25~0\n"
    assert "no known format" in complaint(text)
    assert read(text, delimiter="~").systems == ("A", "B")
    assert read("item;A;B\n1;0.5;1\n2;0.25;0\n", delimiter="semicolon").systems == ("A", "B")


def test_thousands_of_columns() -> None:
    header = ",".join(["item", *(f"S{i}" for i in range(5000))])
    row = ",".join(["0.5"] * 5000)
    scores = read(f"{header}\nx,{row}\ny,{row}\n")
    assert scores.values.shape == (2, 5000)


def test_bounds() -> None:
    text = "item,A,B\n1,1,2\n2,3,4\n"
    assert "line 1 has more than 2 columns" in complaint(text, max_columns=2)
    assert "more than 5 cells" in complaint(text, max_cells=5)
    assert "is larger than" in complaint(text, max_bytes=10)
    assert "more than 20,000 columns" in complaint("," * 1_900_000)


def test_document_and_segment_make_the_unit_id() -> None:
    rows = ["doc,segment,A,B", "d1,1,0.5,0.6", "d1,2,0.4,0.3", "d2,1,0.2,0.3", "d2,2,0.2,0.4"]
    scores = read_scores(("\n".join(rows).encode(), "x.csv"))
    assert scores.units == ("d1:1", "d1:2", "d2:1", "d2:2")
    assert dict(scores.labels) == {"doc": ("d1", "d1", "d2", "d2")}
    assert scores.reading["id_column"] == ["doc", "segment"]
    assert "The columns 'doc', 'segment' make the item ids together." in [note.text for note in scores.notes]
    for text in ("doc,segment", ["doc", "segment"]):
        again = read_scores(("\n".join(rows).encode(), "x.csv"), id_column=text)
        assert again.fingerprint == scores.fingerprint
    # An id that comes back once or twice is a mistake in the file, whatever stands beside it.
    wrong = "item,doc,A,B\n1,a,1,2\n1,b,3,4\n2,a,3,3\n3,a,3,2\n4,a,3,1\n"
    with pytest.raises(ScoreFileError, match="the item '1' was on line 2 already"):
        read_scores((wrong.encode(), "x.csv"))


def test_true_and_false_are_scores_or_labels() -> None:
    passed = read_scores((b"item,A,B\n1,True,False\n2,FALSE,true\n3,TRUE,\n", "x.csv"))
    np.testing.assert_array_equal(passed.values, [[1, 0], [0, 1], [1, np.nan]])
    beside = read_scores((b"item,long,A,B\n1,True,.1,.4\n2,FALSE,.5,.2\n3,NA,.3,\n", "x.csv"))
    assert (beside.systems, dict(beside.labels)) == (("A", "B"), {"long": ("true", "false", "")})
    assert "holds true and false where other columns hold numbers" in beside.notes[0].text
    again = read_scores(
        (b"item,long,A,B\n1,True,.1,.4\n2,FALSE,.5,.2\n3,NA,.3,\n", "x.csv"), label_columns=["long"]
    )
    assert again.fingerprint == beside.fingerprint
    scores = read_scores((b"item,long,A,B\n1,True,.1,.4\n2,FALSE,.5,.2\n", "x.csv"), label_columns=[])
    assert scores.systems == ("long", "A", "B")


def test_systems_as_rows() -> None:
    data = b"model,size,u1,u2,u3\nA,7,0.5,1,\nB,8,0.25,0,1\n"
    with pytest.raises(ScoreFileError, match="say systems_as_rows=True if every other column is an item"):
        read_scores((data, "x.csv"))
    scores = read_scores((b"model,u1,u2,u3\nA,0.5,1,\nB,0.25,0,1\n", "x.csv"), systems_as_rows=True)
    assert (scores.systems, scores.units) == (("A", "B"), ("u1", "u2", "u3"))
    np.testing.assert_array_equal(scores.values, [[0.5, 0.25], [1, 0], [np.nan, 1]])
    assert scores.reading["system_column"] == "model"
    named = read_scores((b"u1,who,u2\n1,A,2\n3,B,4\n", "x.csv"), systems_as_rows=True, system_column="who")
    np.testing.assert_array_equal(named.values, [[1, 3], [2, 4]])
    with pytest.raises(ScoreFileError, match="column 3, column 'B': 'x' isn't a number"):
        read_scores((b"model,u1,u2\nA,1,2\nB,3,x\n", "x.csv"), systems_as_rows=True)
    with pytest.raises(ScoreFileError, match="line 3 has too few fields"):
        read_scores((b"model,u1,u2\nA,1,2\nB,3\n", "x.csv"), systems_as_rows=True)
    with pytest.raises(ScoreFileError, match="max_columns"):
        read_scores((b"model,u1\nA,1\nB,3\nC,4\n", "x.csv"), systems_as_rows=True, max_columns=2)


def test_words_about_systems_are_no_units_of_a_table_with_systems_as_rows() -> None:
    text = b"model,team,u1,open,u2\nA,x,0.5,yes,1\nB,y,0.25,no,0\n"
    scores = read_scores((text, "x.csv"), systems_as_rows=True)
    assert (scores.systems, scores.units) == (("A", "B"), ("u1", "u2"))
    assert [note.text for note in scores.notes if note.code == "labels-left-out"] == [
        "Left out because they describe systems: 'team', 'open'."
    ]
    with pytest.raises(ScoreFileError, match="no numbers besides the names of the systems"):
        read_scores((b"model,team\nA,x\nB,y\n", "x.csv"), systems_as_rows=True)
