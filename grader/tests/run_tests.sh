#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# .ci/run-tests over a small tree of test programs: the last lines of its output
# name each failed program and what failed in it, and the count is the last one.
# And what make says of a build's progress.
set -u
. "$(dirname "$0")/../../.ci/check.sh"

# program PATH: a test program that runs the script on stdin
program() {
    mkdir -p "$tmp/tree/${1%/*}"
    { echo '#!/bin/sh' && cat; } >"$tmp/tree/$1"
    chmod +x "$tmp/tree/$1"
}

# run_tests: its output in $tmp/said, the part that names failures in $tmp/end
run_tests() {
    (cd "$tmp/tree" && .ci/run-tests build) >"$tmp/said" 2>&1
    local status=$?
    sed -n '/^failed:/,$p' "$tmp/said" >"$tmp/end"
    return "$status"
}

# The part that names failures has a line that matches PATTERN.
names() {
    grep -qE -- "$1" "$tmp/end"
}

mkdir -p "$tmp/tree/build" && cp -R .ci "$tmp/tree/"
program rows/tests/passes.sh <<<'echo "3 passed, 0 failed"'
check "all passed" run_tests
check "nothing is printed again" test ! -s "$tmp/end"

program rows/tests/third.sh <<'END'
for i in $(seq 30); do echo "not ok: row $i of the table"; done
echo "2 passed, 30 failed"; exit 1
END
program build/tests/rows/tests/crashes <<'END'
echo "the pointer was null"; kill -SEGV $$
END
run_tests
check "a failure is the exit status" test $? = 1
check "the count is the last line" \
    test "$(tail -n 1 "$tmp/end")" = "5 passed, 31 failed"
check "a script that failed is named" \
    names '2 passed  30 failed  build: rows/tests/third.sh  FAILED$'
check "and its lines" names '^ +not ok: row 1 of the table$'
check "a program that crashed is named" \
    names 'build: rows/tests/crashes  FAILED: exit status 139$'
check "and its last line" names '^ +the pointer was null$'
names passes.sh
check "programs that passed are not" test $? = 1

program rows/tests/third.sh <<'END'
mkdir first && exit 1
echo "2 passed, 0 failed"
END
rm -r "$tmp/tree/build/tests"
check "a program that fails once runs again" run_tests
check "which is told, with its first line" \
    test "$(grep -A 3 '^failed beside others' "$tmp/said" |
        grep -cE 'passed +[01] failed  build: rows/tests/third.sh')" = 2
check "its second run counts" \
    test "$(tail -n 1 "$tmp/said")" = "5 passed, 0 failed"

for i in $(seq 25); do
    program "rows/tests/more_$i.sh" <<<'echo "0 passed, 1 failed"; exit 1'
done
run_tests
check "at most 20 lines, and two of the count" \
    test "$(wc -l <"$tmp/end")" = 22

unset MAKEFLAGS MFLAGS MAKEOVERRIDES MAKELEVEL
make -n BUILD="$tmp/empty" build tests >"$tmp/commands" 2>"$tmp/log"
check "a build counts the files that it compiles" \
    test "$(grep -oE 'cc 25 of [0-9]+' "$tmp/commands" | grep -oE '[0-9]+$')" \
    = "$(grep -cE -- ' -c -o ' "$tmp/commands")"
finish
