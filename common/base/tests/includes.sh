#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Includes point downward: base <- data <- net <- train, and nothing in common/
# needs the grader.
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

check "base needs base alone" only base common/base
check "data needs base" only data common/base common/data
check "net needs data and base" only net common/{base,data,net}
check "train needs net, data and base" only train common/{base,data,net,train}
check "an include of the grader is found" grep -q '"grader/lab/lab.h"' \
    <(sed 's,common/base/files.h,grader/lab/lab.h,' common/train/main.c)
finish
