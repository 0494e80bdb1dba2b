"""Reading choices on the command line: each has its option, and several files are one board."""

import gzip
import json
from pathlib import Path
from typing import Any

import pytest

from nlpstat_core import cli
from nlpstat_core.readers import READING_KEYWORDS
from nlpstat_core.reading import FLAGS, READING


def board(capfdbinary: Any, *arguments: object) -> dict[str, Any]:
    """The JSON of an analysis."""
    status = cli.main(["analyse", *map(str, arguments), "--json", "-"])
    captured = capfdbinary.readouterr()
    assert (status, captured.err) == (0, b"")
    found: dict[str, Any] = json.loads(captured.out)
    return found


def refusal(capfdbinary: Any, *arguments: object) -> str:
    """The one line that says why not."""
    status = cli.main(["analyse", *map(str, arguments)])
    captured = capfdbinary.readouterr()
    assert (status, captured.out) == (2, b"")
    assert captured.err.count(b"\n") == 1
    return captured.err.decode()


def lines(systems: str, score: int) -> str:
    """Rows of long data: ten units of each system."""
    return "".join(f"{name},u{i},{(i * score + ord(name)) % 7}\n" for name in systems for i in range(10))


def test_every_reading_keyword_is_an_option() -> None:
    options = {*READING, *FLAGS}
    assert set(READING_KEYWORDS) <= options
    assert {"max_bytes", "max_unpacked_bytes", "max_rows", "max_columns", "max_cells"} <= options


def test_options_reach_the_reader(tmp_path: Path, capfdbinary: Any) -> None:
    long = tmp_path / "long.csv"
    long.write_text("who,item,TER\n" + lines("ABC", 3), encoding="utf-8")
    text = board(capfdbinary, long, "--system-column", "who", "--higher-is-better")
    assert (text["systems"], text["config"]["reading"]["lower_is_better"]) == (3, False)
    odd = tmp_path / "odd.txt"
    odd.write_text("item|A|B\n" + "".join(f"u{i}|{i % 5}|{i % 3}\n" for i in range(10)), encoding="utf-8")
    assert board(capfdbinary, odd, "--delimiter", "|")["systems"] == 2
    both = ("--id-column", "item", "--label-columns", "item")
    assert "can't be both the item id and a label" in refusal(capfdbinary, odd, "--delimiter", "|", *both)
    assert "--max-cells" in refusal(capfdbinary, long, "--max-cells", "20", "--system-column", "who")
    assert "--max-columns" in refusal(capfdbinary, long, "--max-columns", "2")
    assert "--max-columns must be a whole number" in refusal(capfdbinary, long, "--max-columns", "two")
    packed = tmp_path / "long.csv.gz"
    packed.write_bytes(gzip.compress(long.read_bytes()))
    assert board(capfdbinary, packed, "--system-column", "who")["units"] == 10
    assert "--max-unpacked-bytes" in refusal(capfdbinary, packed, "--max-unpacked-bytes", "50")


def test_several_files_are_one_board(tmp_path: Path, capfdbinary: Any) -> None:
    for name, step in (("A", 3), ("B", 5), ("C", 1)):
        rows = [f"u{i},{i * step % 7}" for i in range(20)]
        (tmp_path / f"{name}.csv").write_text("\n".join(["item,bleu", *rows]), encoding="utf-8")
    paths = [tmp_path / f"{name}.csv" for name in "ABC"]
    together = board(capfdbinary, *paths)
    assert {row["system"] for row in together["leaderboard"]} == {"A", "B", "C"}
    assert together["fingerprint"] == board(capfdbinary, tmp_path)["fingerprint"]
    config = tmp_path / "again.json"
    config.write_text(json.dumps(together["config"]), encoding="utf-8")
    assert board(capfdbinary, *paths, "--config", config)["pairs"] == together["pairs"]
    assert cli.main(["diagnose", *map(str, paths)]) == 0


@pytest.mark.parametrize("option", ["--sheet", "--system-column", "--delimiter"])
def test_bad_values_are_one_line(option: str, tmp_path: Path, capfdbinary: Any) -> None:
    path = tmp_path / "x.csv"
    path.write_text("item,A,B\nu1,1,2\nu2,2,3\nu3,1,1\n", encoding="utf-8")
    if option != "--sheet":  # a table has no sheets, so the choice has nothing to say
        assert refusal(capfdbinary, path, option, "nothing at all")


def test_roles_and_quotes_are_told_on_the_command_line(tmp_path: Path, capfdbinary: Any) -> None:
    path = tmp_path / "odd.csv"
    rows = "".join(f"{s},p{i},{(i * 3 + len(s)) % 7},{1700 + i}\n" for s in ("x", "yy") for i in range(10))
    path.write_text("who,piece,points,clock\n" + rows, encoding="utf-8")
    roles = "system=who,unit=piece,score=points"
    found = board(capfdbinary, path, "--roles", roles, "--no-quotes")
    assert (found["systems"], found["units"]) == (2, 10)
    reading = found["config"]["reading"]
    assert reading["roles"] == {"system": ["who"], "unit": ["piece"], "score": ["points"]}
    config = tmp_path / "run.json"
    config.write_text(json.dumps(found["config"]), encoding="utf-8")
    assert board(capfdbinary, path, "--config", config)["fingerprint"] == found["fingerprint"]
    assert b"did you mean 'who'" in refusal(capfdbinary, path, "--roles", "system=whom").encode()
    own = tmp_path / "own.csv"
    own.write_text(
        "id,system,score\n" + "".join(f"{s}{i},{s},0.{i}\n" for s in "AB" for i in range(9)), encoding="utf-8"
    )
    text = refusal(capfdbinary, own)
    assert "no item is shared by two systems: the ids in 'id'" in text
    assert "--roles unit=id" in text
