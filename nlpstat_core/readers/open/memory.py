"""A bound on the memory that reading a file may take, kept by the system."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from nlpstat_core.errors import BoundsExceeded
from nlpstat_core.memory import GIB

MOST_MEMORY = 4 * GIB  # beyond what the process has; files within the other bounds take up to half of it
_PAGES = Path("/proc/self/statm")


@contextmanager
def memory_at_most(more: int = MOST_MEMORY) -> Iterator[None]:
    """Let what is inside take so many bytes beyond what the process has already, else raise BoundsExceeded.

    Kept on Linux. Elsewhere only the bounds on sizes hold, and a want of memory that Python notices gets
    the same sentence.
    """
    try:
        with memory_limited(more):
            yield
    except MemoryError:
        raise BoundsExceeded(
            f"reading this takes more than {more / GIB:.3g} GiB of memory; split the file or write it as CSV."
        ) from None


@contextmanager
def memory_limited(more: int) -> Iterator[None]:
    """The same, for work of any kind: beyond the bound (bytes of address space) there is a MemoryError."""
    try:
        import resource

        pages = int(_PAGES.read_text().split()[0])
    except (ImportError, OSError):  # another system, which doesn't tell or keep it
        yield
        return
    soft, hard = resource.getrlimit(resource.RLIMIT_AS)
    asked = pages * resource.getpagesize() + more
    lowest = min([asked, *(bound for bound in (soft, hard) if bound != resource.RLIM_INFINITY)])
    resource.setrlimit(resource.RLIMIT_AS, (lowest, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_AS, (soft, hard))
