#!/bin/sh
# Make the inputs and all golden tables again. Needs R with the packages below and Python with NumPy and mpmath.
# Debian: r-base-core r-cran-coin r-cran-exactranktests r-cran-effectsize r-cran-pwr r-cran-multcompview r-cran-clubsandwich
#         r-cran-lme4 r-cran-lmertest r-cran-psych r-cran-bayesfactor
set -eu
cd "$(dirname "$0")"
python=${PYTHON:-../../.venv/bin/python}
"$python" inputs/make_inputs.py
for script in *.R; do
  if [ "$script" != common.R ]; then
    echo "$script"
    Rscript --vanilla "$script"
  fi
done
# Battles by evalica, which is in no requirements: its script says how to run it.
# Fifty digits, with mpmath: a few minutes. The suite only reads the table.
"$python" log_tails.py
