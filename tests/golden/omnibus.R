# Tests that all systems are equal, items as blocks.
#   friedman.test     chi-square corrected for ties; over complete items
#   iman-davenport    F from Friedman's chi-square by formula
#   cochran-q         by definition, 0/1 scores
#   anova             repeated measures with Greenhouse-Geisser and Huynh-Feldt corrections (anova.mlm)
#   skillings-mack    by definition with missing cells, no ties
source("common.R")

cochran_q <- function(x) {
  k <- ncol(x)
  column <- colSums(x)
  row <- rowSums(x)
  k * (k - 1) * sum((column - mean(column))^2) / (k * sum(row) - sum(row^2))
}

skillings_mack <- function(x) {
  k <- ncol(x)
  present <- !is.na(x)
  size <- rowSums(present)
  x <- x[size >= 2, ]
  present <- present[size >= 2, ]
  size <- size[size >= 2]
  adjusted <- colSums(t(sapply(seq_len(nrow(x)), function(i) {
    rank <- rank(x[i, ], na.last = "keep")
    rank[is.na(rank)] <- (size[i] + 1) / 2
    sqrt(12 / (size[i] + 1)) * (rank - (size[i] + 1) / 2)
  })))
  covariance <- -crossprod(present)
  diag(covariance) <- 0
  diag(covariance) <- -rowSums(covariance)
  # any k - 1 systems carry all the information
  statistic <- drop(adjusted[-k] %*% solve(covariance[-k, -k], adjusted[-k]))
  list(statistic = statistic, df = k - 1, p_value = pchisq(statistic, k - 1, lower.tail = FALSE))
}

greenhouse_geisser <- function(x) {
  centre <- diag(ncol(x)) - 1 / ncol(x)
  s <- centre %*% cov(x) %*% centre
  sum(diag(s))^2 / ((ncol(x) - 1) * sum(s^2))
}

for (case in cases_in("inputs/matrices")) {
  x <- read_matrix(case)
  complete <- x[complete.cases(x), ]
  n <- nrow(complete)
  k <- ncol(complete)
  test <- friedman.test(complete)
  chi <- unname(test$statistic)
  add(case, "friedman.test",
      list(n = n, statistic = chi, df = test$parameter, p_value = test$p.value))
  f <- (n - 1) * chi / (n * (k - 1) - chi)
  add(case, "iman-davenport",
      list(statistic = f, df1 = k - 1, df2 = (k - 1) * (n - 1),
           p_value = pf(f, k - 1, (k - 1) * (n - 1), lower.tail = FALSE)))
  add(case, "average-rank", as.list(colMeans(t(apply(-complete, 1, rank)))))
  if (all(complete %in% c(0, 1))) {
    q <- cochran_q(complete)
    add(case, "cochran-q", list(statistic = q, df = k - 1, p_value = pchisq(q, k - 1, lower.tail = FALSE)))
  }
  table <- anova(lm(complete ~ 1), X = ~1, test = "Spherical")
  add(case, "anova",
      list(statistic = table[1, "F"], df1 = table[1, "num Df"], df2 = table[1, "den Df"], p_value = table[1, "Pr(>F)"],
           p_greenhouse_geisser = table[1, "G-G Pr"], p_huynh_feldt = table[1, "H-F Pr"],
           epsilon = greenhouse_geisser(complete)))
  if (anyNA(x) || case == "five-12") add(case, "skillings-mack", skillings_mack(x))
}
write_golden("omnibus")
