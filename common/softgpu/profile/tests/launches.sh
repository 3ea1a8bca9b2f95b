#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Each launch is modeled by itself: one more launch never lowers a kernel's
# time, and the text, the JSON report, its timeline and the page agree.
set -u
build=${BUILD:-build}
case $build in *san)
    echo "skipped: the profiler is tested without sanitizers"
    exit 77
    ;;
esac
. .ci/check.sh

# The first N launches of a list; then equal ones, and more shapes than are told
# apart.
cat >"$tmp/a.cu" <<'CUDA'
#include <cstdlib>

/** Sum of `turns` words, `stride` apart. */
__global__ void sum(float *x, int turns, int stride)
{
    float s = 0;

    for (int i = 0; i < turns; i++)
        s += x[(threadIdx.x * stride + i * 997) & 65535];
    x[65536 + blockIdx.x * blockDim.x + threadIdx.x] = s;
}

int main(int, char **argv)
{
    const int first = atoi(argv[1]), n = atoi(argv[2]);
    const struct { unsigned grid, block; int turns, stride; } list[] = {
        {1, 128, 2000, 1}, {2048, 128, 1, 1}, {1, 128, 1, 1},
        {64, 128, 8, 1},   {64, 128, 8, 32}, {64, 128, 8, 1}};
    float *x;

    cudaMalloc(&x, (65536 + 2048 * 128) * sizeof *x);
    cudaMemset(x, 0, 65536 * sizeof *x);
    for (int i = first; i < n; i++)
        if (i < 6)
            sum<<<list[i].grid, list[i].block>>>(x, list[i].turns,
                                                 list[i].stride);
        else
            sum<<<i, 32>>>(x, 1, 1);
    cudaDeviceSynchronize();
    cudaFree(x);
}
CUDA
"$build/softcc" --profile --no-ptxas "$tmp/a.cu" -o "$tmp/a" || exit 1

# FIRST N: the reports $tmp/FIRST-N.json, .txt and .html.
profile() {
    SOFTGPU_CARD=h200 SOFTGPU_JSON=$tmp/$1-$2.json \
        SOFTGPU_HTML=$tmp/$1-$2.html "$tmp/a" "$1" "$2" 2>"$tmp/$1-$2.txt"
}
kernel_us() { # REPORT: modeled time of the kernel
    sed -n 's/^   "modeled_us": \(.*\),$/\1/p' "$tmp/$1.json"
}
groups() { # REPORT: of each group, its time and its number of launches
    sed -n '/"launch_groups"/,/^   \]/p' "$tmp/$1.json" |
        awk '/"launches"/ {n = $2 + 0}
            /"modeled_us"/ {printf "%.12g %d\n", $2, n}'
}
spans_us() { # REPORT: all spans of the kernel
    tr -d ' \n' <"$tmp/$1.json" | grep -oE '"kernels","sum",[0-9]+,[0-9]+' |
        awk -F, '{t += ($4 - $3) / 1000} END {printf "%.9g\n", t}'
}
equal() { # A B [RELATIVE]
    awk -v a="$1" -v b="$2" -v e="${3:-1e-6}" 'BEGIN {
        exit !(a > 0 && (a > b ? a - b : b - a) <= e * a)}'
}
rises() { # the times of the arguments, in their order
    for n; do kernel_us "0-$n"; done |
        awk '$1 <= last {falls = 1} {last = $1} END {exit falls || NR < 2}'
}

for n in 1 2 3 4 5 6 35 60; do profile 0 "$n"; done
for n in 1 2 3 4; do profile "$n" $((n + 1)); done
check "one more launch never lowers the time" rises 1 2 3 4 5 6 35 60
check "a time is the sum of the launches alone" equal "$(kernel_us 0-5)" \
    "$(for r in 0-1 1-2 2-3 3-4 4-5; do kernel_us $r; done |
        awk '{t += $1} END {printf "%.9f", t}')"
check "launches that are alike are one group" test "$(groups 0-6 | wc -l)" -eq 5
check "its time is that of two" equal "$(kernel_us 0-6)" \
    "$(kernel_us 0-5 | awk -v one="$(kernel_us 3-4)" \
        '{printf "%.9f", $1 + one}')"
for n in 6 60; do
    check "$n launches: groups add up" equal "$(kernel_us 0-$n)" \
        "$(groups 0-$n | awk '{t += $1} END {printf "%.9f", t}')"
    check "$n launches: none is lost" test \
        "$(groups 0-$n | awk '{n += $2} END {print n}')" -eq "$n"
    # Spans are rounded to nanoseconds.
    check "$n launches: the timeline agrees" equal "$(kernel_us 0-$n)" \
        "$(spans_us 0-$n)" 1e-3
    us=$(sed -n 's/^  modeled \([0-9.]*\) us on.*/\1/p' "$tmp/0-$n.txt")
    check "$n launches: so does the text" equal "$(kernel_us 0-$n)" "$us" 5e-3
    check "$n launches: and the page" grep -q "Modeled: $us us" \
        "$tmp/0-$n.html"
done
check "the text shows each group" grep -q "1 launch, grid 1, block 128" \
    "$tmp/0-6.txt"
check "and so does the page" grep -q "2 launches, grid 64, block 128" \
    "$tmp/0-6.html"
finish
