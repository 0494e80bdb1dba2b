"""Literature on Bayesian comparison of systems."""

from nlpstat_core.methods.references.record import Reference

BAYES: dict[str, Reference] = {
    "jeffreys1961": Reference("Jeffreys, H.", 1961, "Theory of Probability", "3rd edition, Oxford"),
    "rouder2009": Reference(
        "Rouder, J. N., Speckman, P. L., Sun, D., Morey, R. D. and Iverson, G.",
        2009,
        "Bayesian t tests for accepting and rejecting the null hypothesis",
        "Psychonomic Bulletin & Review 16(2)",
        "10.3758/PBR.16.2.225",
    ),
    "rubin1981": Reference(
        "Rubin, D. B.", 1981, "The Bayesian bootstrap", "Annals of Statistics 9(1)", "10.1214/aos/1176345338"
    ),
    "gelman2006": Reference(
        "Gelman, A.",
        2006,
        "Prior distributions for variance parameters in hierarchical models",
        "Bayesian Analysis 1(3)",
        "10.1214/06-BA117A",
    ),
    "gelman2012": Reference(
        "Gelman, A., Hill, J. and Yajima, M.",
        2012,
        "Why we (usually) don't have to worry about multiple comparisons",
        "Journal of Research on Educational Effectiveness 5(2)",
        "10.1080/19345747.2011.618213",
    ),
    "ledoit2004": Reference(
        "Ledoit, O. and Wolf, M.",
        2004,
        "A well-conditioned estimator for large-dimensional covariance matrices",
        "Journal of Multivariate Analysis 88(2)",
        "10.1016/S0047-259X(03)00096-4",
    ),
    "benavoli2017": Reference(
        "Benavoli, A., Corani, G., Demšar, J. and Zaffalon, M.",
        2017,
        "Time for a change: a tutorial for comparing multiple classifiers through Bayesian analysis",
        "JMLR 18(77)",
    ),
    "kruschke2018": Reference(
        "Kruschke, J. K.",
        2018,
        "Rejecting or accepting parameter values in Bayesian estimation",
        "Advances in Methods and Practices in Psychological Science 1(2)",
        "10.1177/2515245918771304",
    ),
    "sadeqiazer2020": Reference(
        "Sadeqi Azer, E., Khashabi, D., Sabharwal, A. and Roth, D.",
        2020,
        "Not all claims are created equal: choosing the right statistical approach to assess hypotheses",
        "Proceedings of ACL 2020",
        "10.18653/v1/2020.acl-main.506",
    ),
}
