"""Score files of many formats, one format a file, all read into a ScoreMatrix."""

from nlpstat_core.readers.audit import audit, proposed_block
from nlpstat_core.readers.boards import EACH, ScoreBoards, read_boards
from nlpstat_core.readers.catalogue import READERS
from nlpstat_core.readers.choices import READING_KEYWORDS, reading_keywords
from nlpstat_core.readers.describe import describe_formats, example_text
from nlpstat_core.readers.firstboard import read_board
from nlpstat_core.readers.missing import fewest_shared
from nlpstat_core.readers.preview import Preview, preview
from nlpstat_core.readers.read import read_scores
from nlpstat_core.readers.record import Reader
from nlpstat_core.readers.source import Limits

__all__ = [
    "EACH",
    "READERS",
    "READING_KEYWORDS",
    "Limits",
    "Preview",
    "Reader",
    "ScoreBoards",
    "audit",
    "describe_formats",
    "example_text",
    "fewest_shared",
    "preview",
    "proposed_block",
    "read_board",
    "read_boards",
    "read_scores",
    "reading_keywords",
]
