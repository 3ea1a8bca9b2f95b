#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The bench of the ladders: its table on the software GPU, the machinery for a
# card tried on the software GPU, and the drawings.
set -u
. .ci/check.sh
build=$(realpath "${BUILD:-build}")
"$build/warpbook" bench 01 --output "$tmp/soft.md" || echo "bench: $?"
cat "$tmp/soft.md"
row='^\| `[123]_[a-z_]*\.cu` \| [0-9.]+ \| [0-9.]+ \| 24,576 \| [0-9,]+ \| 1 \|'
check "every step is counted: sectors, launches" \
    test "$(grep -cE "$row" "$tmp/soft.md")" = 3
check "and modeled, the first beside itself" \
    grep -qE '1_one_per_thread.* \| [0-9.]+ \| 1\.00 \|' "$tmp/soft.md"
check "its time on a CPU is its own, as far as that was steady" grep -qE \
    '1_one_per_thread.* \| (1\.00 \+-[0-9]+ %|unsteady) \|$' "$tmp/soft.md"
# Modeled times and counts; times of a CPU are of another day.
counted() {
    sed -n '/^## 01/,/^!/p' "$1" | grep '^| `' | sed 's/|[^|]*|[^|]*|$//'
}
check "the published table has its counts: make bench, make results" \
    diff <(counted docs/results/ladders-soft.md) <(counted "$tmp/soft.md")
check "16 bytes a lane are a quarter of the requests" \
    grep -qE '3_vectorized.* \| 1,536 \|' "$tmp/soft.md"

compiles() {
    [ -e "$build/lib/softcc-vectors.so" ] || return 0
    grader/bench/compile-time "$build" --labs 01 --rounds 1 >"$tmp/compile" &&
        grep -qE '^\| lab 01 \|( [0-9]+\.[0-9]{2} \|){6}$' "$tmp/compile" &&
        grep -qE 'in each lab: (met|MISSED by 01)$' "$tmp/compile"
}
check "the compiler's times on both engines are compared" compiles

SOFT=1 BENCH_LAB=01_vector_add grader/bench/gpu "$build" "$tmp/gpu.md" 4096 \
    >"$tmp/log" 2>&1 || cat "$tmp/log"
check "the program for a card times each step beside its peer" \
    test "$(grep -cE '^\| `.*GB/s \| cudaMemcpy \| [0-9.]+ \| [0-9.]+ \|' \
        "$tmp/gpu.md")" = 3
check "and finds each right" bash -c '! grep -q WRONG "$0"' "$tmp/gpu.md"
sed 's/if (i < n)/if (i + 9 < n)/' solutions/01_vector_add/1_*.cu \
    >"$tmp/short.cu"
cp solutions/01_vector_add/*.h "$tmp"
"$build/softcc" -O3 -I. -Icommon/include -Igrader/bench -Ilabs/01_vector_add \
    "-DBENCH_STEP=\"$tmp/short.cu\"" grader/bench/01_vector_add.cu \
    "$build"/bench/gpu/{main,inputs}.o -o "$tmp/short"
check "a wrong step is said to be" bash -c '"$0" 65536 | grep -q WRONG' \
    "$tmp/short"

# Where nvcc is: one lab's programs; with NVCC_ALL=1 those of all.
if command -v nvcc >"$tmp/log"; then
    lab=03_transpose
    [[ ! ${NVCC_ALL-} ]] || lab='*'
    check "nvcc builds the programs" bash -c 'BENCH_LAB=$0 "$1/gpu" "$2" \
        "$3/none.md" >"$3/log" 2>&1 || { cat "$3/log" && false; }' \
        "$lab" grader/bench "$build" "$tmp"
fi

if command -v gnuplot >"$tmp/log"; then
    check "both tables are drawn" bash -c '"$0" "$1/soft.md" "$1/drawn" &&
        "$0" "$1/gpu.md" "$1/drawn" && [[ $(ls "$1/drawn" | wc -l) == 2 ]]' \
        grader/bench/plot "$tmp"
    check "of the table as it is" \
        grader/bench/plot --check "$tmp/soft.md" "$tmp/drawn"
    sed 's/| 1\.00 |/| 1.01 |/' "$tmp/soft.md" >"$tmp/other.md"
    check "and of no other" bash -c '! "$0" --check "$1/other.md" "$1/drawn"' \
        grader/bench/plot "$tmp" >"$tmp/log"
fi

# The bench in a process group of its own: nothing of the group outlives it.
# groups CONDITION: of each process that fulfills it, its process group; for awk
# it has a name, and $1 is its id, $2 its state, $3 its parent, $4 its process
# group, $5 its session.
groups() {
    cat /proc/[0-9]*/stat 2>/dev/null |
        awk '{ name = $0; sub(/^[^(]*\(/, "", name); sub(/\).*/, "", name)
               sub(/ \(.*\) /, " ") } '"$1"' { print $4 }'
}
grader/bench/run "$build" >"$tmp/log" 2>&1 &
bench=$!
group=0
compiles() {
    for _ in {1..3000}; do
        sleep 0.02
        kill -0 $bench 2>/dev/null || return 1
        group=$(groups "\$3 == $bench && \$1 == \$4 && \$4 != \$5")
        [[ ! $(groups "name == \"softcc\" && \$4 == ${group:-0}") ]] || return 0
    done
    return 1
}
gone() {
    for _ in {1..3000}; do
        [[ $(groups "\$4 == $group && \$2 != \"Z\"") ]] || return 0
        sleep 0.02
    done
    return 1
}
check "the bench compiles" compiles
kill -KILL $bench
check "what it started ends when it is killed" gone
cat >"$tmp/command" <<'END'
#!/usr/bin/env bash
. "${0%/*}/together.sh"
end_together "$@"
exit "$1"
END
cp common/softgpu/bench/together.sh "$tmp" && chmod +x "$tmp/command"
"$tmp/command" 7
check "its status is that of the command" test $? = 7

for table in docs/results/ladders-*.md; do
    check "the drawings of $table are of its numbers" \
        grader/bench/plot --check "$table" docs/results/ladders
done
finish
