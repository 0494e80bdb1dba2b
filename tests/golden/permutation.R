# Permutation (sign-flip) tests of the mean and of the median of u - v - delta.
#   perm.test       exactRankTests, exact, whole numbers
#   symmetry_test   coin, exact, whole numbers: systems within blocks of one unit
#   enumeration     all 2^n sign patterns in base R, n <= 12, statistic = mean or median
#   subset-means    interval for the mean by inverting the mean test: order statistics of the means of all subsets
# A two-sided p counts |T| >= |t| with an absolute tolerance of 1e-9, so that ties of decimal scores are ties.
source("common.R")
suppressPackageStartupMessages({library(exactRankTests); library(coin)})

sign_patterns <- function(n) as.matrix(expand.grid(rep(list(c(1, -1)), n)))

enumerated_p <- function(z, centre, alternative) {
  flipped <- sign_patterns(length(z)) * rep(z, each = 2^length(z))
  null <- if (centre == "mean") rowMeans(flipped) else apply(flipped, 1, median)
  t <- if (centre == "mean") mean(z) else median(z)
  mean(switch(alternative, "two-sided" = abs(null) >= abs(t) - 1e-9, "greater" = null >= t - 1e-9, "less" = null <= t + 1e-9))
}

# p(greater, delta) = (1 + number of subset means <= delta) / 2^n, so the ends of the interval are subset means.
subset_interval <- function(z, alternative, level) {
  chosen <- (1 - sign_patterns(length(z))[-1, , drop = FALSE]) / 2
  means <- sort(as.vector(chosen %*% z) / rowSums(chosen))
  alpha <- if (alternative == "two-sided") (1 - level) / 2 else 1 - level
  k <- floor(alpha * 2^length(z) + 1e-9)
  lower <- if (k == 0) -Inf else means[k]
  upper <- if (k == 0) Inf else means[length(means) + 1 - k]
  list(lower = if (alternative == "less") -Inf else lower, upper = if (alternative == "greater") Inf else upper)
}

whole <- function(z) all(z == round(z))

for (pair in pair_cases()) {
  original <- differences(pair)
  n <- length(original)
  for (alternative in ALTERNATIVES) {
    if (n <= 12) for (delta in c(0, shift_for(original))) {
      z <- round(original - delta, 6)
      add(pair$case, "enumeration", list(statistic = mean(z), p_value = enumerated_p(z, "mean", alternative)), alternative,
          list(centre = "mean", delta = delta))
      add(pair$case, "enumeration", list(statistic = median(z), p_value = enumerated_p(z, "median", alternative)),
          alternative, list(centre = "median", delta = delta))
    }
    if (n <= 12) for (level in c(0.95, 0.8)) {
      add(pair$case, "subset-means", subset_interval(original, alternative, level), alternative, list(level = level))
    }
    if (whole(original)) for (delta in c(0, 1)) {
      z <- original - delta
      if (all(z == 0)) next
      test <- perm.test(z, paired = FALSE, alternative = in_r(alternative), exact = TRUE)
      add(pair$case, "perm.test", list(p_value = test$p.value), alternative, list(centre = "mean", delta = delta))
      long <- data.frame(score = c(pair$u - delta, pair$v), system = factor(rep(c("u", "v"), each = n)),
                         unit = factor(rep(seq_len(n), 2)))
      test <- symmetry_test(score ~ system | unit, data = long, distribution = "exact", alternative = in_r(alternative))
      add(pair$case, "symmetry_test", list(z = statistic(test), p_value = pvalue(test)), alternative,
          list(centre = "mean", delta = delta))
    }
  }
}

# More whole-number differences with decimals taken away: scores with one decimal in tenths, three decimals in thousandths.
for (case in c("zeros-25", "zeros-80", "normal-30", "normal-60")) {
  pair <- read_pair(case)
  z <- round(differences(pair) * if (startsWith(case, "zeros")) 10 else 1000)
  for (alternative in ALTERNATIVES) {
    test <- perm.test(z, alternative = in_r(alternative), exact = TRUE)
    add(case, "perm.test", list(p_value = test$p.value), alternative, list(centre = "mean", delta = 0))
  }
}
write_golden("permutation", c("exactRankTests", "coin"))
