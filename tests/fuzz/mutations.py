"""Damage: bytes cut, doubled, flipped, moved and put in; also inside archives and workbooks."""

from __future__ import annotations

import gzip
import io
import random
import re
import zipfile
from collections.abc import Callable, Sequence

SIGNS = [bytes([sign]) for sign in b",;\t \n\r\"'\0#-{[}]:\x0b\x85\xff"] + [b"\r\n"]
NUMBERS = b"nan NaN inf -inf 1e999 1e-999 0.5 1_0 1,5 1.234.567 0x10 True Infinity null None +1".split()
WORDS = b"item system score doc total tp all runid metric seed ../../x @SUM(A1) \\input{x} $x^2$".split()
CODE = [b"=cmd|'/c calc'!A1", b"<img src=x onerror=alert(1)>", b"\x1b[31m", b"\xed\xa0\x80"]
LETTERS = [text.encode() for text in ("１２", "é\u0301", "\u202e\u2028\u0085", "𝔸")]
MARKS = [b"\xef\xbb\xbf", b"\xff\xfe", b"\xfe\xff", b"PK\x03\x04", b"PAR1", b"\x1f\x8b\x08"]
LONG = [b"9" * 400, b"-" * 300, b'"' * 301, b"[" * 2000, b"1" + b"0" * 5000, b"x," * 600, b"\n" * 500]
SHORT = [*SIGNS, *NUMBERS, *WORDS, *CODE, *LETTERS, *MARKS]
PIECES = [*SHORT, *LONG, b"0." + b"3" * 99]
BAD_PATHS = ["../up.txt", "/etc/x", "a\\..\\b", "C:x", ".", "x" * 300, "é/ü.csv"]
ENCODINGS = ["utf-16", "utf-16-be", "latin-1", "utf-8-sig", "utf-32", "cp1252"]
NUMBER = re.compile(rb"-?[0-9]+(?:\.[0-9]+)?")
MOST = 60_000


def damaged(seeds: Sequence[bytes], rng: random.Random) -> bytes:
    """One of some files, damaged in one to five places.

    Parameters
    ----------
    seeds : sequence of bytes
    rng : random.Random
    """
    data = rng.choice(seeds)
    if data[:4] == b"PK\x03\x04" and rng.random() < 0.6:
        return _inside_zip(data, seeds, rng)
    if data[:2] == b"\x1f\x8b" and rng.random() < 0.6:
        return gzip.compress(_changed(gzip.decompress(data), seeds, rng), mtime=0)
    return _changed(data, seeds, rng)


def random_bytes(rng: random.Random) -> bytes:
    """Bytes without any order, or pieces of files one after the other."""
    if rng.random() < 0.4:
        return rng.randbytes(rng.randrange(1, 2000))
    return b"".join(rng.choice(SHORT) for _ in range(rng.randrange(1, 120)))


def _changed(data: bytes, seeds: Sequence[bytes], rng: random.Random) -> bytes:
    """Damage anywhere; or only to numbers and lines, so that more than the first mistake is met."""
    if rng.random() < 0.3:
        for _ in range(rng.choice((1, 1, 2, 4))):
            data = rng.choice((_other_number, _other_number, _lines))(data, seeds, rng)
        return data
    for _ in range(rng.choice((1, 1, 1, 2, 3, 5))):
        data = rng.choice(_DAMAGE)(data, seeds, rng)[:MOST]
    return data


def _inside_zip(data: bytes, seeds: Sequence[bytes], rng: random.Random) -> bytes:
    """An archive that is whole, with damage in one of its members or in their names."""
    target = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as source, zipfile.ZipFile(target, "w") as archive:
        members = source.infolist()
        hit = rng.randrange(len(members))
        for place, info in enumerate(members):
            name, content = info.filename, source.read(info)
            if place == hit:
                content = _changed(content, seeds, rng)
                if rng.random() < 0.1:
                    name = rng.choice(["../up.txt", "/etc/x", "a\\..\\b", "C:x", ".", "x" * 300, "é/ü.csv"])
                if rng.random() < 0.05:
                    continue
            archive.writestr(name, content, zipfile.ZIP_DEFLATED)
    return target.getvalue()


def _span(data: bytes, rng: random.Random) -> tuple[int, int]:
    start = rng.randrange(len(data) + 1)
    return start, min(len(data), start + rng.choice((0, 1, 2, 4, 16, 64, 400)))


def _cut(data: bytes, seeds: Sequence[bytes], rng: random.Random) -> bytes:
    return (
        data[: rng.randrange(len(data) + 1)] if rng.random() < 0.5 else data[rng.randrange(len(data) + 1) :]
    )


def _drop(data: bytes, seeds: Sequence[bytes], rng: random.Random) -> bytes:
    start, stop = _span(data, rng)
    return data[:start] + data[stop:]


def _double(data: bytes, seeds: Sequence[bytes], rng: random.Random) -> bytes:
    start, stop = _span(data, rng)
    return data[:stop] + data[start:stop] * rng.choice((1, 1, 2, 30)) + data[stop:]


def _flip(data: bytes, seeds: Sequence[bytes], rng: random.Random) -> bytes:
    if not data:
        return data
    at = rng.randrange(len(data))
    return data[:at] + bytes([data[at] ^ (1 << rng.randrange(8))]) + data[at + 1 :]


def _insert(data: bytes, seeds: Sequence[bytes], rng: random.Random) -> bytes:
    start, stop = _span(data, rng)
    keep = start if rng.random() < 0.5 else stop
    return data[:start] + rng.choice(PIECES) + data[keep:]


def _other_number(data: bytes, seeds: Sequence[bytes], rng: random.Random) -> bytes:
    """Another number in place of a number."""
    found = list(NUMBER.finditer(data[:5000]))
    if not found:
        return data
    hit = rng.choice(found)
    other = rng.choice(
        [*NUMBERS, b"", b"0", b"1", b"-1", b"100", b"1e308", b"5e-324", b"0.30000000000000004"]
    )
    return data[: hit.start()] + other + data[hit.end() :]


def _number(data: bytes, seeds: Sequence[bytes], rng: random.Random) -> bytes:
    """Another piece in place of a number."""
    found = list(NUMBER.finditer(data[:5000]))
    if not found:
        return data
    hit = rng.choice(found)
    return data[: hit.start()] + rng.choice(PIECES) + data[hit.end() :]


def _splice(data: bytes, seeds: Sequence[bytes], rng: random.Random) -> bytes:
    other = rng.choice(seeds)
    return data[: rng.randrange(len(data) + 1)] + other[rng.randrange(len(other) + 1) :]


def _lines(data: bytes, seeds: Sequence[bytes], rng: random.Random) -> bytes:
    """Lines dropped, doubled or in another order."""
    lines = data.splitlines(keepends=True)
    if len(lines) < 2:
        return data
    at, other = rng.randrange(len(lines)), rng.randrange(len(lines))
    rng.choice(
        [
            lambda: lines.pop(at),
            lambda: lines.insert(other, lines[at]),
            lambda: lines.__setitem__(slice(at, other), lines[at:other][::-1]),
        ]
    )()
    return b"".join(lines)


def _encoded(data: bytes, seeds: Sequence[bytes], rng: random.Random) -> bytes:
    return data.decode("utf-8", "replace").encode(rng.choice(ENCODINGS), "replace")


_DAMAGE: tuple[Callable[[bytes, Sequence[bytes], random.Random], bytes], ...] = (
    *(_cut, _drop, _double, _flip, _flip, _insert, _insert, _number, _number, _splice, _lines, _encoded),
)
