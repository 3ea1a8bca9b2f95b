# SPDX-License-Identifier: MIT
# shellcheck shell=bash
# To be sourced by a command that starts many others: end_together "$@" runs the
# command again, in a process group of its own, which ends with this process,
# also when it is killed (SIGKILL).
#
# A pipe tells that: only this shell has its writing end, and a process outside
# of the group reads it.  Without the line that is written at the end, the
# reader kills the group.
end_together() {
    local job status
    [[ ! ${END_TOGETHER-} ]] || return 0 # this is that group, or in one
    exec {alive}> >(exec setsid bash -c \
        'read -r group && ! read -r && kill -KILL -- "-$group"' >&/dev/null)
    set -m
    END_TOGETHER=yes "$0" "$@" {alive}>&- </dev/null &
    job=$!
    set +m
    echo "$job" >&"$alive"
    trap 'kill -TERM -- "-$job"' INT TERM HUP
    while :; do # a trap ends wait, too
        status=0
        wait "$job" || status=$?
        kill -0 "$job" 2>/dev/null || break
    done
    echo ended >&"$alive"
    exit "$status"
}
