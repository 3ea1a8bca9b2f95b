/* SPDX-License-Identifier: MIT */
/* Names of CUDA 12's Thrust and CUB that their version 3 has no longer, the
 * policies that name a stream, and errors without their own header. */
#include <cstdio>

#include <cub/cub.cuh>
#include <thrust/device_vector.h>
#include <thrust/execution_policy.h>
#include <thrust/functional.h>
#include <thrust/optional.h>
#include <thrust/reduce.h>
#include <thrust/sort.h>
#include <thrust/transform.h>

/** Twice the argument. */
struct twice : public thrust::unary_function<int, int> {
    /** @return 2 x */
    __host__ __device__ int operator()(int x) const { return 2 * x; }
};

/** The block's sum and largest value; one block of 64 threads. */
__global__ void reduce_block(int *out)
{
    using block_reduce = cub::BlockReduce<int, 64>;
    __shared__ typename block_reduce::TempStorage s_room;
    const int sum = block_reduce(s_room).Reduce(threadIdx.x, cub::Sum());
    __syncthreads();
    const int max = block_reduce(s_room).Reduce(threadIdx.x, cub::Max());
    if (threadIdx.x == 0) {
        out[0] = sum;
        out[1] = max;
    }
}

/* Reduce n elements of an iterator by CUB. */
template <typename Iterator, typename Operation>
static int reduce(Iterator in, int n, Operation operation, int initial)
{
    static int *d_out;
    size_t bytes = 0;
    void *d_room = NULL;
    int out = -1;
    cudaMalloc(&d_out, sizeof *d_out);
    cub::DeviceReduce::Reduce(d_room, bytes, in, d_out, n, operation, initial);
    cudaMalloc(&d_room, bytes);
    cub::DeviceReduce::Reduce(d_room, bytes, in, d_out, n, operation, initial);
    cudaMemcpy(&out, d_out, sizeof out, cudaMemcpyDeviceToHost);
    cudaFree(d_room);
    cudaFree(d_out);
    return out;
}

static void test_iterators(void)
{
    cub::ConstantInputIterator<int> three(3);
    cub::CountingInputIterator<int> count(1);
    cub::TransformInputIterator<int, twice, cub::CountingInputIterator<int>>
        doubled(count, twice());
    cub::DiscardOutputIterator<> nowhere;
    nowhere[7] = 1;
    printf("constant %d, counting %d, doubled %d, smallest %d\n",
           reduce(three, 10, cub::Sum(), 0), reduce(count, 10, cub::Sum(), 0),
           reduce(doubled, 10, cub::Sum(), 0),
           reduce(doubled, 10, cub::Min(), 99));
}

static void test_streams(void)
{
    const int n = 100;
    cudaStream_t stream;
    thrust::device_vector<int> v(n);
    cudaStreamCreate(&stream);
    for (int i = 0; i < n; i++)
        v[i] = i * 37 % n;
    thrust::sort(thrust::cuda::par.on(stream), v.begin(), v.end());
    printf("sorted %d %d %d\n", (int)v[0], (int)v[50], (int)v[99]);
    thrust::transform(thrust::device.on(stream), v.begin(), v.end(), v.begin(),
                      thrust::identity<int>());
    thrust::transform(thrust::cuda::par_nosync.on(stream), v.begin(), v.end(),
                      v.begin(), twice());
    const auto policy = thrust::cuda::par.on(stream);
    printf("sum %d\n", thrust::reduce(policy, v.begin(), v.end()));
    cudaStreamDestroy(stream);
}

static void test_error(void)
{
    try {
        throw thrust::system_error(cudaErrorInvalidValue,
                                   thrust::cuda_category(), "told");
    } catch (const thrust::system_error &e) {
        printf("%s\n", e.what());
    }
}

int main()
{
    int *d_out, out[2];
    cudaMalloc(&d_out, sizeof out);
    reduce_block<<<1, 64>>>(d_out);
    cudaMemcpy(out, d_out, sizeof out, cudaMemcpyDeviceToHost);
    cudaFree(d_out);
    printf("block: %d %d\n", out[0], out[1]);
    test_iterators();
    test_streams();
    test_error();
    thrust::optional<int> none = thrust::nullopt, some = 5;
    printf("optional %d %d\n", none.has_value(), *some);
    return 0;
}
