#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Matrix instructions: which fragments a product takes is no arithmetic of a
# GPU, as nvcc unrolls the loop around it and fragments are registers.  A load
# of a fragment is one instruction, whatever its lanes do here.
set -u
build=${BUILD:-build}
case $build in *san)
    echo "skipped: the profiler is tested without sanitizers"
    exit 77
    ;;
esac
. .ci/check.sh

cat >"$tmp/a.cu" <<'CUDA'
#include <mma.h>
using namespace nvcuda;

/** Four products of two by two fragments. */
__global__ void products(const half *in, float *out)
{
    wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> a[2];
    wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::row_major> b[2];
    wmma::fragment<wmma::accumulator, 16, 16, 16, float> c[2][2];

    for (int i = 0; i < 4; i++)
        wmma::fill_fragment(c[i / 2][i % 2], 0.0f);
    wmma::load_matrix_sync(a[0], in, 16); /* one load */
    for (int i = 0; i < 2; i++)
        wmma::load_matrix_sync(a[i], in + i * 256, 16); /* loads */
    for (int i = 0; i < 2; i++)
        wmma::load_matrix_sync(b[i], in + i * 256, 16);
    for (int i = 0; i < 4; i++)
        wmma::mma_sync(c[i / 2][i % 2], a[i / 2], b[i % 2], c[i / 2][i % 2]);
    for (int i = 0; i < 4; i++)
        wmma::store_matrix_sync(out + 256 * i, c[i / 2][i % 2], 16,
                                wmma::mem_row_major);
}

int main()
{
    half *in;
    float *out;

    cudaMalloc(&in, 1024);
    cudaMalloc(&out, 4096);
    cudaMemset(in, 0, 1024);
    products<<<1, 32>>>(in, out);
    cudaFree(in);
    cudaFree(out);
}
CUDA
"$build/softcc" --profile --no-ptxas "$tmp/a.cu" -o "$tmp/a" &&
    SOFTGPU_JSON=$tmp/a.json "$tmp/a" >/dev/null 2>&1 || exit 1

of_line() { # TEXT COUNTER: of the first line of the source with this text
    local line
    line=$(grep -nF -m 1 "$1" "$tmp/a.cu" | cut -d: -f1)
    tr -d ' \n' <"$tmp/a.json" | grep -oE "a.cu\",\"line\":$line,[^}]*" |
        grep -oE "\"$2\":[0-9]+" | cut -d: -f2
}
check "a product selects registers" test -z \
    "$(of_line wmma::mma_sync integer_instructions)"
check "and does not branch" test -z "$(of_line wmma::mma_sync branches)"
check "it multiplies" grep -qE '"flop_tensor": 32768' "$tmp/a.json"
check "the index of a load counts" test \
    "$(of_line '/* loads */' integer_instructions)" -gt 0
check "a load is one instruction" test \
    "$(of_line '/* one load */' warp_instructions)" -eq 1
finish
