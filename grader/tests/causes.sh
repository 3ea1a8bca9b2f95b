#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Causes that only the grade of a whole file can tell: a race that needs more
# blocks than the watched cases have is found in the test that failed; lines of
# the source; what a call printed, without what those before it did; a leak of
# each call.
set -u
. "$(dirname "$0")/../../.ci/check.sh"

warpbook=$(realpath "${BUILD:-build}")/warpbook
export WARPBOOK_PROGRESS=$tmp/progress NO_COLOR=1
out=$tmp/out

says() { # TEXT: the last output has it, whatever the line ends
    [[ $(tr -s ' \n' ' ' <"$out") == *"$1"* ]]
}

# Blocks that transpose several tiles; $1 is at the end of the loop.
transpose_in_turns() {
    cat >"$tmp/transpose.cu" <<EOF
#include "check.h"
#include "transpose.h"
__global__ void turns(const float *in, float *out, size_t rows, size_t cols)
{
    __shared__ float s_tile[16][17];
    const size_t x = threadIdx.x, y = threadIdx.y, wide = (cols + 15) / 16;
    for (size_t t = blockIdx.x; t < wide * ((rows + 15) / 16); t += gridDim.x) {
        const size_t r = t / wide * 16, c = t % wide * 16;
        if (r + y < rows && c + x < cols)
            s_tile[y][x] = in[(r + y) * cols + c + x];
        __syncthreads();
        if (r + x < rows && c + y < cols)
            out[(c + y) * rows + r + x] = s_tile[x][y];
        $1
    }
}
int transpose(const float *d_in, float *d_out, int rows, int cols)
{
    if (rows == 0 || cols == 0) return cudaSuccess;
    turns<<<600, dim3(16, 16)>>>(d_in, d_out, rows, cols);
    return CUDA_CHECK(cudaGetLastError());
}
EOF
    "$warpbook" grade 03 --device soft --from "$tmp/transpose.cu" >"$out" 2>&1
}
# Sums of slices of the terms; $1 adds one to the element c[i].
multiply_in_slices() {
    cat >"$tmp/slices.cu" <<EOF
#include "grid.h"
#include "tiled_gemm.h"
__global__ void slices(const float *a, const float *b, float *c, int n, int k)
{
    const int i = blockIdx.x, first = blockIdx.y * 64;
    float sum = 0;
    for (int p = first; p < min(k, first + 64); p++)
        sum += a[i / n * k + p] * b[p * n + i % n];
    $1
}
int tiled_gemm(const float *d_a, const float *d_b, float *d_c, int m, int n,
               int k)
{
    if (m == 0 || n == 0) return cudaSuccess;
    cudaError_t err = CUDA_CHECK(cudaMemsetAsync(d_c, 0, 4ull * m * n));
    if (err || k == 0) return err;
    slices<<<dim3(m * n, (k + 63) / 64), 1>>>(d_a, d_b, d_c, n, k);
    return CUDA_CHECK(cudaGetLastError());
}
EOF
    "$warpbook" grade 07 again --device soft --from "$tmp/slices.cu" \
        >"$out" 2>&1
}

# A product of one thread an element, with $1 in its last statements.
multiply_with_tail() {
    cat >"$tmp/tail.cu" <<EOF
#include "grid.h"
#include "tiled_gemm.h"
__global__ void product(const float *a, const float *b, float *c, int n, int k)
{
    const int i = blockIdx.x;
    float sum = 0;
    for (int p = 0; p < k; p++)
        sum += a[i / n * k + p] * b[p * n + i % n];
    if (i % n % 4 == 3 && k > 0)
        c[i] = $1;
    else
        c[i] = sum;
}
int tiled_gemm(const float *d_a, const float *d_b, float *d_c, int m, int n,
               int k)
{
    if (m == 0 || n == 0) return cudaSuccess;
    product<<<m * n, 1>>>(d_a, d_b, d_c, n, k);
    return CUDA_CHECK(cudaGetLastError());
}
EOF
    "$warpbook" grade 07 --device soft --no-speed --from "$tmp/tail.cu" \
        >"$out" 2>&1
}

# A product without the 7th term of each sum; $1 is run on the host before.
multiply_without_a_term() {
    cat >"$tmp/product.cu" <<EOF
#include <cstdio>
#include <cstdlib>
#include "grid.h"
#include "tiled_gemm.h"
__global__ void multiply(const float *a, const float *b, float *c, int n, int k)
{
    const int i = blockIdx.x;
    float sum = 0;
    for (int p = 0; p < k; p++)
        if (p != 6) sum += a[i / n * k + p] * b[p * n + i % n];
    c[i] = sum;
}
int tiled_gemm(const float *d_a, const float *d_b, float *d_c, int m, int n,
               int k)
{
    $1
    if (m == 0 || n == 0) return cudaSuccess;
    multiply<<<m * n, 1>>>(d_a, d_b, d_c, n, k);
    return CUDA_CHECK(cudaGetLastError());
}
EOF
    "$warpbook" grade 07 edges --device soft --from "$tmp/product.cu" \
        >"$out" 2>&1
}

# The first step of lab 01, with an error that stays.
add_with_error_that_stays() {
    cp solutions/01_vector_add/1_one_per_thread.cu "$tmp/add.cu"
    sed 's/ cudaError_t err = cudaSuccess;/ static&/' \
        solutions/01_vector_add/host.h >"$tmp/host.h"
    "$warpbook" grade 01 refuses --device soft --from "$tmp/add.cu" \
        >"$out" 2>&1
}
# Lab 02, which refuses images of bytes that no device has, but none that is
# empty.
blur_empty_first() {
    cp solutions/02_blur/1_global.cu "$tmp/blur.cu"
    sed 's/    if (!shape_allowed(s))/    if (!width) return cudaSuccess;\n&/' \
        solutions/02_blur/host.h >"$tmp/host.h"
    "$warpbook" grade 02 refuses --device soft --from "$tmp/blur.cu" \
        >"$out" 2>&1
}
# Lab 13, where each layer leaks a descriptor, also one that create() refuses.
leak_in_each_layer() {
    cp -r solutions/13_cudnn_layer "$tmp/layer"
    sed -i '/cudnnDestroyPoolingDescriptor/d' "$tmp/layer/layer.h"
    "$warpbook" grade 13 --device soft --no-speed --no-watch \
        --from "$tmp/layer/1_heuristic.cu" >"$out" 2>&1
}
lacks_search() { ! says "No usual mistake fits"; }
lacks_general_hint() { ! says "about the test in general"; }
prints_nothing() { ! says "It printed"; }
prints_once() { [ "$(grep -c "a product" "$out")" = 1 ]; }
right_results() { says "WRONG" && return 1; says "Score:"; }

transpose_in_turns ''
check "wrong results" says "WRONG"
check "a race that the watched cases do not have" says "race in shared memory"
check "its line, and what lacks" says "no barrier between them"
transpose_in_turns '__syncthreads();'
check "with a barrier they are right" right_results
multiply_in_slices 'atomicAdd(&c[i], sum);'
check "sums in any order" says "the order of the additions is not deterministic"
check "the line that adds them" says "atomicAdd() of line 9 adds in the order"
multiply_with_tail 'sum * 1.3f - a[0] * b[i % n]'
check "the line that stored all wrong elements" \
    says "tail.cu:10:14: note: the wrong elements were stored here; those that"
check "and the one that stored correct ones" says "tail.cu:12 stored are correct"
check "no hint of the test in general beside" lacks_general_hint
multiply_without_a_term 'fputs("a product\n", stderr);'
check "a term that is missing" says "lacks the 7th term (k = 6)"
check "what the further calls print is not shown" prints_once
multiply_without_a_term 'static int wrong; if (wrong) exit(3); wrong = 1;'
check "a program that ends in the further calls" says "WRONG edges"
check "is wrong, not crashed" says "should be"
add_with_error_that_stays
check "an error that stays" says "that was the error of an earlier call"
check "what the earlier call printed is not shown" prints_nothing
blur_empty_first
check "an error that is asked for" says "0 x 8, channels 2, radius 1: returned 0"
check "what a refused call printed is not shown" prints_nothing
leak_in_each_layer
check "a leak after an error, too" says "WRONG refuses"
check "is shown where there is none" says "Most specific failing test: frees"
check "a leak that is named needs no search" lacks_search
finish
