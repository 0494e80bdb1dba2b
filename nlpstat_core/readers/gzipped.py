"""What a gzip file holds, unpacked in memory within bounds."""

from __future__ import annotations

import zlib

from nlpstat_core.errors import ScoreFileError

MIB = 1024 * 1024
MARK = b"\x1f\x8b"
_GZIP = 16 + zlib.MAX_WBITS


def is_gzip(data: bytes) -> bool:
    """Whether content begins like a gzip file.

    Parameters
    ----------
    data : bytes

    Returns
    -------
    bool
    """
    return data.startswith(MARK)


def without_ending(name: str) -> str:
    """A file's name without .gz, so that a system isn't called "Tern.txt".

    Parameters
    ----------
    name : str

    Returns
    -------
    str

    Examples
    --------
    >>> without_ending("Tern.txt.gz"), without_ending("Tern")
    ('Tern.txt', 'Tern')
    """
    return name[:-3] if name.lower().endswith(".gz") and len(name) > 3 else name


def gunzip(data: bytes, most: int) -> bytes:
    """The content of a gzip file, of all its members one after the other.

    Parameters
    ----------
    data : bytes
    most : int
        Bytes it may unpack to; never more are unpacked.

    Returns
    -------
    bytes

    Raises
    ------
    ScoreFileError
        More than that, a broken file, or one packed twice.
    """
    parts: list[bytes] = []
    size, rest = 0, data
    try:
        while rest.startswith(MARK):
            member = zlib.decompressobj(_GZIP)
            parts.append(member.decompress(rest, most + 1 - size))
            size += len(parts[-1])
            if size > most:
                limit = f"{most / MIB:,.4g} MiB"
                raise ScoreFileError(
                    f"the unpacked file is larger than {limit}; raise max_unpacked_bytes or split the file."
                )
            if not member.eof:
                raise zlib.error
            rest = member.unused_data
    except zlib.error:
        raise ScoreFileError("the .gz file is broken; pack it again.") from None
    if rest.strip(b"\0"):
        raise ScoreFileError("the .gz file goes on after its end; pack it again.")
    if parts[0].startswith(MARK):
        raise ScoreFileError("the .gz file holds another .gz file; unpack it once and give what is in it.")
    return b"".join(parts)
