/* SPDX-License-Identifier: MIT */
/* A directive between declarations of shared memory, the first of two arrays,
 * as nvcc wants it before an array of barriers. */
#include <cuda/barrier>
#include <cstdio>

/* One block of 64 threads: reverses n elements, in tiles of 32. */
__global__ void k(const int *in, int *out, int n)
{
    __shared__ int a[2][32], b[32];
#pragma nv_diag_suppress static_var_with_dynamic_init
    __shared__ cuda::barrier<cuda::thread_scope_block> full[2], empty;
#pragma nv_diag_default static_var_with_dynamic_init
    __shared__ int last, c[2];
    const int t = threadIdx.x, lane = t % 32;

    if (t < 2) init(&full[t], 64);
    if (t == 2) init(&empty, 64);
    if (t == 3) last = n - 1;
    if (t < 2) c[t] = t;
    __syncthreads();
    for (int i = 0; i < n / 32; i++) {
        if (t < 32) a[i % 2][31 - lane] = in[i * 32 + lane];
        full[i % 2].arrive_and_wait();
        if (t >= 32) {
            b[lane] = a[c[i % 2]][lane];
            out[last - i * 32 - 31 + lane] = b[lane];
        }
        empty.arrive_and_wait();
    }
}

int main()
{
    const int n = 128;
    int h[n], *in, *out, wrong = 0;

    cudaMalloc(&in, sizeof h);
    cudaMalloc(&out, sizeof h);
    for (int i = 0; i < n; i++)
        h[i] = i * i;
    cudaMemcpy(in, h, sizeof h, cudaMemcpyHostToDevice);
    k<<<1, 64>>>(in, out, n);
    cudaMemcpy(h, out, sizeof h, cudaMemcpyDeviceToHost);
    for (int i = 0; i < n; i++)
        wrong += h[i] != (n - 1 - i) * (n - 1 - i);
    printf("%d wrong\n", wrong);
    cudaFree(in);
    cudaFree(out);
    return 0;
}
