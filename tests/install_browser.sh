#!/bin/sh
# Installs Debian's Chromium for the browser tests: as root, or with sudo where CI is set.
# Elsewhere it says so and leaves; the browser tests then skip visibly (with CI set they fail).
set -eu
if command -v chromium >/dev/null 2>&1 || command -v chromium-browser >/dev/null 2>&1; then exit 0; fi
if ! command -v apt-get >/dev/null 2>&1; then
  echo "No Chromium and no apt-get here: the browser tests will be skipped."
  exit 0
fi
if [ "$(id -u)" = 0 ]; then as=""
elif [ -n "${CI:-}" ] && command -v sudo >/dev/null 2>&1; then as="sudo"
else
  echo "No Chromium here; install it with 'apt-get install chromium' to run the browser tests."
  exit 0
fi
export DEBIAN_FRONTEND=noninteractive
$as apt-get update -q >/dev/null
$as apt-get install -y -q --no-install-recommends chromium >/dev/null
