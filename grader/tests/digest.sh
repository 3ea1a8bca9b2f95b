#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The digest that a card computes of an array, tried on the software GPU, is
# the one that the grader computes of the bytes that come back.
set -u
build=$(realpath "${BUILD:-build}")
. common/base/temp_dir.sh
include=(-I. -Icommon/softgpu/include)

for source in tests/programs/digest_compare runner/device runner/resources \
    runner/call_site_gpu channel/message; do
    cc -std=c11 -D_GNU_SOURCE -O2 -ffunction-sections "${include[@]}" -c \
        "grader/$source.c" \
        -o "$tmp/${source##*/}.o" || exit 1
done
"$build/softcc" -O2 -I. -Xlinker --gc-sections grader/runner/digest_gpu.cu \
    "$tmp"/*.o \
    -o "$tmp/compare" || exit 1
if "$tmp/compare"; then
    echo "1 passed, 0 failed"
else
    echo "not ok: the digests differ"
    echo "0 passed, 1 failed"
    exit 1
fi
