"""Writes docs/gallery.md, its pictures and the settings that replay each board, from public data in one folder.

python -m docs.make_gallery FOLDER

Most of these data come without a licence to hand them on, so they aren't kept here: every board names where its scores
come from, and the fingerprint in the gallery says whether yours are the same.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path
from typing import Any

import nlpstat_core as ns
from nlpstat_core.report.exports.figures.intervals import interval_svg
from nlpstat_core.report.exports.tables.board import board_columns
from nlpstat_core.report.wording import headline

PAGE = Path(__file__).with_name("gallery.md")
FOLDER = Path(__file__).with_name("gallery")
ROWS, NAMES = 12, 7
COLUMNS = {
    "rank": "rank",
    "system": "system",
    "score": "score",
    "interval": "interval",
    "ranks": "ranks",
    "cluster": "cluster",
}


@dataclass(frozen=True, kw_only=True)
class Board:
    """A public board.

    file: In the folder of data.
    source: Whose data they are, at which commit, and their licence.
    claim: What was published.
    comment: What the analysis adds to it.
    """

    key: str
    title: str
    file: str
    source: str
    claim: str
    comment: str
    reading: Mapping[str, Any] = field(default_factory=dict)
    settings: Mapping[str, Any] = field(default_factory=dict)


BOARDS = (
    Board(
        key="wmt24",
        title="Machine translation: WMT24 English–German, chrF",
        file="wmt24_ende_chrf.csv",
        source="wmt-conference/wmt24-news-systems at bfa937ee, outputs and reference A; sentence chrF2 by sacreBLEU. "
        "No licence is stated.",
        claim="The task's AutoRank (MetricX and CometKiwi) orders the same systems; mean chrF agrees with it at a "
        "Spearman correlation of 0.90 over 25 systems.",
        comment="Sentences of one document are not independent, so whole documents are compared.",
        reading={"metric": "chrF"},
    ),
    Board(
        key="mbpp-plus",
        title="Code: MBPP+, 59 models, pass or fail",
        file="mbppplus_pass.csv",
        source="crux-eval/eval-arena at 7f92b6e0 (data/mbpp+.jsonl). No licence is stated.",
        claim="Leaderboards of pass@1 print an order to a tenth of a point: gpt-4-1106-preview 74.1, claude-3-opus 73.5, "
        "deepseek-coder-33b-instruct 70.4 …",
        comment="378 tasks separate models that are many points apart, not neighbours.",
    ),
    Board(
        key="alpaca-eval",
        title="Chat: AlpacaEval 1, win rate over text-davinci-003 by GPT-4",
        file="alpacaeval1_gpt4_pref.csv",
        source="tatsu-lab/alpaca_eval at cd543a14 (annotations of 53 models). CC BY-NC 4.0.",
        claim="The leaderboard prints win rates with a standard error each; 52 of these means are its win rates to 0.005.",
        comment="Overlapping standard errors say little about a pair that was judged on the same instructions.",
    ),
    Board(
        key="trec8",
        title="Retrieval: TREC-8 ad hoc, average precision on 50 topics",
        file="trec_adhoc8_ap.csv",
        source="julian-urbano/sigir2019-statistical at dc9f891c. CC BY-SA 4.0.",
        claim="Urbano, Lima and Hanjalic (2019) print for run125 and run126 a two-sided p of 0.00132 (t test) and 0.00119 "
        "(permutation test).",
        comment="The published p-values hold for a pair chosen beforehand; among all 8,256 pairs of 129 runs they "
        "aren't small enough.",
    ),
    Board(
        key="ucr",
        title="Time series: eight deep networks on the 128 data sets of UCR",
        file="ucr128_accuracy_by_dataset.csv",
        source="hfawaz/dl-4-tsc at e0233efd (results-ucr-128.csv). GPL-3.0.",
        claim="Fawaz et al. (2019): ResNet ranks first, FCN second (critical-difference diagram, Wilcoxon with Holm).",
        comment="Rows are data sets, so the claim is about data sets like these.",
        settings={"test": "wilcoxon", "correction": "holm"},
    ),
    Board(
        key="terminal-bench",
        title="Agents: terminal-bench 1.0, 25 submissions, five trials a task",
        file="terminalbench1_0_counts.csv",
        source="vionax/eval-arena-data at 99a3faf9. No licence is stated.",
        claim="The leaderboard prints an accuracy for each agent: 64.2, 63.7, 62.3, 60.2, 58.8, 57.5 … from the top.",
        comment="Repeated trials of a task are not new tasks: there are 80 items, not 400.",
    ),
    Board(
        key="mqm",
        title="People's judgement: WMT21 Chinese–English, MQM",
        file="wmt_mqm_newstest2021_zhen.csv",
        source="google/wmt-mqm-human-evaluation at 7fadea28. Apache-2.0.",
        claim="The repository prints mean MQM per system and ranks them; these means are its numbers to 0.01.",
        comment="Two of the systems are human references.",
        reading={"lower_is_better": False},
    ),
    Board(
        key="conll03",
        title="Classification: named entities of CoNLL-2003, micro F1 of two taggers",
        file="ner_conll03_tp_fp_fn.csv",
        source="neulab/InterpretEval at fb37289c; exact spans counted by sentence. No licence is stated.",
        claim="Fu et al. (2020): F1 93.03 with Flair, 92.22 with ELMo.",
        comment="The exact permutation test is of micro F1 itself, not of sentence means.",
    ),
)


def analysed(board: Board, folder: Path) -> ns.Analysis:
    """The analysis of a board."""
    config = ns.AnalysisConfig.from_mapping({"effects": [], **board.settings})
    return ns.analyse(ns.read_scores(str(folder / board.file), **board.reading), config)


def replay(board: Board) -> str:
    """The settings file that does a board again."""
    reading = {"reading": dict(board.reading)} if board.reading else {}
    return json.dumps({**board.settings, "effects": [], **reading}, indent=1) + "\n"


def found(board: Board, analysis: ns.Analysis) -> dict[str, Any]:
    """What the gallery says of a board, as plain data; a test makes it again."""
    names, ranks, pairs = analysis.leaderboard.system, analysis.leaderboard, analysis.pairs
    neighbours = list(pairwise(names))
    apart = {
        frozenset(pair)
        for pair in zip(pairs.system_a[pairs.separated], pairs.system_b[pairs.separated], strict=True)
    }
    return {
        "headline": str(headline(analysis)),
        "pairs": len(pairs),
        "separated": int(pairs.separated.sum()),
        "neighbours separated": sum(frozenset(pair) in apart for pair in neighbours),
        "neighbours open": [list(pair) for pair in neighbours if frozenset(pair) not in apart][:NAMES],
        "top group": list(analysis.top_group),
        "systems": len(ranks),
        "items": int(analysis.scores.n_units),
        "fingerprint": analysis.fingerprint,
    }


def _open(said: Mapping[str, Any]) -> str:
    """What the first system isn't told apart from; else the first neighbours that aren't told apart."""
    first, *others = said["top group"]
    if others:
        more = f" and {len(others) - NAMES} more" if len(others) > NAMES else ""
        return f"{first} from {', '.join(others[:NAMES])}{more}: all in the top group."
    left = said["neighbours open"]
    return f"Neighbours: {', '.join(' and '.join(pair) for pair in left)}." if left else "Nothing."


def section(board: Board, analysis: ns.Analysis, said: Mapping[str, Any]) -> str:
    """A board in the gallery."""
    from docs.make_reference import table

    rows = min(len(analysis.leaderboard), ROWS)
    columns = {
        key: column for key, column in board_columns(analysis, list(range(rows))).items() if key in COLUMNS
    }
    cells = [[cell.text for cell in column.cells] for column in columns.values()]
    more = len(analysis.leaderboard) - rows
    return "\n\n".join(
        [
            f"## {board.title}",
            f"**Published.** {board.claim}",
            f"**Separated.** {said['separated']:,} of {said['pairs']:,} pairs at 0.05 after Holm; "
            f"{said['neighbours separated']} of {said['systems'] - 1} pairs of neighbours in the ranking.",
            f"**Not separated.** {_open(said)} {board.comment}",
            table([COLUMNS[key] for key in columns], zip(*cells, strict=True))
            + (f"\n\n… and {more} more." if more else ""),
            f"![Intervals of {board.title}](gallery/{board.key}.svg)",
            f"**Reproduce.** `nlpstat analyse {board.file} --config gallery/{board.key}.json` "
            f"([settings](gallery/{board.key}.json)). {said['items']:,} items; scores `{said['fingerprint'][:19]}…`. "
            f"Data: {board.source}",
        ]
    )


def main(folder: Path) -> None:
    """Write everything."""
    FOLDER.mkdir(exist_ok=True)
    sections, numbers = [], {}
    for board in BOARDS:
        analysis = analysed(board, folder)
        numbers[board.key] = found(board, analysis)
        sections.append(section(board, analysis, numbers[board.key]))
        (FOLDER / f"{board.key}.json").write_text(replay(board), encoding="utf-8")
        (FOLDER / f"{board.key}.svg").write_text(interval_svg(analysis), encoding="utf-8")
    (FOLDER / "numbers.json").write_text(
        json.dumps(numbers, indent=1, ensure_ascii=False) + "\n", encoding="utf-8"
    )
    head = (
        "# Gallery\n\nEight public leaderboards: what was published, which systems the scores separate and which they don't, and "
        "how to reproduce it. Made by `python -m docs.make_gallery FOLDER`; a test checks the numbers if the data are there. Scores "
        "are those of the named sources; a pair counts as separated if it is significant after correction over all pairs of its board."
    )
    PAGE.write_text("\n\n".join([head, *sections]) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
