# The Wilcoxon signed-rank test of u - v - delta.
#   wilcox.exact      exactRankTests: exact with ties, zeros dropped
#   wilcox.test       stats: exact without ties, otherwise the normal approximation with tie correction
#   wilcoxsign_test   coin: zeros dropped (zero=wilcox) or ranked with the others first (zero=pratt)
#   walsh             interval for the pseudo-median by definition, from the order statistics of the Walsh averages
source("common.R")
suppressPackageStartupMessages({library(exactRankTests); library(coin)})

walsh_interval <- function(z, alternative, level) {
  averages <- outer(z, z, "+") / 2
  averages <- sort(averages[lower.tri(averages, diag = TRUE)])
  alpha <- if (alternative == "two-sided") (1 - level) / 2 else 1 - level
  k <- qsignrank(alpha, length(z))
  lower <- if (k == 0) -Inf else averages[k]
  upper <- if (k == 0) Inf else averages[length(averages) + 1 - k]
  c(if (alternative == "less") -Inf else lower, if (alternative == "greater") Inf else upper)
}

for (pair in pair_cases()) {
  original <- differences(pair)
  if (length(original) > 200) next
  for (delta in c(0, shift_for(original))) for (alternative in ALTERNATIVES) {
    z <- round(original - delta, 6)
    distinct <- no_ties(z)

    test <- wilcox.exact(z, alternative = in_r(alternative), exact = TRUE)
    add(pair$case, "wilcox.exact", list(statistic = test$statistic, p_value = test$p.value), alternative,
        list(delta = delta))

    for (correct in c(FALSE, TRUE)) {
      test <- suppressWarnings(wilcox.test(z, alternative = in_r(alternative), exact = FALSE, correct = correct))
      add(pair$case, "wilcox.test", list(statistic = test$statistic, p_value = test$p.value), alternative,
          list(delta = delta, exact = FALSE, correct = correct))
    }

    for (zero in c("Wilcoxon", "Pratt")) for (distribution in c("exact", "asymptotic")) {
      test <- wilcoxsign_test(z ~ rep(0, length(z)), zero.method = zero, distribution = distribution,
                              alternative = in_r(alternative))
      add(pair$case, "wilcoxsign_test", list(z = statistic(test), p_value = pvalue(test)), alternative,
          list(delta = delta, zero = if (zero == "Pratt") "pratt" else "wilcox", distribution = distribution))
    }

    if (distinct) {
      test <- wilcox.test(z, alternative = in_r(alternative), exact = TRUE)
      add(pair$case, "wilcox.test", list(statistic = test$statistic, p_value = test$p.value), alternative,
          list(delta = delta, exact = TRUE))
    }
  }

  if (no_ties(original)) for (alternative in ALTERNATIVES) for (level in c(0.95, 0.8)) {
    interval <- walsh_interval(original, alternative, level)
    add(pair$case, "walsh", list(lower = interval[1], upper = interval[2]), alternative, list(level = level))
    if (any(is.finite(interval))) {
      test <- wilcox.test(original, alternative = in_r(alternative), exact = TRUE, conf.int = TRUE, conf.level = level)
      add(pair$case, "wilcox.test",
          list(estimate = test$estimate, lower = test$conf.int[1], upper = test$conf.int[2]), alternative,
          list(level = level, exact = TRUE))
    }
    if (length(original) > 50) {
      # R searches the root of the standardised statistic, so its ends lie between two Walsh averages
      test <- wilcox.test(original, alternative = in_r(alternative), exact = FALSE, correct = FALSE,
                          conf.int = TRUE, conf.level = level, tol.root = 1e-9)
      add(pair$case, "wilcox.test",
          list(estimate = test$estimate, lower = test$conf.int[1], upper = test$conf.int[2]), alternative,
          list(level = level, exact = FALSE, correct = FALSE))
    }
  }
}
write_golden("wilcoxon", c("exactRankTests", "coin"))
