#!/bin/sh
# Installs what the tests need of Debian: Chromium for those in the browser, nginx for those behind a proxy,
# PostgreSQL, TeX for reports that have to compile, and zsh: as root, or with sudo where CI is set. Elsewhere it says
# so and leaves; the browser tests then skip visibly (with CI set they fail), the others skip.
set -eu
PATH="$PATH:/usr/sbin"
missing=""
command -v chromium >/dev/null 2>&1 || command -v chromium-browser >/dev/null 2>&1 || missing="chromium"
command -v nginx >/dev/null 2>&1 || missing="$missing nginx"
command -v openssl >/dev/null 2>&1 || missing="$missing openssl"
ls /usr/lib/postgresql/*/bin/initdb >/dev/null 2>&1 || command -v initdb >/dev/null 2>&1 || missing="$missing postgresql"
command -v pdflatex >/dev/null 2>&1 || missing="$missing texlive-latex-recommended"
command -v zsh >/dev/null 2>&1 || missing="$missing zsh"
command -v xelatex >/dev/null 2>&1 || missing="$missing texlive-xetex"
if [ -z "$missing" ]; then exit 0; fi
if ! command -v apt-get >/dev/null 2>&1; then
  echo "Not here, and no apt-get: $missing. The tests that need it will be skipped."
  exit 0
fi
if [ "$(id -u)" = 0 ]; then as=""
elif [ -n "${CI:-}" ] && command -v sudo >/dev/null 2>&1; then as="sudo"
else
  echo "Not here: $missing. Install it with 'apt-get install $missing' to run the tests in the browser."
  exit 0
fi
export DEBIAN_FRONTEND=noninteractive
$as apt-get update -q >/dev/null
# Where Debian would start the new nginx as a service, it is told not to: only the tests' own is wanted.
policy=/usr/sbin/policy-rc.d
if [ ! -e "$policy" ]; then
  printf '#!/bin/sh\nexit 101\n' | $as tee "$policy" >/dev/null
  $as chmod +x "$policy"
  trap '$as rm -f "$policy"' EXIT
fi
# shellcheck disable=SC2086 # several names
$as apt-get install -y -q --no-install-recommends $missing >/dev/null
