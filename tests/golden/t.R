# The paired t test of u - v = delta, with intervals for the mean difference.
source("common.R")

for (pair in pair_cases()) {
  z <- pair$u - pair$v
  for (delta in c(0, shift_for(z))) for (alternative in ALTERNATIVES) for (level in c(0.95, 0.8)) {
    if (level == 0.8 && delta != 0) next
    test <- t.test(pair$u, pair$v, paired = TRUE, mu = delta, alternative = in_r(alternative), conf.level = level)
    t <- unname(test$statistic)
    df <- unname(test$parameter)
    log_p <- switch(alternative,
                    "two-sided" = min(0, log(2) + pt(-abs(t), df, log.p = TRUE)),
                    "greater" = pt(t, df, lower.tail = FALSE, log.p = TRUE),
                    "less" = pt(t, df, log.p = TRUE))
    add(pair$case, "t.test",
        list(statistic = t, df = df, p_value = test$p.value, log10_p = log_p / log(10), estimate = mean(z),
             standard_error = sd(z) / sqrt(length(z)), lower = test$conf.int[1], upper = test$conf.int[2]),
        alternative, list(delta = delta, level = level))
  }
}
write_golden("t")
