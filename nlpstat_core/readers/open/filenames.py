"""Names of systems from the names of their files."""

from collections.abc import Sequence

from nlpstat_core.scores.matrix import first_repeat

SAMPLES = "samples_"  # how lm-evaluation-harness begins its files, one folder for each model


def stem(path: str) -> str:
    """The last part of a path without its ending.

    >>> stem("runs/Tern.txt"), stem("Tern-1.5.csv"), stem(".txt")
    ('Tern', 'Tern-1.5', '.txt')
    """
    last = path.replace("\\", "/").rpartition("/")[2]
    return last.rpartition(".")[0] or last


def system_names(paths: Sequence[str]) -> list[str]:
    """One name for each of several files: the file's, else the folder's, else what tells the paths apart.

    >>> system_names(["runs/Tern.txt", "runs/Heron.txt"])
    ['Tern', 'Heron']
    >>> system_names(["runs/tern/out.txt", "runs/heron/out.txt"])
    ['tern', 'heron']
    """
    parts = [[*path.replace("\\", "/").split("/")[:-1], stem(path)] for path in paths]
    depth = min(len(part) for part in parts)
    levels = [[part[-level] for part in parts] for level in range(1, depth + 1)]
    if depth > 1 and all(name.startswith(SAMPLES) for name in levels[0]) and first_repeat(levels[1]) is None:
        return levels[1]
    for level in levels:
        if first_repeat(level) is None:
            return level
    common = 0  # folders that all paths begin with tell nothing
    while common < depth - 1 and len({part[common] for part in parts}) == 1:
        common += 1
    return ["/".join(part[common:]) for part in parts]
