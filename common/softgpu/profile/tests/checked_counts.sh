#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# A program built with --check and --profile has the same counters as one built
# with --profile alone: the instructions of the checks do not count.
set -u
. common/base/temp_dir.sh
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

# MODE...: the counters of the program when it is built so, a line each.
counters() {
    SOFTCC_CXX=g++ "$BUILD/softcc" --no-ptxas "$@" "$folder/tile.cu" \
        -o "$folder/tile" &&
        SOFTGPU_JSON=$folder/tile.json "$folder/tile" >/dev/null 2>&1 &&
        grep -E '"(global|shared|local|warp_|thread_i|branches|integer|flop)' \
            "$folder/tile.json"
}

counters --profile >"$folder/profiled"
counters --check --profile >"$folder/both"
lines=$(wc -l <"$folder/profiled")
if [ "$lines" -gt 20 ] && diff "$folder/profiled" "$folder/both"; then
    echo "1 passed, 0 failed"
else
    echo "not ok: $lines counters, or they differ"
    echo "0 passed, 1 failed"
    exit 1
fi
