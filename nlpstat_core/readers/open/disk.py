"""Bytes from a path that may be a pipe or a device: never more than asked for, and never for ever."""

import errno
import os
import select
import stat
from pathlib import Path

_STEP = 1 << 20
SECONDS_FOR_A_WRITER = 5.0  # a shell that makes a pipe opens its other end at once
SECONDS_BETWEEN_PIECES = 60.0
_SECONDS_BETWEEN_LOOKS = 0.05


def read_at_most(path: str | Path, most: int) -> bytes:
    """The beginning of a file, or all of it.

    most: Bytes; more is left unread, also of devices without an end.
    Raises OSError: It can't be opened or read, or is a pipe that nobody writes to.
    Raises ValueError: A path with a NUL in it.
    """
    # A pipe without a writer would have `open` wait, where nothing could end it.
    number = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0))
    with os.fdopen(number, "rb", buffering=0) as file:
        piped = stat.S_ISFIFO(os.fstat(number).st_mode)
        pieces: list[bytes] = []
        left = most
        while left > 0:
            piece = (
                _from_pipe(number, min(left, _STEP), bool(pieces)) if piped else file.read(min(left, _STEP))
            )
            if not piece:
                break
            pieces.append(piece)
            left -= len(piece)
        return b"".join(pieces)


def _from_pipe(number: int, most: int, begun: bool) -> bytes:
    """What a pipe holds next; empty at its end."""
    looks = 0
    while True:
        looks += 1
        waited = looks * _SECONDS_BETWEEN_LOOKS
        try:
            piece = os.read(number, most)
        except BlockingIOError:  # there is a writer, who is at work
            if waited > SECONDS_BETWEEN_PIECES:
                raise TimeoutError(errno.ETIMEDOUT, "it is a pipe and nothing comes out of it") from None
            select.select([number], [], [], _SECONDS_BETWEEN_LOOKS)
            continue
        if piece or begun:
            return piece
        if waited > SECONDS_FOR_A_WRITER:
            raise OSError(errno.EPIPE, "it is a pipe nobody writes to")
        select.select([], [], [], _SECONDS_BETWEEN_LOOKS)
