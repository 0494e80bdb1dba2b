# McNemar's test: b = units only the first system gets right, c = units only the second gets right.
#   binom.test     exact
#   mid-p          by definition: P(X beyond the observed) + half of P(X = observed)
#   mcnemar.test   chi-square with one degree of freedom, with and without continuity correction
source("common.R")

tables <- list("one-none" = c(1, 0), "five-none" = c(5, 0), "none-seven" = c(0, 7), "six-two" = c(6, 2),
               "equal-four" = c(4, 4), "one-nine" = c(1, 9), "ten-25" = c(10, 25), "150-90" = c(150, 90),
               "conll2000-chunking" = c(994, 476))
for (pair in pair_cases()) {
  if (is_binary(pair)) tables[[pair$case]] <- c(sum(pair$u > pair$v), sum(pair$u < pair$v))
}

mid_p <- function(b, c, alternative) {
  n <- b + c
  upper <- pbinom(b, n, 0.5, lower.tail = FALSE) + dbinom(b, n, 0.5) / 2
  lower <- pbinom(b - 1, n, 0.5) + dbinom(b, n, 0.5) / 2
  switch(alternative, "two-sided" = min(1, 2 * min(upper, lower)), "greater" = upper, "less" = lower)
}

for (case in names(tables)) {
  b <- tables[[case]][1]
  c <- tables[[case]][2]
  for (alternative in ALTERNATIVES) {
    test <- binom.test(b, b + c, 0.5, alternative = in_r(alternative))
    add(case, "binom.test", list(b = b, c = c, p_value = test$p.value), alternative)
    add(case, "mid-p", list(b = b, c = c, p_value = mid_p(b, c, alternative)), alternative)
  }
  for (correct in c(FALSE, TRUE)) {
    test <- mcnemar.test(matrix(c(10, c, b, 20), 2), correct = correct)
    add(case, "mcnemar.test", list(b = b, c = c, statistic = test$statistic, p_value = test$p.value), "two-sided",
        list(correct = correct))
  }
}
write_golden("mcnemar")
