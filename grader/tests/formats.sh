#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Every format of the gradebook and every page, of a class whose names, files
# and messages are hostile, through a parser of that format.
set -u
. .ci/check.sh
warpbook=$(realpath "${BUILD:-build}")/warpbook
command -v python3 >"$tmp/log" || {
    echo "no python3 here"
    exit 77
}
store=$tmp/results
python3 grader/tests/formats.py make "$store" || exit 1

holds_up() { # FORMAT OPTION...: printed, and parsed
    local format=$1
    shift
    "$warpbook" gradebook "$store" --format "$format" "$@" >"$tmp/book" &&
        python3 grader/tests/formats.py "$format" "$tmp/book"
}
for format in csv canvas autolab junit cunit html; do
    check "$format" holds_up "$format"
done
check "moodle" holds_up moodle --lab 01
check "gradescope" holds_up gradescope --lab 01
"$warpbook" report "$store" -o "$tmp/pages" >"$tmp/out"
check "a report has a page a submission" grep -q "^12 pages: " "$tmp/out"
for page in "$tmp"/pages/*.html; do
    check "$(basename "$page")" python3 grader/tests/formats.py html "$page"
done
check "its folder is closed to others" test "$(stat -c %a "$tmp/pages")" = 700
if command -v tidy >"$tmp/log"; then
    tidy -q -e "$tmp"/pages/*.html >"$tmp/tidy" 2>&1
    check "tidy finds nothing: $(head -3 "$tmp/tidy")" test ! -s "$tmp/tidy"
fi
mkdir "$tmp/others" && touch "$tmp/others/thesis.tex"
"$warpbook" report "$store" -o "$tmp/others" 2>"$tmp/err"
check "a folder of others is left alone" grep -q "holds other files" "$tmp/err"
finish
