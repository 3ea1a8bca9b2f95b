#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# No kernel of a lab's reference spills registers to memory, and nvcc splits
# none of their accesses of 16 bytes.  One architecture a day, which decides
# little of either; NVCC_ALL=1: both.
set -u
. .ci/check.sh
command -v nvcc >/dev/null || {
    echo "skipped: no nvcc here, so ptxas was not asked"
    exit 77
}
references=()
for ini in grader/labs/*.ini; do
    lab=$(basename "$ini" .ini)
    step=$(sed -n 's/^reference *= *//p' "$ini")
    references+=("solutions/$lab/${step:-$(find "solutions/$lab" \
        -name '[0-9]*.cu' -printf '%f\n' | sort -V | tail -n 1)}")
done

# A kernel that must spill: 64 values live, and no room for them.
mkdir "$tmp/00_spills"
cat >"$tmp/00_spills/1_crowded.cu" <<'END'
__global__ void __launch_bounds__(1024, 2) crowded(float *x)
{
    float v[64];
#pragma unroll
    for (int i = 0; i < 64; i++) v[i] = x[i * 1024 + threadIdx.x];
    __syncthreads();
#pragma unroll
    for (int i = 0; i < 64; i++) x[i * 1024 + threadIdx.x] = v[63 - i] * v[i];
}
END
# A reference whose stores are assignments: nvcc splits one, because the same
# elements are stored one by one elsewhere.
mkdir "$tmp/05_scan"
cat >"$tmp/05_scan/1_assigned.cu" <<'END'
#include <cuda_runtime.h>
#define __stwb(to, value) (*(to) = (value))
#include "solutions/05_scan/4_look_back.cu"
END
[[ ${NVCC_ALL-} ]] ||
    export ARCHITECTURES=sm_$((80 + $(date +%s) / 86400 % 2 * 10))
export PTX=$tmp/ptx
check "all references compile" grader/bench/ptxas "$tmp/page.md" \
    "${references[@]}" "$tmp/00_spills/1_crowded.cu" \
    "$tmp/05_scan/1_assigned.cu"
unset PTX
# A step that nvcc refuses: a pragma that no compiler knows.
sed 's/pragma unroll/pragma unrolled/' "$tmp/00_spills/1_crowded.cu" \
    >"$tmp/00_spills/2_pragma.cu"
check "an unknown pragma is refused" bash -c '! "$@" 2>/dev/null' - \
    grader/bench/ptxas "$tmp/none.md" "$tmp/00_spills/2_pragma.cu"
# | lab | step | kernel | registers | spilled bytes | ...
spills() { awk -F' [|] ' '$1 ~ /^[|] [0-9]/ && $5 != 0' "$tmp/page.md"; }
spills
check "what spills is seen" grep -q crowded <(spills)
for step in "${references[@]}"; do
    lab=$(basename "$(dirname "$step")")
    check "$step does not spill" bash -c '! grep -q "^| $0 "' "$lab" \
        < <(spills)
    # Lab 13 calls libraries and has no kernel of its own.
    grep -q '^libraries' "grader/labs/$lab.ini" ||
        check "$lab is on the page" grep -q "^| $lab " "$tmp/page.md"
done
# Four accesses of four bytes to 16 consecutive, aligned ones in a basic block,
# in a kernel that also has accesses of 16 bytes.
splits() {
    awk '
        /^[.]visible [.]entry/ { kernel = $3 }
        /^[$]L|[ \t]bra|^}/ { delete seen }
        /[.]global.*[.]v4[.]/ { wide[kernel] = 1 }
        /^[ \t]*(ld|st)[.]global([.]nc)?[.][fusb]32/ {
            place = $0
            gsub(/.*\[|\].*/, "", place)
            split(place "+0", part, "+")
            array = $1 part[1]
            seen[array, part[2] + 0]
            first = part[2] - part[2] % 16
            for (i = first; i < first + 16; i += 4)
                if (!((array, i) in seen)) next
            found[kernel] = FILENAME ": " kernel " " $1 " " place
        }
        END { for (k in found) if (k in wide) print found[k] }' "$@"
}
check "a split store is seen" grep -q st.global \
    <(splits "$tmp"/ptx/05_scan/1_assigned/*.ptx)
# softcc tells the profiler, which warns of it.
"${BUILD:-build}/softcc" --profile -c -I. -Icommon/include -Ilabs/05_scan \
    "$tmp/05_scan/1_assigned.cu" -o "$tmp/assigned.o"
objcopy -O binary --only-section=softgpu_registers "$tmp/assigned.o" \
    "$tmp/told"
check "softcc tells the line" grep -q " store .*/block_scan.h:[0-9]*$" \
    "$tmp/told"
for step in "${references[@]}"; do
    lab=$(basename "$(dirname "$step")")
    splits "$tmp/ptx/$lab/$(basename "$step" .cu)"/*.ptx >"$tmp/splits"
    cat "$tmp/splits"
    check "nvcc splits no wide access of $step" test ! -s "$tmp/splits"
done
finish
