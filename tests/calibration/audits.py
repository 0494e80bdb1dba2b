"""What an audit says of three procedures on real boards (../shared/data, not part of the project)."""

from __future__ import annotations

from collections.abc import Iterator

import nlpstat_core as ns
from nlpstat_core.config import RECOMMENDED
from tests.calibration.default import DATA
from tests.calibration.rows import Figure, Row, measured

# File, null boards (None: what the scores call for), tests beside the default, boards.
REAL: tuple[tuple[str, tuple[str, ...], int], ...] = (
    ("mbppplus_pass", ("t", "sign"), 200),
    ("wmt24_ende_chrf", ("t", "wilcoxon"), 100),
    ("trec_adhoc8_ap", ("t", "wilcoxon"), 40),
)


def rows(boards: int | None = None) -> Iterator[list[Row]]:
    """The default procedure and two others, all with Holm's correction, on the same null boards."""
    for name, also, many in REAL:
        yield audited(name, also, boards or many)


def audited(name: str, also: tuple[str, ...], boards: int) -> list[Row]:
    """One real board; nothing is promised of an audit's figures, which are noisy themselves."""

    def measure(number: int, seed: int, only: object) -> list[Row]:
        scores = ns.read_scores(DATA / f"{name}.csv")
        analysis = ns.analyse(scores, ns.AnalysisConfig(effects=()))
        found = ns.audit(analysis, boards=number, seed=seed, also=also)
        size = f"{scores.n_systems} × {scores.n_units:,}, {found.null}"
        blank = Row.blank("audits", name, size, number, seed)
        return [
            blank.of(
                "default" if one.config.test == RECOMMENDED else one.config.test,
                "equal",
                (
                    Figure("boards with a false claim", None, one.family_wise, one.family_wise_error),
                    Figure(
                        "share of false claims",
                        None,
                        one.per_board / found.null_pairs,
                        one.per_board_error / found.null_pairs,
                    ),
                ),
            )
            for one in found.procedures
        ]

    return measured(f"audits|{name}", boards, measure)
