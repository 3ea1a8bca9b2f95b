#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Two ladders, from source to rank: every step's result is right (the programs
# check it), and the model ranks the steps as the cards did.  The others
# compile.
set -u
passed=0 failed=0

# NAME WANTED PATTERN: as many lines of the output as wanted.
lines() {
    local found
    found=$(grep -cE -- "$3" <<<"$output")
    if [ "$found" -eq "$2" ]; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "not ok: $1: $found lines, should be $2"
    fi
}

output=$(common/softgpu/bench/rank "$BUILD" transpose histogram 2>&1) ||
    { failed=1; echo "not ok: the ladders run"; }
echo "$output"
lines "steps of both ladders" 10 '^  (transpose|histogram)_[0-9] '
lines "the published order" 2 '^  Spearman +1\.00 +1\.00'
lines "graded by time" 2 '^  fit for graded time'
lines "the naive transpose waits for L2" 1 '^  transpose_1 .* l2 '
lines "the tile for its bank conflicts" 1 '^  transpose_2 .* shared '
lines "global atomics meet" 1 '^  histogram_1 .* atomics '

for ladder in gemm reduce scan; do
    output=$("$BUILD/softcc" -O0 -c "common/softgpu/bench/ladders/$ladder.cu" \
        -o "$BUILD/bench/ladders/$ladder.o" 2>&1)
    echo "$output"
    lines "the ladder $ladder compiles" 0 error
done

output=$(common/softgpu/bench/rank "$BUILD" ladder_of_nobody 2>&1)
lines "a ladder that is not there" 1 'ladder_of_nobody'
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
