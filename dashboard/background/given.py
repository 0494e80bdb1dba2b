"""What tasks on several boards are given."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any, Literal, NotRequired, TypedDict

if TYPE_CHECKING:
    import pandas as pd

    from nlpstat_core.analysis.tracks.combining import Combine
    from nlpstat_core.methods.correlation.perm_both import Exchange


@dataclass(frozen=True)
class BoardsChoice:
    """One way to compare the metrics or data sets of an upload.

    column: Label column that names the data sets; None where sheets or files are the boards.
    lower: Boards whose lower scores are better; None leaves it to their names.
    """

    each: Literal["metric", "dataset"]
    family: Literal["each", "all"] = "each"
    combination: Literal["bonferroni", "fisher"] = "bonferroni"
    column: str | None = None
    lower: tuple[str, ...] | None = None

    def reading(self, choices: Mapping[str, object]) -> dict[str, object]:
        """The reading choices of the session without those that choose one board.

        Returns: Keywords of `read_boards`.
        """
        one = {"metric", "lower_is_better"} if self.each == "metric" else {"dataset", "dataset_column"}
        kept = {key: value for key, value in choices.items() if key not in one | {"sheet"}}
        if self.column is not None:
            kept["dataset_column"] = self.column
        if "sheet" in choices and (self.column is not None or self.each == "metric"):
            kept["sheet"] = choices["sheet"]
        return kept


@dataclass(frozen=True)
class TracksChoice:
    """How the metrics or data sets of an upload become one composite board: keywords of `composite`.

    weights: By track; "items" by their items; None for equal ones.
    """

    weights: tuple[tuple[str, float], ...] | Literal["items"] | None = None
    combine: Combine = "mean"
    tracks: Literal["fixed", "sampled"] = "fixed"
    missing_tracks: Literal["refuse", "exclude", "shared", "worst"] = "refuse"
    shared_items: bool = False

    def keywords(self) -> dict[str, Any]:
        """The same as keywords."""
        weights = dict(self.weights) if isinstance(self.weights, tuple) else self.weights
        return {**asdict(self), "weights": weights}

    @property
    def by_places(self) -> bool:
        """Whether fixed tracks are combined by places, which make no board."""
        from nlpstat_core.analysis.tracks.combining import OF_ORDER

        return self.tracks == "fixed" and self.combine in OF_ORDER

    def of_places(self) -> dict[str, Any]:
        """Keywords of `rank_tracks`."""
        return {name: value for name, value in self.keywords().items() if name != "tracks"}


@dataclass(frozen=True)
class BoardsInFile:
    """The boards of a file that was loaded. `choices`: Keywords of `read_boards`."""

    raw: tuple[bytes, str]
    choices: Mapping[str, object]
    chosen: BoardsChoice


@dataclass(frozen=True)
class BoardsOfOutputs:
    """Every measure of the same submissions, or one measure on the data sets that a column names.

    keys: Measures; the first is that of the data sets.
    """

    packed: bytes
    keys: tuple[str, ...]
    options: Mapping[str, Any]
    chosen: BoardsChoice


SeveralBoards = BoardsInFile | BoardsOfOutputs


class JudgingSettings(TypedDict):
    """Keywords of `meta_evaluate`."""

    human: str
    exchange: Exchange
    alpha: float
    seed: int
    resamples: NotRequired[int]


class JudgeSettings(TypedDict):
    """Keywords of `judge`."""

    human: str
    judge: str
    documents: str | None
    strata: str | None
    raters: str | None
    standardise_raters: bool
    correction: str
    alpha: float


@dataclass(frozen=True)
class Correcting:
    """A judge that people correct, on the boards of a file."""

    given: BoardsInFile
    settings: JudgeSettings


@dataclass(frozen=True, eq=False)
class PlannedLabels:
    """Which items to label next.

    strata: One row a stratum.
    file: A CSV to hand out and to load again.
    """

    strata: pd.DataFrame
    file: bytes


@dataclass(frozen=True)
class Judging:
    """Metrics that people judge, on the boards of a file."""

    given: BoardsInFile
    settings: JudgingSettings
