/* SPDX-License-Identifier: MIT */
/* Properties and attributes of the device agree and make sense. */
#include "check.h"
#include <cstring>

static int attribute(cudaDeviceAttr which)
{
    int value = -1;
    OK(cudaDeviceGetAttribute(&value, which, 0));
    return value;
}

int main()
{
    cudaDeviceProp p;
    int count = 0, device = -1, runtime = 0, driver = 0;
    OK(cudaGetDeviceCount(&count));
    OK(cudaGetDevice(&device));
    OK(cudaGetDeviceProperties(&p, 0));
    OK(cudaRuntimeGetVersion(&runtime));
    OK(cudaDriverGetVersion(&driver));
    EXPECT(count >= 1 && strlen(p.name) > 0 && p.major >= 7);
    EXPECT(runtime >= 12000 && driver >= runtime / 1000 * 1000);
    EXPECT(p.totalGlobalMem > (1u << 30) && p.multiProcessorCount > 0);
    EXPECT(p.sharedMemPerBlockOptin >= p.sharedMemPerBlock);
    EXPECT(attribute(cudaDevAttrMultiProcessorCount) == p.multiProcessorCount);
    EXPECT(attribute(cudaDevAttrComputeCapabilityMajor) == p.major);
    EXPECT(attribute(cudaDevAttrClockRate) > 100000);
    EXPECT(attribute(cudaDevAttrMemoryPoolsSupported) == 1);
    EXPECT(attribute(cudaDevAttrCooperativeLaunch) == 1);
    printf("%d %d %d %d %d %d %zu\n", device, p.warpSize, p.maxThreadsPerBlock,
           p.maxThreadsDim[2], p.maxGridSize[1],
           attribute(cudaDevAttrMaxBlockDimX), p.sharedMemPerBlock);
    SHOW(cudaSetDevice(count));
    SHOW(cudaGetDeviceProperties(&p, -1));
    SHOW(cudaGetLastError());
    return 0;
}
