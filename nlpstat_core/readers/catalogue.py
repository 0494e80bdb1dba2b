"""The input formats in the order they are tried."""

from nlpstat_core.readers.long import LONG
from nlpstat_core.readers.plain import COLUMNS
from nlpstat_core.readers.record import Reader
from nlpstat_core.readers.system_score import SYSTEM_SCORE
from nlpstat_core.readers.wide import WIDE
from nlpstat_core.readers.wmt_seg import WMT_SEG

READERS: tuple[Reader, ...] = (WMT_SEG, SYSTEM_SCORE, COLUMNS, LONG, WIDE)
