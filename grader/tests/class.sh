#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# A small class of class_of_200, graded and exported as an instructor would.
set -u
. .ci/check.sh
warpbook=$(realpath "${BUILD:-build}")/warpbook
students=5
grader/tests/class_of_200 "$tmp/class" $students 01 >"$tmp/made" || exit 1

holds() { # PATTERN FILE
    grep -q -- "$1" "$2"
}
"$warpbook" autograde "$tmp/class/submissions" -o "$tmp/results" --lab 01 \
    --roster "$tmp/class/roster.csv" --course "$tmp/class/course.ini" \
    --device soft --jobs 2 --tier "$("$warpbook" verify-box --best)" \
    >"$tmp/out" 2>&1
check "it ends with status 0" test $? = 0
"$warpbook" gradebook "$tmp/results" >"$tmp/marks.csv"
check "everybody has a line" test "$(wc -l <"$tmp/marks.csv")" = \
    $((students + 1))
check "nobody is left without a mark" test \
    "$(grep -c incomplete "$tmp/marks.csv")" = 0
check "a right variant has all points" holds ',20,20,PASS' "$tmp/marks.csv"
check "a wrong file has not" holds ',20,\(WRONG\|CRASHED\|TIMEOUT\)' \
    "$tmp/marks.csv"
"$warpbook" report "$tmp/results" -o "$tmp/pages" >"$tmp/out"
check "there are pages" holds 'pages: ' "$tmp/out"
if command -v python3 >"$tmp/log"; then
    for page in "$tmp"/pages/*.html; do
        check "$(basename "$page") is well-formed" \
            python3 grader/tests/formats.py html "$page"
    done
fi
# The words that docs/pages/class_of_200.md shows of the same commands: the
# columns of the gradebook, and what stands at the left of the evidence.
page=docs/pages/class_of_200.md
columns=$(sed -n 's/^\(id,name,.*verdict,\).*/\1/p' "$page")
check "the page has today's columns" test -n "$columns" -a \
    "$(head -c ${#columns} "$tmp/marks.csv")" = "$columns"
"$warpbook" evidence "$tmp/results" student001 --lab 01 >"$tmp/evidence"
sed -n '/warpbook evidence/,/warpbook regrade/s/^  \([A-Za-z]\)/\1/p' "$page" |
    sed 's/  .*//' >"$tmp/words"
check "and words of the evidence" test "$(wc -l <"$tmp/words")" -ge 15
missing=$(while read -r words; do
    grep -qF "  $words" "$tmp/evidence" || echo "$words"
done <"$tmp/words")
check "which are today's" test -z "$missing"
[[ -z $missing ]] || echo "    not printed any more: $missing"
((failed == 0)) || cat "$tmp/marks.csv"
finish
