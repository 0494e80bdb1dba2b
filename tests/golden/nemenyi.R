# Nemenyi's critical difference of average ranks, and its p-values for the pairs of two matrices.
# qtukey with infinite degrees of freedom; the critical value is q / sqrt(2).
source("common.R")

for (k in c(2:20, 30, 50)) for (alpha in c(0.01, 0.05, 0.1)) {
  q <- qtukey(alpha, k, Inf, lower.tail = FALSE)
  for (n in c(12, 100)) {
    add(paste0("systems-", k), "qtukey", list(critical_value = q / sqrt(2), critical_difference = q * sqrt(k * (k + 1) / (12 * n))),
        options = list(alpha = alpha, n = n))
  }
}
for (case in c("five-12", "likert-six-40")) {
  x <- read_matrix(case)
  k <- ncol(x)
  average <- colMeans(t(apply(-x, 1, rank)))
  error <- sqrt(k * (k + 1) / (6 * nrow(x)))
  for (i in 1:(k - 1)) for (j in (i + 1):k) {
    q <- abs(average[i] - average[j]) / error * sqrt(2)
    add(case, "nemenyi", list(p_value = ptukey(q, k, Inf, lower.tail = FALSE)),
        options = list(system_a = colnames(x)[i], system_b = colnames(x)[j]))
  }
}
write_golden("nemenyi")
