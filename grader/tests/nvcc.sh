#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# nvcc compiles every .cu file: the labs and, of their ladders, one half each day
# for Hopper, and for Ampere where something depends on the card (NVCC_ALL=1: all
# for all); mutants and test programs for one.  Each source is compiled once: what was compiled
# stays in BUILD/nvcc until a file that it includes changes, and the references
# are left to grader/bench/tests/ptxas.sh.
set -u

command -v nvcc >/dev/null || {
    echo "skipped: no nvcc here, so no .cu file was built for a GPU"
    exit 77
}
kept=$(realpath "${BUILD:-build}")/nvcc
mkdir -p "$kept"
export kept

# Was it compiled with these options, after its last change?
is_up_to_date() {
    local name=$1
    shift
    [[ -e $name.ok && $(<"$name.ok") == "$*" ]] || return
    # shellcheck disable=SC2046 # one word a file; none has blanks
    [[ ! $(find $(sed 's/^[^:]*://; s/\\$//' "$name.d") -newer "$name.ok" \
        2>&1) ]]
}
export -f is_up_to_date

# Compile one file; its folder's header and common/ are found as in grading.
# Diagnostic 20199, an error here: an unknown pragma, such as a misspelled
# unroll.
compile() {
    local file=$1 stem name common=common/include
    [[ $file != */programs/* ]] || common=common/softgpu/tests/programs
    stem=$(sed -nE 's,.*/([0-9]{2}_[a-z_]+)/.*,\1,p' <<<"$file")
    name=$kept/${file//\//.}
    shift
    if is_up_to_date "$name" "$@"; then
        echo ok
    elif rm -f "$name.ok" && nvcc -std=c++17 -I. -I$common "-Ilabs/$stem" \
        "-Isolutions/$stem" --diag-error=20199 --extended-lambda -DDEFECT=1 \
        -MD -MF "$name.d" \
        "$@" "$file" -o "$name.o" >"$name.log" 2>&1; then
        rm -f "$name.o"
        echo "$*" >"$name.ok"
        echo ok
    else
        echo "not ok $file" && head -n 5 "$name.log" >&2
    fi
}
export -f compile

# Compile the device code of a lab: for both cards where it may depend on them,
# else to PTX, which no assembler need check: it holds no inline PTX.  cicc's
# optimizer has nothing to say; ptxas.sh lets it work on the references.
compile_lab() {
    local file=$1
    shift
    if [[ ! ${NVCC_ALL-} ]] && ! grep -qswE 'asm|nvcuda|__CUDA_ARCH[A-Z_]*' \
        "$file" "${file%/*}"/*.h; then
        compile "$file" -ptx -arch=sm_90 -Xcicc -O0
    else
        compile "$file" -fatbin "$@"
    fi
}
export -f compile_lab

# Names of a list whose files do not say "nvcc refuses": a comment in the file
# has the reason.
without_refused() {
    xargs -0 grep -LZ 'nvcc refuses'
}

# Every 24th name of a list, or all.
sampled() {
    sed -zn "1~$([[ ${NVCC_ALL-} ]] && echo 1 || echo 24)p"
}

# Every other name of a list, those between them on the next day, or all.
halved() {
    if [[ ${NVCC_ALL-} ]]; then cat; else
        sed -zn "$((1 + $(date +%s) / 86400 % 2))~2p"
    fi
}

# cuDNN is no part of the Toolkit.
without=none
echo '#include <cudnn.h>' | nvcc -x cu -E - >/dev/null 2>&1 ||
    without='*cudnn*'

# Not the references: ptxas.sh compiles them, but only every other day for
# Hopper.
others=()
for settings in grader/labs/*.ini; do
    lab=$(basename "$settings" .ini)
    step=$(sed -n 's/^reference *= *//p' "$settings")
    [[ ! $step || ${NVCC_ALL-} ]] || grep -qr wgmma "solutions/$lab" ||
        others+=(! -path "solutions/$lab/$step")
done

known=$(nvcc --help) # --list-gpu-code has no letters
codes=()
# Whatever compiles for sm_90 compiles for sm_90a, too.
for arch in 80 ${NVCC_ALL:+90} 90a; do
    [[ $known != *"'sm_$arch'"* ]] ||
        codes+=("-gencode=arch=compute_$arch,code=sm_$arch")
done
. common/base/temp_dir.sh
results=$tmp/results
{
    {
        find labs grader/runner -name '*.cu' ! -path "$without" -print0
        find solutions -name '*.cu' ! -path "$without" "${others[@]}" -print0 |
            sort -z | halved
    } |
        xargs -0 -P "$(nproc)" -I{} bash -c 'compile_lab "$@"' - {} \
            "${codes[@]}"
    # The cases of softcc hold what no compiler accepts.  All test programs
    # with NVCC_ALL=1; else every 24th, for time, and no fixtures.
    find grader/mutants common -name '*.cu' ! -path '*/softcc/*' ! -path \
        '*/cccl/*' \
        ! -path "$without" \
        ! -path "*/${NVCC_ALL:-fixtures}/*" -print0 |
        without_refused | sort -z | sampled |
        xargs -0 -P "$(nproc)" -I{} bash -c 'compile "$@"' - {} -ptx \
        -arch=sm_90 \
            -Xcicc -O0
} >"$results"
grep '^not ok' "$results"
echo "$(grep -c '^ok' "$results") passed, $(grep -c '^not' "$results") failed"
! grep -q '^not' "$results"
