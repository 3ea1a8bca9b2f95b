/* SPDX-License-Identifier: MIT */
/* A loop over threads that keeps what it needs in registers while it calls a
 * function, which takes and returns structs of four floats: gcc 12 relied on
 * registers that the function had changed. */
#include "check.h"

struct alignas(16) four {
    float v[4];
};

__device__ __attribute__((noinline)) four operator+(four a, four b)
{
    for (int k = 0; k < 4; k++)
        a.v[k] += b.v[k];
    return a;
}

/* One thread for each struct; the one behind the last adds what is left. */
__global__ void add_structs(const float *a, const float *b, float *c, size_t n)
{
    const size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;

    if (i < n / 4)
        ((four *)c)[i] = ((const four *)a)[i] + ((const four *)b)[i];
    if (i == n / 4)
        for (size_t k = n / 4 * 4; k < n; k++)
            c[k] = a[k] + b[k];
}

int main()
{
    const size_t n = 65538;
    float *a = managed<float>(n), *b = managed<float>(n),
          *c = managed<float>(n);
    size_t wrong = 0;

    for (size_t i = 0; i < n; i++) {
        a[i] = (float)i;
        b[i] = 2;
    }
    add_structs<<<n / 1024 + 1, 256>>>(a, b, c, n);
    OK(cudaDeviceSynchronize());
    for (size_t i = 0; i < n; i++)
        wrong += c[i] != (float)i + 2;
    printf("%zu wrong\n", wrong);
    return 0;
}
