#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# gold links programs where it is installed, unless the command needs the usual
# linker; what it cannot link has the messages of the usual one.
set -u
. .ci/check.sh
softcc=$(realpath "$BUILD")/softcc
echo 'int main() {}' >"$tmp/main.cu"
echo 'int gone(); int main() { return gone(); }' >"$tmp/gone.cu"
printf '#include <cuda.h>\nint main() { return !cuModuleLoad; }\n' \
    >"$tmp/loads.cu"

gold_links() { # OPTION...: gold names itself in a section
    "$softcc" "$@" -o "$tmp/main" && grep -q 'gold 1\.' "$tmp/main"
}
usual_links() {
    "$softcc" "$@" -o "$tmp/main" && ! grep -q 'gold 1\.' "$tmp/main"
}
usual_message() {
    ! "$softcc" "$tmp/gone.cu" -o "$tmp/gone" 2>"$tmp/said" &&
        grep -q "undefined reference to \`gone()'" "$tmp/said" &&
        ! grep -q "'gone()'" "$tmp/said" && [ ! -e "$tmp/gone" ]
}

if command -v ld.gold >/dev/null; then
    check "gold links a program" gold_links "$tmp/main.cu"
    check "and one with checks" gold_links --check "$tmp/main.cu"
fi
check "not if the command names a linker" usual_links "$tmp/main.cu" \
    -Xcompiler -fuse-ld=bfd
check "nor if the program loads modules" usual_links "$tmp/loads.cu"
check "an undefined name has the usual message" usual_message
finish
