# SPDX-License-Identifier: MIT
# shellcheck shell=bash
# What the tests of the vector engine share: to compile for it, to compare the
# engines, and to read the code of gangs.  Sourced in the top folder, after
# .ci/check.sh; $build is the build's folder.
# shellcheck disable=SC2154  # $build, and $tmp of .ci/check.sh
if [ ! -e "$build/lib/softcc-vectors.so" ]; then
    echo "skipped: the vector engine is not built"
    exit 77
fi

# compile SOURCE: to $tmp/program; which engine runs its kernels to $tmp/engines
compile() {
    SOFTCC_SHOW_ENGINE=1 "$build/softcc" --engine vectors -w "$1" \
        -o "$tmp/program" 2>"$tmp/engines"
}

# same PATH: a program with kernels on vectors prints the same on both engines.
same() {
    compile "$1.cu" && grep -q ': vectors$' "$tmp/engines" || return 1
    SOFTGPU_ENGINE=fibers "$tmp/program" >"$tmp/fibers" 2>&1
    local status=$?
    SOFTGPU_ENGINE=vectors "$tmp/program" >"$tmp/vectors" 2>&1
    [ $? = $status ] && cmp "$tmp/fibers" "$tmp/vectors"
}

# All kernels of the program run as vectors.
all_the_same() {
    same "$1" && ! grep -q ': fibers' "$tmp/engines"
}

# gang_of NAME: the code of a kernel of the bench for AVX2
gang_of() {
    "$build/softcc" --engine vectors -O3 -w -Xcompiler -march=haswell \
        -c "common/softgpu/bench/$1.cu" -o "$tmp/gang.o" &&
        objdump -d "$tmp/gang.o" |
        awk '/>:$/ { gang = /softgpu.gang/ } gang'
}

# gang_for MARCH SOURCE OPTION...: the code of the gangs of a file
gang_for() {
    "$build/softcc" --engine vectors -O3 -w -Xcompiler "-march=$1" \
        "${@:2}" -c -o "$tmp/gang.o" &&
        objdump -d "$tmp/gang.o" | awk '/>:$/ { gang = /softgpu.gang/ } gang'
}
