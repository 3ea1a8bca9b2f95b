#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# A grade opens few files of /proc, each of them once.
#
# Those of this machine and of the processes themselves are a fixed number.
# Those of programs under limits are opened for what lives longer: the root of
# its tree from 0.3 s on, its tree each second, its threads in a long call.  So
# their number grows with the seconds that a busy machine takes.  What is only
# written, the map of users of a new namespace, is not counted: a runner of an
# ordinary user needs one of its own; nor what a rule of Landlock names.
set -u
source "$(dirname "$0")/../../.ci/check.sh"
warpbook=$(realpath "${BUILD:-build}")/warpbook
trace=(strace -f --seccomp-bpf -e 'trace=/^open' -e signal=none)

# Also where no process may be traced, or only slowly.
"${trace[@]}" -o "$tmp/trace" true 2>/dev/null ||
    { echo "1..0 # no strace"; exit 77; }

# Print what a grade of lab 01 opens below /proc, each with its process.
opened() {
    local start=$SECONDS

    "${trace[@]}" -o "$tmp/trace" "$warpbook" grade 01 --device soft \
        --from solutions >"$tmp/grade" 2>&1 || { cat "$tmp/grade" && return 1; }
    seconds=$((SECONDS - start + 1))
    sed -nE '/O_WRONLY|O_PATH/d
             s,^([0-9]+) .*open[a-z0-9]*\(.*"(/proc/[^"]*)".*,\1 \2,p' \
        "$tmp/trace" >"$tmp/opened"
    test -s "$tmp/opened"
}

# at_most COUNT: so many lines on stdin, which are shown if there are more.
at_most() {
    tee "$tmp/lines" | awk -v most="$1" 'END { exit NR > most }' ||
        { sort "$tmp/lines" | uniq -c | sort -rn | head -n 20 && false; }
}

# The sandbox's canary tries to open the grader's memory, twice.
general() {
    grep -E ' /proc/([a-z]|[0-9]+/mem$)' "$tmp/opened" | at_most 8
}

of_programs() {
    grep -vE ' /proc/([a-z]|[0-9]+/mem$)' "$tmp/opened" |
        at_most $((12 + 8 * seconds))
}

once() {
    grep -vE '/mem$' "$tmp/opened" | sort | uniq -d | at_most 0
}

opened # what it compiles is there then
check "a grade under strace ends well" opened
check "few files of the machine and of a process itself" general
check "few files of programs under limits" of_programs
check "a process opens no file twice" once
finish
