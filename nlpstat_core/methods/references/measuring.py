"""Literature on effect sizes and their intervals."""

from nlpstat_core.methods.references.record import Reference

EFFECT_SIZES: dict[str, Reference] = {
    "cohen1988": Reference(
        "Cohen, J.",
        1988,
        "Statistical Power Analysis for the Behavioral Sciences, 2nd edition",
        "Lawrence Erlbaum",
    ),
    "hedges1981": Reference(
        "Hedges, L. V.",
        1981,
        "Distribution theory for Glass's estimator of effect size and related estimators",
        "Journal of Educational Statistics 6(2)",
        "10.3102/10769986006002107",
    ),
    "rosenthal1991": Reference(
        "Rosenthal, R.", 1991, "Meta-Analytic Procedures for Social Research, revised edition", "Sage", ""
    ),
    "thompson1936": Reference(
        "Thompson, W. R.",
        1936,
        "On confidence ranges for the median and other expectation distributions "
        "for populations of unknown distribution form",
        "Annals of Mathematical Statistics 7(3)",
        "10.1214/aoms/1177732502",
    ),
    "hodges1963": Reference(
        "Hodges, J. L. and Lehmann, E. L.",
        1963,
        "Estimates of location based on rank tests",
        "Annals of Mathematical Statistics 34(2)",
        "10.1214/aoms/1177704172",
    ),
    "clopper1934": Reference(
        "Clopper, C. J. and Pearson, E. S.",
        1934,
        "The use of confidence or fiducial limits illustrated in the case of the binomial",
        "Biometrika 26(4)",
        "10.1093/biomet/26.4.404",
    ),
    "wilson1927": Reference(
        "Wilson, E. B.",
        1927,
        "Probable inference, the law of succession, and statistical inference",
        "JASA 22(158)",
        "10.1080/01621459.1927.10502953",
    ),
    "mcgraw1992": Reference(
        "McGraw, K. O. and Wong, S. P.",
        1992,
        "A common language effect size statistic",
        "Psychological Bulletin 111(2)",
        "10.1037/0033-2909.111.2.361",
    ),
    "kerby2014": Reference(
        "Kerby, D. S.",
        2014,
        "The simple difference formula: an approach to teaching nonparametric correlation",
        "Comprehensive Psychology 3",
        "10.2466/11.IT.3.1",
    ),
    "steiger1997": Reference(
        "Steiger, J. H. and Fouladi, R. T.",
        1997,
        "Noncentrality interval estimation and the evaluation of statistical models",
        "What If There Were No Significance Tests?, Lawrence Erlbaum",
        "",
    ),
    "cliff1993": Reference(
        "Cliff, N.",
        1993,
        "Dominance statistics: Ordinal analyses to answer ordinal questions",
        "Psychological Bulletin 114(3)",
        "10.1037/0033-2909.114.3.494",
    ),
    "feng2004": Reference(
        "Feng, D. and Cliff, N.",
        2004,
        "Monte Carlo evaluation of ordinal d with improved confidence interval",
        "Journal of Modern Applied Statistical Methods 3(2)",
        "10.22237/jmasm/1099267620",
    ),
    "cramer1946": Reference(
        "Cramér, H.", 1946, "Mathematical Methods of Statistics", "Princeton University Press"
    ),
}
