# The sign test of u - v - delta by binom.test, and the interval for the median from order statistics.
# The interval uses all units, zeros included; `level_achieved` is its exact level for continuous data.
source("common.R")

median_interval <- function(z, alternative, level) {
  n <- length(z)
  z <- sort(z)
  alpha <- if (alternative == "two-sided") (1 - level) / 2 else 1 - level
  k <- qbinom(alpha, n, 0.5)  # smallest k with P(X <= k) >= alpha, so P(X <= k - 1) < alpha
  tail <- pbinom(k - 1, n, 0.5)
  lower <- if (k == 0 || alternative == "less") -Inf else z[k]
  upper <- if (k == 0 || alternative == "greater") Inf else z[n + 1 - k]
  list(lower = lower, upper = upper, level_achieved = 1 - (if (alternative == "two-sided") 2 else 1) * tail)
}

for (pair in pair_cases()) {
  original <- differences(pair)
  for (alternative in ALTERNATIVES) {
    for (delta in c(0, shift_for(original))) {
      z <- round(original - delta, 6)
      positive <- sum(z > 0)
      nonzero <- sum(z != 0)
      test <- binom.test(positive, nonzero, 0.5, alternative = in_r(alternative))
      add(pair$case, "binom.test", list(statistic = positive, n_nonzero = nonzero, p_value = test$p.value), alternative,
          list(delta = delta))
    }
    for (level in c(0.95, 0.8)) {
      add(pair$case, "order-statistics", median_interval(original, alternative, level), alternative, list(level = level))
    }
  }
}
write_golden("sign")
