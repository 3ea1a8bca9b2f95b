#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# No kernel of a lab's reference spills registers to memory.
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
check "all references compile" grader/bench/ptxas "$tmp/page.md" \
    "${references[@]}" "$tmp/00_spills/1_crowded.cu"
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
finish
