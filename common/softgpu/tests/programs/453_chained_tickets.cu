/* SPDX-License-Identifier: MIT */
/* Persistent blocks that each take several tickets and wait, on a volatile
 * word or by __ldcv(), for the ticket before: which resident block can go on
 * changes all the time. */
#include "check.h"

enum { TICKETS = 600, BLOCKS = 264, THREADS = 256 };

__device__ unsigned next_ticket;
__device__ unsigned sums[TICKETS];
__device__ float scratch[TICKETS * THREADS];

/* Work between the ticket and the wait, with barriers. */
static __device__ void work(unsigned ticket, float *s_x)
{
    float x = (float)(ticket + threadIdx.x);
    for (int i = 0; i < 300; i++)
        x = x * 0.5f + 1.0f;
    s_x[threadIdx.x] = x;
    __syncthreads();
    scratch[ticket * THREADS + threadIdx.x] = s_x[threadIdx.x ^ 1];
}

/* The sum before, once it is there. */
static __device__ unsigned wait_volatile(const unsigned *sum)
{
    unsigned before;
    while ((before = *(const volatile unsigned *)sum) == 0) { }
    return before;
}

/* Likewise. */
static __device__ unsigned wait_uncached(const unsigned *sum)
{
    unsigned before;
    do {
        before = __ldcv(sum);
    } while (before == 0);
    return before;
}

/* Blocks take tickets in turn; that of ticket t waits for the sum before it. */
template <unsigned (*wait)(const unsigned *)> __global__ void chain()
{
    __shared__ unsigned s_ticket;
    __shared__ float s_x[THREADS];
    for (;;) {
        if (threadIdx.x == 0)
            s_ticket = atomicAdd(&next_ticket, 1u);
        __syncthreads();
        const unsigned ticket = s_ticket;
        if (ticket >= TICKETS)
            return;
        work(ticket, s_x);
        if (threadIdx.x == 0) {
            const unsigned before = ticket > 0 ? wait(&sums[ticket - 1]) : 0;
            *(volatile unsigned *)&sums[ticket] = before + ticket + 1;
        }
        __syncthreads();
    }
}

/* The last sum of a chain from the start. */
static unsigned run(void (*kernel)())
{
    static const unsigned zero[TICKETS] = {};
    unsigned last;

    OK(cudaMemcpyToSymbol(next_ticket, zero, sizeof next_ticket));
    OK(cudaMemcpyToSymbol(sums, zero, sizeof sums));
    kernel<<<BLOCKS, THREADS>>>();
    RUN();
    OK(cudaMemcpyFromSymbol(&last, sums, sizeof last,
                            (TICKETS - 1) * sizeof last));
    return last;
}

int main()
{
    printf("the last sum is %u\n", run(chain<wait_volatile>));
    printf("the last sum is %u\n", run(chain<wait_uncached>));
    return 0;
}
