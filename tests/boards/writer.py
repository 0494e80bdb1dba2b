"""Saves versions from a process of its own until it is killed: writer.py DATABASE BOARD SEED."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2]))


def main() -> None:
    import numpy as np

    from nlpstat_core.config import AnalysisConfig
    from nlpstat_core.saved_boards.access import LOCAL_USER
    from nlpstat_core.saved_boards.database import open_database
    from nlpstat_core.saved_boards.saving import save_version
    from nlpstat_core.scores.matrix import ScoreMatrix

    database, board, seed = open_database(sys.argv[1]), sys.argv[2], int(sys.argv[3])
    print("ready", flush=True)
    while True:
        seed += 1
        values = np.random.default_rng(seed).normal(size=(20_000, 5))
        scores = ScoreMatrix(values=values, systems="abcde")
        save_version(database, LOCAL_USER, board, scores, AnalysisConfig())
        print(seed, flush=True)


if __name__ == "__main__":
    main()
