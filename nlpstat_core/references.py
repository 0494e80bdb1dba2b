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
    "fisher1935": Reference(
        "Fisher, R. A.",
        1935,
        "The Design of Experiments",
        "Oliver and Boyd",
        "",
    ),
    "pitman1937": Reference(
        "Pitman, E. J. G.",
        1937,
        "Significance tests which may be applied to samples from any populations",
        "Supplement to the Journal of the Royal Statistical Society 4(1)",
        "10.2307/2984124",
    ),
    "hedges1981": Reference(
        "Hedges, L. V.",
        1981,
        "Distribution theory for Glass's estimator of effect size and related estimators",
        "Journal of Educational Statistics 6(2)",
        "10.3102/10769986006002107",
    ),
    "rosenthal1991": Reference(
        "Rosenthal, R.",
        1991,
        "Meta-Analytic Procedures for Social Research, revised edition",
        "Sage",
        "",
    ),
    "hodges1963": Reference(
        "Hodges, J. L. and Lehmann, E. L.",
        1963,
        "Estimates of location based on rank tests",
        "Annals of Mathematical Statistics 34(2)",
        "10.1214/aoms/1177704172",
    ),
    "hartigan1969": Reference(
        "Hartigan, J. A.",
        1969,
        "Using subsample values as typical values",
        "JASA 64(328)",
        "10.1080/01621459.1969.10501057",
    ),
    "thompson1936": Reference(
        "Thompson, W. R.",
        1936,
        "On confidence ranges for the median and other expectation distributions "
        "for populations of unknown distribution form",
        "Annals of Mathematical Statistics 7(3)",
        "10.1214/aoms/1177732502",
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
    "efron1979": Reference(
        "Efron, B.",
        1979,
        "Bootstrap methods: another look at the jackknife",
        "Annals of Statistics 7(1)",
        "10.1214/aos/1176344552",
    ),
    "steiger1997": Reference(
        "Steiger, J. H. and Fouladi, R. T.",
        1997,
        "Noncentrality interval estimation and the evaluation of statistical models",
        "What If There Were No Significance Tests?, Lawrence Erlbaum",
        "",
    ),
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
    "zhu2020": Reference(
        "Zhu, H., Mak, D., Gioannini, J. and Xia, F.",
        2020,
        "NLPStatTest: a toolkit for comparing NLP system performance",
        "Proceedings of AACL-IJCNLP 2020: System Demonstrations",
        "10.18653/v1/2020.aacl-demo.7",
    ),
    "hall1988": Reference(
        "Hall, P.",
        1988,
        "Theoretical comparison of bootstrap confidence intervals",
        "Annals of Statistics 16(3)",
        "10.1214/aos/1176350933",
    ),
    "efron1993": Reference(
        "Efron, B. and Tibshirani, R. J.",
        1993,
        "An Introduction to the Bootstrap",
        "Chapman and Hall",
        "10.1007/978-1-4899-4541-9",
    ),
    "maritz1978": Reference(
        "Maritz, J. S. and Jarrett, R. G.",
        1978,
        "A note on estimating the variance of the sample median",
        "JASA 73(361)",
        "10.1080/01621459.1978.10480027",
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
    "liang1986": Reference(
        "Liang, K.-Y. and Zeger, S. L.",
        1986,
        "Longitudinal data analysis using generalized linear models",
        "Biometrika 73(1)",
        "10.1093/biomet/73.1.13",
    ),
    "cameron2008": Reference(
        "Cameron, A. C., Gelbach, J. B. and Miller, D. L.",
        2008,
        "Bootstrap-based improvements for inference with clustered errors",
        "Review of Economics and Statistics 90(3)",
        "10.1162/rest.90.3.414",
    ),
    "cameron2015": Reference(
        "Cameron, A. C. and Miller, D. L.",
        2015,
        "A practitioner's guide to cluster-robust inference",
        "Journal of Human Resources 50(2)",
        "10.3368/jhr.50.2.317",
    ),
    "davison1997": Reference(
        "Davison, A. C. and Hinkley, D. V.",
        1997,
        "Bootstrap Methods and their Application",
        "Cambridge University Press",
        "10.1017/CBO9780511802843",
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
    "piepho2004": Reference(
        "Piepho, H.-P.",
        2004,
        "An algorithm for a letter-based representation of all-pairwise comparisons",
        "Journal of Computational and Graphical Statistics 13(2)",
        "10.1198/1061860043515",
    ),
    "shaffer1986": Reference(
        "Shaffer, J. P.",
        1986,
        "Modified sequentially rejective multiple test procedures",
        "JASA 81(395)",
        "10.1080/01621459.1986.10478341",
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
    "welch1947": Reference(
        "Welch, B. L.",
        1947,
        "The generalization of 'Student's' problem when several different population variances are involved",
        "Biometrika 34(1–2)",
        "10.1093/biomet/34.1-2.28",
    ),
    "mann1947": Reference(
        "Mann, H. B. and Whitney, D. R.",
        1947,
        "On a test of whether one of two random variables is stochastically larger than the other",
        "Annals of Mathematical Statistics 18(1)",
        "10.1214/aoms/1177730491",
    ),
}
