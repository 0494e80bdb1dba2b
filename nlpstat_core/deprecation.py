"""Names on their way out: they work until a date that their warning tells."""

import functools
import warnings
from collections.abc import Callable
from datetime import date
from typing import ParamSpec, TypeVar

Given = ParamSpec("Given")
Found = TypeVar("Found")


def deprecated(
    *, since: str, until: date, instead: str
) -> Callable[[Callable[Given, Found]], Callable[Given, Found]]:
    """Mark a public function that will go; calling it warns, and nothing else changes.

    since: The release that first warns.
    until: The day before which no release drops it, half a year after that release at least.
    instead: What to use now.

    >>> @deprecated(since="0.3.0", until=date(2027, 9, 1), instead="new_name")
    ... def old_name(): return 7
    >>> with warnings.catch_warnings(record=True) as told:
    ...     warnings.simplefilter("always")
    ...     value = old_name()
    >>> value, str(told[0].message)
    (7, 'old_name is deprecated since 0.3.0 and stays until 2027-09-01; use new_name.')
    """

    def marked(function: Callable[Given, Found]) -> Callable[Given, Found]:
        said = f"{function.__name__} is deprecated since {since} and stays until {until}; use {instead}."

        @functools.wraps(function)
        def warning(*given: Given.args, **named: Given.kwargs) -> Found:
            warnings.warn(said, DeprecationWarning, stacklevel=2)
            return function(*given, **named)

        return warning

    return marked
