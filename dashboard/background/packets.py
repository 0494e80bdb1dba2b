"""Objects sent between the server and a worker process, through pipes: nothing touches the disk."""

import copyreg
import pickle
from collections.abc import Sequence
from dataclasses import is_dataclass
from typing import IO, Any

from dashboard.background.import_turns import taking_turns

STOP = "stop"


class _Packer(pickle.Pickler):
    def __init__(self, file: IO[bytes], known: Sequence[object]) -> None:
        super().__init__(file, protocol=pickle.HIGHEST_PROTOCOL)
        self._places = {id(thing): place for place, thing in enumerate(known)}

    def persistent_id(self, thing: object) -> int | None:
        return self._places.get(id(thing))

    def reducer_override(self, thing: object) -> Any:
        """A page may look at the scores meanwhile, which adds what is computed on demand to their fields."""
        if is_dataclass(thing) and not isinstance(thing, type):
            return copyreg.__newobj__, (type(thing),), dict(vars(thing))  # type: ignore[attr-defined]  # public, but not in its stub
        return NotImplemented


class _Unpacker(pickle.Unpickler):
    def __init__(self, file: IO[bytes], known: Sequence[object]) -> None:
        super().__init__(file)
        self._known = known

    def find_class(self, module: str, name: str) -> object:
        """May import the module."""
        with taking_turns():
            return super().find_class(module, name)

    def persistent_load(self, place: int) -> object:
        return self._known[place]


def pack(thing: object, file: IO[bytes], known: Sequence[object] = ()) -> None:
    """Write one object and send it off.

    known: What the other side has already: only its place is sent, so that scores that come back in a result
        are the same object there and not a second copy.
    """
    _Packer(file, known).dump(thing)
    file.flush()


def unpack(file: IO[bytes], known: Sequence[object] = ()) -> Any:
    """The next object.

    known: The same as on the other side, in the same order.
    Raises EOFError: The other side has ended.
    """
    return _Unpacker(file, known).load()
