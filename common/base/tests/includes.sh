#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Includes point downward: base <- data <- net <- train, and nothing in common/
# needs the grader.  common/softgpu needs base, and its headers for programs
# themselves alone; labs and solutions need other labs and the network.  No two
# folders of common/softgpu, of softcc, of grader/, of its suites or of the
# trainer include each other, directly or by way of a third.
set -u
. .ci/check.sh

# Includes of the sources in folder $1 that name none of the folders $2...
others() {
    local folder=$1 allowed
    shift
    allowed=$(IFS='|' && echo "$*")
    grep -rnoE '#include "(common|grader|labs|solutions)/[^"]*"' "$folder" \
        --include='*.[ch]' --include='*.cu' --include='*.cpp' |
        grep -vE "/tests/|\"($allowed)/"
}
only() {
    ! others "$@"
}

# Pairs of folders below $1 of which the first includes the second; "." is $1
# itself.  An include's path begins at the top of the tree, with "../", or with a
# folder below the source's own.
arrows() {
    grep -roE '#include "[^"]*"' "$1" --include='*.[ch]' --include='*.cpp' |
        grep -vE '/(tests|mutants|labs)/' |
        awk -v top="$1" '
            function first(path) {
                return path ~ "/" ? substr(path, 1, index(path, "/") - 1) : "."
            }
            {
                split(substr($0, length(top) + 2), part, /:|"/)
                source = part[1]
                path = part[3]
                from = first(source)
                if (index(path, top "/") == 1)
                    path = substr(path, length(top) + 2)
                else if (path ~ "^[.][.]/" && gsub("/", "/", source) == 1)
                    path = substr(path, 4)
                else if (from != "." || path ~ "^(common|grader|labs)/")
                    next
                if (from != first(path))
                    print from, first(path)
            }' | sort -u
}
has_no_circle() {
    local pairs
    pairs=$(cat)
    [[ $pairs ]] && tsort <<<"$pairs" >/dev/null
}

check "base needs base alone" only common/base common/base
check "data needs base" only common/data common/base common/data
check "net needs data and base" only common/net common/{base,data,net}
check "train needs net, data and base" only common/train \
    common/{base,data,net,train}
check "the software GPU needs base" only common/softgpu common/{base,softgpu}
check "its headers need no other folder" eval \
    '! others common/softgpu/include | grep .'
check "labs and solutions need labs and the network" eval \
    'only labs labs common/net && only solutions labs common/net'
mkdir -p "$tmp/train"
echo '#include "grader/lab/lab.h"' >"$tmp/train/main.c"
check "an include of the grader is found" eval \
    '! only "$tmp/train" common/{base,data,net,train} >"$tmp/out"'
mkdir -p "$tmp/parts/one"
echo '#include "../two/part.h"' >"$tmp/parts/one/part.cpp"
check "so is one of C++ that begins with ../" test \
    "$(arrows "$tmp/parts")" = "one two"
for folder in common/softgpu common/softgpu/softcc grader grader/suites \
    common/train; do
    check "no circle of folders in $folder" has_no_circle < <(arrows $folder)
done
check "the checks and the profiler know nothing of each other" eval \
    '! arrows common/softgpu | grep -xE "watch profile|profile watch"'
check "a circle is found" eval '! has_no_circle 2>/dev/null' \
    < <(arrows grader && echo "channel verbs")
finish
