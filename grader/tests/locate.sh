#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# warpbook locate: the line of a mistake that one small change repairs, and what
# it says where there is none.
set -u
. "$(dirname "$0")/../../.ci/check.sh"

warpbook=$(realpath "${BUILD:-build}")/warpbook
export WARPBOOK_PROGRESS=$tmp/progress NO_COLOR=1
out=$tmp/out

# The kernel of $1; the code around it is right.
write_add() {
    cat >"$tmp/add.cu" <<EOF
#include "check.h"
#include "vector_add.h"
// if (i <= n) is a comment
__global__ void add(const float *a, const float *b, float *c, size_t n)
{
    size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
    $1
}
int vector_add(const float *a, const float *b, float *c, size_t n)
{
    const size_t bytes = n * sizeof(float);
    float *d_a = NULL, *d_b = NULL, *d_c = NULL;
    int err = cudaSuccess;

    if (n == 0) return cudaSuccess;
    if ((err = cudaMalloc(&d_a, bytes)) || (err = cudaMalloc(&d_b, bytes))
        || (err = cudaMalloc(&d_c, bytes))
        || (err = cudaMemcpy(d_a, a, bytes, cudaMemcpyHostToDevice))
        || (err = cudaMemcpy(d_b, b, bytes, cudaMemcpyHostToDevice)))
        goto out;
    add<<<(n + 255) / 256, 256>>>(d_a, d_b, d_c, n);
    if (!(err = cudaGetLastError()))
        err = cudaMemcpy(c, d_c, bytes, cudaMemcpyDeviceToHost);
out:
    cudaFree(d_a);
    cudaFree(d_b);
    cudaFree(d_c);
    return err;
}
EOF
}

locate() { # STATUS OPTION...
    local status=$1
    shift
    "$warpbook" locate 01 --from "$tmp/add.cu" "$@" >"$out" 2>&1
    [[ $? == "$status" ]] || { cat "$out" && false; }
}

right='if (i < n) c[i] = a[i] + b[i];'
write_add "${right/</>}"
check "another comparison" locate 1
check "its line" holds "add.cu:7:11: note: with another comparison here, all" \
    "$out"
check "the change is not told" eval '! grep -qE "[^<]< n" "$out"'

write_add "$right"
check "a right file" locate 0
check "nothing to search for" holds "All tests pass" "$out"

write_add "if (i < n) c[i] = 3;"
check "no small change" locate 1 --search 0.01
check "it says how many" holds "small changes" "$out"

write_add "if (i < n) c[i] = x;"
check "a file that does not build" locate 3
check "the compiler's words" holds "add.cu:7:23: error" "$out"

check "no number of seconds" refuses 2 "is not a number of seconds" \
    locate 01 --search 0
check "no lab" refuses 2 "it needs LAB" locate
finish
