"""Large clean texts are split by Arrow: it gives what the reading record by record gives, or nothing."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from nlpstat_core.errors import ScoreFileError
from nlpstat_core.readers import read_scores
from nlpstat_core.readers.open import delimited
from nlpstat_core.readers.roles import columns
from nlpstat_core.scores.matrix import ScoreMatrix

NUMBERS = st.floats(allow_nan=False).map(repr) | st.from_regex(
    r"[+-]?[0-9]{0,20}\.?[0-9]{1,20}(e-?[0-9]{1,3})?", fullmatch=True
)
ODD = st.sampled_from(
    ["", "NA", "-", "nan", "Nan", "-nan", "inf", "1e400", "+1", "1.", ".5", "1_0", " 2 ", "x", "#1", "1,5"]
)
ODDER = st.sampled_from(
    ["0x1p3", "1d5", "１", "nan(1)", "1e5e", "infinity", "true", "1e-400", "5e-324", "\t3", "\x0b4"]
)


@pytest.fixture(params=[True, False], ids=["arrow", "records"])
def way(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(delimited, "QUICK", 0 if request.param else 10**9)


def outcome(text: str, quick: bool, format: str) -> object:
    before = delimited.QUICK, columns.FEW_ROWS
    delimited.QUICK, columns.FEW_ROWS = (0, 0) if quick else (10**9, 10**9)
    try:
        scores = read_scores((text.encode(), "x"), format=format)
    except ScoreFileError as error:
        return str(error)
    finally:
        delimited.QUICK, columns.FEW_ROWS = before
    return scores


def agree(text: str, format: str = "wide-csv") -> None:
    fast, slow = outcome(text, True, format), outcome(text, False, format)
    if isinstance(slow, ScoreMatrix):
        assert isinstance(fast, ScoreMatrix)
        assert fast.fingerprint == slow.fingerprint
        np.testing.assert_array_equal(fast.values, slow.values)
        assert (fast.notes, fast.reading) == (slow.notes, slow.reading)
    else:
        assert fast == slow


@given(
    rows=st.lists(
        st.lists(NUMBERS | NUMBERS | NUMBERS | ODD | ODDER, min_size=3, max_size=3), min_size=2, max_size=6
    ),
    end=st.sampled_from(["\n", "\r\n", "\n\n", "\r"]),
    last=st.booleans(),
    delimiter=st.sampled_from([",", ";", "\t", " ", "  ", " \t", " \x0b", "\xa0"]),
    comma=st.booleans(),
)
def test_both_ways_agree(rows: list[list[str]], end: str, last: bool, delimiter: str, comma: bool) -> None:
    lines = [["item", "A", "B", "C"], *([f"u{i}", *row] for i, row in enumerate(rows))]
    text = end.join(map(delimiter.join, lines)) + end * last
    agree(text.replace(".", ",") if comma and delimiter != "," else text)


@given(
    rows=st.lists(st.lists(NUMBERS | NUMBERS | ODD | ODDER, min_size=3, max_size=3), min_size=1, max_size=6),
    ids=st.sampled_from(["", "u", "0"]),
    width=st.integers(1, 3),
    end=st.sampled_from(["\n", " \n", "\n ", "\r\n", "\n\n", "\r"]),
    delimiter=st.sampled_from([" ", "\t", "  ", "\x0c"]),
)
def test_both_ways_agree_without_a_header(
    rows: list[list[str]], ids: str, width: int, end: str, delimiter: str
) -> None:
    """Columns of numbers, with names or a count in front, and one score a line."""
    fronts = {"": lambda i: [], "u": lambda i: [f"u{i}"], "0": lambda i: [str(i)]}
    lines = [[*fronts[ids](i), *row[:width]] for i, row in enumerate(rows)]
    agree(end.join(map(delimiter.join, lines)), "lines" if width == 1 and not ids else "columns")


@given(st.lists(st.floats(allow_nan=False, allow_infinity=False), min_size=6, max_size=6))
def test_numbers_are_exact(values: list[float]) -> None:
    cells = [repr(value) for value in values]
    text = "item,A,B\n" + "".join(f"u{i},{cells[2 * i]},{cells[2 * i + 1]}\n" for i in range(3))
    found = outcome(text, True, "wide-csv")
    assert isinstance(found, ScoreMatrix)
    np.testing.assert_array_equal(found.values.ravel(), values)


@pytest.mark.parametrize(
    "text",
    [
        'item,A,B\n1,"1",2\n2,3,4\n',
        "item,A,B\n#1,1,2\n2,3,4\n",
        "item,A,B\n1,1,2\n\n2,3,4\n",
        "item,A,B\n1,1,2\n,,\n",
        "item,A,B\n1,1,2\n2,3\n",
        "item,A,B\n1,1,inf\n2,3,4\n",
        "item,A,B\n1,1,-nan\n2,3,4\n",
        "item,A,B\n1,1,x\n2,3,4\n",
        "\nitem,A,B\n1,1,2\n2,3,4\n",
        "item A B\n1\xa01 2\n2 3 4\n",
        "item A B\n1 1\x0b2\n2 3 4\n",
        "item A B\n1 1 2\r2 3 4\n\n3 5 6\n",
        "item,A,B\n1,1,2\r2,3,4\n\n3,5,6\n",
        "item;A;B\n1;1,5;2.5\n2;3;4\n",
        "item,A,B\n",
    ],
)
def test_what_is_odd_is_read_the_same(text: str) -> None:
    agree(text)


@pytest.mark.parametrize(
    ("text", "format"),
    [
        ("item A B\n1 1 2\n2 3 4\n", "wide-csv"),
        ("item;A;B\n1;1,5;2\n2;3;4\n", "wide-csv"),
        ("1\t2\n3\t4\n", "columns"),
        ("u1 1 2\nu2 3 4\n", "columns"),
    ],
)
def test_what_arrow_splits(text: str, format: str, monkeypatch: pytest.MonkeyPatch) -> None:
    expected = outcome(text, False, format)
    monkeypatch.setattr(delimited, "_columns", None)
    found = outcome(text, True, format)
    assert isinstance(found, ScoreMatrix)
    assert isinstance(expected, ScoreMatrix)
    assert found.fingerprint == expected.fingerprint


@pytest.mark.usefixtures("way")
def test_a_large_table_with_labels_and_gaps() -> None:
    rows = [
        f"u{i},doc {i // 7}, d ,{i / 3!r},{i % 2},{'' if i % 5 else 'NA'}{i if i % 5 else ''}"
        for i in range(500)
    ]
    scores = read_scores(("\n".join(["item,doc,kind,A,B,C", *rows]).encode(), "x"))
    assert (scores.systems, list(scores.labels)) == (("A", "B", "C"), ["doc", "kind"])
    assert scores.labels["kind"][3] == "d"
    assert scores.values[4].tolist() == [4 / 3, 0, 4]
    assert np.isnan(scores.values[::5, 2]).all()


@pytest.mark.usefixtures("way")
def test_columns_that_look_different_further_down() -> None:
    rows = [f"u{i},x,1,2" for i in range(60)] + [f"u{i},{i},1,2" for i in range(60, 200)]
    with pytest.raises(ScoreFileError, match="line 2, column 'remark': 'x' isn't a number"):
        read_scores(("\n".join(["item,remark,A,B", *rows]).encode(), "x"))
