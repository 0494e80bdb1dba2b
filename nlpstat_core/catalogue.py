"""The ordered catalogues: menus, checks of keys and the Methods page come from them.

A catalogue of a kind is made empty here and filled by the package of its kind when a key is looked up first:
whoever checks a key imports no procedure.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from typing import Generic, TypeVar

from nlpstat_core.errors import ConfigError, unknown
from nlpstat_core.records import Correction, EffectSize, Procedure, SignificanceTest

Record = TypeVar("Record", bound=Procedure)


class Catalogue(Generic[Record]):
    """An ordered list of procedures of one kind; the order is the order of every menu.

    kind: "test", "effect size", "correction": used in messages.
    filled_by: Package whose import fills the catalogue; empty where `records` are all.
    Raises ValueError: Two records share a key.
    """

    def __init__(self, kind: str, records: tuple[Record, ...] = (), *, filled_by: str = "") -> None:
        self.kind = kind
        self._filled_by = filled_by
        self._records: dict[str, Record] = {}
        self.fill(*records)

    @property
    def _all(self) -> dict[str, Record]:
        if not self._records and self._filled_by:
            import_module(self._filled_by)
        return self._records

    def fill(self, *records: Record) -> None:
        """Add records at the end. Raises ValueError: Two records share a key."""
        whole = {**self._records, **{record.key: record for record in records}}
        if len(whole) != len(self._records) + len(records):
            raise ValueError(f"Two {self.kind} records share a key.")
        self._records = whole

    @contextmanager
    def extended(self, *records: Record) -> Iterator[None]:
        """More records at the end for as long as a `with` block runs: to try a procedure out.

        Raises ValueError: Two records share a key.
        """
        before = self._all
        self.fill(*records)
        try:
            yield
        finally:
            self._records = before

    @property
    def keys(self) -> tuple[str, ...]:
        """All keys in menu order."""
        return tuple(self._all)

    def __iter__(self) -> Iterator[Record]:
        return iter(self._all.values())

    def __contains__(self, key: object) -> bool:
        return key in self._all

    def __len__(self) -> int:
        return len(self._all)

    def __getitem__(self, key: str) -> Record:
        try:
            return self._all[key]
        except (KeyError, TypeError):
            raise ConfigError(unknown(self.kind, key, self.keys)) from None


TESTS: Catalogue[SignificanceTest] = Catalogue("test", filled_by="nlpstat_core.methods.significance")
EFFECTS: Catalogue[EffectSize] = Catalogue("effect size", filled_by="nlpstat_core.methods.effects")
CORRECTIONS: Catalogue[Correction] = Catalogue("correction", filled_by="nlpstat_core.methods.corrections")


def fitting_tests(correction: str) -> tuple[SignificanceTest, ...]:
    """The tests that a correction goes with.

    Returns: In menu order.
    Raises ConfigError: Unknown correction.
    """
    fits = CORRECTIONS[correction].fits
    return tuple(test for test in TESTS if fits is None or fits(test))
