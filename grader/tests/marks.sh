#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Whose mark it is, and which attempt counts: most files are
# refused before a build, so that the class is read at once.
set -u
. .ci/check.sh
warpbook=$(realpath "${BUILD:-build}")/warpbook
stem=01_vector_add
device=(--device soft --jobs 2 --tier "$("$warpbook" verify-box --best)")

submit() { # PATH [TEXT]: a file of $class that is refused, and why is TEXT's
    mkdir -p "$class/$(dirname "$1")"
    printf 'int z;\0' >"$class/$1"
}
read_class() { # OPTION...: into $class.results, $tmp/out and $tmp/book
    "$warpbook" autograde "$class" -o "$class.results" --lab 01 "${device[@]}" \
        "$@" >"$tmp/out" 2>"$tmp/err"
    local status=$?
    "$warpbook" gradebook "$class.results" >"$tmp/book"
    return "$status"
}
holds() { # FRAGMENT FILE
    grep -qF -- "$1" "$2" || { cat "$2" && false; }
}
says() { # FRAGMENT COMMAND...
    "${@:2}" >"$tmp/said" 2>&1 && holds "$1" "$tmp/said"
}
lacks() { # FRAGMENT FILE
    ! grep -qF -- "$1" "$2"
}

# --- two submissions of one student -------------------------------------------
class=$tmp/two
printf 'sid,name\n1,Ann Lee\n2,Bo Ray\n' >"$tmp/roster.csv"
submit 1/vector_add.cu
submit Ann\ Lee/blur.cu
submit 2/vector_add.cu
submit 2.cu
read_class --roster "$tmp/roster.csv"
check "a second submission is told" \
    holds "1: one of 2 submissions of 1;" "$tmp/out"
check "nothing says which counts" \
    holds "1,Ann Lee,,,yes,not graded,100,NOT GRADED,,incomplete" "$tmp/book"
check "both are named" \
    holds "two submissions, 1 and Ann Lee, and nothing says" "$tmp/book"
check "equal ones need no order" \
    holds "2,Bo Ray,,,yes,0,100,REJECTED" "$tmp/book"
"$warpbook" gradebook "$class.results" --format autolab --lab 01 >/dev/null 2>&1
printf '[course]\nattempts = best\n' >"$tmp/best.ini"
"$warpbook" gradebook "$class.results" --course "$tmp/best.ini" >"$tmp/book"
check "of the best either may count" lacks "nothing says" "$tmp/book"
rm -r "$class/Ann Lee"
sleep 1.1
read_class
check "the one that is still there counts" \
    holds "1,Ann Lee,,,yes,0,100,REJECTED" "$tmp/book"
check "without a deadline times do not matter" lacks "never late" "$tmp/out"
class=$tmp/untimed
submit 1/vector_add.cu
submit 2/vector_add.cu
read_class --deadline 2026-01-01
check "a deadline that no file can miss is told" \
    holds "2 submissions have no time in this download: never late" "$tmp/out"
class=$tmp/interrupted
submit 1/vector_add.cu
read_class --roster "$tmp/roster.csv"
# as a killed reading leaves it
sed -i -zE 's/"open": *0,\s*"whole": *([0-9]+)/"open": \1, "whole": 0/' \
    "$class.results/readings.json"
check "a reading notes its time" \
    test "$(grep -cE 'open": *[1-9]' "$class.results/readings.json")" = 1
submit Ann\ Lee/blur.cu
sleep 1.1
read_class
check "an interrupted reading and the next are one" \
    holds "two submissions, 1 and Ann Lee, and nothing says" "$tmp/book"
class=$tmp/returns
submit ann/vector_add.cu
read_class
: >"$class/ann/vector_add.cu"
sleep 1.1
read_class
check "a replaced file counts" holds "ann,,,,no,0,100,MISSING" "$tmp/book"
sleep 1.1
read_class
submit ann/vector_add.cu
sleep 1.1
read_class
check "so does the first one, if it is there again" \
    holds "ann,,,,no,0,100,REJECTED" "$tmp/book"
check "which the evidence tells" \
    says "and again" "$warpbook" evidence "$class.results" ann
echo 'sid,name
9,Zoe Ray' >"$tmp/absent.csv"
read_class --roster "$tmp/absent.csv"
check "one of the roster without a submission" \
    says "submitted      nothing" "$warpbook" evidence "$class.results" \
        "zoe ray"
check "a file is no folder of results" \
    refuses 2 "a file, not a folder" autograde "$class" -o "$tmp/absent.csv"
check "nor of pages" \
    refuses 2 "a file, not a folder" report "$class.results" -o \
        "$tmp/absent.csv"

class=$tmp/alike
submit Ann/vector_add.cu
submit ann/blur.cu
read_class
check "names that differ in case alone are one" \
    holds "two submissions, Ann and ann," "$tmp/book"

# --- names that are no UTF-8, or that are refused -----------------------------
class=$tmp/names
printf 'sid,name\n1,Müller\n2,Möller\n' >"$tmp/names.csv"
submit $'M\xfcller/vector_add.cu'
submit $'M\xf6ller/vector_add.cu'
submit 'R&D; <b>/vector_add.cu'
submit '$(id)'
submit vector_add.cu
tar cf "$class/eve.tar" -C "$class" --remove-files '$(id)' vector_add.cu
read_class --roster "$tmp/names.csv"
check "names of Windows are those of the roster" \
    holds "1,Müller,,,yes,0,100,REJECTED" "$tmp/book"
check "two such names are two students" \
    holds "2,Möller,,,yes,0,100,REJECTED" "$tmp/book"
check "an & and a ; are a name's" \
    holds '"R&D; <b>",,,,no,0,100,REJECTED' "$tmp/book"
check "what a shell would run is refused in an archive" \
    holds '"$(id)"" is not allowed' "$tmp/book"
mkdir "$class/eve"
tar xf "$class/eve.tar" -C "$class/eve"
rm "$class/eve.tar"
sleep 1.1
read_class
check "unpacked by hand it counts" \
    holds "eve,,,,no,0,100,REJECTED,,0,100,$stem: vector_add.cu is not text" \
        "$tmp/book"

# --- Autolab, which knows students by their addresses -------------------------
autolab() { # into $tmp/book, what it says into $tmp/err
    "$warpbook" gradebook "$class.results" --format autolab >"$tmp/book" 2>"$tmp/err"
}
class=$tmp/addresses
printf 'login,email\nann,ann@x.org\nbo,\n' >"$tmp/addresses.csv"
submit ann/vector_add.cu
submit zoe/vector_add.cu
read_class --roster "$tmp/addresses.csv"
autolab
check "those with an address have a row" test "$(<"$tmp/book")" = "email,$stem
ann@x.org,0"
check "those without are counted, one is named" \
    holds "2 of 3 students have no address, by which Autolab knows them, and no row, first bo:" \
        "$tmp/err"
class=$tmp/two
check "without any there is no file" test "$(autolab || echo $?)" = 2
check "and a line says why" holds "nobody has one: give a --roster" "$tmp/err"

class=$tmp/renamed
printf 'sid,name\n1,Ann Lee\n2,Ann Lee\n' >"$tmp/alike.csv"
submit Ann\ Lee/vector_add.cu
submit zoe/blur.cu
read_class --roster "$tmp/alike.csv"
check "a name of two students is in doubt" \
    holds "Ann Lee,,,,no,0,100,REJECTED" "$tmp/book"
mv "$class/Ann Lee" "$class/2"
sleep 1.1
read_class
check "renamed, it is one's" \
    holds "2,Ann Lee,,,yes,0,100,REJECTED,,0,100,$stem: vector_add.cu is not text" \
        "$tmp/book"
check "and nobody else's" lacks ",,,,no,0,100,REJECTED" "$tmp/book"
check "other strangers stay" holds "zoe,,,,no,0,100,MISSING" "$tmp/book"
class=$tmp/packed
mkdir "$class"
echo 7z >"$class/2.7z"
read_class --roster "$tmp/roster.csv"
check "an archive that is not read is not NONE" \
    holds "2,Bo Ray,,,yes,0,100,MISSING" "$tmp/book"
check "what to do is told" \
    holds "found: 2.7z, which is not read: ask for a .zip" "$tmp/out"

# --- Gradescope ---------------------------------------------------------------
class=$tmp/gradescope
for i in 1 2 3; do submit submission_$i/vector_add.cu; done
read_class
check "metadata that are missing are told" \
    holds "without submission_metadata.yml beside them" "$tmp/out"
cat >"$class/submission_metadata.yml" <<'END'
submission_1:
  :submitters:
  - :name: Ann Lee
    :sid: '1'
  :created_at: yesterday
submission_2:
  :submitters: []
END
read_class
check "a time that is none is an error" test $? = 2
check "which names it" \
    holds 'submission_metadata.yml: submission_1: "yesterday" is no time' \
        "$tmp/err"
sed -i 's/yesterday/2026-03-01 10:00:00 Z/' "$class/submission_metadata.yml"
rm -r "$class.results"
read_class --roster "$tmp/roster.csv"
check "the other one is a student's" \
    holds "1,Ann Lee,,,yes,0,100,REJECTED" "$tmp/book"
check "one without submitters is not lost" \
    holds "submission_2,,,,no,0,100,REJECTED" "$tmp/book"
check "nor one that is not named" \
    holds "submission_3,,,,no,0,100,REJECTED" "$tmp/book"
class=$tmp/forged
submit 2/vector_add.cu
submit 2/submission_9/vector_add.cu
printf 'submission_9:\n  :submitters:\n  - :sid: 1\n' >"$class/2/submission_metadata.yml"
read_class --roster "$tmp/roster.csv"
check "a student's own metadata say nothing" \
    holds "1,Ann Lee,,,yes,0,100,NONE" "$tmp/book"
check "the file is that student's" \
    holds "2,Bo Ray,,,yes,0,100,REJECTED" "$tmp/book"

# --- wrong commands -----------------------------------------------------------
check "two labs" refuses 2 "--lab is given twice" autograde "$class" \
    -o "$tmp/new" --lab 01 --lab 06
check "options of Slurm alone" refuses 2 "need --slurm" autograde "$class" \
    -o "$tmp/new" --slurm-shards 3
for place in results 2/results 2; do
    check "results in $place" refuses 2 "lies in the folder of submissions" \
        autograde "$class" -o "$class/$place"
done
(cd "$class" && refuses 2 "lies in the folder" autograde . -o results)
check "results here" test $? = 0
check "results beside it are fine" read_class
check "a lab that nobody submitted is told" refuses 0 \
    "nobody submitted 06_histogram" gradebook "$class.results" --lab 06
class=$tmp/nameless
submit 1/notes.txt
"$warpbook" autograde "$class" -o "$class.results" "${device[@]}" \
    >"$tmp/out" 2>"$tmp/err"
check "a submission without a lab's file is of none" refuses 0 \
    "nobody submitted 06_histogram" gradebook "$class.results" --lab 06
finish
