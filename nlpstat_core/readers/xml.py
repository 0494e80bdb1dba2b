"""XML documents gone through element by element, without entities of their own."""

from __future__ import annotations

from xml.parsers import expat

from nlpstat_core.errors import ScoreFileError

Attributes = dict[str, str]


class Xml:
    """A pass over one XML document; `start`, `text` and `end` get names without the prefix of the root."""

    def start(self, name: str, attributes: Attributes) -> None:
        """An element begins."""

    def text(self, text: str) -> None:
        """Text inside an element."""

    def end(self, name: str) -> None:
        """An element ends."""

    def parse(self, content: bytes) -> None:
        """Go through a document.

        Parameters
        ----------
        content : bytes

        Raises
        ------
        ScoreFileError
            Broken XML, or XML that defines entities of its own.
        """
        parser = expat.ParserCreate()
        parser.buffer_text = True

        def root(name: str, attributes: Attributes) -> None:
            """Most documents use no prefix; millions of elements then need no look at their names."""
            prefix, colon, _ = name.rpartition(":")
            if colon:
                own = prefix + colon
                parser.StartElementHandler = lambda name, found: self.start(name.removeprefix(own), found)
                parser.EndElementHandler = lambda name: self.end(name.removeprefix(own))
            else:
                parser.StartElementHandler, parser.EndElementHandler = self.start, self.end
            parser.StartElementHandler(name, attributes)

        parser.StartElementHandler = root
        parser.CharacterDataHandler = self.text
        _go_through(parser, content)


def check(content: bytes) -> None:
    """See whether a document is whole.

    Parameters
    ----------
    content : bytes

    Raises
    ------
    ScoreFileError
        Broken XML, or XML that defines entities of its own.
    """
    _go_through(expat.ParserCreate(), content)


def _go_through(parser: expat.XMLParserType, content: bytes) -> None:
    parser.StartDoctypeDeclHandler = _refuse_doctype
    try:
        parser.Parse(content, True)
    except (expat.ExpatError, ValueError, LookupError) as error:
        if isinstance(error, ScoreFileError):
            raise
        raise ScoreFileError("the workbook is broken; save it again as .xlsx or CSV.") from None


def _refuse_doctype(*_: object) -> None:
    raise ScoreFileError("the workbook is written in an unusual way; save it again as .xlsx or CSV.")


class Elements(Xml):
    """Attributes of all elements of one name."""

    def __init__(self, wanted: str) -> None:
        self.wanted = wanted
        self.found: list[Attributes] = []

    def start(self, name: str, attributes: Attributes) -> None:
        """Keep the attributes of an element of that name."""
        if name == self.wanted:
            self.found.append(attributes)
