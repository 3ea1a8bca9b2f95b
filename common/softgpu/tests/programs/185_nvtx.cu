/* SPDX-License-Identifier: MIT */
/* NVTX: ranges and marks for a profiler, in C and in C++, and headers
 * that old programs name.
 * nvcc refuses them since CUDA 13, which has no nvToolsExt.h any more. */
#include "check.h"

#include <channel_descriptor.h>
#include <common_functions.h>
#include <cuda_device_runtime_api.h>
#include <device_double_functions.h>
#include <host_config.h>
#include <host_defines.h>
#include <math_functions.hpp>
#include <nvToolsExt.h>
#include <nvToolsExtCuda.h>
#include <nvToolsExtCudaRt.h>
#include <nvtx3/nvtx3.hpp>
#include <sm_20_atomic_functions.h>
#include <sm_32_atomic_functions.h>
#include <sm_35_atomic_functions.h>
#include <sm_61_intrinsics.h>
#include <vector_functions.hpp>

#define PUSH_RANGE(name, cid) \
    { \
        nvtxEventAttributes_t eventAttrib = {}; \
        eventAttrib.version = NVTX_VERSION; \
        eventAttrib.size = NVTX_EVENT_ATTRIB_STRUCT_SIZE; \
        eventAttrib.colorType = NVTX_COLOR_ARGB; \
        eventAttrib.color = 0xff00ff00u + cid; \
        eventAttrib.messageType = NVTX_MESSAGE_TYPE_ASCII; \
        eventAttrib.message.ascii = name; \
        nvtxRangePushEx(&eventAttrib); \
    }

struct my_domain {
    static constexpr const char *name{ "mine" };
};

/* Adds one byte of i to each element. */
__global__ void add(int *data, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        data[i] += __dp4a(0x01010101, i, 1);
}

static void work(int *data, int n)
{
    NVTX3_FUNC_RANGE();
    nvtx3::scoped_range range{ "work", nvtx3::rgb{ 127, 255, 0 } };
    nvtx3::scoped_range_in<my_domain> other{ nvtx3::payload{ n } };
    add<<<1, 64>>>(data, n);
    RUN();
    nvtx3::mark("done");
}

int main()
{
    int *data = managed<int>(64);
    cudaStream_t stream;
    OK(cudaStreamCreate(&stream));
    nvtxNameCudaStreamA(stream, "stream");
    nvtxNameCuDeviceA(0, "device");
    nvtxNameCuStreamA(stream, "stream");
    nvtxNameOsThread(1, "main");
    PUSH_RANGE("first", 1)
    work(data, 64);
    nvtxRangePop();
    nvtxRangePush("second");
    nvtxRangeId_t id = nvtxRangeStart("third");
    work(data, 64);
    nvtxRangeEnd(id);
    EXPECT(nvtxRangePop() < 0);
    nvtxDomainHandle_t domain = nvtxDomainCreateA("domain");
    nvtxDomainDestroy(domain);
    auto handle = nvtx3::start_range("fourth");
    nvtx3::end_range(handle);
    printf("%d %d\n", data[3], data[63]);
    OK(cudaStreamDestroy(stream));
    OK(cudaFree(data));
}
