# Summary of the differences u - v, skewness (biased moment estimate g1), Shapiro-Wilk.
# Quartiles are R's type 7, NumPy's default.
source("common.R")

g1 <- function(z) mean((z - mean(z))^3) / mean((z - mean(z))^2)^1.5

for (pair in pair_cases()) {
  z <- differences(pair)
  quartiles <- unname(quantile(z, c(0.25, 0.75)))
  add(pair$case, "summary",
      list(n = length(z), mean = mean(z), median = median(z), sd = sd(z), min = min(z), max = max(z),
           lower_quartile = quartiles[1], upper_quartile = quartiles[2], share_zero = mean(z == 0),
           mean_u = mean(pair$u), mean_v = mean(pair$v)))
  add(pair$case, "skewness", list(g1 = g1(z)))
  test <- shapiro.test(z)
  add(pair$case, "shapiro.test", list(statistic = test$statistic, p_value = test$p.value))
}
write_golden("diagnosis")
