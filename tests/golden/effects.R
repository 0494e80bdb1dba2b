# Effect sizes of a pair, with intervals. All are about u minus v and keep their sign.
#   cohens_d, hedges_g    effectsize, paired (its noncentral-t limits are found by an optimiser: about 6 digits)
#   noncentral-t          the same limits by uniroot on pt(ncp = ), for |ncp| < 37 where pt is accurate
#   normal                d -/+ q sqrt(1/n + d^2/(2n))
#   rank_biserial         effectsize, matched pairs (estimate), beside the formula (W+ - W-)/(W+ + W-)
#   wilcoxon-r            Z / sqrt(number of non-zero differences), Z from coin with tie correction
#   walsh-median          Hodges-Lehmann estimate: median of all Walsh averages, zeros included
#   pseudomedian          the same from wilcox.test, which drops zeros
#   odds-ratio, cohen-g   from the Clopper-Pearson limits of binom.test
source("common.R")
suppressPackageStartupMessages({library(effectsize); library(coin)})

# ncp at which P(T > t) = tail. pt warns where the probability is within 1e-10 of 1, which is far from the root.
ncp_limit <- function(t, df, tail) {
  f <- function(ncp) suppressWarnings(pt(t, df, ncp = ncp)) - (1 - tail)
  uniroot(f, c(t / 5 - 6, min(37, 1.8 * t + 6)), tol = 1e-13)$root
}

# pt with a noncentrality is accurate for t > 0 only in the lower tail: solve for |t| and reflect
noncentral_interval <- function(d, n, alternative, level) {
  alpha <- if (alternative == "two-sided") (1 - level) / 2 else 1 - level
  t <- abs(d) * sqrt(n)
  ends <- c(ncp_limit(t, n - 1, alpha), ncp_limit(t, n - 1, 1 - alpha)) / sqrt(n)
  if (d < 0) ends <- -rev(ends)
  c(if (alternative == "less") -Inf else ends[1], if (alternative == "greater") Inf else ends[2])
}

correction <- function(m) exp(lgamma(m / 2) - log(m / 2) / 2 - lgamma((m - 1) / 2))

for (pair in pair_cases()) {
  z <- differences(pair)
  n <- length(z)
  if (n > 200) next
  d <- mean(z) / sd(z)
  add(pair$case, "formula",
      list(mean_difference = mean(z), median_difference = median(z), cohen_d = d, hedges_correction = correction(n - 1),
           hedges_g = correction(n - 1) * d,
           cohen_d_av = mean(z) / sqrt((var(pair$u) + var(pair$v)) / 2),
           common_language = mean(z > 0) + mean(z == 0) / 2, common_language_normal = pnorm(d)))

  for (alternative in ALTERNATIVES) for (level in c(0.95, 0.8)) {
    q <- qnorm(1 - (if (alternative == "two-sided") (1 - level) / 2 else 1 - level))
    half <- q * sqrt(1 / n + d^2 / (2 * n))
    add(pair$case, "normal",
        list(cohen_d = d, lower = if (alternative == "less") -Inf else d - half,
             upper = if (alternative == "greater") Inf else d + half), alternative, list(level = level))
    ends <- noncentral_interval(d, n, alternative, level)
    add(pair$case, "noncentral-t", list(cohen_d = d, lower = ends[1], upper = ends[2]), alternative, list(level = level))
  }
  for (alternative in ALTERNATIVES) {
    e <- cohens_d(z, ci = 0.95, alternative = in_r(alternative), verbose = FALSE)
    add(pair$case, "cohens_d", list(cohen_d = e$Cohens_d, lower = e$CI_low, upper = e$CI_high), alternative, list(level = 0.95))
    e <- hedges_g(z, ci = 0.95, alternative = in_r(alternative), verbose = FALSE)
    add(pair$case, "hedges_g", list(hedges_g = e$Hedges_g, lower = e$CI_low, upper = e$CI_high), alternative, list(level = 0.95))
  }

  nonzero <- z[z != 0]
  ranks <- rank(abs(nonzero))
  plus <- sum(ranks[nonzero > 0])
  minus <- sum(ranks[nonzero < 0])
  add(pair$case, "rank-biserial", list(rank_biserial = (plus - minus) / (plus + minus)))
  e <- rank_biserial(nonzero, ci = NULL, verbose = FALSE)
  add(pair$case, "rank_biserial", list(rank_biserial = e$r_rank_biserial), options = list(zeros = "dropped"))
  standardised <- statistic(wilcoxsign_test(z ~ rep(0, n), zero.method = "Wilcoxon", distribution = "asymptotic"))
  add(pair$case, "wilcoxon-r", list(z = standardised, r = standardised / sqrt(length(nonzero)), n_nonzero = length(nonzero)))
  averages <- outer(z, z, "+") / 2
  add(pair$case, "walsh-median", list(hodges_lehmann = median(averages[lower.tri(averages, diag = TRUE)])))
  if (no_ties(z)) {
    add(pair$case, "pseudomedian", list(hodges_lehmann = wilcox.test(z, exact = TRUE, conf.int = TRUE, conf.level = 0.5)$estimate))
  }
}

tables <- list("five-none" = c(5, 0), "none-seven" = c(0, 7), "six-two" = c(6, 2), "equal-four" = c(4, 4), "150-90" = c(150, 90),
               "conll2000-chunking" = c(994, 476), "conll2000-chunking-reversed" = c(476, 994))
for (pair in pair_cases()) {
  if (is_binary(pair)) tables[[pair$case]] <- c(sum(pair$u > pair$v), sum(pair$u < pair$v))
}
for (case in names(tables)) for (alternative in ALTERNATIVES) for (level in c(0.95, 0.8)) {
  b <- tables[[case]][1]
  c <- tables[[case]][2]
  limits <- binom.test(b, b + c, 0.5, alternative = in_r(alternative), conf.level = level)$conf.int
  add(case, "odds-ratio", list(odds_ratio = b / c, lower = limits[1] / (1 - limits[1]), upper = limits[2] / (1 - limits[2])),
      alternative, list(level = level, b = b, c = c))
  add(case, "cohen-g", list(cohen_g = b / (b + c) - 0.5, lower = limits[1] - 0.5, upper = limits[2] - 0.5),
      alternative, list(level = level, b = b, c = c))
}
write_golden("effects", c("effectsize", "coin"))
