# SPDX-License-Identifier: MIT
# shellcheck shell=bash
# Functions of all test scripts; to be sourced.  A folder $tmp that is removed
# at the end, check() for one test, write_program() for a program to compile,
# finish() for the line that .ci/run-tests reads.
export SOFTCC_ENGINE=${SOFTCC_ENGINE:-fibers} # as .ci/run-tests
. "${BASH_SOURCE[0]%/*}/../common/base/temp_dir.sh"
passed=0 failed=0

# check WORDS COMMAND...: one test, named for what must be true.
check() {
    local words=$1
    shift
    if "$@"; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "not ok: $words"
    fi
}

# write_program FILE: a CUDA program that prints 31 where softcc is whole.
write_program() {
    cat >"$1" <<'END'
#include <cstdio>
__global__ void fill(int *a) { a[threadIdx.x] = threadIdx.x; }
int main()
{
    int *a;
    cudaMallocManaged(&a, 32 * sizeof *a);
    fill<<<1, 32>>>(a);
    cudaDeviceSynchronize();
    printf("%d\n", a[31]);
    cudaFree(a);
}
END
}

# refuses STATUS FRAGMENT ARGUMENT...: $warpbook prints one line and ends so.
refuses() {
    local status=$1 fragment=$2
    shift 2
    "$warpbook" "$@" >"$tmp/out" 2>"$tmp/err"
    [[ $? == "$status" && $(wc -l <"$tmp/err") == 1 &&
        $(<"$tmp/err") == *"$fragment"* ]] || { cat "$tmp/err" && false; }
}

# holds FRAGMENT FILE
holds() {
    grep -qF -- "$1" "$2"
}

# The counts, and the exit status.
finish() {
    echo "$passed passed, $failed failed"
    ((failed == 0))
}
