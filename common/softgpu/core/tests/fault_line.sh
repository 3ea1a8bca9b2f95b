#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# A plain program reports the source line of a fault, with either compiler,
# with an empty PATH (no addr2line), and without being linked to libdw.
set -u

build=$(cd "${BUILD:-build}" && pwd)
case $build in *san)
    echo "skipped: the programs are built without sanitizers"
    exit 77
    ;;
esac
. common/base/temp_dir.sh
folder=$tmp
passed=0 failed=0

cat >"$folder/fault.cu" <<'CUDA'
__device__ void increment(int *p)
{
    atomicAdd(p, 1); /* line 3: inlined from a header */
}

__global__ void store(int *p)
{
    p[threadIdx.x] = 1; /* line 8 */
}

__global__ void add(int *p)
{
    increment(p);
}

int main(int argc, char **argv)
{
    int *const far = (int *)(1ull << 40);

    if (argc > 1)
        add<<<1, 1>>>(far);
    else
        store<<<1, 1>>>(far);
    return cudaDeviceSynchronize() != cudaErrorIllegalAddress;
}
CUDA

expect() { # NAME PATTERN TEXT
    if grep -q "$2" <<<"$3"; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "not ok $1: $3"
    fi
}

cat >"$folder/host.cpp" <<'CPP'
#include <cuda_runtime.h>

int main()
{
    int *p;
    cudaMalloc(&p, 4);
    cudaFree(p);
    return cudaFree(p) == cudaSuccess;
}
CPP

include=$PWD/common/softgpu/include
cd "$folder" || exit 1
for compiler in g++ clang++; do
    command -v "$compiler" >/dev/null || continue
    SOFTCC_CXX=$compiler "$build/softcc" fault.cu -o fault || exit 1
    expect "$compiler: a store" ' at fault\.cu:8$' \
        "$(PATH='' ./fault 2>&1)"
    expect "$compiler: an inlined atomic" ' at fault\.cu:3$' \
        "$(PATH='' ./fault inlined 2>&1)"
    expect "$compiler: libdw is not linked" '^none$' \
        "$(ldd fault | grep libdw || echo none)"
    # Its path leads nowhere, as below a folder that this user must not enter.
    exec 8<fault && rm fault
    expect "$compiler: a program whose file is gone" ' at fault\.cu:8$' \
        "$(/proc/self/fd/8 2>&1)"
    exec 8<&-
done
# An object without debug information: no line of other code is named.
for option in -g0 -g; do
    g++ $option -I"$include" -c host.cpp -o host.o &&
        "$build/softcc" --check host.o -o host || exit 1
    text=$(./host 2>&1)
    case $option in
    -g0) expect "no line" '^main(), compiled without -g: memory' "$text" ;;
    -g) expect "a line of g++" 'host\.cpp:8:[0-9]*: memory freed' "$text" ;;
    esac
done
echo "$passed passed, $failed failed"
exit $((failed > 0))
