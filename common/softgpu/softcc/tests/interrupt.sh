#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# softcc ended by a signal, at many moments: no file stays.  SIGKILL leaves
# the temporary directory of the process; the next softcc removes it.
set -u
BUILD=$(realpath "$BUILD")
. common/base/temp_dir.sh
work=$tmp
passed=0
failed=0
unset SOFTCC_CXX SOFTCC_PRELUDE

# A softcc with a build folder of its own and small headers.
cp "$BUILD/softcc" "$work/softcc"
ln -s "$BUILD/lib" "$work/lib"
mkdir -p "$work/home/common/softgpu/include" "$work/tmpdir" "$work/out"
echo '#include <string>' >"$work/home/common/softgpu/include/cuda_runtime.h"
echo 'int main() { return std::string("x").size() - 1 + LATE; }' >"$work/x.cu"
export SOFTGPU_HOME=$work/home TMPDIR=$work/tmpdir
printf '#!/bin/sh\nsleep 5\n' >"$work/nvcc"
chmod +x "$work/nvcc"

run() { # SIGNAL SECONDS OPTION...
    local signal=$1 seconds=$2 pid
    shift 2
    (cd "$work" && exec ./softcc -DLATE=0 "$@" 2>/dev/null) &
    pid=$!
    sleep "$seconds"
    kill -"$signal" "$pid" 2>/dev/null
    wait "$pid" 2>/dev/null
}
# Files of a finished run, or none; nothing in TMPDIR.
only_results() {
    [ -z "$(find "$work/out" "$work/tmpdir" -mindepth 1 ! -path \
        "$work/out/x")" ]
}
no_temporaries() {
    [ -z "$(ls -A "$work/tmp" 2>/dev/null)" ]
}
check() { # NAME COMMAND...
    local name=$1
    shift
    if "$@"; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "not ok: $name"
        find "$work/out" "$work/tmpdir" "$work/tmp" -mindepth 1
    fi
}

compile_all_ways() { # SIGNAL SECONDS
    rm -rf "$work/prelude" # the precompiled header is built first
    run "$1" "$2" -c x.cu -o out/x
    run "$1" "$2" -c x.cu -o out/x
    run "$1" "$2" --check -c x.cu -o out/x
    NVCC=$work/nvcc run "$1" "$2" --profile -c x.cu -o out/x
    run "$1" "$2" -g x.cu -o out/x
    run "$1" "$2" --show x.cu -o out/x
}
for signal in INT TERM HUP; do
    for seconds in 0.02 0.1 0.3; do
        compile_all_ways $signal $seconds
        check "$signal after $seconds s: results" only_results
        check "$signal after $seconds s: temporary files" no_temporaries
    done
done
for seconds in 0.02 0.1 0.3; do
    compile_all_ways KILL $seconds
    check "KILL after $seconds s: results" only_results
    run CONT 0 -c x.cu -o out/x
    check "KILL after $seconds s: the next softcc cleans up" no_temporaries
done
# A directory in the way of a file name must not matter.
mkdir "$work/tmpdir/softcc"
(cd "$work" && ./softcc -DLATE=0 -c x.cu -o out/x)
check "a directory \$TMPDIR/softcc" [ $? -eq 0 ]

echo "$passed passed, $failed failed"
((failed == 0))
