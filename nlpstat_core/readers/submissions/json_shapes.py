"""Answers in JSON, brought from the shapes that tools write to records, a list, or answers by item."""

from collections.abc import Mapping
from typing import Any

from nlpstat_core.readers.submissions.separated import is_name

_OF_ANSWERS = ("translations", "hypotheses", "results", "texts", "tags", "data")


class Levels(str):
    """A cell of JSON that has levels of its own: fine beside answers, no answer itself."""

    __slots__ = ()


def squad_records(data: Any) -> list[dict[str, Any]] | None:
    """One record a question of {"data": [{"paragraphs": …}]}: id, question, references; None for other JSON.

    What can't be answered has the empty answer, as the official script has it.
    """
    articles = data.get("data") if isinstance(data, Mapping) else None
    if not isinstance(articles, list) or not articles:
        return None
    if not all(isinstance(one, Mapping) and isinstance(one.get("paragraphs"), list) for one in articles):
        return None
    asked = [
        (article.get("title"), question)
        for article in articles
        for paragraph in article["paragraphs"]
        if isinstance(paragraph, Mapping)
        for question in paragraph.get("qas") or ()
        if isinstance(question, Mapping)
    ]
    return [
        {
            "id": question.get("id"),
            "references": answer_texts(question.get("answers") or []) or [""],
            "question": question.get("question"),
            "document": title,
        }
        for title, question in asked
    ]


def answer_texts(value: Any) -> list[str] | None:
    """The answers in {"text": […], "answer_start": […]} or [{"text": …}, …], each once; None for others."""
    if isinstance(value, Mapping) and isinstance(value.get("text"), list) and "answer_start" in value:
        texts = value["text"]
    elif isinstance(value, list) and all(isinstance(one, Mapping) and "text" in one for one in value):
        texts = [one["text"] for one in value]
    else:
        return None
    return list(dict.fromkeys(map(str, texts)))


def reshaped(data: Any) -> Any:
    """A list of records or of answers, or {item: answer}; what it was where it is none of these.

    pandas writes {"columns": …, "data": …} (orient="split") and {column: {row: cell}} (its default); others
    write {"predictions": […]} and {column: […]}.
    """
    listed = squad_records(data) or _only_list(data)
    if listed is not None:
        return listed
    if not isinstance(data, Mapping) or not data:
        return data
    names, rows = data.get("columns"), data.get("data")
    if (
        isinstance(names, list)
        and isinstance(rows, list)
        and rows
        and all(isinstance(row, list) and len(row) == len(names) for row in rows)
    ):
        return [dict(zip(map(str, names), row, strict=True)) for row in rows]
    columns = _columns(data)
    if columns is not None:
        return [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)]
    answers = _only_answers(data)
    if answers is not None:
        return answers
    if all(isinstance(value, Mapping) for value in data.values()):
        return [{"id": key, **value} for key, value in data.items()]
    return data


def _columns(data: Mapping[str, Any]) -> dict[str, list[Any]] | None:
    """Columns of one length, of which a name says what it is: lists, or cells by row; None for other JSON."""
    if len(data) < 2 or not any(map(is_name, data)):
        return None
    if all(isinstance(value, list) for value in data.values()):
        columns = {name: list(value) for name, value in data.items()}
        return columns if len({len(column) for column in columns.values()}) == 1 else None
    if not all(isinstance(value, Mapping) for value in data.values()):
        return None
    keys = {tuple(value) for value in data.values()}
    rows = next(iter(keys))
    if len(keys) > 1 or not rows or not all(row.isdecimal() for row in rows):
        return None
    return {name: list(value.values()) for name, value in data.items()}


def _only_list(data: Any) -> list[Any] | None:
    """The one list of records in an object that holds it beside remarks."""
    if not isinstance(data, Mapping):
        return None
    lists = [value for value in data.values() if isinstance(value, list)]
    records = [value for value in lists if value and all(isinstance(one, Mapping) for one in value)]
    return records[0] if len(lists) == len(records) == 1 else None


def _only_answers(data: Mapping[str, Any]) -> list[Any] | None:
    """The one list of plain answers beside remarks, where its name says that it holds answers."""
    lists = {name: value for name, value in data.items() if isinstance(value, list)}
    if len(lists) != 1 or any(isinstance(value, Mapping) for value in data.values()):
        return None
    name, answers = next(iter(lists.items()))
    named = is_name(name) or name.strip().lower() in _OF_ANSWERS
    plain = not any(isinstance(one, Mapping) for one in answers)
    return answers if plain and len(answers) > 1 and named else None
