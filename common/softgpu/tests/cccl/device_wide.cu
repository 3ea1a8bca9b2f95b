/* SPDX-License-Identifier: MIT */
/* CUB: primitives of a block and a warp, and device-wide reduction, scan,
 * selection, histogram and radix sort, against loops of the host. */
#include <cstdio>

#include <cub/block/block_radix_sort.cuh>
#include <cub/block/block_reduce.cuh>
#include <cub/block/block_scan.cuh>
#include <cub/device/device_histogram.cuh>
#include <cub/device/device_radix_sort.cuh>
#include <cub/device/device_reduce.cuh>
#include <cub/device/device_scan.cuh>
#include <cub/device/device_select.cuh>
#include <cub/warp/warp_reduce.cuh>

static const int N = 20000, THREADS = 128;

/** Functor of DeviceSelect::If. */
struct is_odd {
    __host__ __device__ bool operator()(int x) const { return x & 1; }
};

/** One block of THREADS: out has an exclusive scan of THREADS elements, 2
 *  THREADS sorted ones, a sum for each warp and one of the block. */
__global__ void primitives(const int *in, int *out)
{
    typedef cub::BlockScan<int, THREADS> block_scan;
    typedef cub::BlockRadixSort<int, THREADS, 2> block_sort;
    typedef cub::BlockReduce<int, THREADS> block_reduce;
    typedef cub::WarpReduce<int> warp_reduce;
    __shared__ union {
        typename block_scan::TempStorage scan;
        typename block_sort::TempStorage sort;
        typename block_reduce::TempStorage reduce;
    } s;
    __shared__ typename warp_reduce::TempStorage s_warp[THREADS / 32];
    const int t = threadIdx.x;
    int keys[2] = { in[2 * t], in[2 * t + 1] };

    block_scan(s.scan).ExclusiveSum(in[t], out[t]);
    __syncthreads(); /* the storage is used again */
    block_sort(s.sort).Sort(keys);
    out[THREADS + 2 * t] = keys[0];
    out[THREADS + 2 * t + 1] = keys[1];
    const int warp_sum = warp_reduce(s_warp[t / 32]).Sum(in[t]);
    if (t % 32 == 0)
        out[3 * THREADS + t / 32] = warp_sum;
    __syncthreads();
    const int sum = block_reduce(s.reduce).Sum(in[t]);
    if (t == 0)
        out[3 * THREADS + THREADS / 32] = sum;
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

static void check_primitives(const int *in, int *out)
{
    int sum = 0, wrong = 0, unsorted = 0;
    primitives<<<1, THREADS>>>(in, out);
    printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
    for (int i = 0; i < THREADS; i++) {
        wrong += out[i] != sum;
        sum += in[i];
    }
    for (int i = 1; i < 2 * THREADS; i++)
        unsorted += out[THREADS + i] < out[THREADS + i - 1];
    const int *warps = out + 3 * THREADS;
    printf("block: %d %d, warps %d, block %d\n", wrong, unsorted,
           warps[0] + warps[1] + warps[2] + warps[3] - sum, warps[4] - sum);
}

int main()
{
    int *in, *out, *count, wrong = 0, sum = 0, odd = 0, bins[10] = {};
    cudaMallocManaged(&in, N * sizeof *in);
    cudaMallocManaged(&out, N * sizeof *out);
    cudaMallocManaged(&count, 10 * sizeof *count);
    for (int i = 0; i < N; i++)
        in[i] = (int)(i * 7919ll % 1009);
    check_primitives(in, out);

    DEVICE_WIDE(cub::DeviceReduce::Sum(storage, bytes, in, count, N));
    for (int i = 0; i < N; i++)
        sum += in[i];
    printf("sum: %d\n", *count - sum);

    DEVICE_WIDE(cub::DeviceScan::InclusiveSum(storage, bytes, in, out, N));
    for (int i = 0, s = 0; i < N; i++)
        wrong += out[i] != (s += in[i]);
    printf("scan: %d wrong\n", wrong);

    DEVICE_WIDE(cub::DeviceSelect::If(storage, bytes, in, out, count, N,
                                      is_odd()));
    wrong = 0;
    for (int i = 0; i < N; i++)
        if (in[i] & 1)
            wrong += out[odd++] != in[i];
    printf("selected: %d, %d wrong\n", *count - odd, wrong);

    DEVICE_WIDE(cub::DeviceHistogram::HistogramEven(storage, bytes, in, count,
                                                    11, 0, 1000, N));
    wrong = 0;
    for (int i = 0; i < N; i++)
        if (in[i] < 1000)
            bins[in[i] / 100]++;
    for (int i = 0; i < 10; i++)
        wrong += bins[i] != count[i];
    printf("histogram: %d wrong\n", wrong);

    unsigned keys = 0, sorted = 0; /* keys that differ in all their bytes */
    for (int i = 0; i < N; i++)
        keys += in[i] = (int)(i * 2654435761u);
    DEVICE_WIDE(cub::DeviceRadixSort::SortKeys(storage, bytes, in, out, N));
    wrong = 0;
    for (int i = 1; i < N; i++)
        wrong += out[i] < out[i - 1];
    for (int i = 0; i < N; i++)
        sorted += out[i];
    printf("sorted: %d wrong, sum %u\n", wrong, sorted - keys);
    cudaFree(in);
    cudaFree(out);
    cudaFree(count);
    return 0;
}
