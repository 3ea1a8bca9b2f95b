/* SPDX-License-Identifier: MIT */
/* cuda::atomic and cuda::atomic_ref with scopes and orders, and the built-in
 * functions of the same purpose. */
#include "check.h"
#include <cuda/atomic>

struct mailbox {
    cuda::atomic<int, cuda::thread_scope_device> ready;
    int value;
};

/* Counts by atomic_ref; block 1 releases a value that block 0 acquires. */
__global__ void count(int *plain, float *f, mailbox *box)
{
    cuda::atomic_ref<int, cuda::thread_scope_device> all(*plain);
    cuda::atomic_ref<float, cuda::thread_scope_device> sum(*f);
    all.fetch_add(2, cuda::memory_order_relaxed);
    sum.fetch_add(0.5f);
    if (threadIdx.x != 0)
        return;
    if (blockIdx.x == 0) {
        while (box->ready.load(cuda::memory_order_acquire) == 0)
            continue;
        all += box->value;
    } else if (blockIdx.x == 1) {
        box->value = 10000;
        box->ready.store(1, cuda::memory_order_release);
    }
}

/* The maximum by compare_exchange_weak. */
__global__ void largest(cuda::std::atomic<unsigned> *a)
{
    unsigned value = threadIdx.x * 7 % 64, old = a->load();
    while (old < value && !a->compare_exchange_weak(old, value))
        continue;
}

/* Block 1 hands a value to block 0 by built-in functions, which also count. */
__global__ void builtin(unsigned *n, float *f, volatile int *flag, int *value)
{
    if (threadIdx.x == 0 && blockIdx.x == 1) {
        *value = 42;
        __nv_atomic_store_n((int *)flag, 1, __NV_ATOMIC_RELEASE,
                            __NV_THREAD_SCOPE_DEVICE);
    } else if (threadIdx.x == 0) {
        while (__nv_atomic_load_n((int *)flag, __NV_ATOMIC_ACQUIRE,
                                  __NV_THREAD_SCOPE_DEVICE) == 0)
            continue;
        unsigned none = 0;
        EXPECT(__nv_atomic_compare_exchange_n(n + 2, &none, *value, false,
                                              __NV_ATOMIC_SEQ_CST,
                                              __NV_ATOMIC_RELAXED,
                                              __NV_THREAD_SCOPE_DEVICE));
    }
    __syncthreads(); /* the value has been handed over */
    __nv_atomic_fetch_add(n, 3, __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_DEVICE);
    __nv_atomic_add(f, 0.5f, __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_DEVICE);
    __nv_atomic_fetch_max(n + 1, threadIdx.x, __NV_ATOMIC_RELAXED);
}

int main()
{
    int *plain = managed<int>(1);
    float *f = managed<float>(1);
    mailbox *box = managed<mailbox>(1);
    auto *a = managed<cuda::std::atomic<unsigned>>(1);
    count<<<3, 100>>>(plain, f, box);
    largest<<<1, 64>>>(a);
    RUN();
    printf("%d %g %u\n", *plain, *f, a->load());
    unsigned *n = managed<unsigned>(3);
    int *flag = managed<int>(2);
    *f = 0;
    builtin<<<2, 64>>>(n, f, flag, flag + 1);
    RUN();
    printf("%u %u %u %g\n", n[0], n[1], n[2], *f);
    return 0;
}
