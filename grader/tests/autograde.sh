#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# A class from outside: the layouts of downloads, the formats of gradebooks,
# late work, attempts, errors of the grader, regrading, evidence, bad input.
set -u
. .ci/check.sh
warpbook=$(realpath "${BUILD:-build}")/warpbook
# Boxes of the best tier that this machine can make.
device=(--device soft --jobs 2 --tier "$("$warpbook" verify-box --best)")
stem=01_vector_add

# A correct file: the first step, with the header of its folder inside.
good=$tmp/good.cu
sed -e '/#include "host.h"/{r solutions/01_vector_add/host.h' -e 'd}' \
    solutions/01_vector_add/1_*.cu >"$good"

says() { # FRAGMENT COMMAND...: it succeeds and prints that
    local fragment=$1
    shift
    "$@" >"$tmp/out" 2>&1 && grep -qF -- "$fragment" "$tmp/out"
}
book() { # FORMAT OPTION...: into $tmp/book
    local format=$1
    shift
    "$warpbook" gradebook "$tmp/results" --format "$format" "$@" >"$tmp/book" \
        2>&1
}

# --- the linker -------------------------------------------------------------
boxed_link() { # gold names itself in a section of what it links
    "$warpbook" grade 01 small --from "$good" --keep --no-watch --no-speed \
        "${device[@]:0:2}" --tier "${device[5]}" >"$tmp/out" 2>&1
    local kept=$(sed -n 's/^kept: //p' "$tmp/out") status
    grep -qr 'gold 1\.' "${kept:?}" --include=runner
    status=$?
    rm -rf "$kept"
    return "$status"
}
if command -v ld.gold >/dev/null; then
    check "gold links in a box" boxed_link
fi

# --- a plain folder, with a roster ------------------------------------------
class=$tmp/class
mkdir -p "$class"/{ann,bo,dee}
cp "$good" "$class/ann/vector_add.cu"
echo 'int x = ;' >"$class/bo/vector_add.cu"
echo 'int y = ;' >"$class/cy.cu"
printf 'int z;\0' >"$class/dee/vector_add.cu"
touch "$class/hal.cu" "$class/ivy.cu"
(cd "$class/ann" && tar czf ../eve.tar.gz vector_add.cu)
ln -s /etc/passwd "$class/fay.cu"
cat >"$tmp/roster.csv" <<'END'
login,name,email
ann,=HYPERLINK("x"),ann@x.org
bo,Bo <b>,bo@x.org
cy,Cy,cy@x.org
gus,"Gus, Gustav",gus@x.org
END
run=("$warpbook" autograde "$class" -o "$tmp/results" --lab 01 "${device[@]}"
    --roster "$tmp/roster.csv")
check "a class is graded" says "4 graded, 0 had" "${run[@]}"
check "equal files are reported" holds "2 files are equal to one of these" \
    "$tmp/out"
check "a NUL is refused" holds "REJECTED   dee: vector_add.cu is not text" \
    "$tmp/out"
check "a link is refused" holds "REJECTED   fay.cu: fay.cu is not a regular" \
    "$tmp/out"
check "the same command finds it done" says "0 graded, 4 had" "${run[@]}"
book csv
check "a formula is escaped" holds \
    'ann,"'"'"'=HYPERLINK(""x"")",ann@x.org,,yes,100,100,PASS' "$tmp/book"
check "a broken file has no points" holds \
    "bo,Bo <b>,bo@x.org,,yes,0,100,BUILD" "$tmp/book"
check "so has a student without a file" \
    holds 'gus,"Gus, Gustav",gus@x.org,,yes,0,100,NONE' "$tmp/book"
check "an empty file is reported" holds \
    "MISSING,,0,100,$stem: vector_add.cu is empty" "$tmp/book"
check "the archive's student is not in the roster" holds \
    "eve,,,,no,100,100,PASS" "$tmp/book"
check "the same bytes are noted" holds "the same file as ann" "$tmp/book"
check "empty files are only empty" test \
    "$(grep -c 'is empty; the same' "$tmp/book")" = 0
cp "$tmp/book" "$tmp/first"
book csv
check "a gradebook depends on its folder alone" cmp -s "$tmp/book" "$tmp/first"
check "nobody else may look into the results" test \
    "$(stat -c %a "$tmp/results")" = 700
book html
check "a name is escaped in HTML" holds 'Bo &lt;b&gt;' "$tmp/book"
book junit
check "JUnit has a case a test" holds \
    "<testcase classname=\"$stem.ann\" name=\"small\"" "$tmp/book"
check "and a failure" holds '<failure type="BUILD"' "$tmp/book"
book cunit
check "CUnit has a record a test" holds "<TEST_NAME>small</TEST_NAME>" \
    "$tmp/book"
book canvas
check "Canvas has its columns" holds \
    "Student,ID,SIS User ID,SIS Login ID,Section,$stem" "$tmp/book"
book autolab
check "Autolab has those with an address" holds 'gus@x.org,0' "$tmp/book"
book gradescope --lab 01 --student ann
check "Gradescope has a score" holds '"score": 100' "$tmp/book"
book moodle
check "Moodle has a maximum" holds "Cy,cy@x.org,0,100" "$tmp/book"
check "rows that Moodle cannot place are reported" says \
    "give Moodle's grading worksheet" \
    "$warpbook" gradebook "$tmp/results" --format moodle --lab 01

# --- evidence, regrading ----------------------------------------------------
"$warpbook" evidence "$tmp/results" ann@x.org >"$tmp/evidence"
for word in seed sandbox isolation limits secret program key \
    "PASS       20/20" "--seed"; do
    check "evidence names $word" holds "$word" "$tmp/evidence"
done
knows_no_name() { # STUDENT: and so prints no line for it
    "$warpbook" evidence "$tmp/results" "$1" >"$tmp/unnamed" &&
        ! grep -q '^  student *$' "$tmp/unnamed"
}
check "evidence has no empty name" knows_no_name fay
check "evidence says why one was refused" \
    says "is not a regular file" "$warpbook" evidence "$tmp/results" fay
check "its last line is the mark" holds \
    "  $stem  100 of 100 points, PASS; submissions: 1" "$tmp/evidence"
check "its command has the limits" grep -q -- \
    "--time-limit [0-9]* --memory-limit [0-9]*$" "$tmp/evidence"
check "regrading compares" says "1 compared, 0 changed" \
    "$warpbook" regrade "$tmp/results" --student bo "${device[@]}"
# A lab that had other tests then: `gone` before `small`, of other points.
key=$("$warpbook" evidence "$tmp/results" bo | sed -n 's/^  key  *//p')
python3 - "$tmp/results/results/$key.json" <<'END'
import json, sys
with open(sys.argv[1]) as file:
    result = json.load(file)
tests = result["result"]["tests"]
tests[0]["max_score"] -= 1
tests[1]["name"] = "edges of old"
tests.insert(0, dict(tests[0], name="gone"))
result["result"]["max_score"] = 99
with open(sys.argv[1], "w") as file:
    json.dump(result, file)
END
"$warpbook" regrade "$tmp/results" --student bo "${device[@]}" >"$tmp/out"
check "a changed maximum is another mark" test $? = 1
check "which is reported" holds "BUILD 0/99 -> BUILD 0/100" "$tmp/out"
check "tests are compared by their names" test "$(grep -E '^ {6}' "$tmp/out" |
    tr -s ' ')" = " small BUILD 0/19 -> BUILD 0/20
 edges none -> BUILD 0/15
 gone BUILD 0/19 -> none
 edges of old BUILD 0/15 -> none"
check "it keeps the old result" says "replaced" "$warpbook" evidence \
    "$tmp/results" bo
book csv
check "and the marks" cmp -s "$tmp/book" "$tmp/first"

# --- an error of the grader -------------------------------------------------
mkdir -p "$tmp/broken/ann" "$tmp/tools"
echo 'int w = ;' >"$tmp/broken/ann/vector_add.cu"
printf '#!/bin/sh\nkill -KILL $$\n' >"$tmp/tools/g++" &&
    chmod +x "$tmp/tools/g++"
PATH=$tmp/tools:$PATH "$warpbook" autograde "$tmp/broken" -o "$tmp/ours" \
    "${device[@]}" --tier D >"$tmp/out" 2>&1
check "an error of the grader: exit status 4" test $? = 4
"$warpbook" gradebook "$tmp/ours" >"$tmp/book"
check "it is never zero points" holds \
    "ann,,,,no,not graded,100,NOT GRADED,,incomplete" "$tmp/book"
"$warpbook" autograde "$tmp/broken" -o "$tmp/trial" "${device[@]}" --tier D \
    >"$tmp/out" 2>&1
check "a trial without boxes is told with its marks" says \
    "1 result is of tier D, a self-test: not for marks" \
    "$warpbook" gradebook "$tmp/trial"
check "the same command grades it" says "1 graded" "$warpbook" autograde \
    "$tmp/broken" -o "$tmp/ours" "${device[@]}"

# --- a chroot -----------------------------------------------------------------
in_chroot() {
    local part
    for part in /*; do
        if [[ -L $part ]]; then
            cp -P "$part" "$tmp/root"
        elif [[ -d $part ]]; then
            mkdir "$tmp/root$part" && mount --rbind "$part" "$tmp/root$part"
        fi
    done
    chroot "$tmp/root" "$warpbook" verify-box --tier A 2>&1
}
mkdir "$tmp/root"
if [[ ${device[*]} == *"--tier A"* ]] && unshare -m true 2>/dev/null; then
    export -f in_chroot
    tmp=$tmp warpbook=$warpbook unshare -m bash -c in_chroot >"$tmp/out"
    check "a chroot is reported, and what to do" holds \
        "run warpbook in a container" "$tmp/out"
    check "in one line" test \
        "$(grep -c ^warpbook: "$tmp/out"; grep -c ^$ "$tmp/out")" = $'1\n0'
fi

# --- downloads: late work, attempts -----------------------------------------
download() { # LAYOUT OPTION...: grade $tmp/LAYOUT into $tmp/LAYOUT.results
    local layout=$1
    shift
    says "($layout layout)" "$warpbook" autograde "$tmp/$layout" \
        -o "$tmp/$layout.results" "${device[@]}" "$@"
    "$warpbook" gradebook "$tmp/$layout.results" >"$tmp/book"
}
moodle=$tmp/Moodle file=assignsubmission_file_ text=assignsubmission_onlinetext_
mkdir -p "$moodle/"{Ann\ Lee_101,Cy_103,Di_104,Ed_105}"_$file" \
    "$moodle/Ann Lee_101_$text"
cp "$class/bo/vector_add.cu" "$moodle/Ann Lee_101_$file/vector_add (1).cu"
echo x | tee "$moodle/Di_104_$file/blur.cu" >"$moodle/Ed_105_$file/all.RAR"
echo '<p>done' >"$moodle/Ann Lee_101_$text/onlinetext.html"
tar czf "$moodle/Cy_103_$file/x.tgz" -C "$moodle/Di_104_$file" blur.cu
check "Moodle" download Moodle --lab 01
check "a text that was typed into Moodle is no file" holds \
    "1 file ignored, first Ann" "$tmp/out"
check "Moodle's names" holds "101,Ann Lee,,,no,0,100,BUILD" "$tmp/book"
check "a file of another lab is not this one" holds \
    "104,Di,,,no,0,100,MISSING,,0,100,\"$stem: no vector_add.cu; found: blur.cu" \
    "$tmp/book"
check "an archive that is not read is named" holds \
    "found: all.RAR, which is not read: ask for a .zip" "$tmp/book"
check "an archive is named, and what it lacks" holds \
    "found: x.tgz, with none in it" "$tmp/book"
again() { # ROSTER LINE...: the book of the Moodle download with another roster
    printf '%s\n' "${@:2}" >"$1"
    "$warpbook" gradebook "$tmp/Moodle.results" --roster "$1" >"$tmp/book"
}
mkdir "$moodle/Ann Lee_202_$file"
printf 'int z;\0' >"$moodle/Ann Lee_202_$file/vector_add.cu"
check "two of one name" download Moodle --lab 01
again "$tmp/later.csv" login,name "al,Ann Lee" "cy,Cy"
check "are not one student of a later roster" holds \
    "al,Ann Lee,,,yes,0,100,NONE" "$tmp/book"
check "and that is noted" test \
    "$(grep -c '^[12]0[12],Ann Lee,,,no.*not taken as Ann Lee (al)' \
    "$tmp/book")" = 2
check "others are theirs" holds "cy,Cy,,,yes,0,100,MISSING" "$tmp/book"
again "$tmp/later.csv" identifier,login,name "202,al,Ann Lee"
check "a number tells which" holds "al,Ann Lee,,,yes,0,100,REJECTED" "$tmp/book"
check "and the other is not" holds "101,Ann Lee,,,no,0,100,BUILD" "$tmp/book"
rm -r "$tmp/Moodle/Ann Lee_202_assignsubmission_file_"
mkdir "$tmp/Moodle2" && echo >"$tmp/Moodle2/Dee_104_assignsubmission_file_my.cu"
cp -r "$tmp/Moodle/Cy_103_assignsubmission_file_" "$tmp/Moodle2"
check "Moodle without a lab" download Moodle2
check "which would take any name" holds "1 of these is the only .cu" "$tmp/out"
"$warpbook" gradebook "$tmp/Moodle2.results" --format moodle --lab 01 \
    >"$tmp/book"
check "a student reads why there is no file" holds "no file named as a lab" \
    "$tmp/book"
mkdir -p "$tmp/Moodle3/"{Red\ team_9,Lee\ Ann_4,Jo\ Doe_5}"_$file"
for team in "$tmp/Moodle3"/*; do printf 'int z;\0' >"$team/vector_add.cu"; done
cat >"$tmp/teams.csv" <<'END'
Identifier,Full name,Email address,Group
Participant 9,Ann Lee,a@x.org,Blue
Participant 2,"Garcia, Jose",b@x.org,Red team
Participant 3,Cy Dee,c@x.org,Red team
Participant 5,Jo Roe,j@x.org,Blue
END
check "teams before the roster" download Moodle3 --lab 01
check "are taken for students" holds "9,Red team,,,no,0,100,REJECTED" \
    "$tmp/book"
check "teams" download Moodle3 --lab 01 --roster "$tmp/teams.csv"
check "the team is a student no more" test \
    "$(grep -c "Red team,,,no" "$tmp/book")" = 0
check "a team's name stands for its students" holds \
    "_file_: 2 students of the roster" "$tmp/out"
check "each has its file" holds \
    'b@x.org,"Garcia, Jose",b@x.org,Red team,yes,0,100,REJECTED' "$tmp/book"
check "both have" holds 'c@x.org,Cy Dee,c@x.org,Red team,yes,0,100,REJECTED' \
    "$tmp/book"
check "a name in another order is the same" holds \
    'a@x.org,Ann Lee,a@x.org,Blue,yes,0,100,REJECTED' "$tmp/book"
check "a number of somebody else's name is not taken" holds \
    'j@x.org,Jo Roe,j@x.org,Blue,yes,0,100,NONE' "$tmp/book"
check "and that is reported" holds \
    "1 submission is not of a student of the roster, first Jo Doe_5_" \
    "$tmp/out"
mkdir -p "$tmp/plain/"{Ann\ B.\ Lee,José\ GARCÍA,Cy\ Dee,Dee\ Cy}
for one in "$tmp/plain"/*; do printf 'int z;\0' >"$one/vector_add.cu"; done
printf '%s\n' name '"Garcia, Jose"' 'Ann Lee' 'Cy Dee' '"Lee, Bo"' \
    >"$tmp/names.csv"
check "plain names" download plain --lab 01 --roster "$tmp/names.csv"
check "the roster may turn a name around" holds \
    '"Garcia, Jose","Garcia, Jose",,,yes,0,100,REJECTED' "$tmp/book"
check "a middle name is reported" holds \
    "Ann B. Lee: taken as Ann Lee (Ann Lee): only middle names differ" \
    "$tmp/out"
check "so are two orders of one name" holds \
    "Dee Cy: not taken as Cy Dee (Cy Dee)" "$tmp/out"
check "and noted with the mark" holds \
    "Ann Lee,Ann Lee,,,yes,0,100,REJECTED,,0,100,\"$stem: taken as" "$tmp/book"
mkdir "$tmp/plain/Ann Lee" &&
    printf 'int y;\0' >"$tmp/plain/Ann Lee/vector_add.cu"
check "another one's middle name" download plain --lab 01
check "is not guessed" holds "Ann B. Lee: not taken as Ann Lee (Ann Lee)" \
    "$tmp/out"
mkdir "$tmp/Canvas"
cp "$good" "$tmp/Canvas/leeann_LATE_12_34_vector_add-2.cu"
echo an earlier attempt >"$tmp/Canvas/leeann_LATE_12_33_vector_add-1.cu"
echo the first >"$tmp/Canvas/leeann_LATE_12_35_vector_add.cu"
cp "$class/bo/vector_add.cu" "$tmp/Canvas/raybo_13_35_vector_add.cu"
echo pdf >"$tmp/Canvas/raybo_13_36_report.pdf"
check "Canvas" download Canvas --late 10%/day
check "Canvas's late work loses a day" holds \
    "12,leeann,,,no,90,100,PASS,,90,100" "$tmp/book"
check "Canvas's files of one student are one" holds \
    "13,raybo,,,no,0,100,BUILD" "$tmp/book"
mkdir -p "$tmp/Gradescope/assignment_1_export/submission_"{1,2}
cp "$good" "$tmp/Gradescope/assignment_1_export/submission_1/vector_add.cu"
cat >"$tmp/Gradescope/assignment_1_export/submission_metadata.yml" <<'END'
submission_1:
  :submitters:
  - :name: Ann
    :sid: '7'
    :email: ann@x.org
  - :name: Bo
    :sid: '8'
    :email: bo@x.org
  :created_at: 2026-03-03 11:00:00.000000000 Z
submission_2:
  :submitters:
  - :name: Cy
    :sid: '9'
    :email: cy@x.org
END
check "Gradescope" download Gradescope --lab 01 --deadline 2026-03-01T10:00Z \
    --late "10%/day, max 5"
check "a group is graded once" holds "1 graded" "$tmp/out"
check "two days and an hour late" holds "7,Ann,ann@x.org,,no,70,100,PASS,49" \
    "$tmp/book"
check "the notes tell when it was due" holds \
    "late by 49:00:00: was due 2026-03-01T10:00:00+00:00; keeps 70 %" \
    "$tmp/book"
check "so does the evidence" says "was due        2026-03-01T10:00:00+00:00" \
    "$warpbook" evidence "$tmp/Gradescope.results" 7
check "each of a group has the mark" holds "8,Bo,bo@x.org,,no,70,100,PASS" \
    "$tmp/book"
check "a folder without a file" holds "9,Cy,cy@x.org,,no,0,100,MISSING" \
    "$tmp/book"
"$warpbook" gradebook "$tmp/Gradescope.results" --format autolab >"$tmp/book"
check "Autolab has addresses" holds "cy@x.org,0" "$tmp/book"

# --- bad input ---------------------------------------------------------------
mkdir "$tmp/empty" "$tmp/full"
touch "$tmp/full/file"
printf 'name\n"x\n' >"$tmp/bad.csv"
new=("$tmp/new" "${device[@]}")
check "no folder" refuses 2 "No such file" autograde "$tmp/none" -o "${new[@]}"
check "a file" refuses 2 "a file, not a folder" autograde "$good" -o "${new[@]}"
check "an empty folder" refuses 2 "no submission" autograde "$tmp/empty" -o \
    "${new[@]}"
check "no results" refuses 2 "needs -o RESULTS" autograde "$class"
check "a folder of others" refuses 4 "holds other files" autograde "$class" \
    -o "$tmp/full"
check "a roster's line" refuses 2 "bad.csv:2: a quote" autograde "$class" \
    -o "${new[@]}" --roster "$tmp/bad.csv"
check "a deadline" refuses 2 "not a time" autograde "$class" -o "${new[@]}" \
    --deadline soon
check "a policy" refuses 2 "neither accept" autograde "$class" -o "${new[@]}" \
    --late maybe
check "no results folder" refuses 2 "not a results folder" gradebook "$tmp/full"
check "no such student" refuses 2 'nothing of "zoe"' evidence "$tmp/results" zoe
check "no such format" refuses 2 "none of csv" gradebook "$tmp/results" \
    --format xls

# --- control groups -----------------------------------------------------------
# Those that a killed grader left are removed, but not those of a grader in
# another namespace of processes (a container), whose numbers say nothing here.
groups=/sys/fs/cgroup/pids$(sed -n 's/^[0-9]*:pids://p' /proc/self/cgroup)
spaces=$(stat -Lc %i /proc/self/ns/pid)
if [[ ${device[*]} == *"--tier A"* && -w $groups ]]; then
    mkdir "$groups"/warpbook.4194303.{1,"$spaces"}.0
    "$warpbook" verify-box --tier A >/dev/null
    check "another container's group stays" test -d \
        "$groups/warpbook.4194303.1.0"
    check "a killed grader's does not" test ! -d \
        "$groups/warpbook.4194303.$spaces.0"
    rmdir "$groups"/warpbook.4194303.* 2>/dev/null
fi
finish
