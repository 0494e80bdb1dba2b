"""Loads what every analysis needs once per server, while the first visitor looks at the first page."""

from __future__ import annotations

import gc
import importlib
import pkgutil
import threading
import time
from pathlib import Path

from dashboard.apart import lane

_ENTRY = "app"  # runs as a script, not as a module
# Results come back from the helper processes as objects of the core's; tables and pictures need the others
# when the first of them is drawn.
_MORE = (
    "nlpstat_core.analysis",
    "nlpstat_core.pairs.pair",
    "nlpstat_core.power",
    "pandas.io.formats.style",
    "plotly.tools",
    "pyarrow.pandas_compat",
    "PIL.Image",
)
_HEAD_START_SECONDS = 0.5  # in which the first page reaches its browser
_begun: list[bool] = []


def warm_up() -> None:
    """Start the helper process of quick work and import every module behind the pages, once per server.

    Whoever drops a file next doesn't wait for the imports. Should one fail, the page that needs it says so.
    """
    if not _begun:
        _begun.append(True)
        threading.Thread(target=_load_the_rest, name="warming", daemon=True).start()


def _load_the_rest() -> None:
    time.sleep(_HEAD_START_SECONDS)
    quick = lane("quick")
    quick.pool.submit(quick.helper.start)
    for name in _MORE:
        importlib.import_module(name)
    _import_all(Path(__file__).parent, "dashboard")
    # Modules stay for good. Out of the collector's sight they don't cost every collection a tenth of a
    # second, during which no other session's page could run.
    gc.collect()
    gc.freeze()


def _import_all(folder: Path, package: str) -> None:
    for found in pkgutil.iter_modules([str(folder)]):
        name = f"{package}.{found.name}"
        if found.ispkg:
            _import_all(folder / found.name, name)
        elif found.name != _ENTRY:
            importlib.import_module(name)
