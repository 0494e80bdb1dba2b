"""The site: it builds without a warning, its links lead somewhere, what scripts made is up to date."""

import importlib
import json
import os
import re
import subprocess
import sys
from html.parser import HTMLParser
from pathlib import Path

import pytest

from nlpstat_core.cli import main

ROOT = Path(__file__).parents[1]
DATA = ROOT.parent / "shared" / "data"


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    folder = tmp_path_factory.mktemp("site")
    done = subprocess.run(
        [sys.executable, "-m", "mkdocs", "build", "--strict", "--site-dir", str(folder)],
        cwd=ROOT,
        env={**os.environ, "NO_MKDOCS_2_WARNING": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return folder


class Links(HTMLParser):
    def __init__(self):
        super().__init__()
        self.links, self.ids = [], set()

    def handle_starttag(self, tag, attrs):
        found = dict(attrs)
        self.links += [found[key] for key in ("href", "src") if found.get(key)]
        self.ids.add(found.get("id"))


def test_every_link_of_the_site_leads_somewhere_in_it(site):
    pages = {}
    for path in site.rglob("*.html"):
        pages[path] = Links()
        pages[path].feed(path.read_text(encoding="utf-8"))
    assert len(pages) >= 16
    for path, found in pages.items():
        for link in found.links:
            if re.match(r"https?:|mailto:|data:", link) or path.name == "404.html":
                continue
            target, _, part = link.partition("#")
            there = (path.parent / target).resolve() if target else path
            there = there / "index.html" if there.is_dir() else there
            assert there.exists(), (path.name, link)
            if part and part != "__codelineno" and there in pages:
                assert part in pages[there].ids, (path.name, link)


def test_nothing_is_fetched_from_elsewhere(site):
    for path in site.rglob("*.html"):
        text = path.read_text(encoding="utf-8")
        assert not re.findall(r"<(?:script|link|img)[^>]+(?:src|href)=\"https?://[^\"]+", text), path.name


def test_calibration_is_drawn_from_the_kept_figures(monkeypatch):
    monkeypatch.syspath_prepend(str(ROOT))
    made = importlib.import_module("docs.make_calibration")
    for path, text in made.page():
        assert path.read_text(encoding="utf-8") == text, "old: run `python -m docs.make_calibration`"


@pytest.mark.skipif(not DATA.exists(), reason="the public data are not beside the repository")
@pytest.mark.parametrize("key", [path.stem for path in sorted((ROOT / "docs" / "gallery").glob("*.svg"))])
def test_the_gallery_says_what_the_data_say(key, monkeypatch):
    monkeypatch.syspath_prepend(str(ROOT))
    made = importlib.import_module("docs.make_gallery")
    board = next(board for board in made.BOARDS if board.key == key)
    analysis = made.analysed(board, DATA)
    kept = json.loads((made.FOLDER / "numbers.json").read_text(encoding="utf-8"))[key]
    assert made.found(board, analysis) == kept
    assert made.section(board, analysis, kept) in made.PAGE.read_text(encoding="utf-8")
    assert made.interval_svg(analysis) == (made.FOLDER / f"{key}.svg").read_text(encoding="utf-8")


@pytest.mark.skipif(not DATA.exists(), reason="the public data are not beside the repository")
@pytest.mark.parametrize("key", ["ucr", "mqm"])
def test_the_command_of_the_gallery_does_a_board_again(key, capfd):
    page = (ROOT / "docs" / "gallery.md").read_text(encoding="utf-8")
    command = next(line for line in re.findall(r"`nlpstat (analyse .*?)`", page) if f"/{key}.json" in line)
    words = command.replace("gallery/", f"{ROOT}/docs/gallery/").split()
    words[1] = str(DATA / words[1])
    assert main([*words, "--json"]) == 0
    said = json.loads(capfd.readouterr().out)
    kept = json.loads((ROOT / "docs" / "gallery" / "numbers.json").read_text(encoding="utf-8"))[key]
    assert said["fingerprint"] == kept["fingerprint"]
    assert sum(pair["verdict"] in ("better", "worse") for pair in said["pairs"]) == kept["separated"]


def test_the_gallery_has_eight_boards_with_all_their_parts(monkeypatch):
    page = (ROOT / "docs" / "gallery.md").read_text(encoding="utf-8").split("\n## ")[1:]
    assert len(page) == len(list((ROOT / "docs" / "gallery").glob("*.svg"))) == 8
    monkeypatch.syspath_prepend(str(ROOT))
    made = importlib.import_module("docs.make_gallery")
    for board in made.BOARDS:
        assert (made.FOLDER / f"{board.key}.json").read_text(encoding="utf-8") == made.replay(board)
    for board in page:
        for part in ("**Published.**", "**Separated.**", "**Not separated.**", "**Reproduce.**", "| rank |"):
            assert board.count(part) == 1
