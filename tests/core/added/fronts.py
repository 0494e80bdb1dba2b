"""What every front makes of a new setting, as JSON: run where AnalysisConfig has it."""

from __future__ import annotations

import contextlib
import io
import json
import sys
from collections.abc import Iterator
from pathlib import Path

from core.added import trim
from ui.driver import finished, go, open_app, upload, words

from dashboard.background import workers
from dashboard.background.settings_file import settings_in
from docs.make_reference import page as reference_page
from nlpstat_core.catalogue import TESTS
from nlpstat_core.cli import main
from nlpstat_core.config import AnalysisConfig


def printed(*arguments: str) -> str:
    """What the command line prints."""
    out = io.TextIOWrapper(io.BytesIO(), encoding="utf-8")
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(out), contextlib.suppress(SystemExit):
        main(arguments)
    out.seek(0)
    return out.read()


def in_this_process(self, task, progress, should_stop):
    """Work of the pages, whose processes import the code of the checkout."""
    return task.function(*task.arguments, progress=progress, should_stop=should_stop)


def seen(scores: Path) -> Iterator[tuple[str, object]]:
    """One front after the other, with the same share from each."""
    analyse = ("analyse", str(scores), "--test", "trimmed-t", "--json", "-")
    yield "help", printed("analyse", "--help")
    yield "option", printed(*analyse, "--trim", "0.1")
    yield "refused", printed(*analyse, "--trim", "0.9")
    file = scores.with_name("run.yml")
    file.write_text("trim: 0.1\n", encoding="utf-8")
    yield "file", printed(*analyse, "--config", str(file))
    config, _, notes = settings_in(b"trimmed_share: '0.1'\n", "theirs.yml")
    yield "theirs", (config.to_dict(), notes)
    yield "reference", reference_page()
    yield "doc", AnalysisConfig.__doc__
    at = open_app(None, trim="0.1")
    upload(at, scores.read_bytes())
    field = at.sidebar.number_input(key="trim")
    yield "sidebar", (field.label, field.help, field.min, field.max, field.value)
    yield "page", words(at)
    yield "link", at.sidebar.code[0].value
    finished(field.set_value(0.3).run())
    yield "elsewhere", words(go(at, "leaderboard"))


if __name__ == "__main__":
    workers.Worker.do = in_this_process  # type: ignore[method-assign]
    with TESTS.extended(trim.METHOD):
        found = dict(seen(Path(sys.argv[1])))
    print(json.dumps(found))
