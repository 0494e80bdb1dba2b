"""The command line that makes a judged board again."""

import shlex
from collections.abc import Mapping

from nlpstat_core.results.judge import JudgedBoard


def judge_command(
    found: JudgedBoard, files: tuple[str, ...], choices: Mapping[str, object], lower: tuple[str, ...] | None
) -> str:
    """The command line that gives the same board.

    choices: Keywords of `read_boards`.
    lower: Metrics that were said to be better when lower; None leaves it to their names.
    """
    told: dict[str, object] = {"human": found.human, "judge": found.judge}
    told |= {"documents": found.documents or None}
    told |= {"strata": found.strata or None, "correction": found.correction, "alpha": f"{found.alpha:g}"}
    told |= {"rater": found.raters or None, "standardise_raters": found.standardised}
    if lower is not None:
        told["lower"] = ",".join(lower) or "none"
    words = ["nlpstat", "judge", *files]
    for keyword, value in (told | dict(choices)).items():
        if value is None or value is False:
            continue
        words.append(f"--{keyword.replace('_', '-')}")
        if isinstance(value, list | tuple):
            value = ",".join(map(str, value))
        if value is not True:
            words.append(str(value))
    return shlex.join(words)
