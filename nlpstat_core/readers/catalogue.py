"""The input formats in the order they are tried."""

from nlpstat_core.readers.long import LONG
from nlpstat_core.readers.plain import COLUMNS
from nlpstat_core.readers.record import Reader
from nlpstat_core.readers.wide import WIDE

READERS: tuple[Reader, ...] = (COLUMNS, LONG, WIDE)
