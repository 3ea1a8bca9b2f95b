/* SPDX-License-Identifier: MIT */
/* CUB by its one header: partition, merge sort, segments, runs, unique keys,
 * differences, and blocks that load, exchange and store; Thrust beside it. */
#include <cstdio>

#include <cub/cub.cuh>
#include <thrust/device_ptr.h>
#include <thrust/execution_policy.h>
#include <thrust/sort.h>

static const int N = 5000;

/** Key below a limit. */
struct below {
    int limit;
    __host__ __device__ bool operator()(int x) const { return x < limit; }
};
/** Order of keys, greatest first. */
struct greater {
    __host__ __device__ bool operator()(int a, int b) const { return a > b; }
};

/* A block reverses its tile: striped loads, blocked arrangement, and back. */
__global__ void tiles(const int *in, int *out)
{
    typedef cub::BlockLoad<int, 64, 4, cub::BLOCK_LOAD_TRANSPOSE> block_load;
    typedef cub::BlockStore<int, 64, 4, cub::BLOCK_STORE_WARP_TRANSPOSE>
        block_store;
    typedef cub::BlockExchange<int, 64, 4> block_exchange;
    typedef cub::WarpScan<int> warp_scan;
    __shared__ union {
        typename block_load::TempStorage load;
        typename block_store::TempStorage store;
        typename block_exchange::TempStorage exchange;
        typename warp_scan::TempStorage scan[2];
    } s;
    int x[4], sum;

    block_load(s.load).Load(in + blockIdx.x * 256, x);
    __syncthreads();
    block_exchange(s.exchange).BlockedToStriped(x, x);
    __syncthreads();
    warp_scan(s.scan[threadIdx.x / 32]).InclusiveSum(x[0], sum);
    x[0] = sum;
    __syncthreads();
    block_store(s.store).Store(out + blockIdx.x * 256, x);
}

/* Call twice: for the size of the temporary storage, then with it. */
#define DEVICE_WIDE(call)                                                      \
    do {                                                                       \
        void *storage = nullptr;                                               \
        size_t bytes = 0;                                                      \
        call;                                                                  \
        cudaMalloc(&storage, bytes);                                           \
        const cudaError_t error = call;                                        \
        const cudaError_t after = cudaDeviceSynchronize();                     \
        if (error || after)                                                    \
            printf("%s %s\n", cudaGetErrorName(error),                         \
                   cudaGetErrorName(after));                                   \
        cudaFree(storage);                                                     \
    } while (0)

/* Sum of i * x[i], which depends on the order. */
static long long weighted(const int *x, int n)
{
    long long sum = 0;
    for (int i = 0; i < n; i++)
        sum += (long long)i * x[i];
    return sum;
}

int main()
{
    int *in, *out, *more, *rest, *count;
    cudaMallocManaged(&in, N * sizeof *in);
    cudaMallocManaged(&out, N * sizeof *out);
    cudaMallocManaged(&more, N * sizeof *more);
    cudaMallocManaged(&rest, N * sizeof *rest);
    cudaMallocManaged(&count, N * sizeof *count);
    for (int i = 0; i < N; i++)
        in[i] = (int)(i * 7919ll % 1009);

    tiles<<<2, 64>>>(in, out);
    cudaDeviceSynchronize();
    printf("tiles %lld\n", weighted(out, 512));
    DEVICE_WIDE(cub::DevicePartition::If(storage, bytes, in, out, more, rest,
                                         count, N, below{100}, below{500}));
    printf("partition %d %d: %lld %lld %lld\n", count[0], count[1],
           weighted(out, count[0]), weighted(more, count[1]),
           weighted(rest, N - count[0] - count[1]));
    DEVICE_WIDE(cub::DeviceMergeSort::SortKeysCopy(storage, bytes, in, out, N,
                                                   greater()));
    printf("merge sort %lld\n", weighted(out, N));
    int wrong = 0;
    for (int i = 1; i < N; i++)
        wrong += out[i] > out[i - 1];
    printf("%d wrong\n", wrong);
    DEVICE_WIDE(cub::DeviceRunLengthEncode::Encode(storage, bytes, out, more,
                                                   rest, count, N));
    printf("runs %d: %lld %lld\n", *count, weighted(more, *count),
           weighted(rest, *count));
    for (int i = 0; i <= 10; i++)
        more[i] = i * i * 50;
    DEVICE_WIDE(cub::DeviceSegmentedReduce::Max(storage, bytes, in, rest, 10,
                                                more, more + 1));
    printf("segments %lld\n", weighted(rest, 10));
    DEVICE_WIDE(cub::DeviceAdjacentDifference::SubtractLeftCopy(
        storage, bytes, in, out, N));
    printf("differences %lld\n", weighted(out, N));
    DEVICE_WIDE(cub::DeviceRadixSort::SortPairsDescending(
        storage, bytes, in, out, in, more, N, 0, 10));
    wrong = 0;
    for (int i = 0; i < N; i++)
        wrong += out[i] != more[i] || (i && out[i] > out[i - 1]);
    printf("pairs %d wrong\n", wrong);
    DEVICE_WIDE(cub::DeviceReduce::ReduceByKey(storage, bytes, out, rest, more,
                                               in, count, ::cuda::std::plus<>(),
                                               N));
    printf("by key %d: %lld\n", *count, weighted(rest, *count));
    thrust::sort(thrust::cuda::par.on(nullptr), thrust::device_pointer_cast(in),
                 thrust::device_pointer_cast(in) + N);
    wrong = 0;
    for (int i = 1; i < N; i++)
        wrong += in[i] < in[i - 1];
    printf("Thrust: %d wrong\n", wrong);
    cudaFree(in);
    cudaFree(out);
    cudaFree(more);
    cudaFree(rest);
    cudaFree(count);
}
