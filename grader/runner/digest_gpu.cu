/* SPDX-License-Identifier: MIT */
/* The digest of an array on a card, where it lies: copying it to the host
 * would take a hundred times as long as the kernel that is timed. */
#include <cuda_runtime.h>
#include <string.h>

#define DIGEST_CALL __host__ __device__ static inline
#include "channel/digest.h"

enum { BLOCKS = 1024, THREADS = 256 };

static unsigned long long *d_sum;

/* Word number i of an array at any address; zeros follow its end. */
__device__ static uint64_t word_at(const unsigned char *data, size_t length,
                                   size_t i)
{
    const size_t left = length - 8 * i;
    uint64_t word = 0;

    if (left >= 8 && (uintptr_t)data % 8 == 0)
        return ((const uint64_t *)data)[i];
    for (size_t k = 0; k < 8 && k < left; k++)
        word |= (uint64_t)data[8 * i + k] << 8 * k;
    return word;
}

/** Adds up every T-th word (T the grid's threads): registers, then the warp by
 *  shuffles, then one atomic a warp.  Block 256. */
__global__ static void digest_words(const unsigned char *data, size_t length,
                                    uint64_t key, unsigned long long *sum)
{
    const size_t words = (length + 7) / 8, step = (size_t)gridDim.x * THREADS;
    unsigned long long own = 0;

    for (size_t i = (size_t)blockIdx.x * THREADS + threadIdx.x; i < words;
         i += step)
        own += digest_word(key, i, word_at(data, length, i));
    for (int gap = 16; gap > 0; gap /= 2)
        own += __shfl_down_sync(0xffffffffu, own, gap);
    if (threadIdx.x % 32 == 0) atomicAdd(sum, own);
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
    *state = digest_end(key, sum);
    return 0;
}

extern "C" const bool device_digest_copies = false;
