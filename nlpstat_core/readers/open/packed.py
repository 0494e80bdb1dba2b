"""What gzip files and zip archives hold, unpacked in memory within bounds whatever their headers say."""

import io
import re
import struct
import zipfile
import zlib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from nlpstat_core.errors import BoundsExceeded, Remedy, ScoreFileError, shown
from nlpstat_core.installed import has_arrow, install_command
from nlpstat_core.readers.open.limits import MIB

_GZIP_MARK = b"\x1f\x8b"
_GZIP = 16 + zlib.MAX_WBITS
_GIVEN = 65_536  # bytes given to the library at once: what it hands back unused stays small
_MOST_PARTS = 10_000


def is_gzip(data: bytes) -> bool:
    """Whether content begins like a gzip file."""
    return data.startswith(_GZIP_MARK)


def without_ending(name: str) -> str:
    """A file's name without .gz, so that a system isn't called "Tern.txt".

    >>> without_ending("Tern.txt.gz"), without_ending("Tern")
    ('Tern.txt', 'Tern')
    """
    return name[:-3] if name.lower().endswith(".gz") and len(name) > 3 else name


def gunzip(data: bytes, most: int) -> bytes:
    """The content of a gzip file with all its members, at most so many bytes; raises ScoreFileError."""
    parts: list[bytes] = []
    size, place, members = 0, 0, 0
    while data.startswith(_GZIP_MARK, place):
        members += 1
        if members > _MOST_PARTS:
            raise ScoreFileError(f"the .gz file has more than {_MOST_PARTS:,} parts; pack it again.")
        member = zlib.decompressobj(_GZIP)
        try:
            while not member.eof:
                piece = data[place : place + _GIVEN]
                if not piece:
                    raise zlib.error
                place += len(piece)
                while piece and not member.eof:
                    parts.append(member.decompress(piece, most + 1 - size))
                    size += len(parts[-1])
                    if size > most:
                        limit = f"{most / MIB:,.4g} MiB"
                        raise BoundsExceeded(
                            f"the unpacked file is larger than {limit}; ",
                            Remedy("max_unpacked_bytes"),
                            " or split the file.",
                        )
                    piece = member.unconsumed_tail
        except zlib.error:
            raise ScoreFileError("the .gz file is broken; pack it again.") from None
        place -= len(member.unused_data)
    if data[place:].strip(b"\0"):
        raise ScoreFileError("the .gz file has data after its end; pack it again.")
    content = b"".join(parts)
    if content.startswith(_GZIP_MARK):
        raise ScoreFileError("the .gz file holds another .gz file; unpack it once and give what is in it.")
    return content


MOST_FILES = 5_000
MOST_RECORDS = 100_000  # of a log that keeps every sample as a file of its own, and of everything together
_STEP = 1 << 18
_ZSTANDARD = 93  # how inspect_ai packs its logs from 2026 on; zipfile knows it from Python 3.14 on
_END = b"PK\x05\x06"
_BROKEN = (
    zipfile.BadZipFile,
    RuntimeError,  # encrypted, or of a compression that zipfile doesn't know
    OSError,
    EOFError,
    ValueError,
    KeyError,
    struct.error,
    zlib.error,
)
_DRIVE = re.compile(r"[A-Za-z]:[/\\]")


class Budget:
    """Bytes that may still be unpacked, for all archives of an upload together."""

    def __init__(self, most: int) -> None:
        self.most = self.left = most

    def take(self, size: int) -> None:
        """Count what was unpacked; raises ScoreFileError beyond the bound."""
        self.left -= size
        if self.left < 0:
            raise BoundsExceeded(
                f"the unpacked archive is larger than {self.most / MIB:,.4g} MiB; ",
                Remedy("max_unpacked_bytes"),
                " or give fewer files.",
            )


def is_zip(data: bytes) -> bool:
    """Whether content begins like a zip archive."""
    return data[:4] in (b"PK\x03\x04", b"PK\x05\x06")


def is_workbook(data: bytes) -> bool:
    """Whether a zip archive is an Excel workbook; one that only holds workbooks is none."""
    if not is_zip(data) or b"xl/workbook" not in data:
        return False
    end = data.rfind(_END)
    if end < 0 or len(data) < end + 20:
        return True  # broken: who reads workbooks says so
    size, start = struct.unpack_from("<II", data, end + 12)
    return b"xl/workbook" in data[start : start + size]


def unzip(data: bytes, budget: Budget, most: int) -> dict[str, bytes]:
    """Content of every file in an archive, in its order and within bounds; nothing is written to a disk."""
    if data.count(b"PK\x01\x02") > most:
        raise ScoreFileError(f"the archive has more than {most:,} members; give fewer files.")
    with _opened(data, "archive", "pack it again") as archive:
        members = [info for info in archive.infolist() if not info.is_dir()]
        _check(members)
        return {
            info.filename.replace("\\", "/"): b"".join(_pieces(archive, info, data, budget))
            for info in members
        }


@contextmanager
def _opened(data: bytes, what: str, advice: str) -> Iterator[zipfile.ZipFile]:
    """The archive in some bytes; what zipfile raises of a broken or encrypted one, in a sentence."""
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            yield archive
    except ScoreFileError:
        raise
    except _BROKEN as error:
        reason = "it is encrypted" if "encrypted" in str(error) else "it is broken"
        raise ScoreFileError(f"the {what} can't be unpacked: {reason}; {advice}.") from None


def _check(members: list[zipfile.ZipInfo]) -> None:
    seen: set[str] = set()
    for info in members:
        name = info.filename
        if name.startswith(("/", "\\")) or ".." in re.split(r"[/\\]", name) or _DRIVE.match(name):
            raise ScoreFileError(
                f"the archive holds the path {shown(name)}, which leaves its folder; pack it again."
            )
        if name in seen:
            raise ScoreFileError(f"the archive holds {shown(name)} twice; pack it again.")
        seen.add(name)
        if info.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED, _ZSTANDARD):
            raise ScoreFileError(
                f"the archive holds {shown(name)} in an unusual compression; pack it again as a plain zip."
            )


def _pieces(archive: zipfile.ZipFile, info: zipfile.ZipInfo, data: bytes, budget: Budget) -> Iterator[bytes]:
    """The content of a member, piece by piece, counted before the next one is unpacked."""
    if info.compress_type == _ZSTANDARD:
        yield from _unpacked(info, data, budget)
        return
    with archive.open(info) as stream:
        while piece := stream.read(_STEP):
            budget.take(len(piece))
            yield piece


def _unpacked(info: zipfile.ZipInfo, data: bytes, budget: Budget) -> Iterator[bytes]:
    """The content of a member that is packed by Zstandard."""
    if not has_arrow():
        raise ScoreFileError(
            f"the archive holds {shown(info.filename)}, packed by Zstandard, which needs pyarrow; install it "
            f"with: {install_command('parquet')}"
        )
    import pyarrow as pa

    if info.flag_bits & 1:
        raise RuntimeError("encrypted")
    name, extra = struct.unpack_from("<HH", data, info.header_offset + 26)
    start = info.header_offset + 30 + name + extra
    packed = pa.BufferReader(data[start : start + info.compress_size])
    checksum = 0
    with pa.CompressedInputStream(packed, "zstd") as stream:
        while piece := stream.read(_STEP):
            budget.take(len(piece))
            checksum = zlib.crc32(piece, checksum)
            yield piece
    if checksum != info.CRC:
        raise zipfile.BadZipFile


def measure(data: bytes, budget: Budget, marks: Sequence[bytes]) -> tuple[set[str], list[int]]:
    """Names of the members, unpacked to count their bytes but not kept, and how often marks stand in them."""
    names: set[str] = set()
    times = [0] * len(marks)
    with _opened(data, "workbook", "save it again as .xlsx") as archive:
        for info in archive.infolist():
            if info.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
                raise ScoreFileError("the workbook is packed in an unusual way; save it again as .xlsx.")
            names.add(info.filename)
            for piece in _pieces(archive, info, data, budget):
                for place, mark in enumerate(marks):
                    times[place] += piece.count(mark)
    return names, times
