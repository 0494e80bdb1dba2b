"""What can't fit into memory, or on the disk, is refused before any work, with its size."""

import shutil
from pathlib import Path

from nlpstat_core.errors import AnalysisError

GIB = 1 << 30
# What is smaller is tried: asking the system would take longer than most of it.
_SMALL = GIB // 4


def refuse_beyond_memory(least: int, what: str, remedy: str) -> None:
    """Refuse work that needs more memory than is free; nothing where the system doesn't tell.

    least: Bytes it takes at least.
    what: The subject of the sentence, with its number.
    Raises AnalysisError.
    """
    if least < _SMALL:
        return
    free = free_memory()
    if free is not None and least > free:
        raise AnalysisError(
            f"{what} take at least {least / GIB:,.1f} GiB of memory, and {free / GIB:,.1f} GiB are free: "
            f"{remedy}."
        )


def refuse_beyond_disk(bytes_wanted: int, folder: Path, what: str) -> None:
    """Refuse files that the disk has no room for.

    folder: Where they shall stand; it needn't be there yet.
    what: The subject of the sentence, with its number.
    Raises AnalysisError.
    """
    there = next((place for place in (folder, *folder.absolute().parents) if place.is_dir()), None)
    free = None if there is None else shutil.disk_usage(there).free
    if free is not None and bytes_wanted > free:
        raise AnalysisError(
            f"{what} can take up to {bytes_wanted / GIB:,.1f} GiB in files, and {free / GIB:,.1f} GiB are "
            "free: name a folder on a larger disk, or choose fewer systems."
        )


def free_memory() -> int | None:
    """Bytes that this process can still take, None where the system doesn't tell.

    The least of what the machine has left, of what the container may have, and of the process's own bound.
    """
    found = [bound for bound in (_machine(), _container(), _process()) if bound is not None]
    return min(found, default=None)


def _machine() -> int | None:
    """Linux: memory that is free or can be freed, and swap."""
    try:
        lines = Path("/proc/meminfo").read_text().splitlines()
    except OSError:
        return None
    sizes = {name: int(rest.split()[0]) * 1024 for name, _, rest in (line.partition(":") for line in lines)}
    return sizes["MemAvailable"] + sizes.get("SwapFree", 0)


def _container() -> int | None:
    """Linux, control groups of version 2: all that its processes together may have."""
    try:
        text = Path("/sys/fs/cgroup/memory.max").read_text().strip()
    except OSError:
        return None
    return None if text == "max" else int(text)


def _process() -> int | None:
    """What is left of a bound on the address space, as worker processes have one."""
    try:
        import resource

        pages = int(Path("/proc/self/statm").read_text().split()[0])
    except (ImportError, OSError):
        return None
    bound = resource.getrlimit(resource.RLIMIT_AS)[0]
    return None if bound == resource.RLIM_INFINITY else max(0, bound - pages * resource.getpagesize())
