#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The learner's workbench: the journal, status, hints, explain, reset.
set -u
. "$(dirname "$0")/../../.ci/check.sh"
. "$(dirname "$0")/desk.bash"

w() { "$warpbook" "$@" >"$out" 2>&1; }

# --- nothing was done yet ---------------------------------------------------
w status
labs=(labs/[0-9]*/)
check "status without a journal" says \
    "0 of ${#labs[@]} labs, 0 of $((100 * ${#labs[@]})) points"
w next
check "the first lab is next" says "Next: read labs/01_vector_add/README.md"

w problem 01
check "a small case is drawn" says "c 5 8 5 9 7 17 3 14 7 11"
w sheet
check "the sheet is read in the terminal" says \
    "Its TODOs have the numbers of these steps: 1. Allocate device memory"
check "without markup" bash -c "! grep -qE '<(code|details|summary)|&lt;|]\\(|\\*\\*' '$out'"
check "hints have their verb, once" test "$(grep -c 'warpbook hint 01' "$out")" = 1
check "answers are folded" silent_about 375,000
check "with the command" says "To unfold: build/warpbook sheet 01 --verbose"
w sheet 01 check --verbose
check "or not, in one section" says "Answer: The number to predict: 3 * 1,000,000"
check "which is not the whole" silent_about "Allocate device memory"
w sheet 12 idea
check "a table is a list" says \
    "max pooling keeps the largest number of each window; why it is there: to make"
w sheet 01 7
check "a section that is not there" says \
    'no section "7"; there are: Idea, Contract, Steps, Check yourself, Go further'

w problem 09
check "lab 09 has a figure only" says "There is no such drawing of lab 09."

# --- a journal that suffered ------------------------------------------------
printf '%s\n' '# notes of my own' \
    '2026-11-01T10:00:00Z 01 grade 45/100 WRONG edges' \
    '2026-11-01T10:05:00Z 99999999999999999999 grade 1/1 PASS -' \
    '2026-11-01T10:06:00Z 01 grade 400/100 PASS -' \
    '2026-11-01T10:07:00Z 02 grade nan/100 PASS -' 'garbage' >"$tmp/progress"
head -c 3000 /dev/urandom >>"$tmp/progress"
printf '\n2026-11-01T11:00:00Z 01 hint 1\n2026-11-01T11:02:00Z 01 gra' \
    >>"$tmp/progress"
w status
check "lines that cannot be read are skipped" says \
    "01_vector_add 45/100 1 1 edges: WRONG"
check "what is next names the test" says \
    "labs/01_vector_add/vector_add.cu; test edges was WRONG"
cp "$tmp/progress" "$tmp/kept"
printf '\n2026-11-01T11:03:00Z 02 grade 100/100 PASS - %s\n' '2.00 x modeled' \
    '1.50 x modeled' >>"$tmp/progress"
w status
check "status has the best cost" says "02_blur 100/100 2 0 2.00 x modeled"
echo '2026-11-01T11:04:00Z 02 grade 45/100 WRONG edges' >>"$tmp/progress"
w status
check "also after a try that failed" says "edges: WRONG; best 2.00 x modeled"
printf '\n2026-11-01T11:05:00Z 01 grade 0/100 BUILD -\n' >>"$tmp/progress"
w next
check "what did not build says so" says "vector_add.cu; it does not build."
mv "$tmp/kept" "$tmp/progress"
w hint 01
check "hints go on where they were" says "Hint 2 of 3"
check "the failing test has its hint" says "About the test edges"
check "no tag and no entity is left" bash -c "! grep -qE '<code>|&lt;' '$out'"
check "the cut line swallows nothing" grep -qa '01 hint 2$' "$tmp/progress"
w hint 01 && w hint 01
check "after the last one all are shown" says "Hint 1 of 3"
check "and the ladder" says "solutions/01_vector_add/1_one_per_thread.cu"

WARPBOOK_PROGRESS=/proc/none/progress w hint 01
check "a hint that cannot be counted says so" says \
    "/proc/none/progress cannot be written (No such file or directory)"
WARPBOOK_PROGRESS=/proc/none/progress w grade 01 --device soft --no-watch
check "as does a try" says \
    "this try is not kept for status and next: /proc/none/progress: No such file"
echo '2026-11-01T11:06:00Z 01 grade 5/100 WRONG small' >"$tmp/again"
WARPBOOK_PROGRESS=$tmp/again w grade 01 --device soft --no-watch
check "the try after the handout's has no further hints" \
    silent_about "warpbook hint"
WARPBOOK_PROGRESS=$tmp/again w grade 01 --device soft --no-watch
check "a test that fails again has" says \
    "plainer hints, one each time: build/warpbook hint 01"

w explain 01
check "explain waits for the pass" says "not passed yet"
w explain 04 --yes
check "nobody is told that the last step is reached" \
    bash -c "! grep -q 'You have reached' '$out'"
check "a step's words are a paragraph" grep -q '^  Reduction, step 1' "$out"
w explain 10 --yes
check "a step's code in a header is not left out" says \
    "Also new in this step: solutions/10_convolution/constant_filter.h"
w explain 09 --yes
check "explain has words for a terminal" bash -c \
    "! grep -qE '<summary>|</?details>|\*\*Exp' '$out'"
check "and code as it is" says 'ptx_cp_async_wait<STAGES - 1>'
w answer 01 24,576
check "answer takes 24,576" says "Right: 24576"
w answer 01 "24576 requests"
check "a unit is not asked for" says "write it without unit, space or formula"
w answer 01 24,57
check "but not 24,57" says "is not a number"
# --- grade, explain, reset --------------------------------------------------
cp solutions/01_vector_add/3_vectorized.cu "$tmp/home/labs/01_vector_add/"
cp solutions/01_vector_add/host.h "$tmp/home/labs/01_vector_add/"
mv "$tmp/home/labs/01_vector_add/3_vectorized.cu" "$file"
w grade 01 --device soft
check "a grade of one's own file is kept" grep -qa "01 grade 100/100 PASS -" \
    "$tmp/progress"
w grade 01 --device soft --from solutions --no-watch
check "another file is not" test "$(grep -ac 'grade' "$tmp/progress")" = 5
w status
check "status has the points" says "01_vector_add 100/100 2 3"
check "lab 02 is next" says "labs/02_blur/README.md"
echo '2026-11-01T11:09:00Z 05 grade 82/100 PASS - 1.00 x modeled' >"$tmp/passed"
WARPBOOK_PROGRESS=$tmp/passed w hint 05
check "a hint after a pass says where the rest is" says \
    "make grade LAB=05 ends with a hint"
echo '2026-11-01T11:10:00Z 03 grade 9/100 WRONG edges Swap the bounds.' >"$tmp/passed"
WARPBOOK_PROGRESS=$tmp/passed w hint 03
check "a hint repeats what the last grade said of the cause" says \
    "About the last try Swap the bounds. Hint 1 of 3"
w explain 01
check "explain has the ladder" says "2_grid_stride.cu"
check "and a diff" says "+++ 3_vectorized.cu"
check "and experiments, with how to grade one" says \
    "Experiments In your file, or in a step that you change: build/warpbook grade"
w explain
check "without a lab it is the one graded last" says "2_grid_stride.cu"
w hint
check "and a hint is of the next one" says "Lab 02: Blur an image"
w ask
check "the question is of the one graded last" says "Lab 01: Add two vectors"
w check
check "a check of the next one" says "Lab 02: Blur an image"
w profile
check "as is a profile" says "Lab 02: Blur an image"
check "a handout has none" says "nothing to profile: blur is not written yet"
check "and no timeline" silent_about "softgpu:"

sed 's/a\[i\] +/a[i] -/' solutions/01_vector_add/1_*.cu >"$file"
WARPBOOK_PROGRESS=$tmp/passed w grade 01 --device soft --no-watch
WARPBOOK_PROGRESS=$tmp/passed w hint 01
check "and keeps it" says "About the last try c[i] = a[i] + b[i]. Hint 1"

# Steps left to do, by number; a comment of one's own ends with its line.
sed '/TODO [256]/d; s,int vector_add(,// TODO 1b: later\n&,' \
    labs/01_vector_add/vector_add.cu >"$file"
w grade 01 small --device soft
check "the first TODO has its words, to their end" says \
    "TODO 1 (line 14): b: later TODO 1 (line 25), TODO 3 (line 36)"
sed '/TODO [1256]/d' labs/01_vector_add/vector_add.cu >"$file"
w grade 01 small --device soft
check "also if they have two lines" says \
    "in size_t; check the bound n. TODO 4 (line 42)"

sed 's/TODO/Done with/; 1s,^,/* Of TODO 1. */\n,' labs/01_vector_add/vector_add.cu \
    >"$file"
w grade 01 small --device soft
check "a TODO that is only named is not left" silent_about "TODO 1"
w grade 12 bias --device soft --from labs/12_layers/layers.cu
check "all steps of a long lab are named" says \
    "TODO 9 (lines 234, 242), TODO 10 (line 254), TODO 11 (line 266), TODO 12"
sed 's/if (i < n)/if (i < m)/' solutions/01_vector_add/1_*.cu >"$file"
(cd "$tmp/home" && w grade 01 --device soft)
check "an error is where editors look for it" grep -q \
    "^labs/01_vector_add/vector_add.cu:19:13: error: 'm' was not declared" \
    "$out"
mkdir "$tmp/Größe"
printf '\t/* 日本 */ int a = b;\n' >"$tmp/Größe/vector_add.cu"
w grade 01 --device soft --from "$tmp/Größe/vector_add.cu" --json "$tmp/json"
check "names and comments keep their letters" says \
    "Größe/vector_add.cu:1:23: error: 'b' was not declared in this scope 1 | /* 日本 */ int a = b;"
check "the caret is below the error, behind wide letters" grep -q \
    '^      |  \{20\}^$' "$out"
printf 'int a = %sb; // the end\n' "$(printf '0 + %.0s' {1..30})" >"$tmp/long.cu"
w grade 01 --device soft --from "$tmp/long.cu"
check "a long line says where it is cut, and has its end" grep -qE \
    '^    1 [|] [.]{3}[0 +]+ b; // the end$' "$out"
printf 'int a = b; //%s\n' "$(printf ' %s' {01..30})" >"$tmp/long.cu"
cp "$out" "$tmp/cut"
w grade 01 --device soft --from "$tmp/long.cu"
check "or that its end is cut" grep -qE \
    '^    1 [|] int a = b; // 01 [0-9 ]{51,}[.]{3}$' "$out"
mv "$tmp/cut" "$out"
check "with the caret below the error" awk '
    /^    1 [|] [.]/ { at = index($0, "b;") }
    /^      [|] +[\^]$/ { caret = index($0, "^") }
    END { exit !at || at != caret }' "$out"
mv "$tmp/Größe/vector_add.cu" "$tmp/$(printf 'Gr\366\337e.cu')"
w grade 01 --device soft --from "$tmp"/Gr*.cu --json "$tmp/json"
check "a name that is no UTF-8 has a result, too" grep -q \
    '"message": "Gr??e.cu:1:23: error:' "$tmp/json"
mkdir "$tmp/step" && cp solutions/01_vector_add/2_*.cu "$tmp/step/vector_add.cu"
mv "$tmp/home/labs/01_vector_add/host.h" "$tmp"
w grade 01 --device soft --from "$tmp/step/vector_add.cu"
check "a step without its headers says how it is graded" says \
    "grade 01 --from solutions/01_vector_add/STEP.cu"
mv "$tmp/host.h" "$tmp/home/labs/01_vector_add"
{ echo 'int'; head -c 100000 /dev/zero | tr '\0' x; echo '= ;'; } >"$file"
(cd "$tmp/home" && w grade 01 --device soft)
check "a long error is cut" test \
    "$(awk '{ if (length > n) n = length } END { print n }' "$out")" -lt 400
cp solutions/01_vector_add/3_vectorized.cu "$file"
w reset 01 </dev/null
check "reset does not guess" says "reset asks first"
cp "$file" "$tmp/mine.cu"
w reset 01 --yes
check "reset puts the handout back" \
    cmp "$file" labs/01_vector_add/vector_add.cu
check "and keeps the file" cmp -s "$tmp/mine.cu" "$file.~1~"
echo "// more" >>"$file"
w reset 01 --yes
check "a second copy has another name" grep -q "// more" "$file.~2~"
w reset 01 --yes
check "a handout is not copied" test ! -e "$file.~3~"
w list
check "list has the points" says "100/100"

# Output of terminals: nothing is wider than they are, whatever its source is.
fits() { # COLUMNS VERB...: its output
    script -qec "stty cols $1; '$warpbook' ${*:2}" /dev/null </dev/null >"$out" 2>&1
    awk '{ gsub(/\r|^.*\033\[K|\033\[[0-9]*m/, "") } length > '"$1"' { print; long = 1 }
        END { exit long || NR < 3 }' "$out"
}
for verb in 'problem 02' 'problem 04' 'explain 16 --yes' 'explain 13 --yes' \
    doctor status list 'ask 09' 'autograde --help'; do
    check "$verb fits 80 columns" fits 80 "$verb"
done
for lab in labs/[0-9]*; do
    lab=${lab#labs/}
    check "the sheet of $lab fits 80 columns" fits 80 "sheet ${lab%%_*}"
done
check "a list fits 54" fits 54 list && check "and 28" fits 28 list
check "what is next fits 44" fits 44 next
"$warpbook" explain 16 --yes >"$out"
check "in a pipe a diff is as patch needs it" awk \
    '/^[-+]/ && length > 80 { long = 1 } END { exit !long }' "$out"

check "a report fits 54 columns" fits 54 "grade 04 --from solutions --device soft"
export WARPBOOK_CACHE=$tmp/cache # nothing is built
check "and 44 while the labs that one calls are built" fits 44 \
    "grade 16 update --from solutions --device soft"
check "which is said" says "building the labs that this one calls; they are"
unset WARPBOOK_CACHE
finish
