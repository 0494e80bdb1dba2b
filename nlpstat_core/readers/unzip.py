"""Members of an archive, unpacked in memory within bounds."""

from __future__ import annotations

import io
import lzma
import struct
import zipfile
import zlib

from nlpstat_core.errors import ScoreFileError, shown
from nlpstat_core.readers.source import MIB, MOST_FILES, Limits

_BROKEN = (
    zipfile.BadZipFile,
    NotImplementedError,  # a compression this Python doesn't know
    RuntimeError,  # encrypted
    OSError,
    EOFError,
    ValueError,
    KeyError,
    struct.error,
    zlib.error,
    lzma.LZMAError,
)


def is_zip(data: bytes) -> bool:
    """Whether content begins like a zip archive.

    Parameters
    ----------
    data : bytes

    Returns
    -------
    bool
    """
    return data[:4] in (b"PK\x03\x04", b"PK\x05\x06")


def unzip(data: bytes, limits: Limits) -> dict[str, bytes]:
    """Content of every file in an archive; nothing is written to a disk.

    Parameters
    ----------
    data : bytes
    limits : Limits
        `max_unpacked_bytes` bounds the size of all members together.

    Returns
    -------
    dict of str to bytes
        In the archive's order.

    Raises
    ------
    ScoreFileError
        Archives over the bounds, broken or encrypted ones, paths that leave the folder, a name twice.
    """
    if data.count(b"PK\x01\x02") > MOST_FILES:
        raise ScoreFileError(f"the archive has more than {MOST_FILES:,} members; give fewer files.")
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            members = [info for info in archive.infolist() if not info.is_dir()]
            _check(members, limits)
            return {info.filename: archive.read(info) for info in members}
    except ScoreFileError:
        raise
    except _BROKEN as error:
        reason = "it is encrypted" if "encrypted" in str(error) else "it is broken"
        raise ScoreFileError(f"the archive can't be unpacked: {reason}; pack it again.") from None


def _check(members: list[zipfile.ZipInfo], limits: Limits) -> None:
    """Look at names and declared sizes; the unpacking itself never goes beyond a declared size."""
    if sum(info.file_size for info in members) > limits.max_unpacked_bytes:
        limit = f"{limits.max_unpacked_bytes / MIB:,.4g} MiB"
        raise ScoreFileError(
            f"the unpacked archive is larger than {limit}; raise max_unpacked_bytes or give fewer files."
        )
    seen: set[str] = set()
    for info in members:
        name = info.filename
        parts = name.replace("\\", "/").split("/")
        if name.startswith(("/", "\\")) or ".." in parts or ":" in parts[0]:
            raise ScoreFileError(
                f"the archive holds the path {shown(name)}, which leaves its folder; pack it again."
            )
        if name in seen:
            raise ScoreFileError(f"the archive holds {shown(name)} twice; pack it again.")
        seen.add(name)
