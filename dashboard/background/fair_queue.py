"""Work that waits for a process: whoever has least under way comes next, in the order they asked."""

import threading
from collections import Counter, OrderedDict, deque
from collections.abc import Callable, Hashable
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from functools import partial
from typing import Any, ParamSpec, TypeVar

Result = TypeVar("Result")
Parameters = ParamSpec("Parameters")
Piece = tuple[Future[Any], Callable[[], object]]  # the work, and where its result goes


class FairQueue(Executor):
    """Threads for the work of several owners; nobody's many pieces keep another's first one waiting.

    threads: How many pieces of work are under way at once.
    """

    def __init__(self, threads: int, name: str) -> None:
        self.threads = threads
        self._pool = ThreadPoolExecutor(threads, thread_name_prefix=name)
        self._waiting: OrderedDict[Hashable, deque[Piece]] = OrderedDict()
        self._running: Counter[Hashable] = Counter()
        self._lock = threading.Lock()

    def submit(
        self, fn: Callable[Parameters, Result], /, *args: Parameters.args, **kwargs: Parameters.kwargs
    ) -> Future[Result]:
        """Queue work of nobody in particular."""
        return self.submit_for(None, partial(fn, *args, **kwargs))

    def submit_for(self, owner: Hashable, work: Callable[[], Result]) -> Future[Result]:
        """Queue work of an owner, a session; cancelled work that hasn't begun never does."""
        future: Future[Result] = Future()
        with self._lock:
            self._waiting.setdefault(owner, deque()).append((future, work))
        self._pool.submit(self._next)
        return future

    def _next(self) -> None:
        """Do one piece of work; as many of these are queued as there are pieces."""
        with self._lock:
            found = self._first_wanted()
            if found is None:
                return
            owner, future, work = found
            self._running[owner] += 1
        try:
            result = work()
        except BaseException as error:  # raised again where the result is asked for
            future.set_exception(error)
        else:
            future.set_result(result)
        finally:
            with self._lock:
                self._running[owner] -= 1
                if not self._running[owner]:
                    del self._running[owner]

    def _first_wanted(self) -> tuple[Hashable, Future[Any], Callable[[], object]] | None:
        """Take out the piece whose turn it is; what was cancelled meanwhile takes no turn."""
        while self._waiting:
            owner = min(self._waiting, key=lambda one: self._running[one])  # the earliest of equals
            pieces = self._waiting[owner]
            future, work = pieces.popleft()
            wanted = future.set_running_or_notify_cancel()
            if not pieces:
                del self._waiting[owner]
            elif wanted:
                self._waiting.move_to_end(owner)
            if wanted:
                return owner, future, work
        return None

    @property
    def waiting(self) -> int:
        """How many pieces of work haven't begun and are still wanted."""
        with self._lock:
            return sum(not future.cancelled() for pieces in self._waiting.values() for future, _ in pieces)

    @property
    def running(self) -> int:
        """How many pieces of work are under way."""
        with self._lock:
            return self._running.total()

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """End the threads."""
        self._pool.shutdown(wait, cancel_futures=cancel_futures)
