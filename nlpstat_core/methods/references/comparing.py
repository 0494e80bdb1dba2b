"""Literature on significance tests of two systems."""

from nlpstat_core.methods.references.record import Reference

SIGNIFICANCE: dict[str, Reference] = {
    "student1908": Reference(
        "Student", 1908, "The probable error of a mean", "Biometrika 6(1)", "10.1093/biomet/6.1.1"
    ),
    "welch1947": Reference(
        "Welch, B. L.",
        1947,
        "The generalization of 'Student's' problem when several different population variances are involved",
        "Biometrika 34(1–2)",
        "10.1093/biomet/34.1-2.28",
    ),
    "wilcoxon1945": Reference(
        "Wilcoxon, F.",
        1945,
        "Individual comparisons by ranking methods",
        "Biometrics Bulletin 1(6)",
        "10.2307/3001968",
    ),
    "pratt1959": Reference(
        "Pratt, J. W.",
        1959,
        "Remarks on zeros and ties in the Wilcoxon signed rank procedures",
        "JASA 54(287)",
        "10.1080/01621459.1959.10501526",
    ),
    "mann1947": Reference(
        "Mann, H. B. and Whitney, D. R.",
        1947,
        "On a test of whether one of two random variables is stochastically larger than the other",
        "Annals of Mathematical Statistics 18(1)",
        "10.1214/aoms/1177730491",
    ),
    "dixon1946": Reference(
        "Dixon, W. J. and Mood, A. M.",
        1946,
        "The statistical sign test",
        "JASA 41(236)",
        "10.1080/01621459.1946.10501898",
    ),
    "mcnemar1947": Reference(
        "McNemar, Q.",
        1947,
        "Note on the sampling error of the difference between correlated proportions or percentages",
        "Psychometrika 12(2)",
        "10.1007/BF02295996",
    ),
    "fagerland2013": Reference(
        "Fagerland, M. W., Lydersen, S. and Laake, P.",
        2013,
        "The McNemar test for binary matched-pairs data: "
        "mid-p and asymptotic are better than exact conditional",
        "BMC Medical Research Methodology 13:91",
        "10.1186/1471-2288-13-91",
    ),
    "fisher1935": Reference("Fisher, R. A.", 1935, "The Design of Experiments", "Oliver and Boyd", ""),
    "pitman1937": Reference(
        "Pitman, E. J. G.",
        1937,
        "Significance tests which may be applied to samples from any populations",
        "Supplement to the Journal of the Royal Statistical Society 4(1)",
        "10.2307/2984124",
    ),
    "satterthwaite1946": Reference(
        "Satterthwaite, F. E.",
        1946,
        "An approximate distribution of estimates of variance components",
        "Biometrics Bulletin 2(6)",
        "10.2307/3002019",
    ),
    "searle1992": Reference(
        "Searle, S. R., Casella, G. and McCulloch, C. E.",
        1992,
        "Variance components",
        "Wiley",
        "10.1002/9780470316856",
    ),
    "bell2002": Reference(
        "Bell, R. M. and McCaffrey, D. F.",
        2002,
        "Bias reduction in standard errors for linear regression with multi-stage samples",
        "Survey Methodology 28(2), 169–181",
        "",
    ),
    "imbens2016": Reference(
        "Imbens, G. W. and Kolesár, M.",
        2016,
        "Robust standard errors in small samples: some practical advice",
        "Review of Economics and Statistics 98(4)",
        "10.1162/REST_a_00552",
    ),
    "cameron2008": Reference(
        "Cameron, A. C., Gelbach, J. B. and Miller, D. L.",
        2008,
        "Bootstrap-based improvements for inference with clustered errors",
        "Review of Economics and Statistics 90(3)",
        "10.1162/rest.90.3.414",
    ),
    "winkler2014": Reference(
        "Winkler, A. M., Ridgway, G. R., Webster, M. A., Smith, S. M. and Nichols, T. E.",
        2014,
        "Permutation inference for the general linear model",
        "NeuroImage 92",
        "10.1016/j.neuroimage.2014.01.060",
    ),
    "zmigrod2022": Reference(
        "Zmigrod, R., Vieira, T. and Cotterell, R.",
        2022,
        "Exact paired-permutation testing for structured test statistics",
        "Proceedings of NAACL 2022",
        "10.18653/v1/2022.naacl-main.360",
    ),
    "pearson1900": Reference(
        "Pearson, K.",
        1900,
        "On the criterion that a given system of deviations from the probable in the case of a correlated "
        "system of variables is such that it can be reasonably supposed to have arisen from random sampling",
        "Philosophical Magazine, Series 5, 50(302)",
        "10.1080/14786440009463897",
    ),
    "yates1934": Reference(
        "Yates, F.",
        1934,
        "Contingency tables involving small numbers and the χ² test",
        "Supplement to the Journal of the Royal Statistical Society 1(2)",
        "10.2307/2983604",
    ),
    "freeman1951": Reference(
        "Freeman, G. H. and Halton, J. H.",
        1951,
        "Note on an exact treatment of contingency, goodness of fit and other problems of significance",
        "Biometrika 38(1–2)",
        "10.1093/biomet/38.1-2.141",
    ),
}
