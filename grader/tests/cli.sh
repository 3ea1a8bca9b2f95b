#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The program from outside: exit codes, one clear line for each bad input,
# nothing half written, the same result for the same seed, ctrl-C.
set -u

warpbook=$(realpath "${BUILD:-build}")/warpbook
. common/base/temp_dir.sh
passed=0 failed=0
soft=(--device soft --no-speed --no-watch)
cp solutions/01_vector_add/*.h "$tmp"

ok() { # WHAT STATUS: count one check
    if (($2 == 0)); then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "not ok $1"
        tail -n 3 "$tmp/err" "$tmp/out" 2>/dev/null
    fi
}

refuses() { # CODE FRAGMENT ARGUMENT...: one line on stderr, that exit code
    local code=$1 fragment=$2
    shift 2
    "$warpbook" "$@" >"$tmp/out" 2>"$tmp/err"
    [[ $? == "$code" && $(wc -l <"$tmp/err") == 1 &&
        $(<"$tmp/err") == *"$fragment"* ]]
    ok "warpbook $*" $?
}

says() { # CODE FRAGMENT ARGUMENT...: the report says so, with that exit code
    local code=$1 fragment=$2
    shift 2
    "$warpbook" "$@" >"$tmp/out" 2>"$tmp/err"
    [[ $? == "$code" && $(tr -s ' \n' ' ' <"$tmp/out") == *"$fragment"* ]]
    ok "warpbook $*" $?
}

refuses 2 "no verb" frobnicate
refuses 2 '"3/2" is no part of the proofs, like 1/2' prove --part 3/2 01
# A name that was mistyped gets the nearest; one that is far from all gets none.
refuses 2 'no verb "grdae"; did you mean "grade"?' grdae 01
refuses 2 'no verb "explian"; did you mean "explain"?' explian
refuses 2 'no verb "x"; see warpbook --help' x
refuses 2 'no option --devise=soft (did you mean --device?)' \
    grade 01 --devise=soft
refuses 2 "it has no option -x;" grade 01 -xyz
refuses 2 "no number of it is below 0" answer 01 -5
refuses 2 "no number of it is below 0" answer 01 -24576.5
refuses 2 "it needs LAB" grade
refuses 2 'no lab is called "99"' grade 99
refuses 2 "one argument too many" grade 01 small 02
refuses 2 'lab 01 has no test "medium"' grade 01 medium
says 3 "my.cu: No such file" grade 01 my.cu
refuses 2 '"b.cu" is a second file' grade 01 a.cu b.cu
refuses 2 '"b.cu" is a second file' grade 01 --from a.cu b.cu
refuses 2 "no verb" help frobnicate
refuses 2 "--json needs all tests" grade 01 small --json -
refuses 2 "--quick needs one test" grade 01 --quick
# A number is all of a text, whole where it counts something, and in its range.
for number in often "" 1.5 1e1 " 3" 3x 0x3 -1 0 1001 99999999999999999999; do
    refuses 2 "\"$number\" is not a whole number from 1 to 1000" \
        grade 01 --repeat "$number"
done
for number in 1.5 33 0; do
    refuses 2 "is not a whole number from 1 to 32" \
        autograde "$tmp" -o "$tmp/none" --jobs "$number"
done
refuses 2 "is not a whole number" autograde "$tmp" -o "$tmp/none" \
    --slurm-shards 2.5
refuses 2 "is not a whole number" grade 01 --memory-limit 0.5
for number in soon 0 -1 1e999 nan inf 86401 "10 "; do
    refuses 2 "is not a number of seconds" grade 01 --time-limit "$number"
done
for number in "" -1 0x 1.5 18446744073709551616; do
    refuses 2 "nor a whole number below 2^64" grade 01 --seed "$number"
done
refuses 2 "no option --nonsense" grade 01 --nonsense
nvidia-smi >/dev/null 2>&1 || refuses 4 "calibration is for a card" calibrate 01
refuses 2 "one argument too many" calibrate 01 02
refuses 2 "needs a value" grade 01 --from
refuses 2 "neither labs nor solutions" grade 01 --from "$tmp/nowhere"
: >"$tmp/late.zip"
refuses 2 "has to be unpacked first" grade 01 --from "$tmp/late.zip"
refuses 2 "auto, gpu or soft" grade 01 --device tpu
refuses 2 "auto, gpu or soft" watch 01 --device tpu
refuses 2 "has no pictures" picture 01 --device soft
refuses 4 "cannot write" grade 01 --from solutions "${soft[@]}" \
    --json /nowhere/result.json
refuses 4 "cannot write" cut 01 --output "$tmp/none/handout.cu"

cat >"$tmp/crash.cu" <<'END'
#include "vector_add.h"
__global__ void stray(float *c) { c[threadIdx.x * 100000000ul] = 1; }
int vector_add(const float *, const float *, float *c, size_t)
{
    stray<<<1, 32>>>(c + (1ul << 40));
    return cudaDeviceSynchronize();
}
END
says 1 "thread (0,0,0) at $tmp/crash.cu:2" grade 01 --from "$tmp/crash.cu" \
    "${soft[@]}"
! grep -q '^Hint' "$tmp/out"
ok "an error that all tests end with has no hint of one test" $?
sed 's/stray<</if (n >> 16) &/; s/t)/t n)/' "$tmp/crash.cu" >"$tmp/large.cu"
says 1 "returned 700 (cudaErrorIllegalAddress" grade 01 large \
    --from "$tmp/large.cu" "${soft[@]}"
grep -q '^Hint (about the test' "$tmp/out"
ok "a hint behind a crash is marked" $?

# A folder that is none is a mistake; one that another holds is an error.
mkdir "$tmp/held"
refuses 2 "not a results folder" regrade "$tmp/held" --device soft
: >"$tmp/held/warpbook-results"
exec {held}<"$tmp/held/warpbook-results" && flock -n "$held"
refuses 4 "another warpbook is grading" regrade "$tmp/held" --device soft
exec {held}<&-

# A kernel cannot run yet; the report says so.
cat >"$tmp/early.cu" <<'END'
#include "vector_add.h"
__global__ void nothing() {}
static struct early { early() { nothing<<<1, 1>>>(); } } early;
int vector_add(const float *, const float *, float *, size_t)
{
    return cudaGetLastError();
}
END
says 1 "a kernel that is launched before main()" grade 01 --no-watch \
    --from "$tmp/early.cu" "${soft[@]}"
grep -q 'cudaErrorInitializationError' "$tmp/out"
ok "a launch before main() fails" $?

for verb in watch status next hint explain reset list doctor grade run check \
    profile problem ask answer prove bench calibrate picture cut autograde \
    gradebook \
    report similarity regrade evidence shard verify-box; do
    "$warpbook" "$verb" --help >"$tmp/out" 2>"$tmp/err"
    [[ $? == 0 && ! -s $tmp/err && $(<"$tmp/out") == *"exit status:"* ]]
    ok "$verb --help" $?
done

for word in version -V --version; do
    "$warpbook" $word >"$tmp/out" 2>"$tmp/err"
    [[ $? == 0 && ! -s $tmp/err && $(<"$tmp/out") == "warpbook "[0-9]* ]]
    ok "warpbook $word" $?
done
# One version: of both tools and of the packages.
version=$(sed -n '1s/.*(\(.*\)).*/\1/p' \
    common/softgpu/packaging/debian/changelog)
[[ $(<"$tmp/out") == "warpbook $version:"* &&
    $("$BUILD/softcc" --version) == "softcc $version:"* ]]
ok "all versions are $version" $?
"$warpbook" help grade >"$tmp/out" && "$warpbook" grade --help |
    cmp -s - "$tmp/out"
ok "help grade" $?

# Each verb's summary begins in one column, and a line fits a terminal.
"$warpbook" -h >"$tmp/out" 2>"$tmp/err" &&
    awk '/^  [a-z]/ { verbs++ }
        /^  [a-z]/ && (substr($0, 29) !~ /^ [^ ]/ || length > 80) { bad = 1 }
        END { exit bad || verbs < 20 }' "$tmp/out"
ok "the list of verbs" $?

# The folder of a lab holds neither answers nor hints.
! grep -rlE '^(answer|why) *=|^\[(.*hints|question)\]' labs >"$tmp/out"
ok "labs/ keeps no answer and no hint" $?

# The doctor finds the libraries that softcc links with, and no others.
"$warpbook" doctor >"$tmp/out" 2>"$tmp/err"
ok "doctor" $?
for part in OpenBLAS:openblas oneDNN:dnnl; do
    [[ $(g++ -print-file-name="lib${part#*:}.so") == /* ]] && there=yes ||
        there=no
    grep -Eq "^${part%:*} +$there " "$tmp/out"
    ok "doctor about ${part%:*}" $?
done

# Others may read the command line of a running grader, but not its seed.
"$warpbook" grade 01 --from solutions "${soft[@]}" --seed 987654321 \
    >"$tmp/out" &
for _ in {1..1500}; do
    seen=$(tr '\0' ' ' <"/proc/$!/cmdline")
    [[ $seen != *warpbook* || $seen == *987654321* ]] || break
    sleep 0.02
done
wait $!
[[ $seen == *warpbook* && $seen != *987654321* ]]
ok "the seed is not in the command line" $?

# Without namespaces a grade is a self-test.
if [[ $(id -u) == 0 ]]; then
    setpriv --bounding-set=-sys_admin --inh-caps=-sys_admin "$warpbook" grade \
        01 \
        --from solutions "${soft[@]}" --json "$tmp/open.json" >"$tmp/out" \
        2>"$tmp/err"
    grep -q "^(self-test, not for marks: " "$tmp/out" &&
        grep -q '"sandbox": "self-test, not for marks"' "$tmp/open.json"
    ok "a grade without a sandbox is a self-test" $?
fi

# Errors of the student's file.
says 3 "No such file" grade 01 --from "$tmp/missing.cu" "${soft[@]}"
: >"$tmp/empty.cu"
says 3 "empty.cu is empty Score: 0 of 100 (MISSING)" \
    grade 01 --from "$tmp/empty.cu" "${soft[@]}"
mkfifo "$tmp/pipe.cu"
says 3 "pipe.cu: not a file" grade 01 --from "$tmp/pipe.cu" "${soft[@]}"
printf 'int x;\0' >"$tmp/binary.cu"
says 3 "is not text" grade 01 --from "$tmp/binary.cu" "${soft[@]}"
{ echo '#include "vector_add.h"' && echo 'int f() { return y; }'; } \
    >"$tmp/syntax.cu"
says 3 "syntax.cu:2:18: error:" grade 01 --from "$tmp/syntax.cu" "${soft[@]}"
{ echo '#include "vector_add.h"' &&
    echo '#line 1 "softcc: cannot run g++: no such file"' &&
    echo 'int f() { return y; }'; } >"$tmp/ours.cu"
says 3 "(BUILD)" grade 01 --from "$tmp/ours.cu" "${soft[@]}"
mkdir "$tmp/tools"
printf '#!/bin/sh\nkill -KILL $$\n' >"$tmp/tools/g++" &&
    chmod +x "$tmp/tools/g++"
PATH=$tmp/tools:$PATH says 4 "(INTERNAL)" grade 01 --from solutions "${soft[@]}"
echo 'int vector_add(float *a) { return a != 0; }' >"$tmp/signature.cu"
says 3 'does not define `int vector_add(const float *a' \
    grade 01 --from "$tmp/signature.cu" "${soft[@]}"
{ sed 's/add<<<.*/gone();/' solutions/01_vector_add/1_*.cu |
    sed '1a int gone();'; } >"$tmp/gone.cu"
says 3 "\`gone()' is called but not defined: is it in gone.cu" \
    grade 01 --from "$tmp/gone.cu" "${soft[@]}"
{ cat solutions/01_vector_add/1_*.cu && echo 'int main() { return 0; }'; } \
    >"$tmp/main.cu"
says 3 "defines main()" grade 01 --from "$tmp/main.cu" "${soft[@]}"
sed 's/if (i < n)/if (i + 1 < n)/' solutions/01_vector_add/1_*.cu \
    >"$tmp/short.cu"
says 1 "the very last one (block 0, thread 126 of 256)" grade 01 --from \
    "$tmp/short.cu" "${soft[@]}"
! grep -E '^  (WRONG|PASS) ' "$tmp/out" | grep -vxFf README.md >"$tmp/err"
ok "README.md shows what is printed of it" $?
sed -e 's/if (i + 1 < n)/if (i == 0) printf("in a kernel\\n");\n    float s;\n    &/' \
    -e 's/c\[i\] = .*/s = a[i] + b[i];\n    if (i < n) c[i] = s;/' \
    "$tmp/short.cu" >"$tmp/prints.cu"
says 1 "n = 1: c[0] is" grade 01 --from "$tmp/prints.cu" "${soft[@]}" --verbose
grep -q "^Other failing tests" "$tmp/out"
ok "--verbose has the messages of all failing tests" $?
[[ $(<"$tmp/out") == *"edges
    n = 127
      in a kernel
"* ]]
ok "what a kernel prints is shown by case" $?
grep -q "prints.cu:[0-9:]* 's' may be used uninitialized" "$tmp/out"
ok "the compiler's warnings are shown" $?
says 1 "No score: only the test large was run" grade 01 large \
    --from "$tmp/short.cu" "${soft[@]}"
! grep -q small "$tmp/out"
ok "no other test is run" $?
says 0 "PASS empty 5/5" grade 01 empty --from "$tmp/short.cu" "${soft[@]}"
says 1 "no test counts: see below" grade 03 --device soft --no-speed \
    --from grader/mutants/03_transpose/host_beside_kernels.cu
sed 's/threads = 256/threads = 2048/' solutions/01_vector_add/1_*.cu \
    >"$tmp/many.cu"
says 1 "(2048,1,1)>>>: 2048 threads per block, at most 1024" \
    grade 01 --from "$tmp/many.cu" "${soft[@]}"
sed '0,/^{$/s//{ __shared__ volatile int s[24576]; s[0] = 1;/' \
    solutions/01_vector_add/1_*.cu >"$tmp/fat.cu"
says 1 "no launch of add: its __shared__ arrays are 98304 bytes, at most 49152" \
    grade 01 --from "$tmp/fat.cu" "${soft[@]}"
mkdir "$tmp/other" && cp "$tmp/short.cu" "$tmp/other/My vector.CU"
says 3 'No such file or directory; "My vector.CU" is there: rename it' \
    grade 01 --from "$tmp/other" "${soft[@]}"
mkdir "$tmp/work" && cp solutions/01_vector_add/1_*.cu \
    "$tmp/work/vector_add.cu" && cp "$tmp"/*.h "$tmp/work"
says 0 "Score: 100 of 100" grade 01 --from "$tmp/work" --device soft --no-speed
says 1 "Score: 80 of 100" grade 01 --from "$tmp/work" "${soft[@]}"
says 0 "Graded 2 of 2 times" grade 01 empty --quick --repeat 2 \
    --from "$tmp/work" --device soft
says 0 "PASS small" grade 01 small --quick --from "$tmp/work" --device soft

# Checks and profiles.
says 0 "0 findings in the cases few, long" check 01 --from "$tmp/work"
sed 's/if (i < n)/if (i <= n)/' solutions/01_vector_add/1_*.cu \
    >"$tmp/beyond.cu"
says 1 "4-byte read, 0 bytes past the end of 4 bytes allocated in add, block" \
    check 01 few --from "$tmp/beyond.cu"
says 1 "at bias_forward, which is not written yet: what comes after that was" \
    check 12 few --from labs
refuses 2 'no case "many"' check 01 many --from "$tmp/work"
refuses 3 "No such file" check 01 --from "$tmp/missing.cu"
refuses 3 "syntax.cu:2:18: error:" profile 01 --from "$tmp/syntax.cu"
says 0 "global load" profile 01 --from "$tmp/work" --html "$tmp/page.html" \
    --json "$tmp/profile.json"
[[ -s $tmp/page.html ]] && grep -q '"global_load_sectors": 16384' \
    "$tmp/profile.json"
ok "the profile is a page and JSON too" $?
says 0 "To see each line of a kernel, add --kernel NAME" profile 15 --from \
    solutions
[[ $(wc -l <"$tmp/out") -lt 100 ]] &&
    grep -q '^kernel .* limited by$' "$tmp/out" &&
    ! grep -q '^ *line  access' "$tmp/out"
ok "many kernels have a summary" $?
says 0 "line access requests" profile 15 --from solutions --kernel adam
[[ $(grep -c '^  line  access' "$tmp/out") == 1 ]]
ok "one of them has its lines" $?
refuses 2 "--kernel: no name contains \"nobody\"; there are: sgd_vectorized, adam" \
    profile 15 --from solutions --kernel nobody
says 0 "Right: 992. A column" answer 03 992
says 1 "too little" answer 03 991
says 0 "Answer with: build/warpbook answer 03" ask 03
refuses 2 "is not a number" answer 03 many
refuses 4 "cannot write" profile 01 --from "$tmp/work" --json - \
    --html "$tmp/none/page.html"

# Root's runners are other users, who may not pass root's own folders.
mkdir -m 700 "$tmp/closed" && mkdir "$tmp/closed/build"
cp -r "${warpbook%/*}"/{warpbook,softcc,lib,calls} "$tmp/closed/build"
SOFTGPU_HOME=$PWD "$tmp/closed/build/warpbook" check 01 few \
    --from "$tmp/work" >"$tmp/out" 2>"$tmp/err"
[[ $? == 0 && $(<"$tmp/out") == *"0 findings in the case few"* ]]
ok "checks where the build folder is closed to others" $?

# Nor is a compiler without room to write the fault of the student.
if mkdir -p "$tmp/closed/build/tmp" &&
    mount -t tmpfs -o size=40k tmpfs "$tmp/closed/build/tmp"; then
    SOFTGPU_HOME=$PWD "$tmp/closed/build/warpbook" grade 01 --from solutions \
        "${soft[@]}" >"$tmp/out" 2>"$tmp/err"
    [[ $? == 4 && $(<"$tmp/out") == *"no space left to compile in"* ]]
    ok "no space left to compile" $?
    umount "$tmp/closed/build/tmp"
fi
rm -r "$tmp/closed"

# The same submission and seed: the same bytes, times aside.
for i in 1 2; do
    "$warpbook" grade 01 --from "$tmp/short.cu" "${soft[@]}" --seed 5 \
        --json "$tmp/$i.json" >"$tmp/out" 2>"$tmp/err"
done
cmp -s <(grep -v '"seconds"' "$tmp/1.json") <(grep -v '"seconds"' "$tmp/2.json")
ok "the same seed gives the same result" $?
[[ -s $tmp/1.json ]] && ! cmp -s <(grep -v '"se' "$tmp/1.json") \
    <("$warpbook" grade 01 --from "$tmp/short.cu" "${soft[@]}" --json - |
        grep -v '"se')
ok "a fresh seed gives other inputs" $?

# An old result stays when the new one cannot be written: a full file system.
mkdir "$tmp/small"
unshare -rm bash -c 'mount -t tmpfs -o size=4k small "$1" && cd "$1" &&
    echo old >old.json && "${@:2}"; echo "$? $(<old.json)" $(ls -A)' full \
    "$tmp/small" "$warpbook" grade 01 --from "$tmp/missing.cu" "${soft[@]}" \
    --json old.json >"$tmp/out" 2>"$tmp/err"
[[ $(tail -n 1 "$tmp/out") == "4 old old.json" ]] &&
    grep -q "cannot write" "$tmp/err"
ok "no space: the old result stays, no part of the new one" $?

# A path that is no file cannot be replaced by a file.
mknod "$tmp/full" c 1 7 2>"$tmp/err" || ln -s /dev/full "$tmp/full"
refuses 4 "cannot write" grade 01 --from solutions "${soft[@]}" \
    --json "$tmp/full"
[[ -c $tmp/full ]]
ok "a device is written to, not replaced" $?

# make grade: a grade below full marks is no error of make, wrong usage is one.
printf '#!/bin/sh\nexit "$STATUS"\n' >"$tmp/warpbook" &&
    chmod +x "$tmp/warpbook"
make_grade() {
    STATUS=$1 make -o build B="$tmp" grade "${@:2}" >"$tmp/out" 2>&1
}
make_grade 0 LAB=01 && make_grade 1 LAB=01 && make_grade 3 LAB=01 &&
    ! grep -q '\*\*\*' "$tmp/out"
ok "make ends well after a grade" $?
! make_grade 2 LAB=99 && ! make_grade 4 LAB=01 && ! make_grade 130 LAB=01
ok "make fails after wrong usage, an error of the grader and Ctrl-C" $?
! make_grade 0 && grep -q 'which lab? Say make grade LAB=01' "$tmp/out"
ok "make grade asks for the lab" $?

# A compiler that is not there is not the fault of the student.
SOFTCC_CXX=nonesuch says 4 \
    "cannot run nonesuch: No such file or directory Not" \
    grade 01 --from solutions "${soft[@]}"

# Ctrl-C in the middle: 130, no process and no folder is left.
sed 's/if (i < n)/while (n)/' solutions/01_vector_add/1_*.cu >"$tmp/loop.cu"
"$warpbook" grade 01 --from "$tmp/loop.cu" "${soft[@]}" >"$tmp/out" \
    2>"$tmp/err" &
child=$!
runner='' folder=''
for ((i = 0; i < 3000 && ${#runner} == 0; i++)); do
    sleep 0.1
    # shellcheck disable=SC2013 # words are wanted
    for pid in $(cat /proc/$child/task/$child/children); do
        [[ $(cat "/proc/$pid/comm") != runner ]] || runner=$pid
    done
done 2>/dev/null
folder=$(dirname "$(readlink "/proc/$runner/exe")")
kill -INT $child
wait $child
[[ $? == 130 && -n $runner && -n $folder && ! -e /proc/$runner &&
    ! -e $folder ]] && ! grep -q INTERNAL "$tmp/out"
ok "interrupted: nothing is left behind" $?

echo "$passed passed, $failed failed"
((failed == 0))
