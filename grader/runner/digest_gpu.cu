/* SPDX-License-Identifier: MIT */
/* The digest of an array in a card's memory, computed by a kernel: a copy to
 * the host would take a hundred times as long as the kernel that is timed. */
#include <cuda_runtime.h>
#include <string.h>

#define DIGEST_CALL __host__ __device__ static inline
#include "grader/channel/digest.h"

enum { BLOCKS = 1024, THREADS = 256 };

static unsigned long long *d_sum;

/* Loads the i-th 8-byte word of an array with any alignment, padded with
 * zeros. */
__device__ static uint64_t load_word(const unsigned char *data, size_t length,
                                   size_t i)
{
    const size_t remaining = length - 8 * i;
    uint64_t word = 0;

    if (remaining >= 8 && (uintptr_t)data % 8 == 0)
        return ((const uint64_t *)data)[i];
    for (size_t k = 0; k < 8 && k < remaining; k++)
        word |= (uint64_t)data[8 * i + k] << 8 * k;
    return word;
}

/** Thread t adds the digests of words t, t + T, ... (T the grid's threads);
 *  the warp reduces by shuffles; one atomicAdd a warp.  Block 256. */
__global__ static void digest_words(const unsigned char *data, size_t length,
                                    uint64_t key, unsigned long long *sum)
{
    const size_t words = (length + 7) / 8, stride = (size_t)gridDim.x * THREADS;
    unsigned long long thread_sum = 0;

    for (size_t i = (size_t)blockIdx.x * THREADS + threadIdx.x; i < words;
         i += stride)
        thread_sum += digest_word(key, i, load_word(data, length, i));
    for (int offset = 16; offset > 0; offset /= 2)
        thread_sum += __shfl_down_sync(0xffffffffu, thread_sum, offset);
    if (threadIdx.x % 32 == 0) atomicAdd(sum, thread_sum);
}

extern "C" int device_digest(uint64_t *state, const void *d_from,
                             size_t length, void *)
{
    const uint64_t key = digest_key(*state, length);
    unsigned long long sum = 0;

    if (!d_sum && cudaMalloc(&d_sum, sizeof *d_sum) != cudaSuccess) return -1;
    if (cudaMemset(d_sum, 0, sizeof *d_sum) != cudaSuccess) return -1;
    if (length > 0)
        digest_words<<<BLOCKS, THREADS>>>((const unsigned char *)d_from,
                                          length, key, d_sum);
    if (cudaMemcpy(&sum, d_sum, sizeof sum, cudaMemcpyDeviceToHost)
        != cudaSuccess)
        return -1;
    *state = digest_final(key, sum);
    return 0;
}

extern "C" const bool device_digest_fills_copy = false;
