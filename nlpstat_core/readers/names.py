"""What column names say: unit ids, labels, systems, runs, scores."""

from __future__ import annotations

import difflib
import re
from collections.abc import Sequence

from nlpstat_core.errors import shown

IDS = "id|uid|qid|item|unit|seg|segment|topic|instance|sentence|sent|example|question|query|dataset|data_set"
MORE_IDS = "task|problem|prompt|sample|case|test_case|index|idx|row|line|unnamed_0|segid|sentid|itemid"
GROUPS = "topic|question|query|dataset|data_set|task|problem|prompt"  # ids that also group finer units
ROW_COUNTS = "index|idx|row|line|unnamed_0"
DOCUMENTS = "doc|docid|document|repo|repository|cluster|block"
LABELS = (
    "domain|subject|genre|lang|language|lang_pair|language_pair|langpair|lp|category|split|testset|test_set"
)
MORE_LABELS = "corpus|subset|group|section|speaker|refset|benchmark|archive"
DATASETS = (
    "dataset|data_set|corpus|testset|test_set|benchmark|task|"
    "lang_pair|language_pair|langpair|lp|language|lang"
)
SYSTEMS = "system|sys|sysid|model|classifier|method|team|submission|participant|engine|runid"
RUNS = "run|seed|random_seed|iteration|trial|repetition|replicate|rep|fold|attempt|epoch"
SCORES = "score|scores|value|result"
METRICS = "metric|measure"
_NUMBERED = "_(?:id|ids|no|nr|number|num|name|names|idx|index)"


LONGEST = 200  # no name that says something is longer; a cell may hold millions of signs
_HUMP = re.compile(r"(?<=[a-z])(?=[A-Z])")
_SEPARATORS = re.compile(r"[\W_]+")


def _one_of(*stems: str) -> re.Pattern[str]:
    return re.compile(f"(?:{'|'.join(stems)})(?:{_NUMBERED})?")


ID_NAME = _one_of(IDS, MORE_IDS)
GROUP_NAME = _one_of(GROUPS)
ROW_COUNT_NAME = _one_of(ROW_COUNTS)
DOCUMENT_NAME = _one_of(DOCUMENTS)
LABEL_NAME = _one_of(DOCUMENTS, LABELS, MORE_LABELS)
DATASET_NAME = _one_of(DATASETS)
SYSTEM_NAME = _one_of(SYSTEMS)
RUN_NAME = _one_of(RUNS)
SCORE_NAME = _one_of(SCORES)
METRIC_NAME = _one_of(METRICS)


def normal(name: str) -> str:
    """A column name in lower case with underscores, to look it up.

    Parameters
    ----------
    name : str

    Returns
    -------
    str

    Examples
    --------
    >>> normal("Segment ID"), normal("langPair"), normal("Unnamed: 0")
    ('segment_id', 'lang_pair', 'unnamed_0')
    """
    return _SEPARATORS.sub("_", _HUMP.sub("_", name[:LONGEST])).strip("_").lower()


def says(kind: re.Pattern[str], name: str) -> bool:
    """Whether a column name is of a kind.

    Parameters
    ----------
    kind : pattern
        One of the patterns of this module.
    name : str

    Returns
    -------
    bool

    Examples
    --------
    >>> says(DOCUMENT_NAME, "Doc ID"), says(ID_NAME, "dataset_name"), says(ID_NAME, "bert")
    (True, True, False)
    """
    return bool(kind.fullmatch(normal(name)))


def says_id(name: str, first: bool) -> bool:
    """Whether a name says that the column holds unit ids; in the first column no name says so too.

    Parameters
    ----------
    name : str
    first : bool
        Whether it is the first column.

    Returns
    -------
    bool
    """
    return says(ID_NAME, name) if normal(name) else first


def absent(kind: str, name: object, there: Sequence[str]) -> str:
    """Sentence for a name the user gave that the file doesn't have, without its full stop.

    Parameters
    ----------
    kind : str
        What the name stands for ("column", "metric").
    name : object
    there : sequence of str
        Names the file has.

    Returns
    -------
    str

    Examples
    --------
    >>> absent("metric", "blue", ["bleu", "chrf"])
    "there is no metric 'blue' (did you mean 'bleu'?); the file has 'bleu', 'chrf'"
    """
    near = difflib.get_close_matches(str(name), there[:1000], n=1, cutoff=0.5)
    hint = f" (did you mean {shown(near[0])}?)" if near else ""
    some = ", ".join(shown(other) for other in there[:10]) + (" …" if len(there) > 10 else "")
    return f"there is no {kind} {shown(name)}{hint}; the file has {some}"
