/* SPDX-License-Identifier: MIT */
/* Device, pinned, mapped and managed memory, and their pointer attributes. */
#include "check.h"

/* Adds 1 to each element, in whatever memory. */
__global__ void increment(int *a) { a[threadIdx.x]++; }

static const char *kind(const void *p)
{
    cudaPointerAttributes attributes;
    OK(cudaPointerGetAttributes(&attributes, p));
    switch (attributes.type) {
    case cudaMemoryTypeDevice: return "device";
    case cudaMemoryTypeHost: return "host";
    case cudaMemoryTypeManaged: return "managed";
    default: return "unregistered";
    }
}

int main()
{
    int *d, *pinned, *mapped, *d_mapped, *m = managed<int>(4), plain[4] = {};
    OK(cudaMalloc(&d, 4 * sizeof(int)));
    OK(cudaMallocHost(&pinned, 4 * sizeof(int)));
    OK(cudaHostAlloc(&mapped, 4 * sizeof(int), cudaHostAllocMapped));
    OK(cudaHostGetDevicePointer(&d_mapped, mapped, 0));
    OK(cudaMemset(d, 0, 4 * sizeof(int)));
    for (int i = 0; i < 4; i++)
        mapped[i] = 10 * i;
    increment<<<1, 4>>>(d);
    increment<<<1, 4>>>(d_mapped);
    increment<<<1, 4>>>(m);
    OK(cudaMemcpy(pinned, d, 4 * sizeof(int), cudaMemcpyDeviceToHost));
    RUN();
    printf("%d %d %d\n", pinned[3], mapped[3], m[3]);
    printf("%s %s %s %s %s %s\n", kind(d), kind(d + 3), kind(pinned),
           kind(mapped), kind(m), kind(plain));
    OK(cudaFree(d));
    OK(cudaFreeHost(pinned));
    OK(cudaFreeHost(mapped));
    OK(cudaFree(m));
    OK(cudaFree(nullptr));
    return 0;
}
