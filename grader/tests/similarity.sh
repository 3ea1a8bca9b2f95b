#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Which files are listed as pairs: disguised copies are, independent solutions
# and what the handout gave to everybody are not.
set -u
. .ci/check.sh
warpbook=$(realpath "${BUILD:-build}")/warpbook
store=$tmp/results
stem=04_reduction
mkdir -p "$store"/{files,entries,results} && touch "$store/warpbook-results"

submit() { # STUDENT: the file on stdin
    local content
    cat >"$tmp/file"
    content=$(sha256sum "$tmp/file" | cut -d ' ' -f 1)
    cp "$tmp/file" "$store/files/$content.cu"
    cat >"$store/entries/$1.json" <<END_ENTRY
{"schema": "warpbook-entry/1", "student": {"id": "$1"}, "in_roster": false,
 "lab": "$stem", "from": "$1", "late": false, "submitted": 0, "attempt": 0,
 "seen": 1, "content": "$content", "verdict": "", "message": "", "key": "",
 "round": 0, "previous": []}
END_ENTRY
}

# An original: two kernels in a style of its own.
cat >"$tmp/warp.cu" <<'END'
__device__ float warp_total(float v)
{
    for (int step = 16; step; step >>= 1)
        v += __shfl_down_sync(~0u, v, step);
    return v;
}
END
cat >"$tmp/block.cu" <<'END'
__global__ void partials(const float *in, double *out, size_t n)
{
    __shared__ float part[32];
    size_t at = threadIdx.x + (size_t)blockIdx.x * blockDim.x * 4;
    float mine = 0;
    for (int k = 0; k < 4; k++, at += blockDim.x)
        if (at < n)
            mine += in[at];
    mine = warp_total(mine);
    if (threadIdx.x % 32 == 0)
        part[threadIdx.x / 32] = mine;
    __syncthreads();
    if (threadIdx.x < 32) {
        mine = threadIdx.x < blockDim.x / 32 ? part[threadIdx.x] : 0;
        mine = warp_total(mine);
        if (threadIdx.x == 0)
            atomicAdd(out, (double)mine);
    }
}
END
(cat "$tmp/warp.cu" && seq -f 'int v%g = ((((1))));' 9999) | submit huge
cat "$tmp/warp.cu" "$tmp/block.cu" | submit original
cat "$tmp/block.cu" "$tmp/warp.cu" | submit reordered
cat "$tmp/warp.cu" "$tmp/block.cu" |
    sed -E 's/\bmine\b/acc/g; s/\bpart\b/buf/g; s/\bat\b/i/g
        s/warp_total/reduce/g; s/;$/; \/* my own *\//; s/^    /\t/' |
    submit renamed
# Two solutions of the same task by other means.
submit tree <<'END'
__global__ void tree(float *data, unsigned half)
{
    unsigned i = blockIdx.x * 128 + threadIdx.x;
    if (i < half) data[i] += data[i + half];
}
void run(float *data, unsigned n)
{
    while (n > 1) {
        unsigned half = (n + 1) / 2;
        tree<<<(half + 127) / 128, 128>>>(data, n / 2);
        n = half;
    }
}
END
submit atomic <<'END'
__global__ void simple(const float *x, float *sum, int n)
{
    extern __shared__ double memory[];
    memory[threadIdx.x] = 0.0;
    for (int i = blockIdx.x; i < n; i += gridDim.x)
        if (threadIdx.x == 0) memory[0] += x[i];
    __syncthreads();
    if (!threadIdx.x) atomicAdd(sum, (float)memory[0]);
}
END
# The handout as it was, twice, and an empty file, twice; a copy of a step.
"$warpbook" cut 04 --output "$tmp/handout.cu" >"$tmp/out"
submit idle <"$tmp/handout.cu"
{ cat "$tmp/handout.cu" && echo '/* nothing done */'; } | submit late
submit blank </dev/null
printf '\n\n' | submit blanker
submit taker < <(cat solutions/$stem/4_*.cu)

"$warpbook" similarity "$store" --verbose >"$tmp/out" 2>"$tmp/err"
code=$?
command -v sim_c >"$tmp/log" || {
    check "without sim_c one line says so" \
        grep -q "apt-get install similarity-tester" "$tmp/err"
    finish
    exit
}
listed() { # ONE OTHER: as a pair, in either order
    grep -A1 -x "  $1" "$tmp/out" | grep -qx "  $2" ||
        grep -A1 -x "  $2" "$tmp/out" | grep -qx "  $1"
}
is_in_no_pair() { # STUDENT
    ! grep -qx "  $1" "$tmp/out"
}
check "it succeeds" test "$code" = 0
check "reordered functions are found" listed original reordered
check "so are other names, comments and layout" listed original renamed
check "and both at once" listed reordered renamed
check "a copy of a step is named" listed taker "$(echo solutions/$stem/4_*.cu)"
for student in tree atomic idle late blank blanker; do
    check "$student is in no pair" is_in_no_pair "$student"
done
check "lines are named" grep -qx "      lines 7-25 and 1-19" "$tmp/out"
check "there is no score" test "$(grep -c '%\|percent\|token' "$tmp/out")" = 0
PATH=$tmp "$warpbook" similarity "$store" >"$tmp/log" 2>"$tmp/err"
check "without sim_c one line says so" \
    grep -q "apt-get install similarity-tester" "$tmp/err"
((failed == 0)) || cat "$tmp/out"
"$warpbook" similarity "$store" >"$tmp/out" 2>&1
check "a file that is too large is told" \
    grep -qx "huge: not compared: more than 128 KiB" "$tmp/out"
finish
