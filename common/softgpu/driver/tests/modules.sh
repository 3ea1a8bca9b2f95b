#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Modules that softcc makes: cuModuleLoad() of them, plain and checked.
set -u
. .ci/check.sh

build=${BUILD:-build}
here=common/softgpu/driver/tests/programs
expected='CUDA_ERROR_FILE_NOT_FOUND
CUDA_ERROR_INVALID_IMAGE
CUDA_ERROR_NOT_FOUND
80, counter 37
CUDA_ERROR_NOT_FOUND
80, counter 37
CUDA_ERROR_NOT_FOUND
80, counter 69
the second module: 5
CUDA_ERROR_INVALID_HANDLE'

# Build the module and the program with these options.
builds() {
    "$build/softcc" "$@" -cubin "$here/kernels.cu" -o "$tmp/kernels.cubin" &&
        "$build/softcc" "$@" "$here/load.cu" -lcuda -o "$tmp/load"
}

# Does the program print what a card's would?
prints() {
    diff <("$tmp/load" "$tmp/kernels.cubin" 2>"$tmp/err") - <<<"$expected"
}

# Is the fault of a module's kernel told by its line?
tells_line() {
    "$tmp/load" "$tmp/kernels.cubin" fail >/dev/null 2>"$tmp/err"
    grep -q 'stray.*thread (0,0,0)' "$tmp/err"
}

check "softcc makes a module and a program" builds
check "the program uses the module's kernels and variables" prints
check "a fault names the module's kernel" tells_line
check "softcc --check makes both" builds --check
check "the checked program does the same" prints
check "-ptx names the file by its source" \
    env -C "$tmp" "$(realpath "$build/softcc")" -ptx \
    "$(realpath "$here/kernels.cu")"
check "there is a file kernels.ptx" test -s "$tmp/kernels.ptx"
finish
