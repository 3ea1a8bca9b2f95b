#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# CUDA's headers, compiled once and kept: that they are taken, that nothing
# changes by it, and that nothing old or broken is ever taken.  Most cases have
# headers of their own, of two lines, in the place of CUDA's.
set -u
BUILD=$(realpath "$BUILD")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
passed=0
failed=0
unset SOFTCC_CXX SOFTCC_PRELUDE CPATH

check() { # NAME COMMAND...
    local name=$1
    shift
    if "$@"; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "not ok: $name"
    fi
}

# A softcc with a folder of its own.
cp "$BUILD/softcc" "$work/softcc"
ln -s "$BUILD/lib" "$work/lib"
headers=$work/home/common/softgpu/include
mkdir -p "$headers" "$work/user"
echo 'extern const char said[] = WHO; int late = 0 LATE;' >"$work/x.cu"

# What the headers say: header WHO
header() {
    cat >"$headers/cuda_runtime.h" <<END
#include <limits.h>
#ifdef MINE
#define WHO "the user's"
#elif defined __EARLY
#define WHO "told early"
#elif defined UPGRADED
#define WHO "upgraded"
#else
#define WHO "$1"
#endif
END
}
compile() { # OPTION...
    (cd "$work" && rm -f x.o &&
        SOFTGPU_HOME=$work/home ./softcc -DLATE=+1 -c x.cu -o x.o "$@")
}
says() { # WHO OPTION...
    local who=$1
    shift
    compile "$@" && grep -q "$who" "$work/x.o"
}
kept() { # how many
    [ "$(find "$work/prelude" -name '*.gch' | wc -l)" -eq "$1" ]
}
nothing_beside() {
    [ -z "$(find "$work" -name '*softcc-*')" ]
}

# --- taken, and anew when something changed ----------------------------------
header first
check "made" says first
check "one is kept" kept 1
touch -r "$headers/cuda_runtime.h" "$work/then"
header older
touch -r "$work/then" "$headers/cuda_runtime.h"
check "taken: a change without a trace is not seen" says first
header other
check "a header changed" says other
header longer-than-that
touch -r "$work/then" "$headers/cuda_runtime.h"
check "a header of another length, as old" says longer-than-that
check "still one" kept 1
touch "$(echo "$work"/prelude/*)/prelude.h.gch.softcc-killed"
header last
check "once more" says last
check "what a killed one left is gone" nothing_beside
check "other options, another" says last -O1
check "two are kept" kept 2

# --- what would be read in their place ---------------------------------------
printf '#define MINE\n#include_next <limits.h>\n' >"$work/user/limits.h"
check "a folder with a header of that name" says user -I"$work/user"
check "without it" says last
CPATH=$work/user check "a folder in the environment" says user
check "a macro for the headers" says early -D__EARLY=1
rm "$work/user/limits.h"
echo '#define WHO "another first header"' >"$work/cuda_runtime.h"
check "a cuda_runtime.h where softcc is started" says another
rm "$work/cuda_runtime.h"
check "dependencies name the headers" \
    compile -MD -MF "$work/d"
check "and all of them" grep -q 'include/limits.h' "$work/d"

# --- another compiler --------------------------------------------------------
upgrade() {
    printf '#!/bin/sh\nexec g++ %s "$@"\n' "$1" >"$work/my-g++"
    chmod +x "$work/my-g++"
}
upgrade ''
SOFTCC_CXX=$work/my-g++ check "another compiler" says last
upgrade -DUPGRADED
SOFTCC_CXX=$work/my-g++ check "which is upgraded" says upgraded

# --- broken ones -------------------------------------------------------------
rm -rf "$work/prelude"
compile
find "$work/prelude" -name '*.gch' -exec truncate -s 5000 {} +
check "cut short" says last
find "$work/prelude" -name made -delete
compile
made=$(find "$work/prelude" -name '*.gch')
head -c "$(stat -c %s "$made")" /dev/urandom >"$work/noise"
cp "$work/noise" "$made"
check "noise" says last
find "$work/prelude" -name made -delete
compile
rm "$(find "$work/prelude" -name '*.gch')"
check "gone" says last
rm -rf "$work/prelude"
echo "no folder" >"$work/prelude"
check "where it cannot be written" says last
rm "$work/prelude"
SOFTCC_PRELUDE=0 check "not wished for" says last
check "so none is made" [ ! -e "$work/prelude" ]

# --- several at once, and many -----------------------------------------------
run_some() {
    local pids=() bad=0
    for i in 1 2 3 4; do
        (cd "$work" && SOFTGPU_HOME=$work/home \
            ./softcc -DLATE= -c x.cu -o "x$i.o") &
        pids+=($!)
    done
    for pid in "${pids[@]}"; do
        wait "$pid" || bad=1
    done
    return $bad
}
check "four at once" run_some
check "one is kept of them" kept 1
for level in 0 1 2 3; do
    compile -O$level && compile -O$level -g && compile -O$level -Wall ||
        failed=$((failed + 1))
done
check "no more than eight" kept 8
touch -d '2 days ago' "$work"/prelude/*
check "what is not used goes" says last -O1 -w
check "all but that" kept 1
(cd "$work" && SOFTGPU_HOME=$PWD/home timeout -s INT 0.05 ./softcc -O2 -g -w \
    -c x.cu -o y.o 2>/dev/null)
check "nothing is left beside" nothing_beside

# --- CUDA's own: the same code, the same messages ----------------------------
rm -rf "$work/prelude"
real() { # OUTPUT SOURCE OPTION...
    local output=$1
    shift
    SOFTGPU_HOME=$PWD "$work/softcc" -c "$@" -o "$output" 2>&1
}
same_code() { # SOURCE OPTION...
    SOFTCC_PRELUDE=0 real "$work/read.o" "$@" >"$work/read" &&
        real "$work/x.o" "$@" >"$work/kept" &&
        real "$work/kept.o" "$@" >"$work/kept" &&
        cmp "$work/read" "$work/kept" &&
        objcopy --strip-debug "$work/read.o" &&
        objcopy --strip-debug "$work/kept.o" &&
        cmp "$work/read.o" "$work/kept.o"
}
cases=common/softgpu/softcc/tests/cases
for compiler in g++ clang++; do
    command -v $compiler >/dev/null || continue
    export SOFTCC_CXX=$compiler
    check "$compiler: the same code" same_code -DN=3 $cases/architecture.cu
    check "$compiler: the same, watched" same_code \
        --check --profile --no-ptxas $cases/architecture.cu
    # clang writes the paths of headers, in another way, into the program
    [ $compiler = clang++ ] ||
        check "$compiler: the same, sanitized" same_code -O1 -g \
            -fsanitize=address,undefined $cases/architecture.cu
    SOFTCC_PRELUDE=0 real "$work/x.o" $cases/errors.cu >"$work/read"
    real "$work/x.o" $cases/errors.cu >"$work/kept"
    # clang's notes write the path of a header in another way
    check "$compiler: the same messages" cmp \
        <(grep '^common' "$work/read") <(grep '^common' "$work/kept")
    check "$compiler: which are some" grep -q '^common.*error' "$work/kept"
done

echo "$passed passed, $failed failed"
((failed == 0))
