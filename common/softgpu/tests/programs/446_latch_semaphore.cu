/* SPDX-License-Identifier: MIT */
/* cuda::latch and cuda::counting_semaphore: they order what threads of a block
 * and of several blocks write. */
#include "check.h"

#include <new>

#include <cuda/latch>
#include <cuda/semaphore>

using block_latch = cuda::latch<cuda::thread_scope_block>;
using permits = cuda::counting_semaphore<cuda::thread_scope_device, 2>;
using mutex = cuda::binary_semaphore<cuda::thread_scope_device>;

/* Lanes read what others wrote before the latch opened. */
__global__ void reverse(int *out)
{
    alignas(block_latch) __shared__ char memory[sizeof(block_latch)];
    __shared__ int s_x[64];
    block_latch *latch = reinterpret_cast<block_latch *>(memory);
    if (threadIdx.x == 0)
        new (latch) block_latch(blockDim.x);
    __syncthreads();
    s_x[threadIdx.x] = threadIdx.x;
    latch->arrive_and_wait();
    out[threadIdx.x] = s_x[63 - threadIdx.x];
}

/* A counter without atomics, by one block after the other. */
__global__ void count(int *counter, mutex *lock)
{
    if (threadIdx.x)
        return;
    lock->acquire();
    ++*counter;
    lock->release();
}

/* No more than two permits are out at a time. */
__global__ void inside(int *now, int *most, permits *of)
{
    of->acquire();
    atomicMax(most, atomicAdd(now, 1) + 1);
    atomicSub(now, 1);
    of->release();
}

int main()
{
    int *out = managed<int>(64);
    mutex *lock = managed<mutex>(1);
    permits *two = managed<permits>(1);
    reverse<<<1, 64>>>(out);
    RUN();
    for (int i = 0; i < 64; i++)
        EXPECT(out[i] == 63 - i);
    new (lock) mutex(1);
    out[0] = 0;
    count<<<12, 32>>>(out, lock);
    RUN();
    printf("%d\n", out[0]);
    new (two) permits(2);
    out[0] = out[1] = 0;
    inside<<<6, 1>>>(&out[0], &out[1], two);
    RUN();
    EXPECT(out[1] == 1 || out[1] == 2);
    printf("%d %d\n", out[0], two->try_acquire() && two->try_acquire());
    return 0;
}
