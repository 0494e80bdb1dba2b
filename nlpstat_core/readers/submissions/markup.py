"""Segments of translations in the markup of WMT: SGML of one set, XML of sources, references and outputs."""

import html
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from nlpstat_core.errors import ScoreFileError, shown

_PARTS = re.compile(
    r"<(?P<set>refset|tstset|srcset|src|ref|hyp|doc)\b(?P<of>[^>]*)>"
    r"|<seg\b(?P<named>[^>]*?)(?:/>|>(?P<text>.*?)</seg\s*>)",
    re.IGNORECASE | re.DOTALL,
)
_ATTRIBUTE = re.compile(r"([\w:-]+)\s*=\s*(?:\"([^\"]*)\"|'([^']*)')")
_ID, _DOCUMENT = "id", "document"
_SOURCE, _REFERENCE = "source", "reference"


@dataclass
class _Reading:
    """What is read of the markup so far: the place, and the texts of each set by document and segment."""

    column: str = "output"
    document: str = ""
    system: str = ""
    columns: dict[str, dict[tuple[str, str], str]] = field(default_factory=dict)

    def enter(self, name: str, told: Mapping[str, str]) -> None:
        """Go into a document or a set."""
        if name == "doc":
            self.document = told.get("docid") or told.get("id", "")
            self.system = told.get("sysid", self.system)
        elif name in ("src", "srcset"):
            self.column = _SOURCE
        elif name == "ref":
            self.column = f"{_REFERENCE} {told.get('translator', '')}".strip()
        elif name == "refset":
            self.column = _REFERENCE
        elif name == "hyp":
            self.column = told.get("system") or "output"

    def add(self, segment: str, text: str) -> None:
        """Keep a segment's text."""
        own = self.columns.setdefault(self.column, {})
        key = (self.document, segment)
        if key in own:
            where = f" of the document {shown(self.document)}" if self.document else ""
            raise ScoreFileError(
                f"the segment {shown(segment)}{where} appears twice; give every segment once."
            )
        own[key] = text


def segments_of(text: str) -> tuple[tuple[str, ...], list[tuple[str, ...]]] | None:
    """Header and rows, one a segment, of a text in WMT's markup; None where it is none.

    Ids are those of documents and segments, for segments count from 1 in every document.
    Raises ScoreFileError: A segment twice or without an id.
    """
    if text.lstrip()[:1] != "<" or "<seg" not in text.lower():
        return None
    reading = _Reading()
    for part in _PARTS.finditer(text):
        told = _attributes(part["of"] or part["named"] or "")
        if part["set"] is not None:
            reading.enter(part["set"].lower(), told)
            continue
        if "id" not in told:
            raise ScoreFileError(
                f"the segment {shown(part['text'] or '')} has no id; give every segment one."
            )
        reading.add(told["id"], " ".join(html.unescape(part["text"] or "").split()))
    return _table(reading.columns)


def _attributes(text: str) -> dict[str, str]:
    return {
        name.lower(): html.unescape(double or single) for name, double, single in _ATTRIBUTE.findall(text)
    }


def _table(
    columns: Mapping[str, Mapping[tuple[str, str], str]],
) -> tuple[tuple[str, ...], list[tuple[str, ...]]] | None:
    keys: Sequence[tuple[str, str]] = list(dict.fromkeys(key for own in columns.values() for key in own))
    if not keys:
        return None
    references = [name for name in columns if name.startswith(_REFERENCE)]
    numbered = {name: f"{_REFERENCE}{place}" for place, name in enumerate(references, 1)}
    if len(references) == 1:
        numbered = {references[0]: _REFERENCE}
    header = (_ID, _DOCUMENT, *(numbered.get(name, name) for name in columns))
    rows = [
        (
            f"{document}:{segment}" if document else segment,
            document,
            *(own.get((document, segment), "") for own in columns.values()),
        )
        for document, segment in keys
    ]
    return header, rows
