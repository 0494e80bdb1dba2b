"""Figures for whoever runs the server: sessions, work, queues, memory; no scores and no names."""

import hmac
import os
import time
from collections.abc import Iterable

from dashboard.background.journal import so_far
from dashboard.background.worker_talk import resident
from dashboard.background.workers import lanes_in_use

METRICS = "NLPSTAT_METRICS"
EVERYWHERE = "all"
SHORTEST_PASSWORD = 16
PATH = "/_nlpstat/metrics"
_STARTED = time.time()


def allowed(here: bool, authorization: str) -> bool:
    """Whether the figures are shown to a request: to this machine, to everyone, or to who knows the password.

    here: Whether it was made on this machine, by `from_this_machine`.
    authorization: Its header of that name.
    """
    text = os.environ.get(METRICS, "")
    if len(text) < SHORTEST_PASSWORD:
        return text == EVERYWHERE or (bool(text) and here)
    return hmac.compare_digest(authorization.encode(), f"Bearer {text}".encode())


def figures() -> str:
    """All figures, as Prometheus and people read them."""
    ended, seconds = so_far()
    lines = [
        *_figure("uptime_seconds", "gauge", "Since the server started.", [("", time.time() - _STARTED)]),
        *_figure("sessions", "gauge", "Sessions with a tab, and those whose tab has just gone.", _sessions()),
        *_figure(
            "work_total",
            "counter",
            "Pieces of work that have ended.",
            [(f'{{work="{work}",outcome="{outcome}"}}', many) for (work, outcome), many in ended.items()],
        ),
        *_figure(
            "work_seconds_total",
            "counter",
            "Seconds that work took, without the time in the queue.",
            [(f'{{work="{work}"}}', round(many, 3)) for work, many in seconds.items()],
        ),
    ]
    queues, memory = _queues_and_memory()
    lines += _figure("queue", "gauge", "Pieces of work of a sort, waiting and under way.", queues)
    lines += _figure("memory_bytes", "gauge", "Memory of the server and its worker processes.", memory)
    return "\n".join(lines) + "\n"


def _figure(name: str, kind: str, what: str, rows: Iterable[tuple[str, float]]) -> list[str]:
    name = f"nlpstat_{name}"
    lines = [f"{name}{labels} {value:.15g}" for labels, value in rows]
    return [f"# HELP {name} {what}", f"# TYPE {name} {kind}", *lines]


def _sessions() -> list[tuple[str, float]]:
    """Streamlit's own count; nothing before its server runs."""
    from streamlit.runtime import Runtime

    if not Runtime.exists():
        return []
    manager = Runtime.instance()._session_mgr
    active = manager.num_active_sessions()
    return [('{state="active"}', active), ('{state="gone"}', manager.num_sessions() - active)]


def _queues_and_memory() -> tuple[list[tuple[str, float]], list[tuple[str, float]]]:
    queues: list[tuple[str, float]] = []
    memory: list[tuple[str, float]] = [('{process="server"}', resident(os.getpid()))]
    for sort, own in lanes_in_use().items():
        queues.append((f'{{sort="{sort}",state="waiting"}}', own.pool.waiting))
        queues.append((f'{{sort="{sort}",state="running"}}', own.pool.running))
        for place, worker in enumerate(own.workers, 1):
            if worker.pid is not None:
                memory.append((f'{{process="{sort} {place}"}}', resident(worker.pid)))
    return queues, memory
