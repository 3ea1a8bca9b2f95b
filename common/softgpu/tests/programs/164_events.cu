/* SPDX-License-Identifier: MIT */
/* Events measure elapsed time; misuse is an error. */
#include "check.h"

/* Takes time that grows with rounds. */
__global__ void work(float *a, int rounds)
{
    float x = a[threadIdx.x];
    for (int i = 0; i < rounds; i++)
        x = x * 0.999f + 0.001f;
    a[threadIdx.x] = x;
}

/* An event behind the work of another stream, which alone the host awaits: on a
 * card it is recorded when the host goes on. */
static void behind_another_stream(float *a)
{
    cudaStream_t stream;
    cudaEvent_t start, stop;
    float ms = -1;
    OK(cudaStreamCreate(&stream));
    OK(cudaEventCreate(&start));
    OK(cudaEventCreate(&stop));
    OK(cudaEventRecord(start));
    work<<<1, 256, 0, stream>>>(a, 2000);
    OK(cudaEventRecord(stop));
    OK(cudaStreamSynchronize(stream));
    OK(cudaEventElapsedTime(&ms, start, stop));
    EXPECT(ms > 0 && ms < 10000);
}

int main()
{
    float *a = managed<float>(256), one = -1, both = -1;
    cudaEvent_t start, middle, stop;
    OK(cudaEventCreate(&start));
    OK(cudaEventCreate(&middle));
    OK(cudaEventCreate(&stop));
    OK(cudaEventRecord(start));
    work<<<1, 256>>>(a, 2000);
    OK(cudaEventRecord(middle));
    work<<<1, 256>>>(a, 2000);
    OK(cudaEventRecord(stop, 0));
    OK(cudaEventSynchronize(stop));
    OK(cudaEventElapsedTime(&one, start, middle));
    OK(cudaEventElapsedTime(&both, start, stop));
    EXPECT(one > 0 && both > one && both < 10000);
    cudaEvent_t never, untimed;
    OK(cudaEventCreate(&never));
    OK(cudaEventCreateWithFlags(&untimed, cudaEventDisableTiming));
    OK(cudaEventRecord(untimed));
    OK(cudaDeviceSynchronize());
    SHOW(cudaEventElapsedTime(&one, start, never));
    SHOW(cudaEventElapsedTime(&one, start, untimed));
    SHOW(cudaEventQuery(never));
    behind_another_stream(a);
    return 0;
}
