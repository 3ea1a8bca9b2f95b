#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The trainer beside PyTorch: what would run on a card, and, where a Python has
# torch, losses and weights against it, and the table by way of the CPU.
set -u
. .ci/check.sh
build=$(realpath "${BUILD:-build}")
build=${build%/san}
python=
for candidate in python3 /usr/bin/python3; do
    if "$candidate" -c 'import torch, numpy' 2>"$tmp/log"; then
        python=$candidate
        break
    fi
done

if command -v nvcc >"$tmp/log"; then
    grader/bench/train --dry-run "$build" "$tmp/none.md" >"$tmp/dry"
    check "a dry run shows both commands" test "$(wc -l <"$tmp/dry")" = 2
    check "nvcc builds the program" bash -c '! grader/bench/train "$0" \
        "$1/none.md" 2>&1 | grep -i "error\|warning"' "$build" "$tmp"
fi
SOFT=1 grader/bench/train --dry-run "$build" "$tmp/none.md" >"$tmp/dry"
check "and writes nothing" test ! -e "$tmp/none.md"
check "softcc builds the program" bash -c "$(head -n 1 "$tmp/dry")"
check "it wants its arguments" bash -c '"$0"; [[ $? == 2 ]]' \
    "$build/bench/train/train_steps" 2>"$tmp/log"
if ! /usr/bin/python3 -c 'import torch' 2>"$tmp/log"; then
    /usr/bin/python3 grader/bench/train-cpu "$build" "$tmp/cpu.md" 2>"$tmp/log"
    check "the table beside a CPU's PyTorch says how to install it" \
        grep -q "pip install numpy torch" "$tmp/log"
    check "and writes nothing without it" test ! -e "$tmp/cpu.md"
fi
if [[ ! $python ]]; then
    echo "no Python with torch here: not compared with it"
    finish
    exit
fi

check "three steps of build/train are PyTorch's, to 1e-5" \
    "$python" grader/bench/train-torch --check "$build" --work "$tmp" \
    --nets lenet
SOFT=1 PYTHON=$python grader/bench/train "$build" "$tmp/table.md" --nets lenet \
    --batch 16 --seconds 0.02 --rounds 2 || echo "train: $?"
cat "$tmp/table.md"
row='^\| lenet \| 16 \| eager \| [a-z].* \| [0-9]+ \| [0-9]+ \| [0-9.]+ \|'
check "a row for each math" test "$(grep -cE "$row" "$tmp/table.md")" = 2
check "the table beside PyTorch on the CPU" "$python" grader/bench/train-cpu \
    "$build" "$tmp/cpu.md" --nets mlp --threads 1 --batch 16 --seconds 0.02 \
    --rounds 1
check "has a row" grep -qE '^\| mlp \| 1 \| [0-9]+ \| [0-9]+ \| [0-9.]+ \|' \
    "$tmp/cpu.md"
check "the first loss is the same" grep -qE \
    'float32.* \| ([0-9.]+e-(0[6-9]|[1-9][0-9])|0\.0e\+00) \|' "$tmp/table.md"
finish
