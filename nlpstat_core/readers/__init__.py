"""Score files of many formats, one format a file, all read into a ScoreMatrix."""

from nlpstat_core.readers.audit import audit
from nlpstat_core.readers.catalogue import READERS
from nlpstat_core.readers.read import read_scores
from nlpstat_core.readers.record import READING_KEYWORDS, Reader, reading_keywords
from nlpstat_core.readers.source import Limits

__all__ = ["READERS", "READING_KEYWORDS", "Limits", "Reader", "audit", "read_scores", "reading_keywords"]
