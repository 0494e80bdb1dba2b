#!/bin/sh
# What an installation takes: size, time, and a gate from it. Prints the table of docs/install.md.
# sh tests/benchmarks/install.sh     (two minutes; packages come from your index, or from pip's cache)
set -eu
checkout=$(cd "$(dirname "$0")/../.." && pwd)
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/built"
mkdir "$folder/source"
git -C "$checkout" archive HEAD | tar -x -C "$folder/source"
"$folder/built/bin/pip" wheel --quiet --no-deps --wheel-dir "$folder" "$folder/source"
wheel=$(ls "$folder"/nlpstat-*.whl)
now() { date +%s.%N; }
passed() { echo "$(now) $1" | awk '{printf "%.1f", $1 - $2}'; }
size() { du -sk "$1" | awk '{print $1}'; }
awk 'BEGIN {print "item,main,new"; for (i = 0; i < 300; i++) print "q" i "," i % 7 "," i % 7 + i % 3 / 9}' > "$folder/scores.csv"
echo "| what | packages | size | time to install | \`nlpstat gate\` | the same, nothing compiled |"
echo "| --- | --- | --- | --- | --- | --- |"
for extra in "" "[app]" "[boards]"; do
  place="$folder/environment"
  rm -rf "$place" "$folder/compiled"
  python3 -m venv "$place"
  empty=$(size "$place")
  before=$(now)
  "$place/bin/pip" install --quiet "$wheel$extra"
  took=$(passed "$before")
  megabytes=$((($(size "$place") - empty) / 1024))
  packages=$("$place/bin/pip" list --format=freeze --exclude pip --exclude setuptools | wc -l | tr -d ' ')
  set -- "$place/bin/nlpstat" gate "$folder/scores.csv" --baseline main --margin 0.5
  before=$(now)
  "$@" >/dev/null
  gate=$(passed "$before")
  before=$(now)
  PYTHONPYCACHEPREFIX="$folder/compiled" PYTHONDONTWRITEBYTECODE=1 "$@" >/dev/null
  echo "| \`nlpstat$extra\` | $packages | $megabytes MB | $took s | $gate s | $(passed "$before") s |"
done
