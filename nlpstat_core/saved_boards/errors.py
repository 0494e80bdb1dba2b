"""What can go wrong with saved boards, in sentences."""

from __future__ import annotations

from nlpstat_core.errors import NlpstatError


class BoardError(NlpstatError):
    """A saved board, or what was asked of it, can't be used."""


class NotThere(BoardError):
    """No such board, version or link, or none for this viewer: both get the same sentence."""

    def __init__(self, what: str = "board") -> None:
        self.what = what
        super().__init__(
            "This link leads nowhere: it was withdrawn, has expired or never existed. Ask the sender."
            if what == "link"
            else f"There is no such {what}, or it isn't shared with you. Ask its owner."
        )

    def __reduce__(self) -> tuple[type[NotThere], tuple[str]]:
        return type(self), (self.what,)  # so that it comes out of another process as it was


class Refused(BoardError):
    """The viewer sees the board, but may not do this."""


class Conflict(BoardError):
    """Somebody else changed the board since the viewer looked at it."""


class DiskFull(BoardError):
    """There is no room left where the database is."""

    def __init__(self) -> None:
        super().__init__(
            "The database's disk is full. Nothing was changed; delete something, here or elsewhere."
        )

    def __reduce__(self) -> tuple[type[DiskFull], tuple[()]]:
        return type(self), ()


class TooMuch(BoardError):
    """A limit of this server."""
