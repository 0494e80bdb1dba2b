"""The input formats in the order they are tried."""

from nlpstat_core.readers.archive import ZIP
from nlpstat_core.readers.counts import COUNTS
from nlpstat_core.readers.excel import EXCEL
from nlpstat_core.readers.json_file import JSON
from nlpstat_core.readers.jsonl import JSONL
from nlpstat_core.readers.lines import LINES
from nlpstat_core.readers.lm_eval import LM_EVAL
from nlpstat_core.readers.long import LONG
from nlpstat_core.readers.parquet import PARQUET
from nlpstat_core.readers.plain import COLUMNS
from nlpstat_core.readers.record import Reader
from nlpstat_core.readers.system_score import SYSTEM_SCORE
from nlpstat_core.readers.trec_eval import TREC_EVAL
from nlpstat_core.readers.wide import WIDE
from nlpstat_core.readers.wmt_seg import WMT_SEG

READERS: tuple[Reader, ...] = (
    EXCEL,
    PARQUET,
    ZIP,
    LM_EVAL,
    JSONL,
    JSON,
    TREC_EVAL,
    WMT_SEG,
    SYSTEM_SCORE,
    COLUMNS,
    COUNTS,
    LONG,
    WIDE,
    LINES,
)
