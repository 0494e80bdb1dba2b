"""The catalogue of tools: complete, and no tool takes a file that isn't its own."""

import pytest

from nlpstat_core.readers.open import Limits, Source
from nlpstat_core.readers.open.files import open_files
from nlpstat_core.readers.tools import TOOLS, Tool
from nlpstat_core.scores.matrix import ScoreMatrix
from tests.core.toolcheck import dumped
from tests.fuzz.formats import FORMATS

ORDINARY = {
    "wide": b"item,Tern,Heron\ns1,0.5,0.25\ns2,1,0\n",
    "long": b"system\titem\tscore\nTern\ts1\t0.5\nHeron\ts1\t1\nTern\ts2\t0.5\nHeron\ts2\t1\n",
    "ids beside scores": b"item\tscore\ns1\t0.5\ns2\t0.25\n",
    "names once": b"s1\t0.5\ns2\t0.25\ns3\t1\n",
    "numbers": b"0.5 0.25\n0.75 1\n",
    "numbers in three columns": b"301 0.5 0.25\n302 0.75 1\n",
    "called map": b"query\tmap\tndcg\n1\t0.5\t0.25\n2\t1\t0.5\n",
    "answers of models": b"model,question,answer,prediction,hit\na,q1,x,x,1\nb,q1,x,y,0\n",
    "list of records": dumped([{"item": "s1", "Tern": 0.5}, {"item": "s2", "Tern": 1}]),
    "systems": dumped({"Tern": {"s1": 0.5, "s2": 1}, "Heron": {"s1": 0.25, "s2": 0}}),
    "a ranked list as JSON": dumped({"q1": {"d1": 2.5, "d2": 1}, "q2": {"d3": 0.5}}),
    "eval-arena": b'{"model": "a", "example_id": 1, "pass1": 1}\n' * 2,
    "results and names": dumped({"results": [{"name": "a", "score": 1}], "eval": "x"}),
    "a list of numbers": b"[1, 2, 3]",
    "no text": bytes(range(256)),
}


def recognised(data: bytes, path: str) -> list[str]:
    return [tool.key for tool in TOOLS if tool.recognises(Source(path, data, Limits()))]


@pytest.mark.parametrize("name", ORDINARY)
def test_ordinary_tables_are_no_tool_s(name: str) -> None:
    assert recognised(ORDINARY[name], "scores.txt") == []


@pytest.mark.parametrize("tool", TOOLS, ids=lambda tool: tool.key)
def test_every_tool_has_an_example_of_its_own(tool: Tool) -> None:
    source = Source(tool.named, tool.example.encode(), Limits())
    assert recognised(tool.example.encode(), source.path)[0] == tool.key
    tidy = tool.tables([source])
    assert len(tidy.table) > 0
    assert set(tidy.roles) <= set(tidy.table.header)
    assert tool.documented.startswith("https://")
    assert tool.label
    assert tool.description.endswith(".")


def test_every_tool_is_written() -> None:
    """The round trips and the fuzz run see every tool."""
    keys = [tool.key for tool in TOOLS]
    assert len(set(keys)) == len(keys)
    scores = ScoreMatrix(values=[[1, 0], [0.5, 1]], systems=["a", "b"], units=["u1", "u2"])
    written: set[str] = set()
    for format in FORMATS:
        for source in open_files(format.write(scores).files, Limits()).sources:
            written.update(tool.key for tool in TOOLS if tool.recognises(source))
    assert written == set(keys)
