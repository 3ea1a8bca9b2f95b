#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# What a terminal gets and a pipe does not: color, lines of its width, progress,
# where you are (script(1) makes a terminal).
set -u
. "$(dirname "$0")/../../.ci/check.sh"

warpbook=$(realpath "${BUILD:-build}")/warpbook
export WARPBOOK_PROGRESS=$tmp/progress NO_COLOR=1 TERM=xterm
out=$tmp/out

says() { # TEXT: the last output has it
    [[ $(tr -s ' \r\n' ' ' <"$out") == *"$1"* ]]
}

w() { "$warpbook" "$@" >"$out" 2>&1; }

# Color is for terminals that have not said no.
NO_COLOR='' script -qec "'$warpbook' status" /dev/null </dev/null >"$out" 2>&1
check "a terminal gets color" grep -q $'\033\[32m' "$out"
for said in "NO_COLOR=1 TERM=xterm" "NO_COLOR= TERM=dumb"; do
    script -qec "env $said '$warpbook' status" /dev/null </dev/null >"$out" 2>&1
    check "not with $said" bash -c "! grep -q $'\033' '$out'"
done
NO_COLOR='' script -qec "'$warpbook' explain 04 --yes" /dev/null </dev/null \
    >"$out" 2>&1
check "added lines of a diff are green" grep -q $'^\033\[32m+.*\033\[0m' "$out"
check "removed ones are red" grep -q $'^\033\[31m-' "$out"
NO_COLOR='' w status
check "a pipe gets none" bash -c "! grep -q $'\033' '$out'"
TERM=dumb script -qec "'$warpbook' hint 99" /dev/null </dev/null >"$out" 2>&1
check "a terminal gets an error in lines of 80 columns" \
    awk '{ sub(/\r$/, "") } length > 80 { long = 1 } END { exit long || NR < 2 }' "$out"
script -qec "'$warpbook'" /dev/null </dev/null >"$out" 2>&1
check "without a verb, a terminal shows where you are" says "Next: "
w
check "a pipe gets the usage" says "usage: warpbook VERB"

for term in xterm dumb; do
    TERM=$term script -qec "'$warpbook' profile 01 few --from solutions" \
        /dev/null </dev/null >"$out" 2>&1
    lines=$(grep -c 'building .*\.cu, then 1 case \.\.\.' "$out")
    [ $term = dumb ] || lines=$((!lines))
    check "$term: what a profile waits for" [ "$lines" = 0 ]
done
finish
