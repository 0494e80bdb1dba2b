# Power of the paired t test (pwr.t.test, type "paired", effect = mean / sd of the differences), in all directions,
# and the exact power of the sign test by definition.
#   required-n     n_required is the smallest n >= 2 that suffices; n solves the equation, where it has a root above 4
#                  (pwr's own search stops at 4 digits, so its power function is solved by uniroot)
#   power          of n units at the effect
#   detectable     the effect that n units find with this power
source("common.R")
library(pwr)

paired_t <- function(..., alternative = "two-sided") {
  pwr.t.test(..., type = "paired", alternative = in_r(alternative))
}

for (alternative in c("two-sided", "greater")) for (power in c(0.8, 0.9)) for (alpha in c(0.05, 0.01)) {
  for (effect in c(0.05, 0.1, 0.2, 0.5, 1, 1.5, 2)) {
    power_of <- function(n) paired_t(n = n, d = effect, sig.level = alpha, alternative = alternative)$power
    solution <- if (effect <= 0.5) paired_t(d = effect, power = power, sig.level = alpha, alternative = alternative)$n else 2
    n <- max(2, floor(solution) - 2)
    while (power_of(n) < power) n <- n + 1
    values <- list(n_required = n, power_at_n = power_of(n), power_one_fewer = if (n > 2) power_of(n - 1) else NA)
    if (n > 5) values$n <- uniroot(function(n) power_of(n) - power, c(n - 2, n + 1), tol = 1e-11)$root
    add("paired-t", "required-n", values, alternative, list(effect = effect, power = power, alpha = alpha))
  }
}
for (alternative in ALTERNATIVES) for (alpha in c(0.05, 0.01)) for (n in c(2, 5, 10, 33, 100, 500, 2001)) {
  for (effect in c(-0.5, -0.05, 0, 0.05, 0.2, 0.5, 1)) {
    add("paired-t", "power", list(power = paired_t(n = n, d = effect, sig.level = alpha, alternative = alternative)$power),
        alternative, list(n = n, effect = effect, alpha = alpha))
  }
}
for (n in c(5, 10, 33, 100, 500, 2001)) for (power in c(0.8, 0.9)) for (alpha in c(0.05, 0.001)) {
  if (n < 10 && alpha < 0.05) next
  excess <- function(effect) paired_t(n = n, d = effect, sig.level = alpha)$power - power
  effect <- uniroot(excess, c(1e-6, 6), tol = 1e-13)$root
  add("paired-t", "detectable", list(effect = effect), "two-sided", list(n = n, power = power, alpha = alpha))
}

# Sign test with n non-zero differences of which a share is positive: P(reject) when rejecting as binom.test does.
for (alternative in ALTERNATIVES) for (n in c(5, 6, 12, 40, 100, 300)) {
  k <- 0:n
  p <- sapply(k, function(x) binom.test(x, n, 0.5, alternative = in_r(alternative))$p.value)
  for (share in c(0.5, 0.6, 0.75)) for (alpha in c(0.05, 0.01)) {
    add("sign", "power", list(power = sum(dbinom(k[p <= alpha], n, share))), alternative,
        list(n = n, share = share, alpha = alpha))
  }
}
write_golden("power", "pwr")
