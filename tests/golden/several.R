# In how many data sets a null hypothesis is false: partial conjunction p-values by Bonferroni and Fisher, and
# Holm's adjusted p-values that name the data sets. Base R only.
source("common.R")

cases <- list(
  "two" = c(0.04, 0.3),
  "five" = c(0.001, 0.3, 0.02, 0.04, 0.8),
  "ties" = c(0.01, 0.01, 0.01, 0.2, 0.2, 1),
  "small" = c(1e-12, 3e-9, 0.5, 1e-4, 0.012, 0.049, 0.051),
  "ten" = c(0.9, 0.002, 0.004, 0.006, 0.008, 0.7, 0.012, 0.03, 0.05, 0.5)
)
for (name in names(cases)) {
  p <- cases[[name]]
  n <- length(p)
  sorted <- sort(p)
  u <- seq_len(n)
  bonferroni <- cummax(pmin(1, (n - u + 1) * sorted))
  fisher <- cummax(vapply(u, function(k) pchisq(-2 * sum(log(sorted[k:n])), df = 2 * (n - k + 1), lower.tail = FALSE), 0))
  for (k in u) {
    add(name, "partial-conjunction", list(bonferroni = bonferroni[k], fisher = fisher[k]), options = list(u = k))
  }
  for (alpha in c(0.01, 0.05)) {
    holm <- p.adjust(p, "holm")
    add(name, "claimed", list(bonferroni = sum(bonferroni <= alpha), fisher = sum(fisher <= alpha), holm = sum(holm <= alpha)),
        options = list(alpha = alpha))
  }
  holm <- p.adjust(p, "holm")
  for (k in u) add(name, "holm", list(p_adjusted = holm[k]), options = list(place = k))
}
write_golden("several")
