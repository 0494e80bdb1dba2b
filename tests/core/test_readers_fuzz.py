"""Broken files end in a ScoreMatrix or one sentence, soon and never otherwise."""

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nlpstat_core.errors import ScoreFileError
from nlpstat_core.readers import READERS, preview, read_scores
from nlpstat_core.scores.matrix import ScoreMatrix
from tests.fuzz.disguises import MUTATIONS, disguised, outcome

SEEDS = [
    *(reader.example.encode() for reader in READERS),
    b'item,doc,"A,1",B\r\n1,"d\n1",0.5,NA\r\n2,d2,1e-3,-4\r\n3,d2,0,1\r\n',
    b"item;A;B\n1;0,5;1\n2;-1,25e1;0\n",
    "segment\tA\tB\nä\t0.5\t1\nö\t0.25\t0\n".encode("utf-16"),
    b"metric,system,item,seed,score\nTER,A,1,0,0.5\nTER,A,2,0,1\nTER,B,1,0,0\nTER,B,2,0,1\n",
]
SIGNS = [b",", b";", b"\t", b" ", b"\n", b"\r", b'"', b"\0", b"#", b"-", b"{", b"["]
WORDS = [b"nan", b"inf", b"1e999", b"0.5", b"1_0", b"item", b"system"]
MARKS = [b"\xff", b"\xef\xbb\xbf", b"\xff\xfe", b"PK\x03\x04", b"PAR1"]
PIECES = st.sampled_from([*SIGNS, *WORDS, *MARKS])


def check(data: bytes, **choices: object) -> None:
    """Read within small bounds; any other exception fails the test."""
    try:
        scores = read_scores((data, "x"), max_bytes=100_000, max_columns=500, max_cells=50_000, **choices)  # type: ignore[arg-type]
    except ScoreFileError as error:
        message = str(error)
        assert "\n" not in message
        assert message.isprintable()
        assert message.endswith((".", "…"))
        assert len(message) < 700
    else:
        assert isinstance(scores, ScoreMatrix)


@st.composite
def damaged(draw: st.DrawFn) -> bytes:
    """A valid file with bytes cut, repeated, replaced or inserted."""
    data = draw(st.sampled_from(SEEDS))
    for _ in range(draw(st.integers(1, 4))):
        start = draw(st.integers(0, len(data)))
        stop = draw(st.integers(start, min(len(data), start + 20)))
        piece = draw(PIECES | st.binary(max_size=4) | st.just(data[start:stop] * 2))
        data = data[:start] + piece + data[stop:]
    return data


@given(damaged())
def test_damaged_files(data: bytes) -> None:
    check(data)


@given(damaged(), st.sampled_from([reader.key for reader in READERS]))
def test_damaged_files_with_a_format_told(data: bytes, key: str) -> None:
    check(data, format=key)


@given(st.binary(max_size=300) | st.lists(PIECES, max_size=40).map(b"".join))
def test_random_bytes(data: bytes) -> None:
    check(data)


@given(damaged())
def test_a_preview_never_fails(data: bytes) -> None:
    seen = preview((data, "x"))
    assert (seen.scores is None) == bool(seen.problem)
    assert seen.guess is None or not seen.header or set(seen.guess.roles) <= set(seen.header)


@pytest.mark.parametrize(
    "data",
    [
        b"a," * 40_000,
        b"item,A,B\n" + b"," * 90_000,
        b'item,A,B\n"' + b"," * 90_000,
        b'"' * 90_000,
        b"x " * 45_000,
        b"\n" * 90_000 + b"x",
        b"#" * 90_000,
        b"item,A,B\n" + b"1,2,3\n" * 15_000,
        b"item,A,B\n" + b",,\n" * 30_000,
    ],
    ids=range(9),
)
@pytest.mark.timeout(20)
def test_awkward_bulk(data: bytes) -> None:
    check(data)


@pytest.mark.parametrize("data", [b"[" + b"{}," * 2_100_000 + b"{}]", b"{}\n" * 2_100_000])
def test_more_objects_than_fit_into_memory_are_not_parsed(data: bytes) -> None:
    with pytest.raises(
        ScoreFileError, match="more than 2,000,000 objects and lists; split the file or raise max_rows"
    ):
        read_scores((data, "x"))


@pytest.mark.timeout(20)
def test_a_cell_of_a_million_digits_is_looked_at_once() -> None:
    """A pattern that tries every way to split the digits took minutes here."""
    digits = b"1" * 1_000_000
    for cell in (digits + b"x", digits + b".5x", digits + b",5x", b"." + digits + b"e"):
        check(b"item;A;B\n1;0.5;0.25\n2;" + cell[:90_000] + b";1\n")
        with pytest.raises(ScoreFileError):
            read_scores((b"item;A;B\n1;0.5;0.25\n2;" + cell + b";1\n", "x"))


def test_ordinary_tables_in_disguise_are_never_wrong_without_a_word() -> None:
    each = 12
    found: Counter[tuple[str, str]] = Counter()
    for index in range(each * len(MUTATIONS)):
        kind, truth, data = disguised(5, index)
        what = outcome(kind, truth, data)
        assert what != "wrong", f"disguise {index} ({kind})"
        found[kind, what] += 1
    for kind in ("none", "statistics rows", "statistics columns", "renamed systems", "epoch columns"):
        assert found[kind, "right"] == each
    for kind in ("repeated headers", "duplicated rows", "timestamps"):
        assert found[kind, "mended"] == each
