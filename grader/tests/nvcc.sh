#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# nvcc takes every .cu file: the labs and their ladders for Hopper, and for
# Ampere where something depends on the card (NVCC_ALL=1: all for all); wrong
# kernels and test programs for one.
set -u

command -v nvcc >/dev/null || {
    echo "skipped: no nvcc here, so no .cu file was built for a GPU"
    exit 77
}
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT
export out

# Compile one file; its folder's header and common/ are found as in grading.
compile() {
    local file=$1 stem log common=common
    [[ $file != */programs/* ]] || common=common/softgpu/tests/programs
    stem=$(sed -nE 's,.*/([0-9]{2}_[a-z_]+)/.*,\1,p' <<<"$file")
    log=$out/${file//\//.}
    shift
    if nvcc -std=c++17 -I. -I$common -Igrader "-Ilabs/$stem" \
        "-Isolutions/$stem" --extended-lambda -DDEFECT=1 "$@" "$file" \
        -o "$log.o" >"$log" 2>&1; then
        echo ok
    else
        echo "not ok $file" && head -n 5 "$log" >&2
    fi
}
export -f compile

# Compile one file of a lab, for the newest card or for all of them.
build() {
    local file=$1
    shift
    if [[ ! ${NVCC_ALL-} ]] && ! grep -qsE 'ptx|mma|async|cooperative|_ARCH' \
        "$file" "${file%/*}"/*.h; then
        set -- "${@: -1}"
    fi
    compile "$file" -c "$@"
}
export -f build

# Every eighth name of a list, or all.
sampled() {
    sed -zn "1~$([[ ${NVCC_ALL-} ]] && echo 1 || echo 8)p"
}

# cuDNN is no part of the Toolkit.
without=none
echo '#include <cudnn.h>' | nvcc -x cu -E - >/dev/null 2>&1 ||
    without='*cudnn*'

known=$(nvcc --help) # --list-gpu-code has no letters
codes=()
# What 90 takes 90a takes, too; bench/ptxas builds references for it.
for arch in 80 ${NVCC_ALL:+90} 90a; do
    [[ $known != *"'sm_$arch'"* ]] ||
        codes+=("-gencode=arch=compute_$arch,code=sm_$arch")
done
{
    find labs solutions grader/runner -name '*.cu' ! -path "$without" -print0 |
        xargs -0 -P "$(nproc)" -I{} bash -c 'build "$@"' - {} "${codes[@]}"
    # softcc's own cases hold what no compiler takes.
    # All test programs with NVCC_ALL=1; else every eighth, for time, and of
    # the watchers' fixtures none.
    find grader/mutants common -name '*.cu' ! -path '*/softcc/*' \
        ! -path "$without" \
        ! -path "*/${NVCC_ALL:-fixtures}/*" -print0 |
        sort -z | sampled |
        xargs -0 -P "$(nproc)" -I{} bash -c 'compile "$@"' - {} -ptx -arch=sm_90
} >"$out/all"
grep '^not ok' "$out/all"
echo "$(grep -c '^ok' "$out/all") passed, $(grep -c '^not' "$out/all") failed"
! grep -q '^not' "$out/all"
