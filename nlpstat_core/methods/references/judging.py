"""Literature on metrics judged by people, and on correlations."""

from nlpstat_core.methods.references.record import Reference

METRICS = {
    "spearman1904": Reference(
        "Spearman, C.",
        1904,
        "The proof and measurement of association between two things",
        "American Journal of Psychology 15(1)",
        "10.2307/1412159",
    ),
    "fisher1921": Reference(
        "Fisher, R. A.",
        1921,
        "On the probable error of a coefficient of correlation deduced from a small sample",
        "Metron 1",
    ),
    "pitman1937b": Reference(
        "Pitman, E. J. G.",
        1937,
        "Significance tests which may be applied to samples from any populations. II. The correlation "
        "coefficient test",
        "Supplement to the Journal of the Royal Statistical Society 4(2)",
        "10.2307/2983647",
    ),
    "kendall1945": Reference(
        "Kendall, M. G.",
        1945,
        "The treatment of ties in ranking problems",
        "Biometrika 33(3)",
        "10.1093/biomet/33.3.239",
    ),
    "williams1959": Reference("Williams, E. J.", 1959, "Regression Analysis", "Wiley"),
    "steiger1980": Reference(
        "Steiger, J. H.",
        1980,
        "Tests for comparing elements of a correlation matrix",
        "Psychological Bulletin 87(2)",
        "10.1037/0033-2909.87.2.245",
    ),
    "graham2014": Reference(
        "Graham, Y. and Baldwin, T.",
        2014,
        "Testing for significance of increased correlation with human judgment",
        "Proceedings of EMNLP",
        "10.3115/v1/D14-1020",
    ),
    "mathur2020": Reference(
        "Mathur, N., Baldwin, T. and Cohn, T.",
        2020,
        "Tangled up in BLEU: Reevaluating the evaluation of automatic machine translation evaluation metrics",
        "Proceedings of ACL",
        "10.18653/v1/2020.acl-main.448",
    ),
    "kocmi2021": Reference(
        "Kocmi, T., Federmann, C., Grundkiewicz, R., Junczys-Dowmunt, M., Matsushita, H. and Menezes, A.",
        2021,
        "To ship or not to ship: An extensive evaluation of automatic metrics for machine translation",
        "Proceedings of WMT",
    ),
    "deutsch2021": Reference(
        "Deutsch, D., Dror, R. and Roth, D.",
        2021,
        "A statistical analysis of summarization evaluation metrics using resampling methods",
        "Transactions of the Association for Computational Linguistics 9",
        "10.1162/tacl_a_00417",
    ),
    "deutsch2023": Reference(
        "Deutsch, D., Foster, G. and Freitag, M.",
        2023,
        "Ties matter: Meta-evaluating modern metrics with pairwise accuracy and tie calibration",
        "Proceedings of EMNLP",
        "10.18653/v1/2023.emnlp-main.798",
    ),
    "thompson2024": Reference(
        "Thompson, B., Mathur, N., Deutsch, D. and Khayrallah, H.",
        2024,
        "Improving statistical significance in human evaluation of automatic metrics via soft pairwise "
        "accuracy",
        "Proceedings of WMT",
        "10.18653/v1/2024.wmt-1.118",
    ),
}
