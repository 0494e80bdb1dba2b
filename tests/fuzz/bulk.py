"""One large file in a process of its own: what came of it, processor time and peak memory."""

from __future__ import annotations

import json
import os
import resource
import sys
import tempfile
import time
from pathlib import Path

from nlpstat_core.errors import ScoreFileError
from nlpstat_core.readers import read_board
from tests.fuzz.bulkfiles import BULK
from tests.fuzz.check import check_message

SECONDS = 30  # of the processor
MEMORY = 6 * 1024**3


def made(name: str) -> bytes:
    """The file, made in another process so that its making is not in the figures."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "file"
        child = os.fork()
        if child == 0:
            try:
                path.write_bytes(BULK[name]())
            finally:
                os._exit(0 if path.is_file() else 1)
        if os.waitpid(child, 0)[1]:
            raise RuntimeError(f"{name} could not be made")
        return path.read_bytes()


def peak() -> float:
    """Most memory this process has had, in MiB."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def main() -> int:
    """Argument: name of an input. Prints its size, what came of it, seconds and peak memory in MiB."""
    name = sys.argv[1]
    data = made(name)
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS))
    before, start = peak(), time.process_time()
    try:
        scores = read_board((data, "x"))
        text = f"{scores.n_units:,} × {scores.n_systems:,}"
    except ScoreFileError as error:
        text = str(error)
        check_message(text)
    seconds = time.process_time() - start
    print(json.dumps([name, len(data), text, round(seconds, 2), round(before), round(peak())]))
    return 0


if __name__ == "__main__":
    sys.exit(main())
