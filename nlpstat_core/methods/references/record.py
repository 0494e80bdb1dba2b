"""One publication."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Reference:
    """One publication.

    doi: Empty where there is none.
    """

    authors: str
    year: int
    title: str
    venue: str
    doi: str = ""

    @property
    def text(self) -> str:
        """The reference as one line."""
        link = f" doi:{self.doi}" if self.doi else ""
        return f"{self.authors} ({self.year}). {self.title}. {self.venue}.{link}"
