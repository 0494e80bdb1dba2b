"""chrF++: chrF with one and two words."""

from dataclasses import replace

from nlpstat_core.measures import chrf

METHOD = replace(
    chrf.METHOD,
    key="chrf++",
    label="chrF++",
    summary="chrF with n-grams of up to two words in addition to those of characters, as sacreBLEU has it, "
    "0–100.",
    encode=chrf.NGrams(word_order=2),
    reference="sacreBLEU's CHRF (word_order=2)",
    references=("popovic2017", "post2018"),
)
