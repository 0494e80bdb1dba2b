"""The literature that methods cite (`literature.csv`), for the Methods page and for BibTeX."""

import csv
from dataclasses import dataclass
from importlib.resources import files


@dataclass(frozen=True)
class Reference:
    """One publication; `doi`: empty where there is none."""

    authors: str
    year: int
    title: str
    venue: str
    doi: str

    @property
    def text(self) -> str:
        """The reference as one line."""
        link = f" doi:{self.doi}" if self.doi else ""
        return f"{self.authors} ({self.year}). {self.title}. {self.venue}.{link}"


def _literature() -> dict[str, Reference]:
    lines = files("nlpstat_core.methods").joinpath("literature.csv").read_text(encoding="utf-8").splitlines()
    _, *rows = csv.reader(lines)
    return {key: Reference(authors, int(year), *rest) for key, authors, year, *rest in rows}


# By the keys that procedures, presets and statements name.
REFERENCES = _literature()
