# Bayes factors of one-sample t tests under the JZS prior, by Richard Morey's package.
source("common.R")
suppressMessages(library(BayesFactor))

SCALES <- c(0.5, sqrt(2) / 2, 1)

for (pair in pair_cases()) {
  z <- pair$u - pair$v
  if (length(pair$u) != length(pair$v) || length(z) < 2 || sd(z) < 1e-9) next
  t <- mean(z) / (sd(z) / sqrt(length(z)))
  for (scale in SCALES) {
    log_bf <- ttest.tstat(t = t, n1 = length(z), rscale = scale)[["bf"]]
    add(pair$case, "ttest.tstat", list(t = t, n = length(z), log_bf = log_bf), options = list(scale = scale))
  }
}

# t statistics without data, some far out.
for (at in list(c(3.5, 20), c(0, 100), c(1.64451, 2001), c(-2, 5), c(12, 50), c(0.3, 2))) {
  for (scale in SCALES) {
    log_bf <- ttest.tstat(t = at[1], n1 = at[2], rscale = scale)[["bf"]]
    add("statistic", "ttest.tstat", list(t = at[1], n = at[2], log_bf = log_bf),
        options = list(t = at[1], n = at[2], scale = scale))
  }
}
sleep_bf <- ttestBF(x = sleep$extra[11:20] - sleep$extra[1:10])
add("sleep", "ttestBF", list(bf = extractBF(sleep_bf)$bf))

write_golden("bayes", "BayesFactor")
