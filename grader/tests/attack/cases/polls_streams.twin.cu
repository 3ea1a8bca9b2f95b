/* SPDX-License-Identifier: MIT */
/* Each half of the sums has a stream; the host asks both, the second one first,
 * until their copies have ended. */
#include "hostile.h"

/* Half of the call: n elements, from `first` on. */
static int add_half(const float *a, const float *b, float *c, float *d,
                    size_t first, size_t n, size_t all, cudaStream_t stream)
{
    const size_t bytes = n * sizeof(float);
    float *d_a = d + first, *d_b = d_a + all, *d_c = d_b + all;

    int error;

    if (n == 0)
        return 0;
    error = cudaMemcpyAsync(d_a, a + first, bytes, cudaMemcpyHostToDevice,
                            stream);
    if (!error)
        error = cudaMemcpyAsync(d_b, b + first, bytes, cudaMemcpyHostToDevice,
                                stream);
    if (!error)
        honest_kernel<<<(n + 255) / 256, 256, 0, stream>>>(d_a, d_b, d_c, n);
    if (!error)
        error = cudaGetLastError();
    if (!error)
        error = cudaMemcpyAsync(c + first, d_c, bytes, cudaMemcpyDeviceToHost,
                                stream);
    return error;
}

static int wait_for(cudaStream_t stream)
{
    cudaError_t error;

    while ((error = cudaStreamQuery(stream)) == cudaErrorNotReady)
        ;
    return error;
}

int vector_add(const float *a, const float *b, float *c, size_t n)
{
    cudaStream_t stream[2] = {NULL, NULL};
    const size_t half = n / 2;
    float *d = NULL;
    int error = 0;

    if (n == 0)
        return 0;
    for (int i = 0; !error && i < 2; i++)
        error = cudaStreamCreateWithFlags(&stream[i], cudaStreamNonBlocking);
    if (!error)
        error = cudaMalloc(&d, 3 * n * sizeof(float));
    if (!error)
        error = add_half(a, b, c, d, 0, half, n, stream[0]);
    if (!error)
        error = add_half(a, b, c, d, half, n - half, n, stream[1]);
    for (int i = 2; !error && i-- > 0;)
        error = wait_for(stream[i]);
    for (int i = 0; i < 2; i++)
        if (stream[i])
            cudaStreamDestroy(stream[i]);
    cudaFree(d);
    return error;
}
