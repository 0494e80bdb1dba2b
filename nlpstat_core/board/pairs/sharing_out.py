"""Chunks of pairs, one after the other or shared out among threads, processes or a Dask cluster."""

from collections.abc import Callable, Iterable, Iterator
from itertools import chain, islice
from typing import Any

from numpy.typing import NDArray

from nlpstat_core.arrays import IntArray, keep_freed_memory
from nlpstat_core.board.pairs.dask_workers import check_dask_workers
from nlpstat_core.engine.columns.batch import PairBatch
from nlpstat_core.engine.columns.pairing import MOST_CELLS, Chunk
from nlpstat_core.engine.resampling import one_blas_thread
from nlpstat_core.stopping import Asked, stoppable

# Pairs times items from which processes pay for their start, some half a second.
WORTH_PROCESSES = 50_000_000

Columns = dict[str, NDArray[Any]]


def shared_out(
    columns_of: Callable[[PairBatch], Columns], work: Iterable[Chunk], n_pairs: int, workers: int
) -> Iterator[tuple[IntArray, Columns]]:
    """(positions, columns) of every chunk in its order, by one worker or by several threads or processes.

    columns_of: A function of a module, or a part of one: processes get it by its name.
    """
    asked = Asked.here()

    def wanted() -> Iterator[Chunk]:
        for chunk in work:
            asked.stop_if_asked()
            yield chunk

    def one(chunk: Chunk) -> tuple[IntArray, Columns]:
        keep_freed_memory()  # of another process, too
        with one_blas_thread(), stoppable(asked.should_stop):  # another thread does not know who is asked
            return chunk.positions, columns_of(chunk.batch)

    chunks = wanted()
    first = list(islice(chunks, workers))
    if len(first) < max(2, workers):  # too few to share out: the threads go to the loops inside a chunk
        yield from map(one, chain(first, chunks))
        return
    from joblib import Parallel, cpu_count, delayed

    check_dask_workers()
    processes = _worth_processes(first[0].batch, n_pairs, asked)
    parallel = Parallel(
        n_jobs=min(workers, cpu_count()) if processes else workers,
        prefer="processes" if processes else "threads",
        max_nbytes=None,  # scores must not reach the disk
        return_as="generator",
        pre_dispatch="2*n_jobs",
    )
    yield from parallel(delayed(one)(chunk) for chunk in chain(first, chunks))


def _worth_processes(batch: PairBatch, n_pairs: int, asked: Asked) -> bool:
    """Whether processes are preferred, which share out long work better than threads do.

    Threads wait for each other between NumPy's shorter calls. But only they can be asked to stop in the midst
    of a chunk (other processes end with this one); every chunk takes all scores along to a process, which may
    cost more than its work; counts take no time; and a process of a pool can't have its own.
    """
    from multiprocessing import current_process

    long = n_pairs * batch.n_units >= WORTH_PROCESSES and not batch.counts_suffice
    light = batch.units.values.size <= MOST_CELLS
    ends = asked.should_stop is None or asked.process_ends
    return long and light and ends and not current_process().daemon
