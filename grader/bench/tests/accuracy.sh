#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The script behind the table of accuracies, on a small generated set: it is
# interrupted, goes on from the checkpoint, and keeps what is complete.
set -u
. .ci/check.sh
build=$(realpath "${BUILD:-build}")
build=${build%/san}
accuracy() {
    grader/bench/accuracy --build "$build" --runs "$tmp/runs" --output \
        "$tmp/table.md" --nets mlp --epochs 2 --data lookalike --seeds 2 \
        "$@" -- --limit 512 --device soft >"$tmp/log" 2>&1
}
run=$tmp/runs/mlp-solutions

# A net with one seed, in two goes: the first ends after 3 of 16 steps.
grader/bench/accuracy --build "$build" --runs "$tmp/runs" --output \
    "$tmp/table.md" --nets mlp --epochs 2 --data lookalike --seeds 1 \
    -- --limit 512 --device soft --steps 3 >"$tmp/log" 2>&1
check "what was stopped is not in the table" \
    grep -q '^| mlp | solutions | 2 | not run |' "$tmp/table.md"
check "its checkpoint is" test -s "$run-1/checkpoint.safetensors"
check "two seeds are trained" accuracy
check "the first from where it stopped" \
    grep -q "mlp, solutions, seed 1, from epoch 0 on" "$tmp/log"
check "to its last epoch" test "$(wc -l <"$run-1/metrics.csv")" = 3
row='^\| mlp \| solutions \| 2 \| [0-9.]+ [0-9.]+ \| [0-9.]+ \| 88 \|'
check "both are in the table, with their mean" \
    grep -qE "$row (met so far|missed) \|" "$tmp/table.md"
check "what is not trained is, too" \
    grep -q '^| lenet | solutions | 2 | not run |' "$tmp/table.md"

# The same without a stop gives the same bytes.
"$build/train" --net mlp --data lookalike --limit 512 --epochs 2 --seed 1 \
    --device soft --out "$tmp/whole" >"$tmp/log" 2>&1
check "the stop cannot be seen in the numbers" \
    cmp "$tmp/whole/metrics.csv" "$run-1/metrics.csv"
touch -d '2001-01-01' "$run"-[12]/checkpoint.safetensors
check "once more" accuracy
check "trains nothing" test "$(find "$tmp/runs" -name '*.safetensors' \
    -newermt 2002-01-01 | wc -l)" = 0
echo '# changed' >>"$run-2/mlp.net"
check "another net than the file's" accuracy
check "is trained again" grep -q "has changed: $run-2 is trained again" \
    "$tmp/log"
check "the seed beside it does not" test "$(find "$tmp/runs" \
    -name '*.safetensors' -newermt 2002-01-01)" = \
    "$run-2/checkpoint.safetensors"
check "a wrong number of seeds is refused" bash -c \
    'grader/bench/accuracy --seeds 0 2>"$0"; [[ $? == 2 ]]' "$tmp/log"
finish
