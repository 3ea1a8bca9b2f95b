/* SPDX-License-Identifier: MIT */
/* Accesses of some threads, each with an address of its own, of elements of all
 * sizes.  Eight sums of each thread are kept in registers meanwhile. */
#include <cuda_runtime.h>
#include <stdio.h>

enum { THREADS = 128, BLOCKS = 3, N = THREADS * BLOCKS, STEPS = 5,
       QUAD_STEPS = 24 };

/* Memory of the device that the host sees. */
template <class T> static T *allocate(int count)
{
    void *memory;
    cudaMallocManaged(&memory, count * sizeof(T));
    return (T *)memory;
}

/* A thread owns one element of each step's part of `out`.  Threads are active
 * in whole rows at step 0 and in turns at the others. */
template <class T>
__global__ void scattered(const T *in, T *out, float *sums, const int *where)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    float sum[8];
    for (int s = 0; s < 8; s++)
        sum[s] = i * 0.5f + s;
    for (int step = 0; step < STEPS; step++) {
        const int at = where[i];
        if (step ? (at + i) % (step + 1) == 0 : threadIdx.x < 64) {
            const T value = in[where[at]];
            out[step * N + at] = value + (T)step;
            for (int s = 0; s < 8; s++)
                sum[s] = sum[s] * 1.25f + (float)value + s * at;
        }
    }
    for (int s = 0; s < 8; s++)
        sums[s * N + i] = sum[s];
}

/* The same with four words a thread, from any of their addresses, unrolled: a
 * gang is so large that it has a list of passes of its own. */
__global__ void quads(const float4 *in, float4 *out, float *sums,
                      const int *where)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    float sum[8];
    for (int s = 0; s < 8; s++)
        sum[s] = i * 0.5f + s;
    #pragma unroll
    for (int step = 0; step < QUAD_STEPS; step++) {
        const int at = where[i];
        if (step ? (at + i) % (step + 1) == 0 : threadIdx.x < 64) {
            const float4 value = in[where[at]];
            for (int s = 0; s < 8; s++)
                sum[s] = sum[s] * 1.25f + value.x + value.y * value.z
                         - value.w + s * at;
            out[step * N + at] = make_float4(value.x, value.y + step, value.z,
                                             value.w);
        }
    }
    for (int s = 0; s < 8; s++)
        sums[s * N + i] = sum[s];
}

static double weigh(const float *values, int n)
{
    double result = 0;
    for (int i = 0; i < n; i++)
        result = result * 0.999 + values[i];
    return result;
}

template <class T> static void run(const char *name, const int *place)
{
    T *in = allocate<T>(N), *out = allocate<T>(N * STEPS);
    float *sums = allocate<float>(8 * N);
    static float results[N * STEPS];
    for (int i = 0; i < N; i++)
        in[i] = (T)(i % 50);
    for (int i = 0; i < N * STEPS; i++)
        out[i] = (T)77;
    scattered<T><<<BLOCKS, THREADS>>>(in, out, sums, place);
    cudaDeviceSynchronize();
    for (int i = 0; i < N * STEPS; i++)
        results[i] = (float)out[i];
    printf("%s %.9g %.9g\n", name, weigh(results, N * STEPS),
           weigh(sums, 8 * N));
}

int main(void)
{
    int *place = allocate<int>(N);
    float4 *in = allocate<float4>(N), *out = allocate<float4>(N * QUAD_STEPS);
    float *sums = allocate<float>(8 * N);
    for (int i = 0; i < N; i++) {
        place[i] = i * 35 % N;
        in[i] = make_float4(i, 2.f * i, i * 0.25f, N - i);
    }
    for (int i = 0; i < N * QUAD_STEPS; i++)
        out[i] = make_float4(7, 7, 7, 7);
    run<unsigned char>("bytes", place);
    run<short>("shorts", place);
    run<int>("words", place);
    run<float>("floats", place);
    run<double>("doubles", place);
    quads<<<BLOCKS, THREADS>>>(in, out, sums, place);
    cudaDeviceSynchronize();
    printf("float4 %.9g %.9g\n", weigh(&out[0].x, 4 * N * QUAD_STEPS),
           weigh(sums, 8 * N));
    return 0;
}
