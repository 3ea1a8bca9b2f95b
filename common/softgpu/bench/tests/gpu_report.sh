#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# gpu-report's comparison with a table in the format of ncu: names, thousands
# separators, launches of one kernel, kernels in only one of the reports.
set -u
. .ci/check.sh
cc -std=c11 -D_GNU_SOURCE= -Wall common/softgpu/bench/gpu_compare.c \
    -ljansson -o "$tmp/compare" || failed=1

loads=l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum
stores=l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum
{
    echo '==PROF== Connected to process 1 (program)'
    echo '"ID","Kernel Name","Block Size","Metric Name","Metric Value"'
    for id in 0 1; do # two launches
        kernel='"void k<(int)3>(const float *, void (*)(int))"'
        echo "\"$id\",$kernel,\"(32, 1, 1)\",\"$loads\",\"1,024\""
        echo "\"$id\",$kernel,\"(32, 1, 1)\",\"$stores\",\"7\""
        echo "\"$id\",$kernel,\"(32, 1, 1)\",\"gpu__time_duration.sum\",\"1500\""
    done
    echo "\"2\",\"unknown(int)\",\"(32, 1, 1)\",\"$loads\",\"5\""
} >"$tmp/ncu.csv"
cat >"$tmp/report.json" <<'END'
{"kernels": [
 {"name": "k<(int)3>", "global_load_sectors": 2048, "global_store_sectors": 8,
  "shared_load_wavefronts": 0, "modeled_us": 2.5},
 {"name": "never_run", "global_load_sectors": 1}]}
END
"$tmp/compare" sample "$tmp/report.json" "$tmp/ncu.csv" >"$tmp/table" 2>&1
cat "$tmp/table"

row='| `k<(int)3>` | 2048 | **8 / 14** | 0 | 0 | 0 | 0 | 2.50 | 3.00 |'
check "launches add up, a difference is marked" grep -qF "$row" "$tmp/table"
check "the sum of it" grep -q '^5 of 6 counts of 1 kernels agree' "$tmp/table"
check "kernels of one side are left out" \
    test "$(grep -c 'unknown\|never_run' "$tmp/table")" = 0
check "an empty table is said" bash -c '! "$0" t "$1" /dev/null 2>/dev/null' \
    "$tmp/compare" "$tmp/report.json"
check "the metrics are asked for" grep -q "^gpu__time_duration.sum,$loads" \
    <("$tmp/compare" --metrics)
check "without nvcc nothing is claimed" grep -q 'no nvcc here' \
    <(NVCC=/nowhere/nvcc common/softgpu/bench/gpu-report "$BUILD" "$tmp/out.md")
check "nor written" test ! -e "$tmp/out.md"

finish
