#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Natural mistakes of the first hour, in lab 01, and one of lab 10: each is told
# in words that say what to write.
set -u
. "$(dirname "$0")/../../.ci/check.sh"

warpbook=$(realpath "${BUILD:-build}")/warpbook
export WARPBOOK_PROGRESS=$tmp/progress NO_COLOR=1
out=$tmp/out

says() { # TEXT: the last output has it, whatever the line ends
    [[ $(tr -s ' \n' ' ' <"$out") == *"$1"* ]]
}
silent_about() { ! says "$1"; }
w() { "$warpbook" "$@" >"$out" 2>&1; }

sed 's/TODO/Done/' labs/01_vector_add/vector_add.cu >"$tmp/vector_add.cu"
w grade 01 small --device soft --from "$tmp/vector_add.cu"
check "the handout's last line is named" says \
    "line 47 returns cudaErrorNotSupported, as the handout does"
sed 's/if (i < n)/if (i + 1 < n)/; s/    return CUDA_CHECK/    if (n > 9e9) return cudaErrorNotSupported;\n&/' \
    solutions/01_vector_add/1_*.cu >"$tmp/vector_add.cu"
cp solutions/01_vector_add/host.h "$tmp"
w grade 01 small --device soft --from "$tmp/vector_add.cu"
check "a return behind a condition is not" silent_about "as the handout does"
check "but the wrong sum is" says "1 of 1 wrong"
sed 's/cudaMalloc(&d_a, bytes)/cudaMalloc(d_a, bytes)/' \
    labs/01_vector_add/vector_add.cu >"$tmp/vector_add.cu"
w grade 01 small --device soft --from "$tmp/vector_add.cu"
check "cudaMalloc's address is asked for" says "cudaMalloc(&d_x, bytes)"
refused() { # SED-SCRIPT: what the compiler's refusal of a first try says
    sed "$1" solutions/01_vector_add/1_*.cu >"$tmp/vector_add.cu"
    w grade 01 small --device soft --from "$tmp/vector_add.cu"
}
refused 's/<<<\(.*\)>>>/<<\1>>/'
check "a launch has three brackets" says "kernel<<<blocks, threads>>>(...)"
refused 's/blockIdx.x/blockIdx/'
check "an index has members" says "write threadIdx.x, or .y, or .z"
refused 's/(size_t)blockIdx.x/(size_t)blockIdx/'
check "also in a cast" says "write threadIdx.x, or .y, or .z"
refused 's/c\[i\] =/c[i][0] =/'
check "a pointer has one index" says "d_x[row * columns + column]"
refused 's/c\[i\] =.*/atomicAdd(c[i], 1.0f);/'
check "an atomic has an address" says "atomicAdd(&d_x[i], 1u)"
refused 's/threadIdx.x;/threadIdx.x/'
check "a semicolon is missing" says "does the line before end with a semicolon?"
refused 's/c\[i\] =.*/c[i] = make_float4(1, 2, 3, 4)[i];/'
check "a vector type has members" says "v.x, v.y, v.z, v.w"
refused 's/__global__ void/__global__ int/'
check "a kernel returns nothing" says "__global__ void name(...)"
sed 's/cudaMemcpy(d_a, a,/cudaMemcpy(a, d_a,/' solutions/01_vector_add/host.h >"$tmp/host.h"
refused ''
check "a copy's destination" says "the first argument is the destination"
cp solutions/01_vector_add/host.h "$tmp"
sed 's/(size_t)blockIdx.x \* blockDim.x + //' solutions/01_vector_add/1_*.cu \
    >"$tmp/vector_add.cu"
w grade 01 edges --device soft --from "$tmp/vector_add.cu"
check "an index without blockIdx is" says \
    "as many as a block has threads: does each index contain blockIdx?"
sed 's/i < n)/i < n \&\& i != 255)/' solutions/01_vector_add/1_*.cu \
    >"$tmp/vector_add.cu"
w grade 01 edges --device soft --from "$tmp/vector_add.cu"
check "but the last element of a block is not the others" silent_about "blockIdx?"
sed 's/(size_t)blockIdx.x \* blockDim.x + //; s/row = blockIdx.*/row = 0;/' \
    solutions/02_blur/1_global.cu >"$tmp/blur.cu"
cp solutions/02_blur/host.h "$tmp"
w grade 02 edges --device soft --from "$tmp/blur.cu"
check "also in an image" says "does each index contain blockIdx?"
sed 's/ceil_div(s.pitch, block.x)/ceil_div(s.height, block.y)/
    s/ceil_div(s.height, block.y));/ceil_div(s.pitch, block.x));/
    s/block(64, 4)/block(16, 16)/' solutions/02_blur/1_global.cu >"$tmp/blur.cu"
w grade 02 edges --device soft --from "$tmp/blur.cu"
check "where the grid's sides are exchanged, that is it" says \
    "are its x and y exchanged, or those of blockIdx"
cp solutions/02_blur/1_global.cu "$tmp/blur.cu"
sed 's/cudaMemcpy(d_in, in, bytes,/cudaMemcpy(d_in, in, (size_t)width * height,/' \
    solutions/02_blur/host.h >"$tmp/host.h"
w grade 02 small --device soft --from "$tmp/blur.cu"
check "an input that is not copied as a whole is named" says \
    '`in` did not reach the device as a whole; does its copy have all its bytes?'
check "its pattern is not taken for a store that is missing" \
    silent_about "No thread stores these"
sed 's/(d_a, d_b, d_c, n);/(a, b, c, n);/' solutions/01_vector_add/host.h \
    >"$tmp/host.h"
cp solutions/01_vector_add/1_*.cu "$tmp/vector_add.cu"
w grade 01 --device soft --no-speed --from "$tmp/vector_add.cu"
check "tests that do not count have a reason" says \
    "Why no test counts vector_add.cu:20:19: host memory used in a kernel: it"
sed 's/<<<.*>>>(/(/' solutions/01_vector_add/1_*.cu >"$tmp/vector_add.cu"
cp solutions/01_vector_add/host.h "$tmp"
w grade 01 small --device soft --from "$tmp/vector_add.cu"
check "a kernel that is called is named" says \
    "no launch of add: it was called like a function; write add<<<blocks, threads>>>(...)"
refused 's/threads = 256/threads = 4096/'
check "a block that is too large is named" says "4096 threads per block, at most"
w grade 01 --device soft --no-speed --from "$tmp/vector_add.cu"
check "no hint about one test follows an error of all" silent_about "Hint"
cp solutions/10_convolution/*.h "$tmp"
sed -i 's/Async(c_filter/Async("c_filter"/' "$tmp/constant_filter.h"
w grade 10 small --device soft --from solutions/10_convolution/2_constant.cu
check "the right one passes" silent_about "returned 13"
cp solutions/10_convolution/2_constant.cu "$tmp"
w grade 10 small --device soft --from "$tmp/2_constant.cu"
check "a symbol is no string" says "variable itself: not its name in quotes"
finish
