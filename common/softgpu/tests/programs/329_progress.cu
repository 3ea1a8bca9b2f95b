/* SPDX-License-Identifier: MIT */
/* Streams make progress while no host thread waits in a CUDA call: the host
 * waits for a host function, polls mapped memory, or exchanges values with a
 * kernel that runs; and a copy runs beside a kernel.  Kernels of all devices
 * end before the program does. */
// env: SOFTGPU_DEVICES=2
// env: SOFTGPU_PROGRESS=4
// sort: 1
#include <condition_variable>
#include <mutex>

#include "check.h"

static std::mutex mutex;
static std::condition_variable changed;
static bool called;

static void CUDART_CB wake(void *)
{
    std::lock_guard<std::mutex> guard(mutex);
    called = true;
    changed.notify_one();
}

/* *flag = value */
__global__ void store(volatile int *flag, int value) { *flag = value; }

/* Answer the host's numbers 1 to n with their squares. */
__global__ void answer(volatile int *question, volatile int *reply, int n)
{
    for (int i = 1; i <= n; i++) {
        while (*question != i)
            ;
        *reply = i * i;
    }
}

/* Say that the kernel ran. */
__global__ void late(int device) { printf("device %d at the end\n", device); }

/* Two ints that host and device see. */
static volatile int *mapped(int **device)
{
    int *host;
    OK(cudaHostAlloc((void **)&host, 2 * sizeof *host, cudaHostAllocMapped));
    OK(cudaHostGetDevicePointer((void **)device, host, 0));
    host[0] = host[1] = 0;
    return host;
}

/* The host waits for a kernel, which waits for a copy in another stream. */
static void beside_a_kernel(cudaStream_t s, int *d)
{
    cudaStream_t other;
    const int question[2] = {1, 0};
    int reply = 0, *device;
    OK(cudaStreamCreateWithFlags(&other, cudaStreamNonBlocking));
    OK(cudaMalloc(&device, sizeof question));
    OK(cudaMemset(device, 0, sizeof question));
    OK(cudaDeviceSynchronize());
    answer<<<1, 1, 0, s>>>(device, d, 1);
    OK(cudaMemcpyAsync(device, question, sizeof question,
                       cudaMemcpyHostToDevice, other));
    OK(cudaStreamSynchronize(s));
    OK(cudaMemcpy(&reply, d, sizeof reply, cudaMemcpyDefault));
    printf("reply %d\n", reply);
    OK(cudaStreamDestroy(other));
    OK(cudaFree(device));
}

int main()
{
    int *d, sum = 0;
    volatile int *h = mapped(&d);
    cudaStream_t s;
    OK(cudaStreamCreate(&s));
    store<<<1, 1, 0, s>>>(d, 5);
    OK(cudaLaunchHostFunc(s, wake, nullptr));
    {
        std::unique_lock<std::mutex> lock(mutex);
        changed.wait(lock, [] { return called; });
    }
    printf("called after %d\n", h[0]);
    store<<<1, 1>>>(d, 6);
    while (h[0] != 6)
        ;
    h[0] = h[1] = 0;
    answer<<<1, 1, 0, s>>>(d, d + 1, 10);
    for (int i = 1; i <= 10; i++) {
        h[0] = i;
        while (h[1] != i * i)
            ;
        sum += h[1];
    }
    printf("sum %d\n", sum);
    beside_a_kernel(s, d);
    OK(cudaStreamDestroy(s));
    OK(cudaFreeHost((void *)h));
    for (int i = 0; i < 2; i++) {
        OK(cudaSetDevice(i));
        late<<<1, 1>>>(i);
    }
    return 0;
}
