#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The Debian package and the tarball of softcc, made of the current build: what
# is installed in an empty root compiles a program.  From sources, which takes
# minutes: common/softgpu/packaging/pack deb build.
set -u
. .ci/check.sh
BUILD=$(realpath "$BUILD")
[[ $BUILD != */san ]] || { echo "skipped: the plain build does it"; exit 77; }
command -v dpkg-buildpackage >"$tmp/which" ||
    { echo "skipped: dpkg-buildpackage is missing"; exit 77; }

write_program "$tmp/sum.cu"
# A program of an installed softcc runs.
compiles() { # PREFIX
    "$1/bin/softcc" -O1 "$tmp/sum.cu" -o "$tmp/sum" &&
        test "$("$tmp/sum" 2>&1)" = 31
}

# The recipe, of this build: a folder that has what it reads.
recipe() {
    mkdir -p "$tmp/source" && cd "$tmp/source" &&
        ln -s "$top/common" "$top/docs" "$top/grader" . &&
        cp -r "$top/common/softgpu/packaging/debian" debian &&
        DEB_OPTIONS="-Zgzip -z1" BUILD=$BUILD \
            dpkg-buildpackage -us -uc -b -d -nc >"$tmp/log" 2>&1
    local status=$?
    cd "$top" || return
    ((status == 0)) || tail -n 20 "$tmp/log"
    return $status
}
# dpkg itself unpacks and configures it, in a root without anything else.
install_package() {
    mkdir -p "$tmp/root/var/lib/dpkg/info" "$tmp/root/var/lib/dpkg/updates" &&
        touch "$tmp/root/var/lib/dpkg/status" &&
        dpkg --root="$tmp/root" --force-depends --force-not-root \
            --force-script-chrootless --log="$tmp/log" \
            -i "$tmp"/softcc_*.deb >"$tmp/out" 2>&1 ||
            { cat "$tmp/out"; return 1; }
}

top=$PWD
unset SOFTGPU_HOME
export SOFTCC_PRELUDE=0
check "dpkg-buildpackage makes the package" recipe
check "dpkg installs it in an empty root" install_package
check "softcc compiles from there" compiles "$tmp/root/usr"
check "no path of the build is in it" test -z \
    "$(find "$tmp/root" -type l -lname '/*')"
check "the tarball is made" common/softgpu/packaging/pack tar "$BUILD" \
    >"$tmp/log"
tar -C "$tmp" -xzf "$(cat "$tmp/log")" && rm "$(cat "$tmp/log")"
check "softcc compiles from where it was unpacked" compiles "$tmp"/softcc-*/
finish
