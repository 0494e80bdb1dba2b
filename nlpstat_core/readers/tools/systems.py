"""Names of systems: what the tool stored, else what tells the paths apart."""

import re
from collections import Counter
from collections.abc import Sequence

from nlpstat_core.readers.open import Source

_RUN = re.compile(
    r"(?:run|trial|seed|epoch|attempt|repeat|rep)?[-_ ]?\d[\d_T:.-]*|(?:run|trial|seed)[\W_]?\d.*", re.I
)


def path_names(paths: Sequence[str]) -> list[str]:
    """One name for each path: its file's or its folder's, else the parts that vary.

    >>> path_names(["runs/a.zip/tern", "runs/b.zip/heron"]), path_names(["tern/out", "heron/out"])
    (['tern', 'heron'], ['tern', 'heron'])
    >>> path_names(["x/tern/out", "x/heron/out", "x/tern/more"])
    ['tern/out', 'heron/out', 'tern/more']
    """
    parts = [path.split("/") for path in paths]
    depth = min(len(part) for part in parts) if parts else 0
    for level in range(1, depth + 1):
        at = [part[-level] for part in parts]
        if len(set(at)) == len(at):
            return at
    varying = [i for i in range(depth, 0, -1) if len({part[-i] for part in parts}) > 1]
    return ["/".join(part[-i] for i in varying) or part[-1] for part in parts]


def without_shared_end(found: Sequence[str], mark: str = ".") -> list[str]:
    """Names without the words at their ends that all of them share, such as the metric or the data set.

    >>> without_shared_end(["tern.chrf", "heron.chrf"]), without_shared_end(["gpt-4.1", "claude-4.1"])
    (['tern', 'heron'], ['gpt-4.1', 'claude-4.1'])
    """
    kept = list(found)
    while len(kept) > 1:
        split = [one.rpartition(mark) for one in kept]
        ends = {end for _, _, end in split}
        if len(ends) > 1 or not all(rest for rest, _, _ in split) or not ends.pop()[:1].isalpha():
            break
        kept = [rest for rest, _, _ in split]
    return kept


def file_systems(sources: Sequence[Source], ending: str = "") -> list[str]:
    """Names of systems where each has a file of its own."""
    paths = [
        f"{source.folder}/{re.sub(rf'(?:{ending})$', '', source.stem) if ending else source.stem}".lstrip("/")
        for source in sources
    ]
    return distinct(without_shared_end(path_names(paths)), [source.path for source in sources])


def folder_systems(folders: Sequence[str]) -> list[str]:
    """Names of systems by the folders their files stand in, one folder a system.

    >>> folder_systems(["runs/tern", "runs/heron", "runs/tern"])
    ['tern', 'heron', 'tern']
    """
    several = list(dict.fromkeys(folders))
    names = dict(zip(several, distinct(path_names(several), several), strict=True))
    return [names[folder] for folder in folders]


def stored_or_path(stored: Sequence[str], sources: Sequence[Source]) -> list[str]:
    """The names that the tool stored where every file has another one, else those of the files."""
    if all(stored) and len(set(stored)) == len(stored):
        return list(stored)
    return file_systems(sources)


def distinct(found: Sequence[str], more: Sequence[str]) -> list[str]:
    """Names that are unique: where one comes back, what else tells its bearers apart is added.

    >>> distinct(["gpt", "gpt", "pi"], ["few-shot", "zero-shot", ""])
    ['gpt (few-shot)', 'gpt (zero-shot)', 'pi']
    """
    often = Counter(found)
    pairs = zip(found, more, strict=True)
    lines = [f"{one} ({other})" if often[one] > 1 and other else one for one, other in pairs]
    seen: Counter[str] = Counter()
    unique = []
    for one in lines:
        seen[one] += 1
        unique.append(one if seen[one] == 1 else f"{one} #{seen[one]}")
    return unique


def system_folders(paths: Sequence[str]) -> list[str]:
    """Names of systems from the folders of their runs: folders that only count runs don't tell systems apart.

    >>> system_folders(["x/tern/run1", "x/tern/run2", "x/heron/run1"])
    ['tern', 'tern', 'heron']
    >>> system_folders(["tern", "heron"]), system_folders(["2025-08-01__10", "2025-08-02__10"])
    (['tern', 'heron'], ['2025-08-01__10', '2025-08-02__10'])
    """
    kept = [[part for part in path.split("/") if not _RUN.fullmatch(part)] for path in paths]
    if not all(kept):
        return path_names(list(paths))
    return folder_systems(["/".join(part) for part in kept])
