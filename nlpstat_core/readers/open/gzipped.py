"""What a gzip file holds, unpacked in memory within bounds."""

import zlib

from nlpstat_core.errors import BoundsExceeded, Remedy, ScoreFileError
from nlpstat_core.readers.open.limits import MIB

MARK = b"\x1f\x8b"
_GZIP = 16 + zlib.MAX_WBITS
_STEP = 65_536  # bytes given to the library at once: what it hands back unused stays small
_MOST_PARTS = 10_000


def is_gzip(data: bytes) -> bool:
    """Whether content begins like a gzip file."""
    return data.startswith(MARK)


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
    while data.startswith(MARK, place):
        members += 1
        if members > _MOST_PARTS:
            raise ScoreFileError(f"the .gz file has more than {_MOST_PARTS:,} parts; pack it again.")
        member = zlib.decompressobj(_GZIP)
        try:
            while not member.eof:
                piece = data[place : place + _STEP]
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
    if content.startswith(MARK):
        raise ScoreFileError("the .gz file holds another .gz file; unpack it once and give what is in it.")
    return content
