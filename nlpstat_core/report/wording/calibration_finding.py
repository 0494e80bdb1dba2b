"""A sentence about how a procedure did in simulations, with its figures."""

from dataclasses import dataclass

REJECTED = "in simulations {rates} % of true null hypotheses were rejected at the 5 % level."
HELD = "in simulations its 95 % interval held the truth {rates} % of the time."


@dataclass(frozen=True, kw_only=True)
class Finding:
    """One sentence about how procedures behave where their assumptions fail.

    about: Keys of the tests, effect sizes and corrections that it concerns, or names of other procedures.
    text: May name the rates as {rates}.
    rates: Lowest and highest rate that was measured, in per cent: two-sided at the 5 % level, of intervals at
        95 %, of boards at 5 %.
    """

    about: tuple[str, ...]
    text: str
    rates: tuple[int, int] | None = None

    @property
    def sentence(self) -> str:
        """The sentence with its figures."""
        low, high = self.rates or (0, 0)
        return self.text.format(rates=f"{low} to {high}" if low < high else f"{low}")
