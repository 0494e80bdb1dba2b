"""References as BibTeX and as short citations."""

import re
from collections.abc import Iterable

from nlpstat_core.methods.references import REFERENCES, Reference

_AUTHOR = re.compile(r"([^,]+), ((?:[A-Z]\.[- ]?)+)(?:, | and |$)")
_ARTICLE = re.compile(
    r"(?P<journal>.+?) (?P<volume>\d+)(?:\((?P<number>[\d/–-]+)\)|:(?P<page>\d+))?"
    r"(?:, (?P<pages>\d+[–-]\d+))?$"
)
_DASH = re.compile("[–-]")
_BRACED = re.compile(r"\b[A-Z0-9]*[A-Z][A-Z0-9]+\b")  # abbreviations keep their capitals


def authors_of(reference: Reference) -> list[tuple[str, str]]:
    """Family name and initials of every author.

    >>> authors_of(REFERENCES["hodges1963"])
    [('Hodges', 'J. L.'), ('Lehmann', 'E. L.')]
    """
    found = [(family.strip(), given.strip()) for family, given in _AUTHOR.findall(reference.authors)]
    return found or [(reference.authors, "")]


def citation(key: str) -> str:
    """Authors and year, as they stand in brackets.

    >>> citation("hodges1963"), citation("zhu2020")
    ('Hodges and Lehmann, 1963', 'Zhu et al., 2020')
    """
    reference = REFERENCES[key]
    names = [family for family, _ in authors_of(reference)]
    text = f"{names[0]} et al." if len(names) > 2 else " and ".join(names)
    return f"{text}, {reference.year}"


def entry(key: str) -> str:
    """One reference as a BibTeX entry; UTF-8, as biber and today's BibTeX styles take it."""
    reference = REFERENCES[key]
    kind, fields = _venue(reference.venue)
    people = [f"{family}, {given}" if given else family for family, given in authors_of(reference)]
    fields = {
        "author": " and ".join(people),
        "title": _BRACED.sub(lambda found: f"{{{found[0]}}}", reference.title),
        **fields,
        "year": str(reference.year),
    }
    if reference.doi:
        fields["doi"] = reference.doi
    text = ",\n".join(f"  {name} = {{{value}}}" for name, value in fields.items())
    return f"@{kind}{{{key},\n{text}\n}}"


def _venue(venue: str) -> tuple[str, dict[str, str]]:
    """Kind of publication, and where it appeared."""
    if venue.startswith("Proceedings"):
        return "inproceedings", {"booktitle": venue}
    if venue.lower().startswith("arxiv"):
        return "misc", {"howpublished": venue}
    if venue.startswith("PhD thesis, "):
        return "phdthesis", {"school": venue.removeprefix("PhD thesis, ")}
    if edition := re.match(r"(\d+\w+) edition, (.+)", venue):
        return "book", {"edition": edition[1], "publisher": edition[2]}
    found = _ARTICLE.match(venue)
    if found:
        number = _DASH.sub("--", found["number"] or "")
        fields = {"journal": found["journal"], "volume": found["volume"], "number": number}
        fields["pages"] = _DASH.sub("--", found["pages"] or found["page"] or "")
        return "article", {name: value for name, value in fields.items() if value}
    if ", " in venue:
        book, _, publisher = venue.rpartition(", ")
        return "incollection", {"booktitle": book, "publisher": publisher}
    return "book", {"publisher": venue}


def bibtex(keys: Iterable[str]) -> str:
    """References as a BibTeX file."""
    return "\n\n".join(entry(key) for key in keys) + "\n"
