"""The input formats in the order they are tried."""

from nlpstat_core.readers.record import Reader
from nlpstat_core.readers.wide import WIDE

READERS: tuple[Reader, ...] = (WIDE,)
