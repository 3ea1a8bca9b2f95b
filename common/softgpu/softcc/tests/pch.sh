#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The cache of precompiled headers: it is used, it does not change the result,
# and a stale or broken one is never used.  Most cases have small headers
# instead of CUDA's.
set -u
BUILD=$(realpath "$BUILD")
. common/base/temp_dir.sh
work=$tmp
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

# Write the headers: header VALUE
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
uses() { # VALUE OPTION...
    local who=$1
    shift
    compile "$@" && grep -q "$who" "$work/x.o"
}
unseen() { # COMMAND...: with a change of the same size and time
    cp -a "$headers/cuda_runtime.h" "$work/saved.h"
    sed -i 's/last/lost/' "$headers/cuda_runtime.h"
    touch -r "$work/saved.h" "$headers/cuda_runtime.h"
    "$@"
    local status=$?
    cp -a "$work/saved.h" "$headers/cuda_runtime.h"
    return $status
}
cached() { # NUMBER
    [ "$(find "$work/prelude" -name '*.gch' | wc -l)" -eq "$1" ]
}
no_temporaries() {
    [ -z "$(find "$work" -name '*softcc-*' -o -path "$work/tmp/*")" ]
}

# --- used, and rebuilt after a change ----------------------------------------
header first
check "built" uses first
check "one is cached" cached 1
touch -r "$headers/cuda_runtime.h" "$work/then"
header older
touch -r "$work/then" "$headers/cuda_runtime.h"
check "used: a change of the same size and time is not seen" uses first
header other
check "rebuilt after a header changed" uses other
header longer-than-that
touch -r "$work/then" "$headers/cuda_runtime.h"
check "rebuilt after the size of a header changed" uses longer-than-that
check "replaced, not added" cached 1
touch "$(echo "$work"/prelude/*)/prelude.h.gch.softcc-killed"
header last
check "rebuilt again" uses last
check "files of a killed process are removed" no_temporaries
check "built for other options" uses last -O1
check "two are cached" cached 2
check "the same one for other warnings" unseen uses last -O1 -Wall -Wextra \
    -Wno-comment -fno-diagnostics-show-caret
check "still two are cached" cached 2

# --- other headers that would be read instead --------------------------------
printf '#define MINE\n#include_next <limits.h>\n' >"$work/user/limits.h"
check "not used when -I hides a header" uses user -I"$work/user"
check "used again" uses last
CPATH=$work/user check "not used with CPATH" uses user
check "built for a macro of the headers" uses early -D__EARLY=1
rm "$work/user/limits.h"
echo '#define WHO "another first header"' >"$work/cuda_runtime.h"
check "not used with a cuda_runtime.h in the working directory" uses another
rm "$work/cuda_runtime.h"
check "dependency file" \
    compile -MD -MF "$work/d"
check "dependency file names all headers" grep -q 'include/limits.h' "$work/d"

rule() { # SETTING
    cp "$work/x.cu" "$work/y.cu"
    echo '#include "mine.h"' >>"$work/y.cu"
    : >"$work/mine.h"
    (cd "$work" && SOFTCC_PRELUDE=$1 SOFTGPU_HOME=${2-$work/home} ./softcc \
        -DLATE=+1 -c y.cu -o y.o -MMD -MF "$work/rule.$1")
}
depends() {
    rule 1 && grep -q last "$work/y.o"
}
check "used with -MMD" unseen depends

# --- another compiler --------------------------------------------------------
upgrade() {
    printf '#!/bin/sh\nexec g++ %s "$@"\n' "$1" >"$work/my-g++"
    chmod +x "$work/my-g++"
}
upgrade ''
SOFTCC_CXX=$work/my-g++ check "built for another compiler" uses last
upgrade -DUPGRADED
SOFTCC_CXX=$work/my-g++ check "rebuilt after a compiler upgrade" uses upgraded

# --- broken ones -------------------------------------------------------------
rm -rf "$work/prelude"
compile
find "$work/prelude" -name '*.gch' -exec truncate -s 5000 {} +
check "truncated file" uses last
find "$work/prelude" -name made -delete
compile
made=$(find "$work/prelude" -name '*.gch')
head -c "$(stat -c %s "$made")" /dev/urandom >"$work/noise"
cp "$work/noise" "$made"
check "corrupted file" uses last
find "$work/prelude" -name made -delete
compile
printf '#error PCH, precompiled\n' >"$work/liar.cu"
(cd "$work" && SOFTGPU_HOME=$work/home ./softcc -DLATE=+1 -c liar.cu 2>liar.txt)
check "a message that a program chose" [ -e \
    "$(find "$work/prelude" -name '*.gch')" ]
rm "$(find "$work/prelude" -name '*.gch')"
check "missing file" uses last
rm -rf "$work/prelude"
echo "no folder" >"$work/prelude"
check "cache directory that cannot be written" uses last
rm "$work/prelude"
SOFTCC_PRELUDE=0 check "disabled by SOFTCC_PRELUDE=0" uses last
check "not built when disabled" [ ! -e "$work/prelude" ]

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
check "four processes at once" run_some
check "they build one" cached 1
for level in 0 1 2 3; do
    compile -O$level && compile -O$level -g && compile -O$level -ffast-math ||
        failed=$((failed + 1))
done
check "at most twelve are cached" cached 12
check "compiled without one" uses last -O1 -w
check "one that was just used is not replaced" cached 12
oldest=$(find "$work"/prelude -mindepth 1 -maxdepth 1 | sort | sed -n 5p)
touch -d '1 hour ago' "$work"/prelude/*
touch -d '2 hours ago' "$oldest"
check "compiled with one more" uses last -O1 -w
check "it took the place of another" cached 12
check "that was unused for longest" test ! -e "$oldest"
SOFTCC_PRELUDE=13 check "compiled with another" uses last -O2 -w
check "thirteen are cached where that is asked for" cached 13
(cd "$work" && SOFTGPU_HOME=$PWD/home timeout -s INT 0.05 ./softcc -O2 -g -w \
    -c x.cu -o y.o 2>/dev/null)
check "no temporary files" no_temporaries

# --- CUDA's headers: the same code, the same messages ------------------------
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
files() { # of a rule, whose lines may break elsewhere
    tr -s ' \\\n' '\n' <"$1"
}
same_rule() { # no header of CUDA's, nor the precompiled one
    echo 'int late = 0 LATE;' >"$work/x.cu"
    rule 0 "$PWD" && rule 1 "$PWD" && rule 1 "$PWD" &&
        cmp <(files "$work/rule.0") <(files "$work/rule.1") &&
        [ "$(files "$work/rule.1" | wc -l)" -eq 3 ]
}
# A template instantiated at the end of a program is compiled again for each,
# with a precompiled header, too: of CUDA's headers that are a few functions.
instantiates_few() {
    echo 'int last() { return 0; }' >"$work/few.cu"
    SOFTCC_PRELUDE=0 real "$work/few.o" "$work/few.cu" -Xcompiler \
        "-fdump-tree-original,-dumpdir,$work/few." "$@" &&
        sed '1,/^;; Function int last()/d' "$work"/few.*.original \
            >"$work/instantiated" &&
        [ "$(grep -c '^;; Function' "$work/instantiated")" -lt 30 ]
}
check "headers leave few templates to programs" instantiates_few
check "and with checks" instantiates_few --check
# clang's preprocessor reads the macros in place of the headers; a message about
# one names the header.
printf '#define M_PI 3\nint pi = M_PI;\n' >"$work/macro.cu"
again() {
    real "$work/x.o" "$work/macro.cu" >"$work/kept" &&
        real "$work/x.o" "$work/macro.cu" >"$work/kept" &&
        grep -q 'macro.cu:1:.*M_PI.*redefined' "$work/kept" &&
        grep -q '^/.*/math.h:[0-9]*:.*previous definition' "$work/kept"
}
macros_alone() {
    [[ $SOFTCC_CXX != clang* ]] && return
    local kept
    kept=$(ls -t "$work"/prelude/*/macros.h | head -n 1)
    ! grep -qv '^# [0-9]* "/\|^#define \|^#undef ' "$kept" &&
        echo '#define FROM_THE_LIST 1' >>"$kept" &&
        echo 'int taken = FROM_THE_LIST;' >"$work/taken.cu" &&
        real "$work/x.o" "$work/taken.cu"
}
# A header of the C++ library that CUDA's headers include in part.
printf '#include <cmath>\ndouble x = std::legendre(2, 0.5);\n' >"$work/rest.cu"
included_again() {
    real "$work/x.o" "$work/rest.cu" && real "$work/x.o" "$work/rest.cu"
}
cases=common/softgpu/softcc/tests/cases
for compiler in g++ clang++-14 clang++-19; do
    command -v $compiler >/dev/null || continue
    export SOFTCC_CXX=$compiler
    check "$compiler: the same files with -MMD" same_rule
    check "$compiler: the same code" same_code -DN=3 $cases/architecture.cu
    check "$compiler: a macro defined again, and where it was" again
    check "$compiler: a header that is included again" included_again
    check "$compiler: the preprocessor reads macros alone" macros_alone
    check "$compiler: no warning about this processor" \
        [ -z "$(grep feature "$work/kept")" ]
    check "$compiler: the same code, instrumented" same_code \
        --check --profile --no-ptxas $cases/architecture.cu
    # clang writes the paths of headers, in another way, into the program; gcc
    # describes variables on the stack with a line or without one
    [ $compiler != g++ ] ||
        check "$compiler: the same code, sanitized" same_code -O1 -g \
            -fsanitize=address,undefined -Xcompiler --param=asan-stack=0 \
            $cases/architecture.cu
    SOFTCC_PRELUDE=0 real "$work/x.o" $cases/errors.cu >"$work/read"
    real "$work/x.o" $cases/errors.cu >"$work/kept"
    # clang's notes write the path of a header in another way
    check "$compiler: the same messages" cmp \
        <(grep '^common' "$work/read") <(grep '^common' "$work/kept")
    check "$compiler: there are messages" grep -q '^common.*error' "$work/kept"
done

echo "$passed passed, $failed failed"
((failed == 0))
