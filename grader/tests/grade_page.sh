#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The learner's page of a grade: what it has, and that nothing of a hostile
# submission becomes markup.
set -u
. "$(dirname "$0")/../../.ci/check.sh"

warpbook=$(realpath "${BUILD:-build}")/warpbook
root=$PWD
export WARPBOOK_PROGRESS=$tmp/progress WARPBOOK_HOME=$tmp/home NO_COLOR=1
page=$tmp/page.html
mkdir -p "$tmp/home/labs"
for part in solutions grader common docs; do ln -s "$root/$part" \
    "$tmp/home/$part"; done
cp -r labs/01_vector_add "$tmp/home/labs"
cp solutions/01_vector_add/host.h "$tmp/home/labs/01_vector_add"
file=$tmp/home/labs/01_vector_add/vector_add.cu

has() { grep -qF "$1" "$page"; }
valid() { tidy -q -e --show-warnings no "$page" ||
    test $? = 1; } # 1: empty lines

printf '2026-11-20T10:00:00Z 01 grade 45/100 WRONG edges\n%s\n' \
    '2026-11-20T10:01:00Z 01 hint 1' >"$WARPBOOK_PROGRESS"
{
    printf '#include <stdio.h>\n// </pre><script>alert(1)</script> \033[31m\n'
    sed 's/if (i < n)/if (i + 2 < n)/; s/if (n == 0).*/& fputs("<\/pre><img src=x onerror=alert(2)>\\n", stderr);/' \
        solutions/01_vector_add/1_one_per_thread.cu
} >"$file"
"$warpbook" grade 01 --device soft --html "$page" >"$tmp/out" 2>&1
check "a page of a wrong file" has "Lab 01: Add two vectors"
check "it is valid" valid
check "with its points" grep -qE "WRONG</b> [0-9]+ of 100 points" "$page"
check "and why checks have none yet" has "once all tests pass."
check "with the hint of the terminal" bash -c "sed -n '/^Hint/,/^$/p' '$tmp/out' |
    sed '1d' | tr -s ' \n' ' ' | sed 's/^ //; s/ $//' >'$tmp/hint' &&
    test -s '$tmp/hint' && tr '\n' ' ' <'$page' | grep -qF -f '$tmp/hint'"
check "with the small case" has "c should be"
check "whose columns stay whole on a phone" has "pre.wide{white-space:pre}"
# The ratio of docs/results, which a change of the model makes anew.
ratio=$(sed -nE 's/^\| `3_vectorized.cu` \| [0-9.]+ \| ([0-9.]+) \| 24,576 .*/\1/p' \
    docs/results/ladders-soft.md)
check "with the ladder" has "3_vectorized.cu: ${ratio:-?} x"
check "with the tries" has "Points of 2 tries"
check "with a hint's mark" has 'class="mark"'
check "and what it means" has "passed; red lines below are the 1 hint read"
check "a count that was not taken says why" has ": not counted, as the case"
check "and the source" has "i + 2 &lt; n"
check "no markup of the file" bash -c "! grep -qiE '<(script|img)' '$page'"
check "no escape sequence" bash -c "! grep -q $'\033' '$page'"
check "nothing is loaded" bash -c "! grep -qE '(src|href)=.?http' '$page'"

sed 's/err = CUDA_CHECK(cudaMalloc(&d_c, bytes))/(void)cudaMalloc(\&d_c, bytes)/' \
    solutions/01_vector_add/host.h >"${file%/*}/host.h"
cp solutions/01_vector_add/1_one_per_thread.cu "$file"
"$warpbook" grade 01 --device soft --html "$page" >"$tmp/out" 2>&1
check "costs that were kept have no points where a test fails" grep -qE \
    'counted 24,576' "$page"
check "and do not pass" bash -c \
    "! grep -qE '>PASS</b></td><td class=.?n.?>0/[1-9]' '$page'"
cp solutions/01_vector_add/host.h "${file%/*}"
"$warpbook" grade 01 --device soft --html "$page" >"$tmp/out" 2>&1
check "a passed file is in the ladder" has "your file: 1 x"
check "is valid, too" valid
check "whose checks have theirs" bash -c \
    "! grep -q 'once all tests pass' '$page'"
check "counts have their digits" grep -qE \
    "counted 24,576 in case [a-z]+, the minimum 24,576; at most [0-9]+,[0-9]{3} for" "$page"
check "and begin their cell" bash -c "! grep -qE 'class=.?m.?><br' '$page'"
check "and none has an exponent" bash -c "! grep -qE '[0-9]e[+][0-9]' '$page'"
echo 'int x = ;' >"$file"
"$warpbook" grade 01 --device soft --html "$page" >"$tmp/out" 2>&1
check "a file that does not build has a page" has "error: expected"
sed -i '/hint/d' "$WARPBOOK_PROGRESS"
"$warpbook" grade 01 --device soft --html "$page" >"$tmp/out" 2>&1
check "without hints there is no word of them" bash -c \
    "! grep -q 'red lines' '$page'"
check "which is valid" valid
"$warpbook" grade 01 small --device soft --html "$page" >"$tmp/out" 2>&1
check "one test makes no page" test $? = 2
finish
