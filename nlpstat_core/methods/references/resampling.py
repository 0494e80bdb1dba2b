"""Literature on the bootstrap and resampling."""

from nlpstat_core.methods.references.record import Reference

RESAMPLING: dict[str, Reference] = {
    "efron1979": Reference(
        "Efron, B.",
        1979,
        "Bootstrap methods: another look at the jackknife",
        "Annals of Statistics 7(1)",
        "10.1214/aos/1176344552",
    ),
    "maritz1978": Reference(
        "Maritz, J. S. and Jarrett, R. G.",
        1978,
        "A note on estimating the variance of the sample median",
        "JASA 73(361)",
        "10.1080/01621459.1978.10480027",
    ),
    "hall1988": Reference(
        "Hall, P.",
        1988,
        "Theoretical comparison of bootstrap confidence intervals",
        "Annals of Statistics 16(3)",
        "10.1214/aos/1176350933",
    ),
    "beran1988": Reference(
        "Beran, R.",
        1988,
        "Prepivoting test statistics: a bootstrap view of asymptotic refinements",
        "JASA 83(403), 687–697",
        "10.1080/01621459.1988.10478649",
    ),
    "wallace1959": Reference(
        "Wallace, D. L.",
        1959,
        "Bounds on normal approximations to Student's and the chi-square distributions",
        "Annals of Mathematical Statistics 30(4), 1121–1130",
        "",
    ),
    "efron1993": Reference(
        "Efron, B. and Tibshirani, R. J.",
        1993,
        "An Introduction to the Bootstrap",
        "Chapman and Hall",
        "10.1007/978-1-4899-4541-9",
    ),
    "davison1997": Reference(
        "Davison, A. C. and Hinkley, D. V.",
        1997,
        "Bootstrap Methods and their Application",
        "Cambridge University Press",
        "10.1017/CBO9780511802843",
    ),
    "hartigan1969": Reference(
        "Hartigan, J. A.",
        1969,
        "Using subsample values as typical values",
        "JASA 64(328)",
        "10.1080/01621459.1969.10501057",
    ),
}
