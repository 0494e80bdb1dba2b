"""Writes docs/api.md: every public name with its signature, parameters and example, from the docstrings.

python -m docs.make_api   (`make reference` does it, too)
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import nlpstat_core as ns
from nlpstat_core import testing

PAGE = Path(__file__).with_name("api.md")
HEAD = """\
# Python

Made from the docstrings by `make reference`; do not edit. Every example is run by the test suite.

`import nlpstat_core as ns` loads nothing heavy before it is used. Errors to read are `ns.NlpstatError`."""
_SECTION = re.compile(r"^(\w[\w ]*)\n-+\n", re.MULTILINE)
_LISTS = ("Parameters", "Attributes", "Returns", "Yields", "Raises")


def page() -> str:
    """The whole page.

    Returns
    -------
    str
    """
    names = [(f"ns.{name}", getattr(ns, name)) for name in ns.__all__ if not name.startswith("_")]
    names += [(f"nlpstat_core.testing.{name}", getattr(testing, name)) for name in testing.__all__]
    functions = [part for name, value in names if not isinstance(value, type) for part in entry(name, value)]
    classes = [part for name, value in names if isinstance(value, type) for part in entry(name, value)]
    return "\n\n".join([HEAD, "## Functions", *functions, "## Classes", *classes]) + "\n"


def entry(name: str, value: Any) -> Iterator[str]:
    """A name with all that its docstring says.

    Parameters
    ----------
    name : str
    value : class or function

    Yields
    ------
    str
    """
    yield f"### {name}"
    if (signature := _signature(value)) is not None:
        yield f"```python\n{name}{signature}\n```"
    yield from _docstring(inspect.getdoc(value) or "")
    if isinstance(value, type) and not issubclass(value, Exception):
        methods = list(_methods(value))
        if methods:
            yield "**Methods and properties**"
            yield "\n".join(methods)


def _signature(value: Any) -> str | None:
    """Names and defaults, types stand below; none of exceptions, which take what any does."""
    if isinstance(value, type) and issubclass(value, Exception):
        return None
    found = inspect.signature(value)
    plain = [one.replace(annotation=inspect.Parameter.empty) for one in found.parameters.values()]
    text = (
        str(inspect.Signature([one for one in plain if one.name != "self"]))
        .replace("<factory>", "…")
        .replace("'", '"')
    )  # as Ruff writes it
    if len(text) <= 90:
        return text
    return "(\n" + "".join(f"    {part},\n" for part in _parts(text[1:-1])) + ")"


def _parts(text: str) -> Iterator[str]:
    """What stands between commas outside brackets."""
    depth, start = 0, 0
    for place, sign in enumerate(text):
        depth += (sign in "[({") - (sign in "])}")
        if sign == "," and depth == 0:
            yield text[start:place].strip()
            start = place + 1
    yield text[start:].strip()


def _methods(value: type) -> Iterator[str]:
    """Public methods of the class itself, with their first sentence."""
    for name, member in inspect.getmembers(value):
        function = member if callable(member) else getattr(inspect.getattr_static(value, name), "fget", None)
        named = name.startswith("_") or function is None or inspect.isclass(member)
        if named or not (told := inspect.getdoc(function)) or name in ("count", "index"):
            continue
        call = "" if not callable(member) else _signature(function) or "()"
        yield f"* `{name}{' '.join(call.split())}`: {told.splitlines()[0]}"


def _docstring(text: str) -> Iterator[str]:
    """The paragraphs and sections of a docstring as Markdown."""
    first, *rest = _SECTION.split(text)
    yield first.strip()
    for title, body in zip(rest[::2], rest[1::2], strict=True):
        if title == "Examples":
            yield f"```python\n{body.strip()}\n```"
        elif title in _LISTS:
            yield f"**{title}**"
            yield "\n".join(_items(body))
        else:
            yield (
                f"**{title}.** {' '.join(body.split())}"
                if "\n\n" not in body.strip()
                else f"**{title}**\n\n{body.strip()}"
            )


def _items(body: str) -> Iterator[str]:
    """What is listed, an item a line."""
    told: list[str] = []
    for line in [*body.rstrip().splitlines(), ""]:
        if line and not line.startswith(" "):
            if told:
                yield _item(told)
            told = [line]
        elif line:
            told.append(line.strip())
    if told:
        yield _item(told)


def _item(told: list[str]) -> str:
    name, _, kind = told[0].partition(" : ")
    meaning = " ".join(told[1:])
    kind = f" ({kind.replace('*', chr(92) + '*')})" if kind else ""
    return f"* **`{name}`**{kind}{': ' if meaning else ''}{meaning}"


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
