#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Programs of Thrust and CUB with NVIDIA's own headers, where these are
# installed; softcc finds them (compiler/cccl.h).  Each prints what it prints on
# a card, and nothing more under --check.
#
#     BUILD=build common/softgpu/tests/cccl/cccl.sh [all]
#
# all: CUB, too, and each with checks and on vectors: two minutes of a CPU.
set -u
. .ci/check.sh
here=common/softgpu/tests/cccl

# The headers, by the only program that looks for them.
echo '#include <thrust/version.h>
int main() { return THRUST_VERSION < 200000; }' >"$tmp/version.cu"
if ! "$BUILD/softcc" "$tmp/version.cu" -o "$tmp/version" >"$tmp/log" 2>&1; then
    tail -n 1 "$tmp/log"
    echo "skipped: Thrust and CUB (PyPI: nvidia-cuda-cccl) are not installed"
    exit 77
fi

prints() { # NAME OPTION...
    local name=$1
    shift
    "$BUILD/softcc" "$@" "$here/$name.cu" -o "$tmp/$name" &&
        "$tmp/$name" 2>&1 | diff "$here/$name.out" -
}

removed_is_reported() {
    echo '#include <thrust/async/reduce.h>' >"$tmp/async.cu"
    ! "$BUILD/softcc" "$tmp/async.cu" -o "$tmp/async" 2>"$tmp/log" &&
        grep -q "no asynchronous algorithms any more" "$tmp/log"
}

[[ $(realpath "$BUILD") != */san ]] ||
    { echo "skipped: the plain build does it"; exit 77; }
check "Thrust's algorithms" prints algorithms
check "a header that Thrust no longer has is reported" removed_is_reported
check "Thrust on memory of cudaMalloc, checked" prints raw_pointers --check
if [[ ${1-} == all ]]; then
    check "Thrust on memory of cudaMalloc" prints raw_pointers
    check "CUB's primitives" prints device_wide
    check "Thrust's further algorithms" prints more_algorithms
    check "names that version 3 has no longer" prints older_names
    check "CUB by one header" prints one_header
    check "CUB by one header, checked" prints one_header --check
    check "Thrust's algorithms, checked" prints algorithms --check
    check "CUB's primitives, checked" prints device_wide --check
    check "Thrust's algorithms on vectors" prints algorithms --engine vectors
fi
finish
