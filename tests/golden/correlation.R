# One correlation, and two dependent ones, by psych::r.test: Fisher's interval, Williams's t and Steiger's Z.
source("common.R")
library(psych)

cases <- list(c(0.4, 0.6, 0.1, 100), c(0.95, 0.9, 0.97, 15), c(-0.2, 0.3, 0.5, 12), c(0.7, 0.7, 0.2, 30), c(0.01, -0.5, -0.3, 500),
              c(0.85, 0.99, 0.86, 6))
for (case in cases) {
  option <- list(r12 = case[1], r13 = case[2], r23 = case[3], n = case[4])
  found <- r.test(n = case[4], r12 = case[1], r13 = case[2], r23 = case[3])
  # r.test gives |t| in p only; the sign is that of r12 - r13
  add("numbers", "williams", list(statistic = found$t, p_value = found$p), "two-sided", option)
  # The variable in common enters Steiger's formula as two variables with correlation 1.
  shared <- r.test(n = case[4], r12 = case[1], r34 = case[2], r23 = case[1], r13 = 1, r14 = case[2], r24 = case[3])
  add("numbers", "steiger-shared", list(statistic = shared$z, p_value = shared$p), "two-sided", option)
  interval <- r.con(case[1], case[4])
  add("numbers", "r.con", list(lower = interval[1], upper = interval[2]), "two-sided", option)
}
apart <- r.test(n = 103, r12 = .5, r34 = .6, r23 = .5, r13 = .7, r14 = .5, r24 = .8)
add("numbers", "steiger-apart", list(statistic = apart$z, p_value = apart$p), "two-sided",
    list(r12 = .5, r34 = .6, r23 = .5, r13 = .7, r14 = .5, r24 = .8, n = 103))
write_golden("correlation", "psych")
