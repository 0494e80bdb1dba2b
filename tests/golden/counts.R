# Exact permutation tests of aggregate scores made from counts per unit (inputs/counts.csv), by enumeration: every unit is
# swapped between the systems or not, 2^12 ways, and the score is computed anew from the sums.
#   accuracy        correct / total, the same total for both systems
#   accuracy-2d     correct / total, totals differ between the systems
#   f1              tp / (tp + wrong / 2), wrong = fp + fn; 0 when both are 0
source("common.R")

data <- read.csv("inputs/counts.csv")

swap_p <- function(parts, score, alternative) {
  swapped <- as.matrix(expand.grid(rep(list(c(FALSE, TRUE)), nrow(parts))))
  totals <- function(mine, theirs) as.vector(sum(parts[[mine]]) + swapped %*% (parts[[theirs]] - parts[[mine]]))
  null <- score(totals("x_a", "x_b"), totals("y_a", "y_b")) - score(totals("x_b", "x_a"), totals("y_b", "y_a"))
  observed <- null[1]
  p <- mean(switch(alternative, "two-sided" = abs(null) >= abs(observed) - 1e-12, "greater" = null >= observed - 1e-12,
                   "less" = null <= observed + 1e-12))
  list(statistic = observed, p_value = if (alternative == "two-sided" && abs(observed) < 1e-12) 1 else p)
}

ratio <- function(correct, total) correct / total
f1 <- function(tp, wrong) ifelse(tp + wrong == 0, 0, tp / (tp + wrong / 2))
parts <- list(
  accuracy = with(data, data.frame(x_a = correct_a, x_b = correct_b, y_a = total_a, y_b = total_a)),
  "accuracy-2d" = with(data, data.frame(x_a = correct_a, x_b = correct_b, y_a = total_a, y_b = total_b)),
  f1 = with(data, data.frame(x_a = tp_a, x_b = tp_b, y_a = wrong_a, y_b = wrong_b))
)
for (case in names(parts)) for (units in c(5, 12)) for (alternative in ALTERNATIVES) {
  score <- if (case == "f1") f1 else ratio
  add(case, "enumeration", swap_p(parts[[case]][seq_len(units), ], score, alternative), alternative, list(units = units))
}
write_golden("counts")
