#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Includes point downward: base <- data <- net <- train, and nothing in common/
# needs the grader.  No two folders of common/softgpu, of softcc or of grader/
# include each other, directly or by way of a third.
set -u
. .ci/check.sh

# Includes of the sources in folder $1 that name none of the folders $2...
others() {
    local folder=$1 allowed
    shift
    allowed=$(IFS='|' && echo "$*")
    grep -rnoE '#include "(common|grader)/[^"]*"' "common/$folder" \
        --include='*.[ch]' | grep -vE "\"($allowed)/"
}
only() {
    ! others "$@"
}

# Pairs of folders below $1 of which the first includes the second: of each
# source the folder's name, then of each of its includes by path.
arrows() {
    grep -roE "#include \"$1/[^\"]*/[^\"]*\"" "$1" --include='*.[ch]' |
        grep -vE '/(tests|mutants|labs)/' |
        sed -nE "s,^$1/([^/]*)/.*\"$1/([^/]*)/.*,\1 \2,p" | sort -u
}
has_no_circle() {
    local pairs
    pairs=$(cat)
    [[ $pairs ]] && tsort <<<"$pairs" >/dev/null
}

check "base needs base alone" only base common/base
check "data needs base" only data common/base common/data
check "net needs data and base" only net common/{base,data,net}
check "train needs net, data and base" only train common/{base,data,net,train}
check "an include of the grader is found" grep -q '"grader/lab/lab.h"' \
    <(sed 's,common/base/files.h,grader/lab/lab.h,' common/train/main.c)
for folder in common/softgpu common/softgpu/softcc grader; do
    check "no circle of folders in $folder" has_no_circle < <(arrows $folder)
done
check "a circle is found" eval '! has_no_circle 2>/dev/null' \
    < <(arrows grader && echo "channel verbs")
finish
