#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# A program has the same counters built with --check and --profile as with
# --profile alone (the instructions of the checks do not count), and when its
# path leads nowhere, as below a folder that the user must not enter.
set -u
. .ci/check.sh
folder=$tmp
cat >"$folder/tile.cu" <<'CU'
#include <cuda_runtime.h>

__global__ void turn(float *out, const int *from)
{
    __shared__ float row[32];

    row[threadIdx.x] = (float)threadIdx.x;
    __syncthreads();
    out[threadIdx.x] = row[from[threadIdx.x]];
}

int main()
{
    float *out;
    int *from;

    if (cudaMalloc(&out, 32 * sizeof *out)
        || cudaMalloc(&from, 32 * sizeof *from)
        || cudaMemset(from, 0, 32 * sizeof *from))
        return 1;
    turn<<<1, 32>>>(out, from);
    cudaFree(out);
    cudaFree(from);
    return cudaDeviceSynchronize();
}
CU

# MODE...: build the program so.
build() {
    SOFTCC_CXX=g++ "$BUILD/softcc" --no-ptxas "$@" "$folder/tile.cu" \
        -o "$folder/tile"
}

# PROGRAM: its counters, a line each.
counters() {
    SOFTGPU_JSON=$folder/tile.json "$1" >/dev/null 2>&1
    grep -E '"(global|shared|local|warp_|thread_i|branches|integer|flop)' \
        "$folder/tile.json"
}

# FILE: the counters that are expected are in it.
same_counters() {
    [ "$(wc -l <"$folder/profiled")" -gt 20 ] &&
        diff "$folder/profiled" "$1"
}

build --profile
counters "$folder/tile" >"$folder/profiled"
exec 8<"$folder/tile" && rm "$folder/tile"
counters /proc/self/fd/8 >"$folder/gone"
check "the program's file is gone" same_counters "$folder/gone"
build --check --profile
counters "$folder/tile" >"$folder/both"
check "with --check" same_counters "$folder/both"
finish
