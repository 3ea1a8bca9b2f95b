#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# How gangs access memory: places that threads compute, or that a table names,
# give the same on both engines, and the code of a gang accesses them together.
set -u
build=$(realpath "${BUILD:-build}")
cd "$(dirname "$0")/../../../.." || exit 1
# shellcheck source=.ci/check.sh
source .ci/check.sh
# shellcheck source=common/softgpu/vectors/tests/gangs.bash
source common/softgpu/vectors/tests/gangs.bash

# The threads of a part of a row have neighboring float4 of one side and the
# same words of the other one: 1024 multiply-adds of a tile exchange nothing.
factors_in_order() {
    gang_for x86-64-v4 solutions/08_fast_gemm/4_warp_tile.cu \
        -Icommon/include -Ilabs/08_fast_gemm |
        awk '/vfmadd.*zmm/ && ++sums <= 1024 {
                 if (NR - last < 16) exchanged += since
                 since = 0; last = NR }
             /vmovss/ { words += sums > 0 && sums < 1024 }
             /vperm|vshuf|vunpck|vblend/ { since++ }
             END { exit !(sums >= 1024 && !words && !exchanged) }'
}
check "a warp tile is multiplied without exchanges" factors_in_order
places() {
    same common/softgpu/vectors/tests/windows &&
        ! grep -q fibers "$tmp/engines"
}
check "words and float4 of places by a table" places
# Masked loads of windows, prefetched tiles, and stores of two words.
places_together() {
    gang_for haswell common/softgpu/vectors/tests/windows.cu |
        awk '/maskmov(ps|d) +(0x)?[0-9a-f]*\(/ { windows++ }
             /prefetcht0/ { next_tile++ }
             /vmov[lh]p[sd] .*,[^,]*\(/ { pairs++ }
             END { exit !(windows > 100 && next_tile > 10 && pairs > 50) }'
}
check "places are accessed together" places_together
# Addresses that pass through memory are stored as vectors of 32 bytes: those
# of 64 would make the loads of their second halves wait.
forwarded() {
    gang_for x86-64-v4 common/softgpu/vectors/tests/copied.cu | awk '
        { to = $NF; sub(/,%.*/, "", to); sub(/.*zmm[0-9]*,/, "", to) }
        /vmov[a-z0-9]* +%zmm[0-9]*,0x[0-9a-f]*\(%r[a-z]*\)$/ {
            stored[to] = NR }
        /\tmov +0x[0-9a-f]*\(%r[a-z]*\),%r/ {
            loads++; waits += to in stored && NR - stored[to] < 10 }
        END { exit !(loads > 50 && !waits) }'
}
check "no address waits for the store of its vector" forwarded
# The gangs of rows_of_tile(), all but the first, have no vectors of addresses.
entries() {
    all_the_same common/softgpu/vectors/tests/entries &&
        [ "$(tail -n 1 "$tmp/vectors")" = \
            "misaligned: cudaErrorMisalignedAddress" ] &&
        gang_for x86-64-v4 common/softgpu/vectors/tests/entries.cu |
        awk '/>:$/ { tile = /softgpu.gang.[0-9]/; tiles += tile }
             tile && /vpsllq|vpaddq|vpsubq/ { vectors++ }
             END { exit !(tiles >= 3 && !vectors) }'
}
check "float4 whose threads share entries of a table" entries
shifted() {
    same common/softgpu/vectors/tests/shifted &&
        gang_for x86-64-v4 common/softgpu/vectors/tests/shifted.cu |
        awk '/vpmov[sz]xdq|vpextrq|vps[rl]|gather|scatter/ { vectors++ }
             { all++ }
             END { exit !(all && !vectors) }'
}
check "places that are shifted right have constant distances" shifted
# A gang does not test what is known to be aligned.
gathered() {
    same common/softgpu/vectors/tests/gathered &&
        ! grep -q fibers "$tmp/engines" &&
        "$build/softcc" --engine vectors -w -o "$tmp/gathered.o" \
            -c common/softgpu/vectors/tests/gathered.cu &&
        objdump -dr "$tmp/gathered.o" | awk '
            />:$/ { gang = /softgpu.gang/; gangs += gang }
            gang && /softgpu_fail/ { tests++ }
            END { exit !(gangs && !tests) }'
}
check "elements by a table, and float4 of a shared array" gathered
finish
