"""One thread at a time imports, until everything is loaded.

A thread that asks for `pandas.io.formats.style` holds that module's lock and waits for `pandas`, while
another that imports `pandas` comes to wait for its parts: Python breaks the knot by handing out half a
module. So the pages, the thread that loads everything behind them and those that unpack results take turns.
"""

import threading
from contextlib import AbstractContextManager, nullcontext

_turn = threading.RLock()
_all_loaded = threading.Event()


def taking_turns() -> AbstractContextManager[object]:
    """Around whatever may import: waits for the others; costs nothing once everything is loaded."""
    return nullcontext() if _all_loaded.is_set() else _turn


def everything_is_loaded() -> None:
    """Nobody has to wait any more."""
    _all_loaded.set()
