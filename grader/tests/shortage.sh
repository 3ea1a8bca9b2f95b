#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The machine runs short of something while a class is graded: disk,
# descriptors, memory, processes, a folder that can be written, a clock that
# goes on.  The right marks, or no mark and a message: no student loses points,
# and the same command then completes the work.
#
#     grader/tests/shortage.sh [all]
#
# Without "all" only what takes no compiler; `make test` runs that.
set -u
# Mounts of its own, where that is allowed.
[[ ${1-} == mounted || ${2-} == mounted ]] || ! unshare -m true 2>&- ||
    exec unshare -m "$0" "${@-few}" mounted
. .ci/check.sh
warpbook=$(realpath "${BUILD:-build}")/warpbook
store=$tmp/disk/results
tier=$("$warpbook" verify-box --best)

mkdir -p "$tmp"/{class,disk}
printf '\n' >"$tmp/class/ann.cu"
printf '\0' >"$tmp/class/bob.cu"
mkdir "$tmp/class/cid"
rights='ann bob cid'
if [[ ${1-} == all ]]; then
    sed -e '/#include "host.h"/{r solutions/01_vector_add/host.h' -e 'd}' \
        solutions/01_vector_add/1_*.cu >"$tmp/class/dot.cu"
    rights+=' dot'
fi

grade() { # PREFIX...: under that command, into $store
    "$@" "$warpbook" autograde "$tmp/class" -o "$store" --lab 01 \
        --device soft --jobs 2 --tier "$tier" --seed-file "$tmp/seed" \
        </dev/null 2>&1 | cat >"$tmp/out" # cat has none of the limits
    return "${PIPESTATUS[0]}"
}
book() { # FILE
    "$warpbook" gradebook "$store" >"$1" 2>"$tmp/err"
}
# No line of the gradebook differs from the right one, but for marks that are
# missing; a command that failed has said why.
marks_hold() { # STATUS
    [[ $1 == 0 || -s $tmp/out ]] || return 1
    [[ $1 == 0 || $1 == 2 || $1 == 4 ]] || return 1
    book "$tmp/marks" || return "$((! $1))"
    ! grep -v '^id,\|NOT GRADED\|NONE' "$tmp/marks" |
        grep -vxFf "$tmp/right" &&
        [[ $1 != 0 ]] || cmp -s "$tmp/marks" "$tmp/right"
}
completes() {
    grade env && book "$tmp/marks" && cmp "$tmp/marks" "$tmp/right" && return
    tail -n 20 "$tmp/out" "$tmp/err"
    return 1
}
# short WORDS PREFIX...: grade under the command, look, and grade again with
# enough.
short() {
    local words=$1 status
    shift
    find "$tmp/disk" -mindepth 1 -delete
    grade "$@"
    status=$?
    check "$words: no mark is wrong (status $status)" marks_hold "$status"
    ! mountpoint -q "$tmp/disk" ||
        mount -o remount,rw,size=64m,nr_inodes=4096 "$tmp/disk"
    check "$words: then all is graded" completes
}

printf 'a secret of the course\n' >"$tmp/seed"
grade env
check "a class is graded" book "$tmp/right"
check "with a line for each" test "$(grep -c . "$tmp/right")" \
    -eq "$(($(wc -w <<<"$rights") + 1))"

for descriptors in 4 8 12 16 24; do
    short "$descriptors descriptors" prlimit "--nofile=$descriptors"
done
for kib in 64000 90000; do
    short "$kib KiB of memory" prlimit "--as=$((kib * 1024))"
done
for bytes in 0 100 4096; do
    short "files of $bytes bytes" prlimit "--fsize=$bytes"
done
if unshare -m true 2>&-; then
    for kib in 4 16 40; do
        mount -t tmpfs -o "size=${kib}k" full "$tmp/disk"
        short "a disk of $kib KiB" env
        umount "$tmp/disk"
    done
    mount -t tmpfs -o size=4k full "$tmp/disk"
    grade env
    check "a full disk ends it with status 4" test $? = 4
    check "one line says so" holds "No space left on device" "$tmp/out"
    umount "$tmp/disk"
    mount -t tmpfs -o ro full "$tmp/disk"
    short "a disk that cannot be written" env
    umount "$tmp/disk"
    mount -t tmpfs -o nr_inodes=6 full "$tmp/disk"
    short "a disk of 6 files" env
    umount "$tmp/disk"
fi
# A grader that gets no processor for more than a second, again and again: its
# watchdog comes late, and the canary must wait for it.
starved() {
    local grader i
    "$warpbook" verify-box --tier B >"$tmp/out" 2>&1 &
    grader=$!
    for ((i = 0; i < 20; i++)); do
        kill -STOP $grader 2>&- || break
        sleep 1.2
        kill -CONT $grader
        sleep 0.004
    done
    wait $grader
}
[[ $tier == D || ${1-} != all ]] ||
    check "a starved grader's boxes hold" starved
# A clock that started elsewhere, and one that is years ahead of the results.
! unshare -rT true 2>&- ||
    short "another time since boot" unshare -rT --monotonic 90000000 \
        --boottime 90000000 --fork
# A reader that ends early, as head does, has what it wanted; a full disk has
# not.
export WARPBOOK_PROGRESS=$tmp/progress
quits() { # WORD...: status and stderr are those of a reader that stays
    mkfifo "$tmp/reader"
    : <"$tmp/reader" &
    exec {into}>"$tmp/reader"
    wait $!
    "$warpbook" "$@" >&$into 2>"$tmp/err"
    local status=$?
    exec {into}>&-
    rm "$tmp/reader"
    [[ $status == 0 && ! -s $tmp/err ]]
}
for words in 'explain 16 --yes' 'hint 04' list 'problem 01' 'list --help' \
    --help; do
    # shellcheck disable=SC2086 # words are wanted
    check "a reader leaves $words" quits $words
    # shellcheck disable=SC2086
    "$warpbook" $words >/dev/full 2>"$tmp/err"
    check "$words on a full disk" test $? = 4 -a -s "$tmp/err"
done
finish
