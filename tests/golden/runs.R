# Items × systems × runs, inputs/runs.csv: balanced, runs nested in systems.
#   lmer       REML: variances of items, items × systems, runs and residual; all positive, so they are those of the ANOVA
#   lmerTest   t of the difference of the first two systems (cases with two systems); its degrees of freedom are others than ours:
#              they take one run variance for both systems, and the residual's part of it as known
source("common.R")
suppressPackageStartupMessages({ library(lme4); library(lmerTest) })

data <- read.csv("inputs/runs.csv", colClasses = c(item = "character", run = "character"))
control <- lmerControl(optimizer = "bobyqa", optCtrl = list(rhoend = 1e-12, maxfun = 1e5), calc.derivs = FALSE)
for (case in unique(data$case)) {
  d <- data[data$case == case, ]
  d$system <- factor(d$system, levels = rev(unique(d$system)))   # the last system is the reference: S1 minus S2
  d$nested <- interaction(d$system, d$run, drop = TRUE)
  d$cell <- interaction(d$system, d$item, drop = TRUE)
  fit <- lmerTest::lmer(score ~ system + (1 | item) + (1 | cell) + (1 | nested), d, REML = TRUE, control = control)
  found <- as.data.frame(VarCorr(fit))
  parts <- setNames(found$vcov, found$grp)
  stopifnot(all(parts > 0.001))
  add(case, "lmer", list(items = parts[["item"]], items_systems = parts[["cell"]], runs = parts[["nested"]], residual = parts[["Residual"]]))
  if (nlevels(d$system) == 2) {
    row <- coef(summary(fit))["systemS1", ]
    add(case, "lmerTest", list(estimate = row[["Estimate"]], standard_error = row[["Std. Error"]], statistic = row[["t value"]]))
  }
}
write_golden("runs", c("lme4", "lmerTest"))
