"""Tokens in columns, a blank line after every sentence: tags (CoNLL 2000 to 2003) and trees (CoNLL-U)."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from nlpstat_core.errors import ScoreFileError, shown

TAG = re.compile(r"O|[BIESLUM][-_]\S+")
_SENTENCE = re.compile(r"#\s*(?:sent_id|sentence_id|id)\s*[=:]?\s+([^\s\t][^\t]*)")
_DOCUMENT = re.compile(r"#\s*newdoc(?:\s+id\s*=\s*(.*))?")
_NODE = re.compile(r"\d+(?:[-.]\d+)?")  # 3, 2-3 for a written word of two, 3.1 for a word that isn't there
_DOCSTART = "-DOCSTART-"
_NAMED = (".conll", ".conllu", ".iob", ".iob2", ".bio", ".conll03", ".conll2003")
_TREE_COLUMNS = 10
_HEAD, _RELATION, _FORM = 6, 7, 1


@dataclass(frozen=True, kw_only=True)
class Sentences:
    """The sentences of a file.

    kind: "tags" or "trees".
    ids: Those the file gives; None where it gives none.
    lines: Where each sentence begins.
    tokens: The words of each; empty where the file has tags alone.
    values: Of each sentence a tag, or (head, relation), a token.
    documents: The document of each, by name or number; None where the file names none.
    """

    kind: str
    ids: Sequence[str] | None
    lines: Sequence[int]
    tokens: Sequence[tuple[str, ...]]
    values: Sequence[tuple[Any, ...]]
    documents: Sequence[str] | None


@dataclass
class _Block:
    """One sentence while it is read."""

    line: int
    document: str
    name: str
    rows: list[tuple[int, list[str]]]


def sentences_of(text: str, name: str) -> Sentences | None:
    """The sentences of a text in CoNLL columns, None where it is none; ScoreFileError for a broken one."""
    if not _looks_so(text, name):
        return None
    blocks = [block for block in _blocks(text) if block.rows]
    if not blocks:
        return None
    by_name = name.lower().endswith(".conllu") and len(blocks[0].rows[0][1]) == _TREE_COLUMNS
    trees = by_name or all(_is_tree_row(row) for _, row in blocks[0].rows)
    tags = trees or all(TAG.fullmatch(row[-1]) for block in blocks for _, row in block.rows)
    if not tags and not name.lower().endswith(_NAMED):
        return None
    return _trees(blocks) if trees else _tags(blocks)


def _looks_so(text: str, name: str) -> bool:
    """A cheap look: the ending, or a tag or a tree row at the end of the first lines."""
    if name.lower().endswith(_NAMED):
        return True
    start = [line for line in text[:5000].split("\n")[:40] if line.strip() and not line.startswith("#")]
    if not start:
        return False
    rows = [_split(line) for line in start[:20]]
    if all(_is_tree_row(row) for row in rows[:3]):
        return True
    tagged = [row for row in rows[:-1] or rows if row[0] != _DOCSTART]
    return bool(tagged) and "\n\n" in text and all(len(row) > 1 and TAG.fullmatch(row[-1]) for row in tagged)


def _split(line: str) -> list[str]:
    return line.split("\t") if "\t" in line else line.split()


def _is_tree_row(row: Sequence[str]) -> bool:
    if len(row) != _TREE_COLUMNS or not _NODE.fullmatch(row[0]):
        return False
    return row[_HEAD].isdecimal() or not row[0].isdecimal()


def _blocks(text: str) -> list[_Block]:
    found: list[_Block] = []
    width = _width(text)
    document, documents, name = "", 0, ""
    rows: list[tuple[int, list[str]]] = []

    def close() -> None:
        nonlocal rows, name
        if rows:
            found.append(_Block(rows[0][0], document, name, rows))
            rows, name = [], ""

    for number, line in enumerate(text.split("\n"), 1):
        if not line.strip():
            close()
        elif line.startswith(_DOCSTART):
            close()
            documents += 1
            document = str(documents)
        elif line.startswith("#") and not rows and not _is_token(line, width):
            if told := _DOCUMENT.match(line):
                documents += 1
                document = (told[1] or "").strip() or str(documents)
            elif told := _SENTENCE.match(line):
                name = told[1].strip()
        else:
            rows.append((number, _split(line)))
    close()
    return found


def _width(text: str) -> int:
    """Columns of the first line that is no remark; 0 where all are."""
    lines = (line for line in text.split("\n") if line.strip() and not line.startswith(("#", _DOCSTART)))
    return len(_split(next(lines, "")))


def _is_token(line: str, width: int) -> bool:
    """Whether a line with a hash sign in front is a token, no remark: "# O" tags the hash sign itself."""
    row = _split(line)
    if "\t" in line:
        return len(row) == width  # MultiCoNER writes "# id …\tdomain=en" above a sentence
    return len(row) == width > 1 and TAG.fullmatch(row[-1]) is not None


def _tags(blocks: Sequence[_Block]) -> Sentences:
    width = len(blocks[0].rows[0][1])
    for block in blocks:
        for line, row in block.rows:
            if len(row) != width:
                raise ScoreFileError(
                    f"line {line} has {len(row)} columns where the first has {width}; give every token the "
                    "same columns."
                )
    tokens = [tuple(row[0] for _, row in block.rows) if width > 1 else () for block in blocks]
    return _sentences("tags", blocks, tokens, [tuple(row[-1] for _, row in block.rows) for block in blocks])


def _trees(blocks: Sequence[_Block]) -> Sentences:
    tokens: list[tuple[str, ...]] = []
    values: list[tuple[Any, ...]] = []
    for block in blocks:
        # Only whole numbers are nodes of the tree.
        rows = [(line, row) for line, row in block.rows if row[0].isdecimal() or not _NODE.fullmatch(row[0])]
        for line, row in rows:
            if len(row) != _TREE_COLUMNS:
                text = f"line {line} has {len(row)} columns where CoNLL-U has {_TREE_COLUMNS}"
                raise ScoreFileError(f"{text}; separate them by tabs.")
            head = row[_HEAD]
            if not head.isdecimal() or len(head) > 9 or int(head) > len(rows):
                problem = f"the head {shown(head)}, where the sentence has {len(rows)} words"
                raise ScoreFileError(f"line {line} has {problem}; number heads from 1, the root's is 0.")
        tokens.append(tuple(row[_FORM] for _, row in rows))
        values.append(tuple((int(row[_HEAD]), row[_RELATION]) for _, row in rows))
    return _sentences("trees", blocks, tokens, values)


def _sentences(
    kind: str, blocks: Sequence[_Block], tokens: Sequence[tuple[str, ...]], values: Sequence[tuple[Any, ...]]
) -> Sentences:
    named = all(block.name for block in blocks)
    told = any(block.document for block in blocks)
    return Sentences(
        kind=kind,
        ids=[block.name for block in blocks] if named else None,
        lines=[block.line for block in blocks],
        tokens=tokens,
        values=values,
        documents=[block.document or "0" for block in blocks] if told else None,
    )
