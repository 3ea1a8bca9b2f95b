#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The temporary folder of a script goes with it, however it ends, and is safe
# from other scripts until then.
set -u
. .ci/check.sh
export TMPDIR=$tmp/parent
mkdir "$TMPDIR" "$tmp/other"
: >"$tmp/other/kept" >"$TMPDIR/warpbook.file"
ln -s "$tmp/other" "$TMPDIR/warpbook.link"

# start SHELL: a script that waits in its folder; its id is $script.
start() {
    # env: what runs in the background ignores SIGINT
    env --default-signal=INT "$1" -c '. common/base/temp_dir.sh
        : >"$tmp/file"
        while :; do sleep 0.01; done' &
    script=$!
    for _ in {1..30000}; do
        [[ $(folders) == 0 ]] || return 0
        sleep 0.01
    done
}
folders() {
    find "$TMPDIR" -mindepth 1 -name file | wc -l
}
another() { # what the start of another script leaves
    sh -c '. common/base/temp_dir.sh'
    folders
}
for shell in bash dash; do
    for signal in INT TERM HUP; do
        start $shell
        check "$shell: it stays while the script runs" test "$(another)" = 1
        kill -$signal $script
        wait $script 2>/dev/null
        check "$shell: it goes with SIG$signal" test "$(folders)" = 0
    done
    start $shell
    kill -KILL $script
    wait $script 2>/dev/null
    check "$shell: SIGKILL leaves it" test "$(folders)" = 1
    for _ in {1..30000}; do # the last sleep has the lock, too
        [[ $(another) != 0 ]] || break
        sleep 0.01
    done
    check "$shell: the next script removes it" test "$(folders)" = 0
done
check "files and links of such a name are not touched" test \
    -f "$TMPDIR/warpbook.file" -a -e "$tmp/other/kept"
# Another use of descriptor 9 would release the lock: the folder of a script
# that still runs would be removed by the next one.
uses() {
    grep -rlE '(^|[^0-9{])9[<>]' --include='*.sh' common grader docs datasets \
        .ci
}
check "only temp_dir.sh opens or closes descriptor 9" test \
    "$(uses)" = common/base/temp_dir.sh
finish
