#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# A sum that lives across barriers is in a register in the loop between them:
# gcc's block frequencies are right where a kernel's body was inlined.
set -u
. .ci/check.sh
softcc=$(realpath "$BUILD")/softcc

case $("${CXX:-g++}" --version | head -n 1)$(uname -m) in
*clang* | *aarch64)
    echo "skipped: not the code of gcc on x86-64"
    exit 77
    ;;
esac
cat >"$tmp/tiled.cu" <<'KERNEL'
__global__ void multiply(const float *a, const float *b, float *c, int n)
{
    __shared__ float s_a[32][32], s_b[32][32];
    const int x = threadIdx.x, y = threadIdx.y;
    const int row = blockIdx.y * 32 + y, col = blockIdx.x * 32 + x;
    float sum = 0;
    for (int k0 = 0; k0 < n; k0 += 32) {
        s_a[y][x] = a[row * n + k0 + x];
        s_b[y][x] = b[(k0 + y) * n + col];
        __syncthreads();
        for (int k = 0; k < 32; k++)
            sum += s_a[y][k] * s_b[k][x];
        __syncthreads();
    }
    c[row * n + col] = sum;
}
void launch(const float *a, const float *b, float *c, int n)
{
    multiply<<<dim3(n / 32, n / 32), dim3(32, 32)>>>(a, b, c, n);
}
KERNEL

# From each addition of floats to the end of its loop: is the sum stored?
sum_stays() { # OPTION
    "$softcc" --engine fibers "$1" -c "$tmp/tiled.cu" -o "$tmp/tiled.o" &&
        objdump -d --no-show-raw-insn "$tmp/tiled.o" >"$tmp/code" &&
        awk '/v?(addss|fmadd[0-9]+ss) / { in_loop = 1; found++ }
             in_loop && /movss +%xmm[0-9]+,.*\(%r[sb]p\)/ { stored++ }
             /[ \t]j[a-z]+ / { in_loop = 0 }
             END { exit !(found && !stored) }' "$tmp/code"
}
check "a sum stays in its register at -O2" sum_stays -O2
check "a sum stays in its register at -O3" sum_stays -O3
finish
