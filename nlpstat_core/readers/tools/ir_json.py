"""Retrieval measures as JSON: pytrec_eval, ranx and those who write like them."""

import re
from collections.abc import Mapping, Sequence
from typing import Any

from nlpstat_core.errors import ScoreFileError, shown
from nlpstat_core.readers.tools.record import Role, Rows, Source, Tidy, Tool
from nlpstat_core.readers.tools.systems import distinct, file_systems
from nlpstat_core.readers.tools.values import ONE_SCORE, has, is_number, mapping, number

# The measures of trec_eval and of ranx, with their cuts: P_5, ndcg_cut_10, recall@100, ndcg@10-l2.
MEASURE = re.compile(
    r"(?:gm_)?(?:map|ndcg|bpref|recip_rank|r-?prec|rprec|mrr|rr|ap|p|precision|recall|r|hits|hit_rate|hitrate"
    r"|success|f1|f|dcg|dcg_burges|ndcg_burges|rbp|infap|11pt_avg|r-precision|set_(?:p|recall|f|map|relative_p)"
    r"|iprec_at_recall|map_cut|ndcg_cut|ndcg_rel|rndcg|num_(?:ret|rel|rel_ret|q|nonrel_judged_ret)|utility|bing|g"
    r"|rprec_mult|relative_p)(?:[_@.](?:\d[\d.]*|mult_[\d.]+))?(?:-l\d+)?",
    re.IGNORECASE,
)
RUN = "documents by query"
_USUAL = ("map", "ndcg", "ndcg_cut_10", "ndcg@10", "recip_rank", "mrr")
_PAIRS = re.compile(r'\s*\{\s*"[^"]*"\s*:\s*\{\s*"[^"]*"\s*:\s*-?\d')
_MANY = 5  # queries of a run; fewer may be systems with units of their own
EXAMPLE = """{"q1": {"map": 0.3333, "ndcg": 0.5}, "q2": {"map": 0.5833, "ndcg": 0.6934}}
"""


def _recognises(source: Source) -> str | None:
    """Queries with the same measures each; runs, judgements and reports are known in order to be refused."""
    if source.kind != "json" or not source.beginning.lstrip("\ufeff \t\r\n").startswith("{"):
        return None
    if has(source, "stat_test", "model_names", "metrics"):
        return "a report of ranx"
    measured = re.search(rf'"{MEASURE.pattern}"\s*:', source.beginning, re.IGNORECASE)
    if not measured and not _PAIRS.match(source.beginning):
        return None
    try:
        content = source.json
    except ScoreFileError:
        return None
    if _shape(content):
        return "measures by query"
    if _is_means(content):
        return "means of measures"
    return RUN if _is_run(content) else None


def _is_means(content: Any) -> bool:
    """Whether measures stand below measures with their cuts, as BEIR prints means over queries."""
    if not _is_nested(content) or not all(map(MEASURE.fullmatch, content)):
        return False
    inner = [key for board in content.values() for key in board]
    return all("@" in key and MEASURE.fullmatch(key) for key in inner)


def _is_run(content: Any) -> bool:
    """Whether many queries hold documents of their own: systems would share units."""
    if not _is_nested(content) or len(content) < _MANY:
        return False
    keys = [key for board in content.values() for key in board]
    plain = all(is_number(value) for board in content.values() for value in board.values())
    return plain and len(set(keys)) > 0.9 * len(keys)


def _shape(content: Any) -> str | None:
    """What the levels are: query and measure, measure and query, or these below systems."""
    if not _is_nested(content):
        return None
    first = next(iter(content.values()))
    if _is_nested(first):
        inner = {_shape(board) if _is_nested(board) else None for board in content.values()}
        return f"system {inner.pop()}" if len(inner) == 1 and inner <= {"query", "measure"} else None
    keys = set(first)
    if all(map(MEASURE.fullmatch, content)) and not any(map(MEASURE.fullmatch, keys)):
        return "measure"
    same = all(isinstance(board, dict) and set(board) == keys for board in content.values())
    known = sum(1 for key in keys if MEASURE.fullmatch(key))  # ir_measures has more, such as Judged@10
    return "query" if same and known >= len(keys) / 2 else None


def _is_nested(content: Any) -> bool:
    inside = content.values() if isinstance(content, dict) else ()
    return bool(inside) and all(isinstance(one, dict) and one for one in inside)


def _tables(sources: Sequence[Source]) -> Tidy:
    """One system a file, or those named at the first level; a unit is a query."""
    kept = [source for source in sources if _recognises(source) == "measures by query"]
    if any(_recognises(source) == RUN for source in sources) and not kept:
        raise ScoreFileError(
            "these are documents by query (a run or relevance judgements), not scores; evaluate them first, "
            "with pytrec_eval or ranx, and give the measures by query."
        )
    if not kept:
        raise ScoreFileError(f"{ONE_SCORE} (ranx: evaluate with return_mean=False).")
    boards: list[tuple[str, str, Mapping[str, Any]]] = []
    for own, source in zip(file_systems(kept), kept, strict=True):
        shape = _shape(source.json) or "query"
        kind = shape.rpartition(" ")[2]
        below = source.json if shape.startswith("system") else {own: source.json}
        boards += [(system, own, _by_query(board, kind)) for system, board in below.items()]
    names = distinct([system for system, *_ in boards], [own for _, own, _ in boards])
    rows = Rows({"run": Role.SYSTEM, "query": Role.UNIT})
    for name, (*_, board) in zip(names, boards, strict=True):
        for query, values in board.items():
            scores = {
                measure: number(value, f"{shown(measure)} of query {shown(query)}")
                for measure, value in mapping(values, f"query {shown(query)}").items()
            }
            rows.add((name, query), scores)
    there = {measure for scores in rows.scores for measure in scores}
    return rows.tidy("measures by query", next((measure for measure in _USUAL if measure in there), None))


def _by_query(board: Mapping[str, Any], kind: str) -> Mapping[str, Any]:
    if kind == "query":
        return board
    transposed: dict[str, dict[str, Any]] = {}
    for measure, values in board.items():
        for query, value in values.items():
            transposed.setdefault(query, {})[measure] = value
    return transposed


IR_JSON = Tool(
    key="pytrec-eval",
    label="pytrec_eval and ranx: measures by query as JSON",
    example=EXAMPLE,
    documented="https://github.com/cvangysel/pytrec_eval",
    description="System: the file, or the first level. Item: the query. Scores: the measures.",
    recognises=_recognises,
    tables=_tables,
)
