#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Programs of the corpus, compiled for the vector engine: both engines give the
# same output; kernels that it cannot take are left to fibers, with the reason.
set -u
build=$(realpath "${BUILD:-build}")
cd "$(dirname "$0")/../../../.." || exit 1
# shellcheck source=.ci/check.sh
source .ci/check.sh
# shellcheck source=common/softgpu/vectors/tests/gangs.bash
source common/softgpu/vectors/tests/gangs.bash
corpus=common/softgpu/tests/programs

for program in 023_barrier_in_function 022_barrier_loop 027_shfl_up_down \
    031_shfl_some_lanes 032_vote 036_warp_of_2d_block 141_groups_tiles; do
    check "$program gives the same on both engines" same \
        "$corpus/$program"
done
check "a variable that one lane sets is given to a shuffle" same \
    "$corpus/452_undefined_shuffle"
undefined_on_fibers() {
    SOFTCC_CXX=clang++-19 "$build/softcc" --engine fibers -w \
        "$corpus/452_undefined_shuffle.cu" -o "$tmp/program" &&
        "$tmp/program" | cmp - "$corpus/452_undefined_shuffle.out"
}
check "the same by clang for fibers" undefined_on_fibers
check "values live across the barriers of a block" same \
    common/softgpu/vectors/tests/phases
check "a kernel with nothing but branches" \
    grep -q '^softcc: update: vectors$' "$tmp/engines"
# A gang that is scheduled as a thread is calls a function at a barrier.
last_block() {
    all_the_same common/softgpu/vectors/tests/last_block &&
        "$build/softcc" --engine vectors -O3 -w -c -o "$tmp/gang.o" \
            common/softgpu/vectors/tests/last_block.cu &&
        objdump -dr "$tmp/gang.o" | awk '/>:$/ { gang = /softgpu.gang/ }
            gang { lines++ } gang && /softgpu_barrier/ { switches++ }
            END { exit !(lines && !switches) }'
}
check "phases after the ticket of the last block" last_block
check "a sum is read before the next one is stored there" same \
    common/softgpu/vectors/tests/reduced_twice
many_sums() {
    same common/softgpu/vectors/tests/register_tiles \
        && grep -q '^softcc: void tiles<8, 8>: vectors$' "$tmp/engines" \
        && grep -q '^softcc: stored: vectors$' "$tmp/engines" \
        && grep -q '^softcc: selected: vectors$' "$tmp/engines"
}
check "many sums a thread, and accesses of 16 bytes" many_sums
check "addresses whose lanes differ by constants" same \
    common/softgpu/vectors/tests/known_offsets
# A launch that gangs cannot take runs the code of one thread: compiled once,
# and with vectors within the thread.
any_shape() {
    same common/softgpu/vectors/tests/any_shape &&
        [ "$(cut -d : -f 2 "$tmp/vectors" | sort -u | wc -l)" = 1 ] &&
        nm -C "$tmp/program" | grep -q 'softgpu::run_thread<window' &&
        ! nm -C "$tmp/program" | grep -q 'softgpu::run_blocks<window'
}
check "blocks of any shape give the same" any_shape
vectors_of_a_thread() {
    grep -qw avx2 /proc/cpuinfo || return 0
    gang_of gemm_blocked >/dev/null &&
        objdump -d "$tmp/gang.o" |
        awk '/>:$/ { thread = /run_thread|thread_entry/ }
             thread && /vfmadd.*ps/ { sums++ } END { exit !sums }'
}
check "the sums of a thread are vectors" vectors_of_a_thread
# No address is made a vector, whose elements would be extracted again.
scalar_addresses() {
    grep -qw avx2 /proc/cpuinfo || return 0
    gang_of gemm_blocked | awk '/vfmadd/ { sums++ } /vpextrq/ { extracts++ }
        END { exit !(sums && !extracts) }'
}
check "a tile of 8 x 8 sums has scalar addresses" scalar_addresses
# Two loops of five shuffles, of the four rows of a warp each; as loops they
# permute by distances that are not known.
shuffles_without_loops() {
    grep -qw avx2 /proc/cpuinfo || return 0
    gang_of reduce_shuffle | awk '/vaddps/ { sums++ } /vperm(ps|d)/ { any++ }
        END { exit !(sums == 2 * 5 * 4 && any < 2 * 5) }'
}
check "the distances of a loop's shuffles are constants" shuffles_without_loops
copied() {
    same common/softgpu/vectors/tests/copied &&
        ! grep -q fibers "$tmp/engines" &&
        [ "$(tail -n 1 "$tmp/vectors")" = cudaErrorIllegalAddress ]
}
check "float4 that are copied, and elements by tables and offsets" copied
check "float4 in the order of memory" same common/softgpu/vectors/tests/packed
# Float4 that are neighbors are added as they are in memory: no shuffle.
float4_sums() {
    all_the_same common/softgpu/vectors/tests/float4_sums &&
        gang_for x86-64-v3 common/softgpu/vectors/tests/float4_sums.cu |
        awk '/>:$/ { own = /<softgpu\.gang>:/ } own && /vaddps/ { sums++ }
            own && /vperm|vshuf|vunpck|vblend|vinsert/ { shuffles++ }
            END { exit !(sums == 32 && !shuffles) }'
}
check "sums of float4 that are neighbors" float4_sums
# Before the loop over the gangs: a load that is in it is no broadcast.
parameters() {
    all_the_same common/softgpu/vectors/tests/parameters &&
        gang_for x86-64-v3 common/softgpu/vectors/tests/parameters.cu |
        awk '/vbroadcastss +(0x[0-9a-f]+)?\(%rdi\)/ { factors++ }
            END { exit !(factors == 6) }'
}
check "parameters are loaded once a phase" parameters
# Neighbors of one of four rows are four stores of two float4 each.
quad_stores() {
    all_the_same common/softgpu/vectors/tests/quad_stores &&
        gang_for x86-64-v3 common/softgpu/vectors/tests/quad_stores.cu |
        awk '/vmovups +%ymm[0-9]+,\(%r/ && !/%r[bs]/ { stores++ }
            END { exit !(stores >= 4 * 4) }'
}
check "float4 that are stored to rows of a matrix" quad_stores
# Eight sums of four rows: their zeros, additions and results, and four elements
# for all threads, are stored once each.
zeroed_once() {
    all_the_same common/softgpu/vectors/tests/zeroed &&
        gang_for x86-64-v3 common/softgpu/vectors/tests/zeroed.cu |
        awk '/vmov[au]p[sd] +%ymm[0-9]+,.*\)$/ { stores++ }
            END { exit !(stores && stores <= 3 * 32 + 4) }'
}
check "sums that are 0 before a loop" zeroed_once
# By an argument, the last case is misaligned.
indexed() {
    all_the_same common/softgpu/vectors/tests/indexed || return 1
    local engine
    for engine in fibers vectors; do
        SOFTGPU_ENGINE=$engine "$tmp/program" last >"$tmp/$engine" 2>&1
    done
    cmp "$tmp/fibers" "$tmp/vectors" &&
        grep -q '^00000011 cudaErrorMisalignedAddress$' "$tmp/vectors"
}
check "float4 at unsigned places, some of which wrap" indexed
# Without instructions for them, one function serves all accesses of a type.
scattered_accesses() {
    local kind

    same common/softgpu/vectors/tests/scattered &&
        ! grep -q fibers "$tmp/engines" || return 1
    grep -qw avx512vl /proc/cpuinfo && return
    for kind in gather scatter gather_quad scatter_quad; do
        [ "$(nm "$tmp/program" | grep -c "softgpu.$kind.<8 x float>")" = 1 ] ||
            return 1
    done
}
check "accesses of some threads, each at an address of its own" \
    scattered_accesses
# A compiler's time rises with the square of a gang's branches: of 12,800 accesses
# that processors have no instruction for, few are branches.
small_elements() {
    local option
    for option in -march=haswell -march=native; do
        "$build/softcc" --engine vectors -O3 -w -Xcompiler $option \
            -c common/softgpu/vectors/tests/small_elements.cu \
            -o "$tmp/gang.o" &&
            objdump -d "$tmp/gang.o" | awk '
                />:$/ { gang = /softgpu.gang/; gangs += gang }
                gang && /\tj/ { branches++ }
                END { exit !(gangs && branches < 10000) }' || return 1
    done
}
if grep -qw avx2 /proc/cpuinfo; then
    check "many accesses of 16 bits compile shortly" small_elements
fi
check "elements of 8 and 16 bits" same "$corpus/481_small_elements"
check "quotients of 32-bit integers" same common/softgpu/vectors/tests/division
divides_by_zero() {
    local line

    line=$(grep -n 'n % d;' common/softgpu/vectors/tests/division.cu |
        tail -n 1 | cut -d : -f 1)
    SOFTGPU_ENGINE=vectors "$tmp/program" zero >"$tmp/vectors" 2>&1
    grep -q "division by zero .* thread (2,0,0) at .*division.cu:$line\$" \
        "$tmp/vectors"
}
check "a division by zero is reported with its thread" divides_by_zero
same_code() {
    local source=common/softgpu/vectors/tests/register_tiles.cu run
    for run in 1 2; do
        "$build/softcc" --engine vectors -w -c $source -o "$tmp/code.o" \
            && mv "$tmp/code.o" "$tmp/code$run.o" || return 1
    done
    cmp "$tmp/code1.o" "$tmp/code2.o"
}
check "a compilation gives the same code again" same_code
# AVX2 has rows of 8 threads; so has AVX10 with registers of 256 bits, which
# -mno-avx512f leaves where there is AVX10.
narrow_rows() {
    grep -qw avx2 /proc/cpuinfo || return 0
    local option source
    for option in -march=haswell -mno-avx512f; do
        for source in "$corpus/026_shfl.cu" \
            common/softgpu/vectors/tests/{division,gathered}.cu \
            common/softgpu/vectors/tests/{known_offsets,packed}.cu \
            common/softgpu/vectors/tests/{register_tiles,together}.cu \
            common/softgpu/vectors/tests/{entries,shifted,windows}.cu \
            common/softgpu/vectors/tests/{float4_sums,indexed}.cu; do
            "$build/softcc" --engine vectors -w -Xcompiler $option \
                "$source" -o "$tmp/program" \
                && "$tmp/program" >"$tmp/vectors" 2>&1 || return 1
            SOFTGPU_ENGINE=fibers "$tmp/program" >"$tmp/fibers" 2>&1
            cmp "$tmp/fibers" "$tmp/vectors" || return 1
        done
    done
}
check "rows of 8 threads give the same" narrow_rows
local_arrays() {
    same common/softgpu/vectors/tests/local_arrays &&
        grep -q '^no error ' "$tmp/vectors" &&
        grep -q '^softcc: large_array: vectors$' "$tmp/engines" &&
        grep -q '^softcc: many_live: vectors$' "$tmp/engines" &&
        grep -q '^softcc: too_large_array: fibers: its local arrays' \
            "$tmp/engines"
}
check "large local arrays, and many values across barriers" local_arrays
check "indices that wrap within a row" same \
    common/softgpu/vectors/tests/wrapped
# lockstep_reported: by both engines, with the line.
lockstep_reported() {
    local said engine
    said='exchange relies on .*442_lockstep_told.cu:[0-9]* what thread'
    compile "$corpus/442_lockstep_told.cu" \
        && grep -q 'exchange: vectors' "$tmp/engines" || return 1
    for engine in fibers vectors; do
        SOFTGPU_ENGINE=$engine "$tmp/program" >"$tmp/$engine" 2>&1
        [ "$(grep -c "$said" "$tmp/$engine")" = 1 ] || return 1
    done
}

check "double buffers, asynchronous copies and tickets" all_the_same \
    common/softgpu/vectors/tests/handed_over
# The first jump after a fence does not go back over it, to the next gang.
fences_of_block() {
    gang_for x86-64-v3 common/softgpu/vectors/tests/handed_over.cu | awk '
        /mfence/ { sub(":", "", $1); fence = sprintf("%16s", $1); fences++ }
        fence && match($0, /j[a-z]+ +[0-9a-f]+ </) {
            split(substr($0, RSTART, RLENGTH), jump, " ")
            back += sprintf("%16s", jump[2]) <= fence
            fence = ""
        }
        END { exit !fences || back }'
}
check "a fence before a barrier is executed once a block" fences_of_block
check "a program that relies on lockstep is told so" lockstep_reported

# Programs whose kernels are left to fibers run right when clang compiles them.
compiled_for_vectors() {
    SOFTCC_ENGINE=vectors "$build/tests/common/softgpu/tests/test_programs" \
        035_active_mask 057_block_to_block >"$tmp/output"
}
check "clang keeps the calls of two branches apart" compiled_for_vectors

# left NAME REASON: the kernel NAME runs on fibers, and is told why.
left() {
    grep -q "^softcc: $1: fibers: $2" "$tmp/engines"
}
check "kernels that are left to fibers compile" \
    compile common/softgpu/vectors/tests/left_to_fibers.cu
check "a barrier under a condition" left under_condition \
    "a barrier is under a condition"
check "a wait for a volatile word" left volatile_flag \
    "a loop waits for a store of another"
check "by a way through the loop" left volatile_way \
    "a loop waits for a store of another"
check "a volatile word that is copied asynchronously" left before_the_wait \
    "a volatile access may see that a copy is not complete"
check "a spin lock" left spin_lock "the order of its atomic operations"
check "a loop that polls" left polls "a loop waits for a store of another"
check "a loop that polls the L2 cache" left polls_cache \
    "a loop waits for a store of another"
check "sums in a loop" left float_sums "the order of its atomic operations"
check "results after a barrier" left places "the order of its atomic operations"
check "an exchange" left overwrites "the order of its atomic operations"
check "two operations on a word" left mixes "the order of its atomic operations"
check "calls in two branches" left meets "lanes of a warp meet in two branches"
check "lockstep under a condition" left lockstep \
    "lanes are in lockstep under a condition"
check "a loop of atomic functions" left counts "a loop has little but atomic"
check "a call that writes" left prints "it calls printf"
check "a short kernel" left short_one "it has no loop and no barrier"
check "they run" "$tmp/program"

together() {
    same common/softgpu/vectors/tests/together &&
        ! grep -q fibers "$tmp/engines"
}
check "warp functions in uniform branches, and volatile accesses" together
# fault: the message names the thread and the line, as fibers do.
fault() {
    compile common/softgpu/vectors/tests/out_of_bounds.cu || return 1
    SOFTGPU_ENGINE=fibers "$tmp/program" >"$tmp/fibers" 2>&1
    SOFTGPU_ENGINE=vectors "$tmp/program" >"$tmp/vectors" 2>&1
    grep -q 'thread (37,0,0)' "$tmp/vectors" && cmp "$tmp/fibers" "$tmp/vectors"
}
check "an illegal address is reported with its thread" fault

misaligned() {
    compile common/softgpu/vectors/tests/misaligned.cu || return 1
    ! grep -q fibers "$tmp/engines" || return 1
    local way
    for way in 0 1 2 3; do
        SOFTGPU_ENGINE=vectors "$tmp/program" $way >"$tmp/vectors" 2>&1
        grep -q 'thread (17,0,0)' "$tmp/vectors" \
            && grep -q '^cudaErrorMisalignedAddress' "$tmp/vectors" || return 1
    done
}
check "a misaligned address is reported with its thread" misaligned

# A warp call whose mask leaves its own lane out, in two ways.
left_out() {
    local way
    compile common/softgpu/vectors/tests/left_out.cu || return 1
    ! grep -q fibers "$tmp/engines" || return 1
    for way in 0 1; do
        SOFTGPU_ENGINE=fibers "$tmp/program" $way >"$tmp/fibers" 2>&1
        SOFTGPU_ENGINE=vectors "$tmp/program" $way >"$tmp/vectors" 2>&1
        grep -q 'which leaves lane' "$tmp/vectors" \
            && cmp "$tmp/fibers" "$tmp/vectors" || return 1
    done
}
check "a mask that leaves its own lane out is reported" left_out

# The message of an assertion names the first thread that fails.
assertions() {
    local smaller engine
    compile common/softgpu/vectors/tests/assertions.cu || return 1
    grep -q '^softcc: about_indices: vectors$' "$tmp/engines" \
        && left about_memory "an assertion depends on memory" || return 1
    for smaller in '' 1 40; do
        for engine in fibers vectors; do
            SOFTGPU_ENGINE=$engine "$tmp/program" $smaller \
                >"$tmp/$engine" 2>&1
        done
        cmp "$tmp/fibers" "$tmp/vectors" || return 1
    done
    grep -q 'thread: \[56,0,0\] Assertion `i + step < n` failed' \
        "$tmp/vectors" \
        && grep -q '^error 710' "$tmp/vectors"
}
check "assertions fail as on fibers" assertions

# The default is auto: vectors, but for what a debugger needs; openmp.sh has
# OpenMP.
by_default() {
    SOFTCC_ENGINE='' SOFTCC_SHOW_ENGINE=1 "$build/softcc" -w "$@" -c \
        $corpus/022_barrier_loop.cu -o "$tmp/object.o" 2>"$tmp/engines"
}
automatic() {
    by_default && grep -q ': vectors$' "$tmp/engines" || return 1
    for option in -G -O0; do
        by_default $option && [ ! -s "$tmp/engines" ] || return 1
    done
    SOFTCC_CXX=g++ by_default && [ ! -s "$tmp/engines" ]
}
check "vectors are the default, where they fit" automatic

shown() {
    "$build/softcc" --engine auto --show $corpus/022_barrier_loop.cu \
        2>"$tmp/engines" >"$tmp/text" && grep -q ': vectors$' "$tmp/engines" \
        && grep -q softgpu "$tmp/text"
}
check "--show says the engine" shown

unknown_engine() {
    "$build/softcc" --engine none x.cu 2>/dev/null
    [ $? = 2 ]
}
check "an unknown engine is a wrong command line" unknown_engine

# Variables of the instructor's shell change no grade.
graded_on_fibers() {
    SOFTCC_ENGINE=none "$build/warpbook" grade 01 small --from solutions \
        --device soft --no-speed | grep -q 'PASS *small'
}
check "labs are graded on fibers" graded_on_fibers

# clang has one table for the names of sections and symbols.
graded_object() {
    "$build/softcc" --engine vectors --graded -w -c \
        common/softgpu/vectors/tests/left_to_fibers.cu -o "$tmp/graded.o" \
        && readelf -SW "$tmp/graded.o" | grep -q ' warp_device_text ' \
        && nm "$tmp/graded.o" | grep -q ' T main$'
}
check "objects for the grader keep their names" graded_object

checked() {
    "$build/softcc" --engine vectors --check -w $corpus/022_barrier_loop.cu \
        -o "$tmp/program" && "$tmp/program" >"$tmp/output"
}
check "a program that is checked runs on fibers" checked
finish
