# Two independent groups u and v (inputs/unpaired): tests of u against v + delta, and effect sizes.
#   t.test          Welch (var_equal=FALSE) and Student (var_equal=TRUE)
#   wilcox.test     Mann-Whitney U of u (R's W): exact without ties, normal approximation otherwise
#   wilcox.exact    exactRankTests, exact with ties
#   perm.test       exactRankTests, permutation of the labels, whole numbers, statistic = sum of u
#   enumeration     all relabellings in base R, difference of means, small samples
#   var.test        equality of variances
source("common.R")
suppressPackageStartupMessages({library(exactRankTests); library(effectsize)})

enumerated_p <- function(u, v, alternative) {
  all <- c(u, v)
  chosen <- combn(length(all), length(u))
  total <- colSums(matrix(all[chosen], nrow = length(u)))
  null <- total / length(u) - (sum(all) - total) / length(v)
  observed <- mean(u) - mean(v)
  greater <- mean(null >= observed - 1e-9)
  less <- mean(null <= observed + 1e-9)
  switch(alternative, "two-sided" = min(1, 2 * min(greater, less)), "greater" = greater, "less" = less)
}

# exactRankTests' two-sided p counts the distance from the mean of the distribution (tails=distance). With ties this
# distribution is not symmetric, and twice the smaller one-sided p is another number (tails=doubled, SciPy's rule).
add_exact <- function(case, method, run, alternative) {
  test <- run(in_r(alternative))
  if (alternative != "two-sided") return(add(case, method, list(p_value = test$p.value), alternative))
  add(case, method, list(p_value = test$p.value), alternative, list(tails = "distance"))
  doubled <- min(1, 2 * min(run("greater")$p.value, run("less")$p.value))
  add(case, method, list(p_value = doubled), alternative, list(tails = "doubled"))
}

for (case in cases_in("inputs/unpaired")) {
  pair <- read_pair(case, "inputs/unpaired")
  u <- pair$u
  v <- pair$v
  ties <- anyDuplicated(c(u, v)) > 0
  whole <- all(c(u, v) == round(c(u, v)))
  for (alternative in ALTERNATIVES) {
    for (equal in c(FALSE, TRUE)) for (delta in c(0, 1)) for (level in c(0.95, 0.8)) {
      test <- t.test(u, v, var.equal = equal, mu = delta, alternative = in_r(alternative), conf.level = level)
      add(case, "t.test",
          list(statistic = test$statistic, df = test$parameter, p_value = test$p.value, estimate = mean(u) - mean(v),
               lower = test$conf.int[1], upper = test$conf.int[2]),
          alternative, list(var_equal = equal, delta = delta, level = level))
    }
    for (correct in c(FALSE, TRUE)) {
      test <- wilcox.test(u, v, exact = FALSE, correct = correct, alternative = in_r(alternative))
      add(case, "wilcox.test", list(statistic = test$statistic, p_value = test$p.value), alternative,
          list(exact = FALSE, correct = correct))
    }
    if (!ties) {
      test <- wilcox.test(u, v, exact = TRUE, alternative = in_r(alternative), conf.int = TRUE, conf.level = 0.8)
      add(case, "wilcox.test",
          list(statistic = test$statistic, p_value = test$p.value, estimate = test$estimate, lower = test$conf.int[1],
               upper = test$conf.int[2]),
          alternative, list(exact = TRUE, level = 0.8))
    }
    add_exact(case, "wilcox.exact", function(side) wilcox.exact(u, v, alternative = side, exact = TRUE), alternative)
    if (whole) add_exact(case, "perm.test", function(side) perm.test(u, v, alternative = side, exact = TRUE), alternative)
    if (length(u) + length(v) <= 12) {
      add(case, "enumeration", list(p_value = enumerated_p(u, v, alternative)), alternative)
    }
    test <- var.test(u, v, alternative = in_r(alternative))
    add(case, "var.test",
        list(statistic = test$statistic, df1 = test$parameter[1], df2 = test$parameter[2], p_value = test$p.value), alternative)
  }
  d <- cohens_d(u, v, ci = 0.95, verbose = FALSE)
  g <- hedges_g(u, v, ci = 0.95, verbose = FALSE)
  add(case, "cohens_d", list(cohen_d = d$Cohens_d, lower = d$CI_low, upper = d$CI_high), options = list(level = 0.95))
  add(case, "hedges_g", list(hedges_g = g$Hedges_g, lower = g$CI_low, upper = g$CI_high), options = list(level = 0.95))
  add(case, "cliffs_delta", list(cliffs_delta = cliffs_delta(u, v, ci = NULL, verbose = FALSE)$r_rank_biserial))
}
write_golden("unpaired", c("exactRankTests", "effectsize"))
