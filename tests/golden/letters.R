# Compact letter displays: multcompView::multcompLetters on the matrices of inputs/significant_pairs.csv.
# One row per system and letter, 1 if the system carries it. Which letter is called a does not matter.
source("common.R")
library(multcompView)

table <- read.csv("inputs/significant_pairs.csv")
for (case in unique(table$case)) {
  pairs <- table[table$case == case, ]
  significant <- setNames(pairs$significant == 1, paste(pairs$system_a, pairs$system_b, sep = "-"))
  carried <- multcompLetters(significant)$LetterMatrix
  systems <- sort(unique(c(pairs$system_a, pairs$system_b)))
  if (is.null(carried)) carried <- matrix(TRUE, length(systems), 1, dimnames = list(systems, "a"))
  for (letter in seq_len(ncol(carried))) {
    add(case, "multcompLetters", as.list(setNames(carried[systems, letter] * 1, systems)), options = list(letter = letter))
  }
}
write_golden("letters", "multcompView")
