#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The list of mutations fits the code: mutate --list accepts it, and notices
# what does not apply.
set -u
cd "$(dirname "$0")/../.." || exit
. .ci/check.sh
mutate=grader/tests/mutate

# A small tree with one mutation, whose line KEY is changed to VALUE.
refuses() {
    local tree=$tmp/tree words=$1 key=$2 value=$3
    rm -rf "$tree"
    mkdir -p "$tree/grader/tests/mutations"
    cp "$mutate" "$tree/grader/tests/"
    printf 'a = 1;\nb = 1;\n' >"$tree/a.c"
    : >"$tree/a_test.c"
    printf '%s\n' '[a: b]' 'file = a.c' 'was  = a = 1' 'now  = a = 2' \
        'run  = a_test:x,y' >"$tree/grader/tests/mutations/a.ini"
    "$tree/$mutate" --list >"$tmp/out" || return 1
    grep -qx '1 mutations, 0 do not apply' "$tmp/out" || return 1
    sed -i "s|^$key *=.*|$key = $value|" "$tree/grader/tests/mutations/a.ini"
    ! "$tree/$mutate" --list >"$tmp/out" &&
        grep -qF "BROKEN    a: b: $words" "$tmp/out" &&
        grep -qx '0 mutations, 1 do not apply' "$tmp/out"
}

applies() {
    "$mutate" --list >"$tmp/list" || { cat "$tmp/list" && return 1; }
}

has_many() {
    (($(tail -n 1 "$tmp/list" | cut -d ' ' -f 1) >= 65))
}

has_unique_names() {
    ! grep -h '^\[' grader/tests/mutations/*.ini | sort | uniq -d | grep .
}

check "every mutation applies" applies
check "there are 65 or more" has_many
check "no two have one name" has_unique_names
check "a file that is not there" refuses "no such file: b.c" file b.c
check "a text that is not there" \
    refuses "its text is not in a.c" was "a = 3"
check "a text that stands there twice" \
    refuses "its text stands in a.c more than once" was "= 1"
check "a change of nothing" refuses "it changes nothing" now "a = 1"
check "a program that is not there" \
    refuses "no such test program: b_test.c" run "a_test b_test"
finish
