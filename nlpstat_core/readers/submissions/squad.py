"""Questions with their answers as SQuAD writes them, and lists of answers inside of records."""

from collections.abc import Mapping
from typing import Any


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
