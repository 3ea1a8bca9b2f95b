/* SPDX-License-Identifier: MIT */
/* A kernel calls the bytes of a constant within a device function: they are a
 * system call. */
#include "hostile.h"

typedef void function(int, const char *, size_t);

/** Has `syscall; ret` in the constant. */
static __device__ __attribute__((noinline)) void gadget(int, const char *,
                                                        size_t)
{
    volatile int code = 0x00c3050f;

    (void)code;
}

static __device__ function *begin = gadget;

/* One thread calls what is so many bytes behind the beginning. */
__global__ void call_kernel(size_t offset)
{
    function *volatile within = (function *)((const char *)begin + offset);

    within(1, "", 0);
}

/* @return whether a kernel got there */
static bool jumps_within()
{
    for (size_t offset = 1; offset < 16; offset++) {
        call_kernel<<<1, 1>>>(offset);
        if (cudaDeviceSynchronize() == cudaErrorInvalidPc)
            return false;
    }
    return true;
}

RIGHT_IF(jumps_within())
