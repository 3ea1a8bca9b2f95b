/* SPDX-License-Identifier: MIT */
/* Dynamic parallelism: a kernel launches kernels, also itself; fire and forget,
 * tail launches, streams of the device, launches that fail.
 * nvcc refuses this without -rdc=true. */
#include "check.h"

__device__ int trace[16], traced;

/* Notes a number: the order in which grids ran. */
__global__ void note(int number)
{
    trace[atomicAdd(&traced, 1)] = number;
}

/* The tail launch runs after all else that the grid launched. */
__global__ void order()
{
    note<<<1, 1, 0, cudaStreamTailLaunch>>>(3);
    note<<<1, 1>>>(1);
    note<<<1, 1>>>(2);
}

/* Sorts [left, right] by a pivot; the parts are sorted by further grids. */
__global__ void quicksort(int *a, int left, int right, int depth)
{
    const int pivot = a[(left + right) / 2];
    int i = left, j = right;
    while (i <= j) {
        while (a[i] < pivot)
            i++;
        while (a[j] > pivot)
            j--;
        if (i <= j) {
            const int other = a[i];
            a[i++] = a[j];
            a[j--] = other;
        }
    }
    cudaStream_t s;
    cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking);
    if (left < j)
        quicksort<<<1, 1, 0, s>>>(a, left, j, depth + 1);
    if (i < right)
        quicksort<<<1, 1, 0, cudaStreamFireAndForget>>>(a, i, right,
                                                        depth + 1);
    cudaStreamDestroy(s);
}

/* The child: each block adds its share, through shared memory. */
__global__ void add(int *to, int by)
{
    extern __shared__ int s_part[];
    s_part[threadIdx.x] = by;
    __syncthreads();
    if (threadIdx.x == 0)
        for (unsigned i = 0; i < blockDim.x; i++)
            atomicAdd(to, s_part[i]);
}

/* Each thread of each block launches 2 blocks of 8 threads. */
__global__ void spread(int *to)
{
    add<<<2, 8, 8 * sizeof(int)>>>(to, (int)(blockIdx.x * 4 + threadIdx.x));
}

/* Refused: the error is the thread's. */
__global__ void too_large(int *got)
{
    note<<<1, 2048>>>(9);
    *got = cudaGetLastError();
}

int main()
{
    const int n = 200;
    int *a = managed<int>(n), *sum = managed<int>(1), *error = managed<int>(1);
    int host[16], count = 0, wrong = 0;
    order<<<1, 1>>>();
    note<<<1, 1>>>(4); /* after all that order() launched */
    RUN();
    OK(cudaMemcpyFromSymbol(host, trace, sizeof host));
    OK(cudaMemcpyFromSymbol(&count, traced, sizeof count));
    for (int i = 0; i < count; i++)
        printf("%d%s", host[i], i < count - 1 ? " " : "\n");
    for (int i = 0; i < n; i++)
        a[i] = i * 7919 % 211;
    quicksort<<<1, 1>>>(a, 0, n - 1, 0);
    RUN();
    for (int i = 1; i < n; i++)
        wrong += a[i] < a[i - 1];
    printf("%d out of order\n", wrong);
    spread<<<3, 4>>>(sum); /* 16 * (0 + ... + 11) */
    RUN();
    printf("%d\n", *sum);
    too_large<<<1, 1>>>(error);
    RUN();
    printf("%s\n", cudaGetErrorName((cudaError_t)*error));
    return 0;
}
