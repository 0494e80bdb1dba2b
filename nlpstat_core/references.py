"""The literature that methods cite, as data for the Methods page and for BibTeX."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Reference:
    """One publication.

    Attributes
    ----------
    authors, title, venue : str
    year : int
    doi : str
        Empty where there is none.
    """

    authors: str
    year: int
    title: str
    venue: str
    doi: str = ""

    @property
    def text(self) -> str:
        """The reference as one line."""
        link = f" doi:{self.doi}" if self.doi else ""
        return f"{self.authors} ({self.year}). {self.title}. {self.venue}.{link}"


REFERENCES: dict[str, Reference] = {
    "student1908": Reference(
        "Student", 1908, "The probable error of a mean", "Biometrika 6(1)", "10.1093/biomet/6.1.1"
    ),
    "cohen1988": Reference(
        "Cohen, J.",
        1988,
        "Statistical Power Analysis for the Behavioral Sciences, 2nd edition",
        "Lawrence Erlbaum",
    ),
    "dunn1961": Reference(
        "Dunn, O. J.",
        1961,
        "Multiple comparisons among means",
        "JASA 56(293)",
        "10.1080/01621459.1961.10482090",
    ),
    "sidak1967": Reference(
        "Šidák, Z.",
        1967,
        "Rectangular confidence regions for the means of multivariate normal distributions",
        "JASA 62(318)",
        "10.1080/01621459.1967.10482935",
    ),
    "holm1979": Reference(
        "Holm, S.",
        1979,
        "A simple sequentially rejective multiple test procedure",
        "Scandinavian Journal of Statistics 6(2)",
    ),
    "hochberg1988": Reference(
        "Hochberg, Y.",
        1988,
        "A sharper Bonferroni procedure for multiple tests of significance",
        "Biometrika 75(4)",
        "10.1093/biomet/75.4.800",
    ),
    "hommel1988": Reference(
        "Hommel, G.",
        1988,
        "A stagewise rejective multiple test procedure based on a modified Bonferroni test",
        "Biometrika 75(2)",
        "10.1093/biomet/75.2.383",
    ),
    "benjamini1995": Reference(
        "Benjamini, Y. and Hochberg, Y.",
        1995,
        "Controlling the false discovery rate: a practical and powerful approach to multiple testing",
        "Journal of the Royal Statistical Society B 57(1)",
        "10.1111/j.2517-6161.1995.tb02031.x",
    ),
    "benjamini2001": Reference(
        "Benjamini, Y. and Yekutieli, D.",
        2001,
        "The control of the false discovery rate in multiple testing under dependency",
        "Annals of Statistics 29(4)",
        "10.1214/aos/1013699998",
    ),
}
