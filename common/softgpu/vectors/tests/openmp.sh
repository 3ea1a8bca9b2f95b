#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# OpenMP and the vector engine: together, where -fopenmp is used, and where it is
# given for nothing.
set -u
build=$(realpath "${BUILD:-build}")
cd "$(dirname "$0")/../../../.." || exit 1
# shellcheck source=.ci/check.sh
source .ci/check.sh
if [ ! -e "$build/lib/softcc-vectors.so" ]; then
    echo "skipped: the vector engine is not built"
    exit 77
fi

# OpenMP beside kernels: its header is gcc's where clang has none, and without
# clang's own library the program is compiled for fibers, in one line.
cat >"$tmp/openmp.cu" <<'end'
#include <cstdio>
#include <omp.h>
__global__ void twice(int *a, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        a[i] *= 2;
}
int main()
{
    int *a, sum = 0;
    cudaMallocManaged(&a, 100 * sizeof *a);
#pragma omp parallel for num_threads(2)
    for (int i = 0; i < 100; i++)
        a[i] = omp_get_num_threads();
    twice<<<1, 128>>>(a, 100);
    cudaDeviceSynchronize();
    for (int i = 0; i < 100; i++)
        sum += a[i];
    std::printf("%d\n", sum);
}
end
with_openmp() { # with_openmp SUM OPTION...
    "$build/softcc" "${@:2}" "$tmp/openmp.cu" -o "$tmp/program" \
        >"$tmp/said" 2>&1 && [ "$("$tmp/program")" = "$1" ]
}
openmp_on_vectors() {
    with_openmp 400 --engine vectors -Xcompiler -fopenmp || return 1
    [ ! -s "$tmp/said" ] || [ "$(wc -l <"$tmp/said")" = 1 ] &&
        grep -q 'fibers .* libomp-19-dev' "$tmp/said"
}
check "OpenMP on vectors, or on fibers in one line" openmp_on_vectors
# Many Makefiles give -fopenmp to all files: without a word of OpenMP's in the
# source and its headers, the pass looks at the kernels, and the program links.
has_pass() { # has_pass FILE OPTION...
    SOFTCC_ENGINE=auto SOFTCC_SHOW_ENGINE=1 "$build/softcc" -w \
        -Xcompiler -fopenmp "${@:2}" "$tmp/$1" -o "$tmp/program" \
        >"$tmp/said" 2>&1
    "$tmp/program" >/dev/null && grep -q '^softcc: twice: ' "$tmp/said"
}
openmp_unused() {
    grep -v omp "$tmp/openmp.cu" >"$tmp/unused.cu"
    { echo '#include "header.h"' && cat "$tmp/unused.cu"; } >"$tmp/include.cu"
    echo '#include <folder.h>' >"$tmp/header.h"
    mkdir -p "$tmp/folder"
    echo '/* comparison; ompx */' >"$tmp/folder/folder.h"
    has_pass unused.cu && has_pass include.cu -I"$tmp/folder" || return 1
    echo 'static void wait() { _Pragma("omp barrier") }' >"$tmp/folder/folder.h"
    ! has_pass include.cu -I"$tmp/folder" && ! has_pass openmp.cu &&
        [ -x "$tmp/program" ]
}
check "-fopenmp for nothing leaves vectors" openmp_unused
check "OpenMP's header alone" with_openmp 200 --engine vectors \
    -Wno-unknown-pragmas -lgomp

finish
