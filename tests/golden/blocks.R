# Units in blocks (documents), inputs/blocks.csv: the mean of u - v over units.
#   block-t        standard error clustered by block (clubSandwich, CR2), Bell and McCaffrey's (Satterthwaite) degrees of freedom
#   enumeration    all 2^G sign patterns of the block sums
source("common.R")
library(clubSandwich)

data <- read.csv("inputs/blocks.csv")
data$z <- data$u - data$v
block_sums <- tapply(round(data$z * 10), data$block, sum) / 10
groups <- length(block_sums)

for (delta in c(0, 0.5)) for (alternative in ALTERNATIVES) {
  fit <- lm(z - delta ~ 1, data)
  test <- coef_test(fit, vcov = "CR2", cluster = data$block, test = "Satterthwaite")
  error <- test$SE
  t <- unname(coef(fit)) / error
  df <- test$df_Satt
  stopifnot(abs(t - test$tstat) < 1e-10)
  p <- switch(alternative, "two-sided" = 2 * pt(-abs(t), df), "greater" = pt(t, df, lower.tail = FALSE), "less" = pt(t, df))
  for (level in c(0.95, 0.8)) {
    half <- error * qt(1 - (if (alternative == "two-sided") (1 - level) / 2 else 1 - level), df)
    add("blocks", "block-t",
        list(estimate = mean(data$z), standard_error = error, statistic = t, df = df, p_value = p,
             lower = if (alternative == "less") -Inf else mean(data$z) - half,
             upper = if (alternative == "greater") Inf else mean(data$z) + half),
        alternative, list(delta = delta, level = level))
  }
  if (delta == 0) {
    null <- as.vector(as.matrix(expand.grid(rep(list(c(1, -1)), groups))) %*% block_sums)
    observed <- sum(block_sums)
    p <- mean(switch(alternative, "two-sided" = abs(null) >= abs(observed) - 1e-9, "greater" = null >= observed - 1e-9,
                     "less" = null <= observed + 1e-9))
    add("blocks", "enumeration", list(statistic = mean(data$z), p_value = p), alternative, list(delta = delta))
  }
}
write_golden("blocks", "clubSandwich")
