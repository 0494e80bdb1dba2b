"""Score files of many formats, one format a file, all read into a ScoreMatrix."""

from nlpstat_core.readers.boards import EACH, ScoreBoards, read_board, read_boards
from nlpstat_core.readers.checks import check_scores, document_column, proposed_block
from nlpstat_core.readers.checks.missing import fewest_shared
from nlpstat_core.readers.checks.suspects import is_summary, summary_units
from nlpstat_core.readers.formats import READERS, describe_formats, example_text
from nlpstat_core.readers.open import Limits
from nlpstat_core.readers.preview import Preview, preview
from nlpstat_core.readers.read import read_scores
from nlpstat_core.readers.roles import Role, Roles, RolesNeeded
from nlpstat_core.readers.roles.choices import READING_KEYWORDS, reading_keywords

__all__ = [
    "EACH",
    "READERS",
    "READING_KEYWORDS",
    "Limits",
    "Preview",
    "Role",
    "Roles",
    "RolesNeeded",
    "ScoreBoards",
    "check_scores",
    "describe_formats",
    "document_column",
    "example_text",
    "fewest_shared",
    "is_summary",
    "preview",
    "proposed_block",
    "read_board",
    "read_boards",
    "read_scores",
    "reading_keywords",
    "summary_units",
]
