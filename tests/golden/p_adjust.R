# Adjusted p-values: p.adjust, and Shaffer's static procedure (S1) by definition.
# The quantity is the position in inputs/p_values.csv; NA stays NA and is not counted in the family.
source("common.R")

numbers_of_true <- function(k) {
  # numbers of null hypotheses of k(k-1)/2 pairs that can be true together
  sets <- list(0, 0)
  for (s in 2:k) {
    sets[[s + 1]] <- sort(unique(unlist(lapply(1:s, function(j) choose(j, 2) + sets[[s - j + 1]]))))
  }
  sets[[k + 1]]
}

shaffer <- function(p, k) {
  m <- length(p)
  possible <- numbers_of_true(k)
  factor <- sapply(seq_len(m), function(i) max(possible[possible <= m - i + 1]))
  order <- order(p)
  adjusted <- numeric(m)
  adjusted[order] <- pmin(1, cummax(factor * p[order]))
  adjusted
}

table <- read.csv("inputs/p_values.csv", colClasses = c("character", "integer", "numeric"))
for (case in unique(table$case)) {
  p <- table$p[table$case == case]
  for (method in c("bonferroni", "holm", "hochberg", "hommel", "BH", "BY")) {
    add(case, method, as.list(setNames(p.adjust(p, method), seq_along(p))))
  }
  if (startsWith(case, "pairs-of-")) {
    adjusted <- shaffer(p, as.integer(sub("pairs-of-", "", case)))
    add(case, "shaffer", as.list(setNames(adjusted, seq_along(p))))
  }
}
write_golden("p_adjust")
