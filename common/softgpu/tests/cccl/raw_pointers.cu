/* SPDX-License-Identifier: MIT */
/* Thrust on memory of cudaMalloc: by raw pointers with thrust::device and by
 * device_ptr, with temporary memory, between kernels, and on memory that is
 * allocated after the first algorithm.  <thrust/sort.h> has thrust::device. */
#include <cstdio>

#include <thrust/copy.h>
#include <thrust/device_ptr.h>
#include <thrust/device_vector.h>
#include <thrust/functional.h>
#include <thrust/reduce.h>
#include <thrust/scan.h>
#include <thrust/sequence.h>
#include <thrust/sort.h>
#include <thrust/transform_reduce.h>

enum { N = 1000 };

/** A functor of host and device code. */
struct square {
    __host__ __device__ long operator()(int x) const { return (long)x * x; }
};

/** Is a number a multiple of seven? */
struct is_multiple_of_seven {
    __host__ __device__ bool operator()(int x) const { return x % 7 == 0; }
};

/** The numbers 0 to n - 1 in another order: 389 and 1000 have no divisor in
 *  common. */
__global__ void shuffle(int *x, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;

    if (i < n)
        x[i] = i * 389 % n;
}

/** Count the places where x does not hold its index. */
__global__ void count_wrong(const int *x, int n, int *wrong)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;

    if (i < n && x[i] != i)
        atomicAdd(wrong, 1);
}

static int wrong_places(const int *x)
{
    int *wrong, count = -1;

    cudaMalloc(&wrong, sizeof *wrong);
    thrust::fill(thrust::device, wrong, wrong + 1, 0); /* no cudaMemset */
    count_wrong<<<4, 256>>>(x, N, wrong);
    cudaMemcpy(&count, wrong, sizeof count, cudaMemcpyDeviceToHost);
    cudaFree(wrong);
    return count;
}

static void sorts(int *x)
{
    int *keys;

    shuffle<<<4, 256>>>(x, N);
    thrust::sort(thrust::device, x, x + N);
    printf("sorted: %d wrong\n", wrong_places(x));
    cudaMalloc(&keys, N * sizeof *keys);
    thrust::sequence(thrust::device, keys, keys + N);
    shuffle<<<4, 256>>>(x, N);
    thrust::sort_by_key(thrust::device_ptr<int>(x),
                        thrust::device_ptr<int>(x + N),
                        thrust::device_pointer_cast(keys));
    printf("by key: %d wrong, ", wrong_places(x));
    shuffle<<<4, 256>>>(x, N);
    thrust::stable_sort_by_key(thrust::device, keys, keys + N, x,
                               thrust::less<int>());
    printf("first %d\n", (int)thrust::device_pointer_cast(x)[0]);
    cudaFree(keys);
}

int main()
{
    int *x;

    cudaMalloc(&x, N * sizeof *x);
    sorts(x);
    shuffle<<<4, 256>>>(x, N);
    printf("sum %d\n", thrust::reduce(thrust::device, x, x + N));
    printf("squares %ld\n",
           thrust::transform_reduce(thrust::device, x, x + N, square(), 0L,
                                    thrust::plus<long>()));
    thrust::exclusive_scan(thrust::device, x, x + N, x);
    thrust::device_ptr<int> p(x);
    printf("scan %d, %d, %d\n", (int)p[0], (int)p[1], (int)p[N - 1]);
    shuffle<<<4, 256>>>(x, N);
    thrust::device_vector<int> sevens(N);
    const auto end = thrust::copy_if(p, p + N, sevens.begin(),
                                     is_multiple_of_seven());
    printf("multiples of seven: %d\n", (int)(end - sevens.begin()));
    cudaFree(x);
    printf("%s\n", cudaGetErrorName(cudaGetLastError()));
    return 0;
}
