"""Whether a Dask cluster can compute chunks of pairs: without this package it would never answer."""

from collections.abc import Callable, Mapping
from typing import Any

from nlpstat_core.errors import AnalysisError
from nlpstat_core.version import VERSION


def check_dask_workers() -> None:
    """Refuse a cluster whose scheduler or workers lack this package; other backends of joblib have it."""
    from joblib.parallel import get_active_backend

    backend, _ = get_active_backend()
    client = getattr(backend, "client", None)  # Dask's alone has one
    if client is None:
        return
    # A function inside another is sent as code: by its name it couldn't be read where it is asked about.
    found = {"scheduler": client.run_on_scheduler(_asks()), **client.run(_asks())}
    if problem := _problem(found):
        raise AnalysisError(
            f"{problem}: start the scheduler and all workers with this package of version {VERSION} in their "
            "PYTHONPATH (docs/parallel.md)."
        )


def _asks() -> Callable[[], tuple[str | None, str]]:
    """What is sent: the version that is found there, else why there is none."""

    def version() -> tuple[str | None, str]:
        try:
            from nlpstat_core.version import VERSION as THERE
        except ImportError as error:
            return None, str(error)
        return THERE, ""

    return version


def _problem(found: Mapping[str, Any]) -> str | None:
    for place, (version, why) in found.items():
        who = "The scheduler of the Dask cluster" if place == "scheduler" else f"The Dask worker {place}"
        if version is None:
            return f"{who} can't import nlpstat_core ({why})"
        if version != VERSION:
            return f"{who} has nlpstat_core of version {version}"
    return None
