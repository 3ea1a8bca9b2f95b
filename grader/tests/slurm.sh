#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# warpbook autograde --slurm on a real Slurm of one node, started here on the
# loopback interface.  Its node daemon is killed while tasks run and started
# again; the supervisor is stopped and started again.  The marks must be those
# of a run without Slurm, each result there once.
set -u
[[ $(realpath "${BUILD:-build}") != */san ]] || {
    echo "skipped: the plain build is tested"
    exit 77
}
# All of it runs in a PID namespace of its own, whose end ends every daemon and
# task: a node daemon signals processes by numbers that it kept in files.
if [[ ${SLURM_TEST_INSIDE-} != $$ ]]; then
    inside=(unshare --pid --fork --kill-child --mount-proc)
    "${inside[@]}" true 2>/dev/null || {
        echo "skipped: a Slurm cannot be started without a PID namespace"
        exit 77
    }
    SLURM_TEST_INSIDE=1 exec "${inside[@]}" "$0"
fi
. .ci/check.sh
build=$(realpath "${BUILD:-build}") warpbook=$build/warpbook

holds() { # FRAGMENT FILE
    grep -qF -- "$1" "$2" || { echo "no '$1' in:" && cat "$2" && false; }
}
await() { # SECONDS COMMAND...: until it succeeds
    local end=$((SECONDS + $1))
    shift
    until "$@" 2>/dev/null; do
        ((SECONDS < end)) || return 1
        sleep 0.1
    done
}

# --- what needs no Slurm ------------------------------------------------------
class=$tmp/class
mkdir -p "$class"/{ann,bo,cy,dee} "$tmp/tools"
sed -e '/#include "host.h"/{r solutions/01_vector_add/host.h' -e 'd}' \
    solutions/01_vector_add/1_*.cu >"$class/ann/vector_add.cu"
{ cat "$class/ann/vector_add.cu" &&
    echo '// other bytes'; } >"$class/bo/vector_add.cu"
echo 'int x = ;' >"$class/cy/vector_add.cu"
sed 's/ + / - /' "$class/ann/vector_add.cu" >"$class/dee/vector_add.cu"
echo "a secret" >"$tmp/secret"
grade=("$warpbook" autograde "$class" --lab 01 --device soft --seed-file \
    "$tmp/secret"
    --tier "$("$warpbook" verify-box --best)")
slurm=(--slurm --slurm-shards 2 --slurm-gres gpu:1 --slurm-partition class
    --slurm-time 10 --slurm-option=--comment='a $b "c"')

refuses() { # STATUS FRAGMENT OPTION...
    "${grade[@]}" -o "$tmp/refused" --slurm "${@:3}" >"$tmp/out" 2>"$tmp/err"
    [[ $? == "$1" && $(<"$tmp/err") != *$'\n'* ]] && holds "$2" "$tmp/err"
}
check "a partition is no option" refuses 2 'not a value' \
    --slurm-partition=--wrap=id
check "an option of sbatch begins with --" refuses 2 "not --NAME" \
    --slurm-option=-x
check "the array is not replaced" refuses 2 "is set by" --slurm-option=--array=0
check "nor by a short form" refuses 2 "is set by" --slurm-option=--arr=0
ln -s $(command -v grep cat bwrap) "$tmp/tools" # shellcheck disable=SC2046
without_slurm() {
    PATH=$tmp/tools refuses 4 "sbatch is not installed here"
}
check "without Slurm one line says so" without_slurm
check "a task alone says who starts it" holds "SLURM_ARRAY" <(
    mkdir -p "$tmp/refused/slurm"
    echo '{"name": "n", "shards": [{}]}' >"$tmp/refused/slurm/run.json"
    SLURM_ARRAY_TASK_ID=0 "$warpbook" shard "$tmp/refused" n 2>&1)

# --- a Slurm of one node ------------------------------------------------------
skip() {
    echo "skipped: Slurm cannot run here: $*"
    ((failed)) && finish
    exit 77
}
PATH=$PATH:/usr/sbin
for program in munged slurmctld slurmd sbatch scontrol; do
    command -v "$program" >/dev/null || skip "$program is not installed"
done
site=$tmp/site
mkdir -p "$site"/{state,spool,munge} && chmod 711 "$site/munge"
host=$(hostname -s) user=$(id -un) port=$((20000 + RANDOM % 20000))
start() { # NAME COMMAND...: a daemon
    "${@:2}" >>"$site/$1.out" 2>&1 </dev/null &
    echo $! >"$site/$1.pid"
}
head -c 32 /dev/urandom >"$site/munge/key" && chmod 400 "$site/munge/key"
start munged munged --foreground --force --socket="$site/munge/socket" \
    --key-file="$site/munge/key" --pid-file="$site/munge/pid" \
    --seed-file="$site/munge/seed" --log-file="$site/munge/log"
export SLURM_CONF=$site/slurm.conf
cat >"$SLURM_CONF" <<END
ClusterName=warpbook
SlurmctldHost=$host(127.0.0.1)
SlurmctldPort=$port
SlurmdPort=$((port + 1))
AuthType=auth/munge
AuthInfo=socket=$site/munge/socket,cred_expire=5
CredType=cred/munge
SlurmUser=$user
SlurmdUser=$user
StateSaveLocation=$site/state
SlurmdSpoolDir=$site/spool
SlurmctldPidFile=$site/slurmctld.id
SlurmdPidFile=$site/slurmd.id
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
MpiDefault=none
SchedulerParameters=sched_interval=1,bf_interval=1
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
ReturnToService=2
KillWait=2
GresTypes=gpu
NodeName=$host NodeAddr=127.0.0.1 CPUs=2 RealMemory=500 Gres=gpu:1
PartitionName=class Nodes=ALL MaxTime=20
END
echo "NodeName=$host Name=gpu File=/dev/null" >"$site/gres.conf"
: >"$site/cgroup.conf"
await 30 test -S "$site/munge/socket" || skip "$(tail -n 1 "$site/munged.out")"
start slurmctld slurmctld -D
start slurmd slurmd -D
node_is() {
    [[ $(sinfo --noheader --format=%T) =~ ^($1) ]]
}
"${grade[@]}" -o "$tmp/plain" >"$tmp/out" 2>&1
check "without Slurm: graded" holds "4 graded" "$tmp/out"
await 60 node_is idle || skip "$(tail -n 1 "$site/slurmd.out")"

# --- a process that was replaced ----------------------------------------------
# Its token is taken while it grades: it must not publish.
cp -r "$tmp/plain" "$tmp/zombie"
rm "$tmp/zombie/results"/* && mkdir -p "$tmp/zombie/slurm"
printf '{"schema": "warpbook-run/1", "name": "n", "device": "soft", "shards": [{%s}]}' \
    "$(cd "$tmp/zombie" &&
    printf '"%s": true' "$(grep -l '"ann"' entries/*)")" \
    >"$tmp/zombie/slurm/run.json"
zombie() { # TASK OF ARRAY
    SLURM_ARRAY_JOB_ID=$2 SLURM_ARRAY_TASK_ID=$1 "$warpbook" shard \
        "$tmp/zombie" n
}
zombie 0 7 >"$tmp/out" 2>&1 &
check "a process by hand takes a token" await 60 test -d "$tmp/zombie/slurm/0/1"
mkdir "$tmp/zombie/slurm/0/2"
wait $!
check "a process without its token fails" test $? = 4
check "and says why" holds "another task has taken over" "$tmp/out"
check "it published nothing" test -z "$(ls "$tmp/zombie/slurm/0/1")"
zombie 0 8 >"$tmp/out" 2>&1
check "a second array does nothing" holds "array 7 grades this run, not 8" \
    "$tmp/out"
zombie 1 7 >"$tmp/out" 2>&1
check "nor does a task without a part" holds "is no shard" "$tmp/out"

# --- graded, interrupted, continued -------------------------------------------
token() { # INDEX TOKEN: has been taken
    [[ -d $tmp/results/slurm/$1/$2 ]]
}
# A task runs, and the supervisor knows its array.
begun() {
    token 0 1 && grep -q "^array" "$tmp/first"
}
# The supervisor ends when Slurm loses its tasks; the same command goes on then.
begun_or_ended() {
    begun || ! kill -0 $supervisor
}
# The answer to the first request is lost on its way.
cat >"$tmp/tools/sbatch" <<END
#!/bin/sh
$(command -v sbatch) "\$@" >"$tmp/id" || exit
[ -e "$tmp/lost" ] && exec cat "$tmp/id"
touch "$tmp/lost"
echo "sbatch: error: Batch job submission failed: Socket timed out on send/recv operation" >&2
exit 1
END
chmod +x "$tmp/tools/sbatch"
for ((try = 0; try < 3; try++)); do
    PATH=$tmp/tools:$PATH "${grade[@]}" -o "$tmp/results" "${slurm[@]}" \
        >"$tmp/first" 2>&1 &
    supervisor=$!
    await 300 begun_or_ended
    begun && break
    echo "no task began:" && cat "$tmp/first" "$site/slurmd.out"
    tail -n 5 "$site/slurmctld.out"
    kill -0 $supervisor && break
done
check "a task begins" begun
check "and is there once" test "$(squeue -ho %F | sort -u | wc -l)" = 1
kill -INT $supervisor
wait $supervisor
check "the supervisor can be stopped" test $? = 130
check "an array whose id was lost is found" holds "earlier: waiting" \
    "$tmp/first"
check "the array goes on" holds "goes on; to end it: scancel" "$tmp/first"
job=$(cat "$tmp/results/slurm/job")
scontrol show job "${job}_0" >"$tmp/job"
check "the array may be requeued" holds "Requeue=1" "$tmp/job"
check "a GPU is requested" holds "gpu:1" "$tmp/job"
check "an option of the user is one argument" holds 'Comment=a $b "c"' \
    "$tmp/job"

# The node is lost for Slurm while its task runs on.
kill -9 "$(cat "$site/slurmd.pid")"
scontrol update nodename="$host" state=down reason=test
timeout -s INT 300 "${grade[@]}" -o "$tmp/results" "${slurm[@]}" \
    >"$tmp/second" 2>&1 &
supervisor=$!
start slurmd slurmd -D
wait $supervisor
status=$?
check "a node that failed costs nothing" test $status = 0
((status == 0)) || cat "$tmp/second"
check "the second command waits" holds "array $job was submitted earlier" \
    "$tmp/second"
check "all results come in" holds "4 graded, 0 had" "$tmp/second"
check "the folder of the run is gone" test ! -e "$tmp/results/slurm"
check "there is one result a submission" test \
    "$(find "$tmp/results/results" -type f | wc -l)" = 4
for folder in plain results; do
    "$warpbook" gradebook "$tmp/$folder" >"$tmp/$folder.csv"
done
check "the marks are those without Slurm" cmp "$tmp/plain.csv" \
    "$tmp/results.csv"
check "the same keys, too" cmp <(ls "$tmp/plain/results") \
    <(ls "$tmp/results/results")
"${grade[@]}" -o "$tmp/results" "${slurm[@]}" >"$tmp/out" 2>&1
check "the same command has nothing to do" holds "0 graded, 4 had" "$tmp/out"
finish
