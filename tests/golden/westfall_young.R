# Westfall-Young step-down max-T over all pairs of a matrix, by enumeration of all 2^12 shared sign patterns.
# Statistic of a pair |sum(e z)| / sqrt(sum(z^2)), two-sided; p counts with >= and an absolute tolerance of 1e-9.
# These are the exact probabilities that (C + 1)/(B + 1) estimates.
source("common.R")

x <- read_matrix("five-12")
signs <- as.matrix(expand.grid(rep(list(c(1, -1)), nrow(x))))
pairs <- combn(ncol(x), 2)
z <- apply(pairs, 2, function(p) x[, p[1]] - x[, p[2]])
z <- round(z, 6)
scale <- sqrt(colSums(z^2))
null <- abs(signs %*% z) / rep(scale, each = nrow(signs))
observed <- abs(colSums(z)) / scale

order <- order(-observed)
adjusted <- numeric(ncol(z))
largest <- rep(0, nrow(null))
for (i in rev(order)) {
  largest <- pmax(largest, null[, i])
  adjusted[i] <- mean(largest >= observed[i] - 1e-9)
}
adjusted[order] <- cummax(adjusted[order])
for (i in seq_len(ncol(z))) {
  add("five-12", "enumeration", list(p_value = mean(null[, i] >= observed[i] - 1e-9), p_adjusted = adjusted[i]),
      options = list(system_a = colnames(x)[pairs[1, i]], system_b = colnames(x)[pairs[2, i]]))
}
write_golden("westfall_young")
