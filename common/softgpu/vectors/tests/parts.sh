#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# A large file is compiled in parts, which become one object again.
set -u
build=$(realpath "${BUILD:-build}")
cd "$(dirname "$0")/../../../.." || exit 1
# shellcheck source=.ci/check.sh
source .ci/check.sh
# shellcheck source=common/softgpu/vectors/tests/gangs.bash
source common/softgpu/vectors/tests/gangs.bash
source=common/softgpu/vectors/tests/parts.cu

# object NAME OPTION...: compile to $tmp/NAME.o
object() {
    "$build/softcc" --engine vectors -O3 "${@:2}" -c "$source" \
        -o "$tmp/$1.o"
}
# With this variable softcc asks for no parts.
whole() { SOFTCC_SHOW_ENGINE=1 object whole -DALONE 2>"$tmp/engines"; }
check "it compiles in parts" object parts -DALONE
check "and as a whole" whole
check "the first is in parts, the second is not" \
    eval 'nm "$tmp/parts.o" | grep -q "softgpu\.part$" &&
          ! nm "$tmp/whole.o" | grep -q "softgpu\.part$"'
check "no other file sees what parts share" \
    eval '! nm -g "$tmp/parts.o" | grep "softgpu\.part$"'

runs_alike() {
    for name in parts whole; do
        "$build/softcc" "$tmp/$name.o" -o "$tmp/$name" || return 1
        for engine in vectors fibers; do
            SOFTGPU_ENGINE=$engine "$tmp/$name" >"$tmp/$name.$engine" 2>&1 &&
                cmp "$tmp/parts.vectors" "$tmp/$name.$engine" || return 1
        done
    done
    grep -q 'calls 4$' "$tmp/parts.vectors"
}
check "both run alike, on both engines" runs_alike
check "a kernel without barrier stays a loop in its part" \
    eval 'grep -q "scale<1>: vectors$" "$tmp/engines" ||
          nm -C "$tmp/parts.o" | grep -q "run_blocks.*scale<1>"'

again() { object again -DALONE && cmp "$tmp/parts.o" "$tmp/again.o"; }
check "compiled again, the object is the same" again

two_files() {
    object first -rdc=true && object second -rdc=true -DVARIANT=2 &&
        "$build/softcc" "$tmp/first.o" "$tmp/second.o" -o "$tmp/two" &&
        "$tmp/two" >"$tmp/two.out" && grep -c 'calls 4$' "$tmp/two.out" |
        grep -qx 2
}
check "two files of one program have parts of their own" two_files

# Files are left nowhere, and a part that fails is an error.
nothing_left() { [ "$(find "$tmp" -name '*.part*' | wc -l)" = 0 ]; }
check "no file of a part is left" nothing_left
cannot_join() {
    mkdir "$tmp/bin" && ln -s "$(type -P false)" "$tmp/bin/objcopy" &&
        ! PATH=$tmp/bin:$PATH object failed -DALONE &&
        [ ! -e "$tmp/failed.o" ]
}
check "parts that cannot be joined are an error" cannot_join
finish
