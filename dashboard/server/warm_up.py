"""Loads what every analysis needs once per server, while the first visitor looks at the first page."""

import gc
import importlib
import pkgutil
import threading
import time
from collections.abc import Iterator
from pathlib import Path

from dashboard.background.import_turns import everything_is_loaded, taking_turns
from dashboard.background.workers import work_queue
from nlpstat_core.saved_boards import configured

_NOT_HERE = ("app", "worker_process")  # run as scripts of their own, not as modules of the server
_SAVED = "saved"  # needs packages that may not be here
# Results come back from the worker processes as objects of the core's; tables and pictures need the others
# when the first of them is drawn.
_MORE = (
    "nlpstat_core.analysis.analyse",
    "nlpstat_core.analysis.pair",
    "nlpstat_core.power",
    "pandas.io.formats.style",
    "plotly.tools",
    "pyarrow.pandas_compat",
    "PIL.Image",
)
_HEAD_START_SECONDS = 0.5  # in which the first page reaches its browser
_begun: list[bool] = []


def warm_up() -> None:
    """Start the worker process of quick work and import every module behind the pages, once per server.

    Whoever drops a file next doesn't wait for the imports. Should one fail, the page that needs it says so.
    """
    if not _begun:
        _begun.append(True)
        threading.Thread(target=_load_the_rest, name="warming", daemon=True).start()


def _load_the_rest() -> None:
    time.sleep(_HEAD_START_SECONDS)
    quick = work_queue("quick")
    try:
        quick.pool.submit(quick.worker.start)
    except RuntimeError as error:
        if "shutdown" in str(error):  # the server was stopped in its first second: nobody waits any more
            return
        raise
    try:
        for name in (*_MORE, *_modules(Path(__file__).parents[1], "dashboard")):
            with taking_turns():
                importlib.import_module(name)
    finally:
        everything_is_loaded()  # or the page that needs a module says why it can't be
    # Modules stay for good. Out of the collector's sight they don't cost every collection a tenth of a
    # second, during which no other session's page could run.
    gc.collect()
    gc.freeze()


def _modules(folder: Path, package: str) -> Iterator[str]:
    for found in pkgutil.iter_modules([str(folder)]):
        name = f"{package}.{found.name}"
        if found.name == _SAVED and configured() is None:
            continue
        if found.ispkg:
            yield from _modules(folder / found.name, name)
        elif found.name not in _NOT_HERE:
            yield name
