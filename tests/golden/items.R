# Test items as a questionnaire, systems as its persons: inputs/items/ (0/1 and graded), psych::alpha.
#   alpha   raw_alpha (Cronbach; KR-20 for 0/1)
#   item    mean and r_drop (correlation with the sum of the other items) of every item
source("common.R")
suppressPackageStartupMessages(library(psych))

for (case in cases_in("inputs/items")) {
  scores <- t(as.matrix(read.csv(file.path("inputs/items", paste0(case, ".csv")), row.names = 1)))
  options(warn = 1)   # psych warns of items that run against the others: some are meant to
  invisible(capture.output(found <- suppressMessages(suppressWarnings(alpha(as.data.frame(scores), check.keys = FALSE)))))
  options(warn = 2)
  add(case, "alpha", list(raw_alpha = found$total$raw_alpha))
  for (i in seq_len(ncol(scores))) {
    add(case, "item", list(mean = found$item.stats$mean[i], r_drop = found$item.stats$r.drop[i]), options = list(item = i))
  }
}
write_golden("items", "psych")
