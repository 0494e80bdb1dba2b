"""Literature on looking at the data first."""

from nlpstat_core.methods.references.record import Reference

DIAGNOSIS: dict[str, Reference] = {
    "shapiro1965": Reference(
        "Shapiro, S. S. and Wilk, M. B.",
        1965,
        "An analysis of variance test for normality (complete samples)",
        "Biometrika 52(3-4)",
        "10.1093/biomet/52.3-4.591",
    ),
    "royston1995": Reference(
        "Royston, P.",
        1995,
        "Remark AS R94: a remark on algorithm AS 181, the W-test for normality",
        "Journal of the Royal Statistical Society C 44(4)",
        "10.2307/2986146",
    ),
    "box1953": Reference(
        "Box, G. E. P.",
        1953,
        "Non-normality and tests on variances",
        "Biometrika 40(3–4)",
        "10.1093/biomet/40.3-4.318",
    ),
    "zhu2020": Reference(
        "Zhu, H., Mak, D., Gioannini, J. and Xia, F.",
        2020,
        "NLPStatTest: a toolkit for comparing NLP system performance",
        "Proceedings of AACL-IJCNLP 2020: System Demonstrations",
        "10.18653/v1/2020.aacl-demo.7",
    ),
}
