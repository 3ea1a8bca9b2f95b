/* SPDX-License-Identifier: MIT */
/* cuda::atomic and cuda::atomic_ref with scopes and orders. */
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
    return 0;
}
