/* SPDX-License-Identifier: MIT */
/* What a kernel can call beside launches: memory, copies and fills, streams and
 * events, queries.  Copies and fills keep their place among the launches.
 * nvcc refuses this from 12.0 on. */
#include "check.h"

/* Bezier curves, each with as many points as its bend asks for. */
struct curve {
    float2 control[3], *points;
    int n;
};

/* A thread per point. */
__global__ void tessellate(const curve *c)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= c->n)
        return;
    const float t = (float)i / (c->n - 1), s = 1 - t;
    const float2 *p = c->control;
    c->points[i] = {s * s * p[0].x + 2 * s * t * p[1].x + t * t * p[2].x,
                    s * s * p[0].y + 2 * s * t * p[1].y + t * t * p[2].y};
}

/* A thread per curve: choose, allocate, launch. */
__global__ void prepare(curve *curves, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    curve *c = &curves[i];
    const float bend = hypotf(c->control[1].x - c->control[0].x,
                              c->control[1].y - c->control[0].y);
    c->n = min(max((int)(bend * 16), 4), 32);
    if (cudaMalloc(&c->points, c->n * sizeof *c->points) != cudaSuccess)
        return;
    tessellate<<<(c->n + 7) / 8, 8>>>(c);
}

/* Frees what prepare() allocated. */
__global__ void release(curve *curves)
{
    cudaFree(curves[threadIdx.x].points);
}

/* Adds to each of 8. */
__global__ void add(int *a, int by)
{
    a[threadIdx.x] += by;
}

/* In one stream: fill, add, copy, add; another stream waits for the copy. */
__global__ void queue(int *a, int *b, int *got)
{
    cudaStream_t one, two;
    cudaEvent_t copied;
    cudaStreamCreateWithFlags(&one, cudaStreamNonBlocking);
    cudaStreamCreateWithFlags(&two, cudaStreamNonBlocking);
    cudaEventCreateWithFlags(&copied, cudaEventDisableTiming);
    cudaMemsetAsync(a, 1, 8 * sizeof *a, one);
    add<<<1, 8, 0, one>>>(a, 1);
    cudaMemcpyAsync(b, a, 8 * sizeof *a, cudaMemcpyDeviceToDevice, one);
    cudaEventRecord(copied, one);
    add<<<1, 8, 0, one>>>(a, 1);
    cudaStreamWaitEvent(two, copied, 0);
    add<<<1, 8, 0, two>>>(b, 100);
    cudaDeviceSynchronize();
    got[0] = a[7] - 0x01010101, got[1] = b[7] - 0x01010101;
    cudaEventDestroy(copied);
    cudaStreamDestroy(one);
    cudaStreamDestroy(two);
    cudaGetDevice(&got[2]);
    cudaDeviceGetAttribute(&got[3], cudaDevAttrWarpSize, got[2]);
    got[4] = cudaMemcpyAsync(nullptr, a, 4, cudaMemcpyDeviceToDevice, 0);
    got[5] = cudaGetLastError(), got[6] = cudaPeekAtLastError();
}

int main()
{
    enum { CURVES = 12 };
    curve *curves = managed<curve>(CURVES);
    int *a = managed<int>(16), *got = managed<int>(7), points = 0;
    for (int i = 0; i < CURVES; i++)
        curves[i] = {{{0, 0}, {i * 0.2f, 0.5f}, {1, 1}}, nullptr, 0};
    prepare<<<2, 8>>>(curves, CURVES);
    RUN();
    for (int i = 0; i < CURVES; i++) {
        const float2 *p = curves[i].points;
        points += curves[i].n;
        EXPECT(p[0].x == 0 && p[curves[i].n - 1].x == 1
               && p[1].y > 0 && p[1].y < 1);
    }
    release<<<1, CURVES>>>(curves);
    RUN();
    printf("%d points\n", points);
    queue<<<1, 1>>>(a, a + 8, got);
    RUN();
    printf("%d %d, device %d, warps of %d\n", got[0], got[1], got[2], got[3]);
    printf("%s %s %s\n", cudaGetErrorName((cudaError_t)got[4]),
           cudaGetErrorName((cudaError_t)got[5]),
           cudaGetErrorName((cudaError_t)got[6]));
    return 0;
}
