"""Tables of tools that give every system a file of its own: VLMEvalKit and ragas."""

import re
from collections.abc import Sequence

from nlpstat_core.errors import ScoreFileError, shown
from nlpstat_core.readers.tools.record import Role, Rows, Source, Table, Tidy, Tool
from nlpstat_core.readers.tools.systems import file_systems, without_shared_end
from nlpstat_core.readers.tools.values import ONE_SCORE, is_numeric

HITS = ("hit", "score", "eval_score", "verifier_score", "judge_score")
_LABELS = ("category", "l2-category", "split")
_MISSING = ("", "nan", "none", "na", "null")
_SAMPLE = re.compile(
    r"user_input|retrieved_contexts|reference_contexts|(?:retrieved|reference)_context_ids|response|multi_responses"
    r"|reference|rubrics?|persona_name|query_style|query_length|question|contexts|answer|ground_truths?|unnamed.*|"
)
_RAGAS = re.compile(
    r"faithfulness|answer_(?:relevancy|relevance|similarity|correctness)|(?:llm_|non_llm_)?context_\w+"
    r"|factual_correctness.*|response_relevancy|semantic_similarity|noise_sensitivity.*|nv_\w+"
)
VLM_EXAMPLE = """index,question,A,B,answer,prediction,category,hit
0,What is on the table?,a cup,a hat,A,A,recognition,1
1,How many birds?,two,three,B,A,counting,0
"""
RAGAS_EXAMPLE = """user_input,retrieved_contexts,response,reference,faithfulness,answer_relevancy
Who wrote it?,['…'],Ada wrote it.,Ada,1.0,0.91
When?,['…'],In 1843.,1843,0.5,0.88
"""


def _names(source: Source) -> list[str]:
    """The columns' names in lower case; none where the file is no table."""
    if source.kind == "text":
        first = source.beginning.lstrip("\ufeff").split("\n", 1)[0].lower()
        if not any(word in first for word in ("index", "user_input", "question", "overall")):
            return []
    elif source.kind != "excel":
        return []
    try:
        table = source.table
    except ScoreFileError:  # who reads it as a table says what is wrong
        return []
    return [name.strip().lower() for name in table.header]


def _recognises_vlm(source: Source) -> str | None:
    """Columns index, prediction and question or answer; tables of accuracies are known to be refused."""
    names = _names(source)
    if {"index", "prediction"} <= set(names) and {"question", "answer"} & set(names):
        return "records of VLMEvalKit" if set(HITS) & set(names) else "predictions of VLMEvalKit"
    return "accuracies of VLMEvalKit" if names[:2] == ["split", "overall"] else None


def _tables_vlm(sources: Sequence[Source]) -> Tidy:
    kept = [source for source in sources if _recognises_vlm(source) == "records of VLMEvalKit"]
    if not kept:
        if any(_recognises_vlm(source) == "predictions of VLMEvalKit" for source in sources):
            raise ScoreFileError(
                "predictions without a column 'hit'; give the records that the evaluation wrote."
            )
        raise ScoreFileError(f"{ONE_SCORE} (the records with a column 'hit').")
    labels = dict.fromkeys(_LABELS, Role.LABEL)
    rows = Rows({"model": Role.SYSTEM, "index": Role.UNIT, "question": Role.TEXT, **labels})
    systems = without_shared_end(file_systems(kept), "_")
    for system, source in zip(systems, kept, strict=True):
        table = source.table
        by_name = {name.strip().lower(): place for place, name in reversed(list(enumerate(table.header)))}
        hit = next(name for name in HITS if name in by_name)
        columns = [
            table.texts(by_name[name]) if name in by_name else [""] * len(table)
            for name in ("index", "question", *_LABELS)
        ]
        # Workbooks add a point to an index.
        for line, score, *place in zip(table.lines, table.texts(by_name[hit]), *columns, strict=True):
            scores = {hit: _score(score, hit, table.where, line)}
            rows.add((system, place[0].removesuffix(".0"), *place[1:]), scores, line)
    return rows.tidy("records of VLMEvalKit", where=kept[0].table.where)


def _recognises_ragas(source: Source) -> str | None:
    """The fields of a sample, with at least one metric of ragas."""
    names = _names(source) if source.kind == "text" else []
    asked = "user_input" in names or {"question", "contexts"} <= set(names)
    if not asked or not {"response", "answer", "retrieved_contexts", "contexts"} & set(names):
        return None
    known = any(_RAGAS.fullmatch(name) for name in names if not _SAMPLE.fullmatch(name))
    return "samples scored by ragas" if known and not {"model", "system"} & set(names) else None


def _tables_ragas(sources: Sequence[Source]) -> Tidy:
    rows = Rows({"system": Role.SYSTEM, "sample": Role.UNIT, "user_input": Role.TEXT})
    opened = [source.table for source in sources]
    asked = [_asked(table) for table in opened]
    by_order = all(texts == asked[0] for texts in asked)
    for system, table, texts in zip(file_systems(sources), opened, asked, strict=True):
        cells = {name: table.texts(i) for i, name in enumerate(table.header) if _is_metric(table, i)}
        for row, (line, text) in enumerate(zip(table.lines, texts, strict=True)):
            unit = str(row + 1) if by_order else text
            scores = {name: _score(column[row], name, table.where, line) for name, column in cells.items()}
            rows.add((system, unit, text), scores, line)
    return rows.tidy("samples scored by ragas", where=opened[0].where)


def _asked(table: Table) -> list[str]:
    names = [name.strip().lower() for name in table.header]
    return table.texts(names.index("user_input" if "user_input" in names else "question"))


def _is_metric(table: Table, place: int) -> bool:
    if _SAMPLE.fullmatch(table.header[place].strip().lower()):
        return False
    cells = [cell for cell in table.texts(place) if cell.lower() not in _MISSING]
    numeric = sum(is_numeric(cell) or cell.lower() in ("true", "false") for cell in cells)
    return numeric > 0 and numeric > 0.9 * len(cells)


def _score(text: str, column: str, where: str, line: int) -> float | None:
    if text.lower() in _MISSING:
        return None
    if text.lower() in ("true", "false"):
        return float(text.lower() == "true")
    if not is_numeric(text) or "inf" in text.lower():
        raise ScoreFileError(f"{where} {line}, column {shown(column)}: {shown(text)} isn't a number.")
    return float(text)


VLMEVALKIT = Tool(
    key="vlmevalkit",
    label="VLMEvalKit: records with a column hit",
    example=VLM_EXAMPLE,
    documented="https://github.com/open-compass/VLMEvalKit",
    description="System: the file. Item: index. Score: hit.",
    recognises=_recognises_vlm,
    tables=_tables_vlm,
)
RAGAS = Tool(
    key="ragas",
    label="ragas: to_pandas() as CSV, one system per file",
    example=RAGAS_EXAMPLE,
    documented="https://docs.ragas.io",
    description="System: the file. Item: the sample. Scores: the metrics.",
    recognises=_recognises_ragas,
    tables=_tables_ragas,
)
