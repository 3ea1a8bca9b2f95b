#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# docs/pages/adding_a_lab.md, followed to the letter in a copy of the tree: its
# files are made, its commands are run, and the new lab is proved.
set -u

page=docs/pages/adding_a_lab.md
build=${BUILD:-build}
if [[ $build == */san ]]; then
    echo "skipped: the plain build follows the page"
    exit 77
fi
. common/base/temp_dir.sh

# The tree without its history, with what is built.
git ls-files -z 2>/dev/null | tar -c --null -T - 2>/dev/null | tar -x -C "$tmp"
[[ -f $tmp/Makefile ]] || # no checkout: an unpacked archive
    tar -c --exclude=./build --exclude=./.git . | tar -x -C "$tmp"
mkdir -p "$tmp/build"
cp -a "$build"/{obj,lib,calls,softcc,warpbook,train,lab-calls,setup.stamp} \
    "$tmp/build/" 2>/dev/null
# Dependencies name objects by the folder that they were built in.
[[ $build == build ]] ||
    find "$tmp/build/obj" -name '*.d' -exec sed -i "s,$build/,build/,g" {} +

# The blocks of the page: "File NAME:" and "Append to NAME:" make files, "Run:"
# has commands.
awk -v folder="$tmp" '
    /^(File|Append to) `.*`:$/ {
        split($0, part, "`")
        name = folder "/" part[2]
        append = $1 == "Append"
    }
    /^Run:$/ { name = folder "/commands"; append = 0 }
    /^```/ {
        inside = !inside
        if (inside && name) {
            directory = name
            sub("/[^/]*$", "", directory)
            system("mkdir -p " directory)
            if (!append)
                printf "" > name
        } else
            name = ""
        next
    }
    inside && name { print >> name }
' "$page"

passed=0 failed=0
cd "$tmp" || exit 1
unset BUILD MAKEFLAGS MAKELEVEL
export WARPBOOK_HOME=$tmp SOFTGPU_HOME=$tmp
while read -r command; do
    if $command >log 2>&1; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "not ok $command" && tail -n 20 log
    fi
done <commands
grep -q "17_saxpy *ok *2 of 2 *2 of 2" log || {
    failed=$((failed + 1))
    echo "not ok the lab is proved" && cat log
}
echo "$passed passed, $failed failed"
((failed == 0))
