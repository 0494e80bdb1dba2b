"""Literature on many systems: corrections, tests of all at once, letters."""

from nlpstat_core.methods.references.record import Reference

MANY_SYSTEMS: dict[str, Reference] = {
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
    "shaffer1986": Reference(
        "Shaffer, J. P.",
        1986,
        "Modified sequentially rejective multiple test procedures",
        "JASA 81(395)",
        "10.1080/01621459.1986.10478341",
    ),
    "westfall1993": Reference(
        "Westfall, P. H. and Young, S. S.",
        1993,
        "Resampling-Based Multiple Testing: Examples and Methods for p-Value Adjustment",
        "Wiley",
    ),
    "romano2005": Reference(
        "Romano, J. P. and Wolf, M.",
        2005,
        "Exact and approximate stepdown methods for multiple hypothesis testing",
        "JASA 100(469)",
        "10.1198/016214504000000539",
    ),
    "piepho2004": Reference(
        "Piepho, H.-P.",
        2004,
        "An algorithm for a letter-based representation of all-pairwise comparisons",
        "Journal of Computational and Graphical Statistics 13(2)",
        "10.1198/1061860043515",
    ),
    "friedman1937": Reference(
        "Friedman, M.",
        1937,
        "The use of ranks to avoid the assumption of normality implicit in the analysis of variance",
        "JASA 32(200)",
        "10.1080/01621459.1937.10503522",
    ),
    "iman1980": Reference(
        "Iman, R. L. and Davenport, J. M.",
        1980,
        "Approximations of the critical region of the Friedman statistic",
        "Communications in Statistics 9(6)",
        "10.1080/03610928008827904",
    ),
    "cochran1950": Reference(
        "Cochran, W. G.",
        1950,
        "The comparison of percentages in matched samples",
        "Biometrika 37(3–4)",
        "10.1093/biomet/37.3-4.256",
    ),
    "greenhouse1959": Reference(
        "Greenhouse, S. W. and Geisser, S.",
        1959,
        "On methods in the analysis of profile data",
        "Psychometrika 24(2)",
        "10.1007/BF02289823",
    ),
    "skillings1981": Reference(
        "Skillings, J. H. and Mack, G. A.",
        1981,
        "On the use of a Friedman-type statistic in balanced and unbalanced block designs",
        "Technometrics 23(2)",
        "10.1080/00401706.1981.10486261",
    ),
    "nemenyi1963": Reference(
        "Nemenyi, P. B.", 1963, "Distribution-free Multiple Comparisons", "PhD thesis, Princeton University"
    ),
    "demsar2006": Reference(
        "Demšar, J.",
        2006,
        "Statistical comparisons of classifiers over multiple data sets",
        "Journal of Machine Learning Research 7",
    ),
    "dror2017": Reference(
        "Dror, R., Baumer, G., Bogomolov, M. and Reichart, R.",
        2017,
        "Replicability analysis for natural language processing: Testing significance with multiple datasets",
        "Transactions of the Association for Computational Linguistics 5",
        "10.1162/tacl_a_00074",
    ),
    "benjamini2008": Reference(
        "Benjamini, Y. and Heller, R.",
        2008,
        "Screening for partial conjunction hypotheses",
        "Biometrics 64(4)",
        "10.1111/j.1541-0420.2007.00984.x",
    ),
}
