# The bootstrap distribution of the median of u - v by enumeration of all n^n resamples, n = 5, 6, 7.
#   le_k, ge_k    P(median* <= z_(k)), P(median* >= z_(k)) at the k-th smallest difference
source("common.R")

for (case in c("normal-5", "normal-6", "normal-7")) {
  z <- sort(differences(read_pair(case)))
  n <- length(z)
  resamples <- as.matrix(expand.grid(rep(list(z), n)))
  # the median by sorting columns of the transposed matrix is slow: use the middle order statistics of each row
  sorted <- matrix(resamples[order(row(resamples), resamples)], ncol = n, byrow = TRUE)
  median <- if (n %% 2) sorted[, (n + 1) / 2] else (sorted[, n / 2] + sorted[, n / 2 + 1]) / 2
  below <- sapply(z, function(x) mean(median <= x + 1e-9))
  above <- sapply(z, function(x) mean(median >= x - 1e-9))
  p <- c(mean(median <= 1e-9), mean(median >= -1e-9))
  add(case, "enumeration",
      c(list(p_le_zero = p[1], p_ge_zero = p[2]), setNames(as.list(below), paste0("le_", 1:n)),
        setNames(as.list(above), paste0("ge_", 1:n))))
}
write_golden("bootstrap_median")
