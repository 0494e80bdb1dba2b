# What every script of this folder shares: reading the inputs, collecting rows, writing one long table.
# The scripts are run from this folder by remake.sh. A warning is an error; the few expected ones are silenced where they arise.
options(warn = 2, digits = 17, stringsAsFactors = FALSE)

ALTERNATIVES <- c("two-sided", "greater", "less")
in_r <- function(alternative) if (alternative == "two-sided") "two.sided" else alternative

read_pair <- function(case, folder = "inputs/pairs") {
  pair <- read.csv(file.path(folder, paste0(case, ".csv")))
  list(case = case, u = pair$u[!is.na(pair$u)], v = pair$v[!is.na(pair$v)])
}

# Differences freed from floating point dust, so that ties of decimal scores are ties: for signs and ranks.
differences <- function(pair) round(pair$u - pair$v, 6)

cases_in <- function(folder) sub("\\.csv$", "", sort(list.files(folder, pattern = "\\.csv$"), method = "radix"))
pair_cases <- function() lapply(cases_in("inputs/pairs"), read_pair)
is_binary <- function(pair) all(c(pair$u, pair$v) %in% c(0, 1))
no_ties <- function(z) all(z != 0) && !anyDuplicated(abs(z))

# A hypothesised difference that is none of the differences: a bit over half the standard deviation, in the data's decimals.
shift_for <- function(z) round(0.55 * sd(z), 2)

read_matrix <- function(case) {
  as.matrix(read.csv(file.path("inputs/matrices", paste0(case, ".csv")), row.names = 1))
}

rows <- new.env()
rows$lines <- character()

# One row per value. `options` is a named list: list(delta = 1, level = 0.95).
add <- function(case, method, values, alternative = "", options = list()) {
  option <- paste0(names(options), "=", vapply(options, format, "", digits = 15), collapse = ";")
  if (length(options) == 0) option <- ""
  for (quantity in names(values)) {
    value <- sprintf("%.17g", as.numeric(values[[quantity]]))
    rows$lines <- c(rows$lines, paste(case, method, alternative, option, quantity, value, sep = ","))
  }
}

write_golden <- function(topic, packages = character()) {
  versions <- vapply(packages, function(p) paste(p, packageVersion(p)), "")
  made_by <- paste(c(sub(" \\(.*", "", R.version.string), versions), collapse = ", ")
  header <- c(paste0("# Made by tests/golden/", topic, ".R with ", made_by, "."),
              "# Do not edit: change the script and run tests/golden/remake.sh.",
              "case,method,alternative,option,quantity,value")
  writeLines(c(header, rows$lines), paste0(topic, ".csv"))
}
