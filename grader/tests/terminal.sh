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

# A narrow window: help, a profile, and all that is said of a finding.
file=$tmp/1.cu
sed 's/if (i < n)/if (i <= n)/' solutions/01_vector_add/1_*.cu >"$file"
cp solutions/01_vector_add/host.h "$tmp"
fits() { # COLUMNS VERB...: no line is longer, but paths of this test
    script -qec "stty cols $1; '$warpbook' ${*:2}" /dev/null </dev/null \
        >"$out" 2>&1
    awk -v most="$1" -v folder="$tmp/" '
        { gsub(/\r|^.*\033\[K/, "") }
        length > most && !index($0, folder) && !/\.json$/ { print; long = 1 }
        END { exit long || !NR }' "$out"
}
for columns in 54 44; do
    for verb in --help 'grade --help' status "check 01 few --from '$file'" \
        'profile 03 --from solutions' 'check 08 --from solutions' \
        'answer 01 0'; do
        check "$columns columns: $verb" fits $columns "$verb"
    done
done
sed 's/c \* rows + r\] =/r * cols + c] =/' solutions/03_transpose/1_*.cu \
    >"$tmp/wrong.cu"
for from in "small --from labs/03_transpose/transpose.cu" \
    "small --from '$tmp/wrong.cu'"; do
    check "44 columns: grade 03 $from" fits 44 "grade 03 $from --device soft"
done
check "blocks of a small case are below each other" awk '
    /^  d_in\r?$/ { seen++ } /^  out should be\r?$/ { seen++ }
    END { exit seen != 2 }' "$out"
check "44 columns: what a full grade asks" fits 44 \
    "grade 01 --from solutions --device soft"
check "with its command" says "Answer with: build/warpbook answer 01 NUMBER"
for lab in 01 02 03 04 05 06 07 08 09 10 11 12 13 14 15 16; do
    check "54 columns: problem $lab" fits 54 problem $lab
done

# A section that is longer than the window is shown by screens.
tall() { # ROWS WORD...: the sheet's output
    script -qec "stty rows $1 cols 80; '$warpbook' sheet ${*:2}" /dev/null \
        </dev/null >"$out" 2>&1
}
for rows in 24 5; do
    tall $rows 01 idea 1
    check "$rows rows: a first screen" says "screen 1 of "
    check "with the beginning" says "A GPU runs one function"
    check "beside a footer of six rows" \
        test "$(grep -c '' "$out")" -le $((rows > 15 ? rows - 6 : 9))
done
for screen in 1 2 3 4 5 6 7 8 9; do
    tall 24 01 idea $screen && break
done
check "the last one has the end" says "reached by no other one"
check "and says what is next" says "; the next is: Contract"
tall 100 01 idea 1
check "one that fits is shown whole" says \
    "no other one Section 1 of 5; the next is: Contract"
mkfifo "$tmp/keys"
script -qefc "stty rows 24 cols 80; exec '$warpbook' watch 01" "$out" \
    <"$tmp/keys" >/dev/null 2>&1 &
exec 7>"$tmp/keys"
for screen in 1 2; do
    printf s >&7
    for ((i = 0; i < 600; i++)); do
        says "screen $screen of" && break
        sleep 0.1
    done
    [[ $screen == 1 ]] && check "s shows the rest" says "; more: s"
    check "s in watch: screen $screen" says "Section 1 of 5, screen $screen of"
done
printf q >&7
wait

for term in xterm dumb; do
    TERM=$term script -qec "'$warpbook' profile 01 few --from solutions" \
        /dev/null </dev/null >"$out" 2>&1
    lines=$(grep -c 'building .*\.cu, then 1 case \.\.\.' "$out")
    [ $term = dumb ] || lines=$((!lines))
    check "$term: what a profile waits for" [ "$lines" = 0 ]
done
finish
