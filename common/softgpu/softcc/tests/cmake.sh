#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Build systems take softcc for nvcc: CMake configures, builds and tests three
# small projects, and an ordinary Makefile builds one.
#
#     BUILD=build common/softgpu/softcc/tests/cmake.sh [each]
#
# each: configure the projects one by one, which looks at the compilers thrice.
set -u
. .ci/check.sh
BUILD=$(realpath "$BUILD")
here=$PWD/common/softgpu/softcc/tests/cmake

# A program prints a line, and says so by its exit status.
prints() { # LINE PROGRAM
    [ "$("$2" 2>&1)" = "$1" ]
}

# Configure and build a project.
cmake_builds() { # NAME
    {
        cmake -S "$here/$1" -B "$tmp/all/$1" \
            -DCMAKE_CUDA_COMPILER="$BUILD/softcc" \
            -DCMAKE_BUILD_TYPE=Release &&
            cmake --build "$tmp/all/$1"
    } >"$tmp/log" 2>&1 || { tail -n 20 "$tmp/log"; return 1; }
}

make_builds() {
    cp -r "$here/makefile" "$tmp/makefile"
    make -C "$tmp/makefile" NVCC="$BUILD/softcc" CUDA="$BUILD/lib/cuda" \
        >"$tmp/log" 2>&1 || { tail -n 20 "$tmp/log"; return 1; }
}

# A touched header, which nvcc -MM listed, makes objects old.
depends_on_header() {
    ! make -q -C "$tmp/makefile" NVCC="$BUILD/softcc" -W part.h main.o
}

check "a Makefile with NVCC=softcc builds" make_builds
check "its program runs" prints 144 "$tmp/makefile/main"
check "its objects depend on their headers" depends_on_header
skip=
command -v cmake >"$tmp/which" || skip="cmake is missing"
[[ $BUILD != */san ]] || skip="the plain build does it"
if [[ $skip ]]; then
    echo "skipped, $skip: three projects of CMake"
    finish
    exit
fi
if [[ ${1-} == each ]]; then
    for project in single library mixed; do
        check "CMake builds $project" cmake_builds $project
    done
else
    check "CMake builds three projects" cmake_builds .
fi
check "the single file runs" prints "two words: 93" "$tmp/all/single/single"
check "so do separately compiled libraries, a static and a shared one" \
    prints "error 0, sum 24750" "$tmp/all/library/main"
check "the tests of C++ and CUDA with CUDAToolkit pass" \
    ctest --test-dir "$tmp/all/mixed" -O "$tmp/log" -Q
finish
