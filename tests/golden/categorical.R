# Counts in categories: chi-square goodness of fit and independence, Fisher's exact test, Cramer's V.
# The tables are in the option `table`: rows divided by a slash, counts by blanks.
source("common.R")
suppressPackageStartupMessages(library(effectsize))

parse_table <- function(text) do.call(rbind, lapply(strsplit(text, "/")[[1]], function(row) as.numeric(strsplit(row, " ")[[1]])))

for (text in c("18 25 17 40", "5 5 5 5", "3 0 7")) {
  test <- suppressWarnings(chisq.test(as.vector(parse_table(text))))
  add("uniform", "goodness-of-fit",
      list(statistic = test$statistic, df = test$parameter, p_value = test$p.value, smallest_expected = min(test$expected)),
      options = list(table = text))
}
for (text in c("20 15/10 30", "3 1/1 4", "12 7 9/5 14 8", "8 2 4/1 9 3/5 5 6", "0 8/6 2")) {
  x <- parse_table(text)
  for (correct in if (all(dim(x) == 2)) c(FALSE, TRUE) else FALSE) {
    test <- suppressWarnings(chisq.test(x, correct = correct))
    add("independence", "chisq.test",
        list(statistic = test$statistic, df = test$parameter, p_value = test$p.value, smallest_expected = min(test$expected)),
        options = list(table = text, correct = correct))
  }
  for (alternative in if (all(dim(x) == 2)) ALTERNATIVES else "two-sided") {
    test <- fisher.test(x, alternative = in_r(alternative))
    add("independence", "fisher.test", list(p_value = test$p.value), alternative, list(table = text))
  }
  add("independence", "cramers_v", list(cramers_v = cramers_v(x, ci = NULL, adjust = FALSE)$Cramers_v),
      options = list(table = text))
}
write_golden("categorical", "effectsize")
