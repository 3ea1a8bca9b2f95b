#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The same file gets the same result on any number of OS threads, idle or not.
#
#   threads.sh          lab 05, whose blocks wait for each other, on 1 and 16
#   threads.sh all      all labs, on 1, 2 and 16, and lab 05 beside programs that
#                       take the time of every processor
#   threads.sh 04 12    these labs, on 1, 2 and 16
set -u
source "$(dirname "$0")/../../.ci/check.sh"
warpbook=$(realpath "${BUILD:-build}")/warpbook

# result LAB THREADS: result.json of the reference, without times.
result() {
    SOFTGPU_THREADS=$2 "$warpbook" grade "$1" --from solutions --device soft \
        --no-speed --seed 7 --json - </dev/null | grep -v '^ *"seconds"'
}

# same LAB THREADS...: are the results equal, and right?
same() {
    local lab=$1
    shift
    result "$lab" 1 >"$tmp/1" && grep -q '"score": 100' "$tmp/1" || return 1
    for threads; do
        result "$lab" "$threads" | cmp "$tmp/1" - || return 1
    done
}

# busy COMMAND...: run it beside two endless loops a processor.
busy() {
    local loops=() status
    for ((i = 0; i < 2 * $(nproc); i++)); do
        while :; do :; done &
        loops+=($!)
    done
    "$@"
    status=$?
    kill "${loops[@]}"
    wait "${loops[@]}" 2>/dev/null
    return "$status"
}

# each LAB...: is each lab's result the same?
each() {
    for lab; do
        check "lab $lab gets the same result on any number of threads" \
            same "$lab" 2 16
    done
}

if [ "${1:-}" = all ]; then
    # shellcheck disable=SC2046 # a number has no blank
    each $(basename -a grader/labs/*.ini | cut -c1-2)
    check "a busy machine changes no result" busy same 05 2 16
elif [ $# -gt 0 ]; then
    each "$@"
else
    check "lab 05 gets the same result on 16 threads as on one" same 05 16
fi
finish
