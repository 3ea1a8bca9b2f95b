#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The list of mutations fits the code: mutate --list accepts it, and notices
# what does not apply.  In a small tree mutate tells what becomes of each.
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
    grep -qx '1 mutations, 0 survive for a reason, 0 do not apply' \
        "$tmp/out" || return 1
    sed -i "s|^$key *=.*|$key = $value|" "$tree/grader/tests/mutations/a.ini"
    ! "$tree/$mutate" --list >"$tmp/out" &&
        grep -qF "BROKEN    a: b: $words" "$tmp/out" &&
        grep -qx '0 mutations, 0 survive for a reason, 1 do not apply' \
            "$tmp/out"
}

# A tree whose test exits with status a - 1, and never when a is 3; then it has
# a child in a process group of its own, too.
make_tree() {
    local tree=$tmp/runs now
    mkdir -p "$tree/grader/tests/mutations"
    cp "$mutate" "$tree/grader/tests/"
    echo 'build:' >"$tree/Makefile"
    echo 'a=1' >"$tree/a.sh"
    # shellcheck disable=SC2016 # variables of that script
    printf '%s\n' '#!/bin/bash' '. ./a.sh' '[[ $a != 3 ]] || {' 'set -m' \
        'sleep 60 & echo $! >../../left' 'sleep 60' '}' 'exit $(($a - 1))' \
        >"$tree/a_test.sh"
    chmod +x "$tree/a_test.sh"
    for now in 2 3 1+0 01 78 1; do
        printf '[a: %s]\nfile = a.sh\nwas = a=1\nnow = a=%s\n' $now $now
        echo 'run = a_test.sh'
        [[ $now != 01 ]] || echo 'survives = 01 is 1'
    done >"$tree/grader/tests/mutations/a.ini"
    git -C "$tree" init -q && git -C "$tree" add .
}

# Each mutation of the tree has the result on its line.
tells_results() {
    make_tree || return
    ! BUILD=build MUTATE_SECONDS=10 "$tmp/runs/$mutate" >"$tmp/out" 2>&1
    diff <(sed 's/, [0-9]* s)/)/' "$tmp/out") - <<'END'
killed    a: 2 (a_test.sh)
killed    a: 3 (a_test.sh, timed out)
SURVIVED  a: 1+0
survives  a: 01: 01 is 1
SURVIVED  a: 78 (skipped: a_test.sh)
BROKEN    a: 1: it changes nothing
2 killed (1 by timeout), 2 survived, 1 survive for a reason, 1 do not apply
END
}

# The child of the test that timed out is no more.
left_nothing() {
    local pid i
    pid=$(<"$tmp/runs/build/left") || return 1
    for ((i = 0; i < 600; i++)); do
        # ended, or a zombie that process 1 has not waited for yet
        [[ $(sed 's/.*) //' "/proc/$pid/stat" 2>/dev/null) == [!Z]* ]] ||
            return 0
        sleep 0.1
    done
    return 1
}

applies() {
    "$mutate" --list >"$tmp/list" || { cat "$tmp/list" && return 1; }
}

has_many() {
    (($(tail -n 1 "$tmp/list" | cut -d ' ' -f 1) >= 65))
}

# At most 5 % survive, each named with its reason.
few_survive() {
    local all survivors
    read -r all _ survivors _ < <(tail -n 1 "$tmp/list")
    echo "$survivors of $all survive"
    ((20 * survivors <= all)) &&
        (($(grep -c '^survives  .*: .*: .' "$tmp/list") == survivors))
}

has_unique_names() {
    ! grep -h '^\[' grader/tests/mutations/*.ini | sort | uniq -d | grep .
}

check "every mutation applies" applies
check "there are 65 or more" has_many
check "no two have one name" has_unique_names
check "at most 5 % survive, for a reason" few_survive
check "the result of each is reported" tells_results
check "a timeout leaves no process" left_nothing
check "a file that is not there" refuses "no such file: b.c" file b.c
check "a text that is not there" \
    refuses "its text is not in a.c" was "a = 3"
check "a text that stands there twice" \
    refuses "its text stands in a.c more than once" was "= 1"
check "a change of nothing" refuses "it changes nothing" now "a = 1"
check "a program that is not there" \
    refuses "no such test program: b_test.c" run "a_test b_test"
finish
