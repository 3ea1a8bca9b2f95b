/* SPDX-License-Identifier: MIT */
/* The driver API: devices, the primary context, both forms of arguments,
 * memory, streams, events, errors, entry points. */
#include <cstring>

#include <cuda.h>

#include "check.h"

/** Stop with the name of the driver's error. */
#define CU(call) cu(call, #call, __LINE__)
static void cu(CUresult result, const char *what, int line)
{
    const char *name = nullptr;
    if (result == CUDA_SUCCESS)
        return;
    cuGetErrorName(result, &name);
    printf("line %d: %s: %s\n", line, what, name);
    exit(2);
}

/* Print the name of an error that is expected. */
static void show(CUresult result)
{
    const char *name = nullptr;
    cuGetErrorName(result, &name);
    printf("%s\n", name ? name : "no such error");
}

/* Parameters of several sizes: the second form must find each of them. */
struct pair {
    char a, b, c;
};

/* Each thread adds to its element. */
__global__ void add(float *to, char scale, double by, pair p, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        to[i] += (float)(scale * by + p.c);
}

/* cuInit() comes first. */
static void before_init()
{
    int count;
    show(cuDeviceGetCount(&count));
    show(cuInit(1));
    CU(cuInit(0));
    show(cuCtxSynchronize()); /* no context */
}

static void devices()
{
    int count = 0, version = 0, threads = 0;
    CUdevice device;
    size_t bytes = 0;
    char name[64] = "";
    CU(cuDriverGetVersion(&version));
    CU(cuDeviceGetCount(&count));
    CU(cuDeviceGet(&device, 0));
    CU(cuDeviceGetName(name, sizeof name, device));
    CU(cuDeviceTotalMem(&bytes, device));
    CU(cuDeviceGetAttribute(
        &threads, CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK, device));
    EXPECT(count >= 1 && version >= 12000 && strlen(name) && bytes > 0);
    printf("%d threads a block\n", threads);
    show(cuDeviceGet(&device, 1000));
}

/* Launch with the addresses of the arguments, then with a buffer of them. */
static void launches(CUfunction f, CUdeviceptr p, int n)
{
    struct {
        CUdeviceptr to;
        char scale;
        double by;
        pair p;
        int n;
    } buffer = {p, 2, 10, {0, 0, 5}, n};
    float *to = (float *)p;
    char scale = 3;
    double by = 100;
    pair last = {0, 0, 1};
    void *args[] = {&to, &scale, &by, &last, &n};
    size_t bytes = sizeof buffer;
    void *extra[] = {CU_LAUNCH_PARAM_BUFFER_POINTER, &buffer,
                     CU_LAUNCH_PARAM_BUFFER_SIZE, &bytes, CU_LAUNCH_PARAM_END};
    CU(cuLaunchKernel(f, 2, 1, 1, 32, 1, 1, 0, nullptr, args, nullptr));
    CU(cuLaunchKernel(f, 2, 1, 1, 32, 1, 1, 0, nullptr, nullptr, extra));
    show(cuLaunchKernel(f, 2, 1, 1, 32, 1, 1, 0, nullptr, args, extra));
    show(cuLaunchKernel(f, 1, 1, 1, 2048, 1, 1, 0, nullptr, args, nullptr));
}

static void work()
{
    const int n = 50;
    float host[n];
    CUdeviceptr p, base;
    CUfunction f;
    CUstream stream;
    CUevent start, end;
    size_t bytes;
    float ms = -1;
    int most = 0, blocks = 0;
    CU(cuMemAlloc(&p, sizeof host));
    CU(cuMemsetD32(p, 0x3f800000, n)); /* 1.0f */
    OK(cudaGetFuncBySymbol(&f, (const void *)add));
    launches(f, p, n);
    CU(cuMemcpyDtoH(host, p, sizeof host));
    printf("%g %g\n", host[0], host[n - 1]); /* 1 + 301 + 25 */
    CU(cuMemGetAddressRange(&base, &bytes, p + 16));
    EXPECT(base == p && bytes == sizeof host);
    CU(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
    CU(cuEventCreate(&start, CU_EVENT_DEFAULT));
    CU(cuEventCreate(&end, CU_EVENT_DEFAULT));
    CU(cuEventRecord(start, stream));
    CU(cuMemcpyDtoHAsync(host, p, sizeof host, stream));
    CU(cuEventRecord(end, stream));
    CU(cuStreamSynchronize(stream));
    CU(cuEventElapsedTime(&ms, start, end));
    EXPECT(ms >= 0);
    CU(cuFuncGetAttribute(&most, CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK, f));
    CU(cuOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, f, 64, 0));
    EXPECT(most == 1024 && blocks > 1);
    CU(cuEventDestroy(start));
    CU(cuEventDestroy(end));
    CU(cuStreamDestroy(stream));
    CU(cuMemFree(p));
    show(cuMemFree(p));
    printf("%s\n", cudaGetErrorName(cudaGetLastError())); /* not theirs */
}

static void entry_points()
{
    CUresult (*count_devices)(int *) = nullptr;
    cudaDriverEntryPointQueryResult found;
    int count = 0;
    OK(cudaGetDriverEntryPointByVersion("cuDeviceGetCount",
                                        (void **)&count_devices, 12000,
                                        cudaEnableDefault, &found));
    CU(count_devices(&count));
    EXPECT(count >= 1 && found == cudaDriverEntryPointSuccess);
    const char *text = nullptr;
    CU(cuGetErrorString(CUDA_ERROR_OUT_OF_MEMORY, &text));
    printf("%s\n", text);
    show(cuGetErrorString((CUresult)12345, &text));
}

int main()
{
    CUcontext primary, current;
    CUdevice device;
    before_init();
    devices();
    CU(cuDevicePrimaryCtxRetain(&primary, 0));
    CU(cuCtxSetCurrent(primary));
    CU(cuCtxGetCurrent(&current));
    CU(cuCtxGetDevice(&device));
    EXPECT(current == primary && device == 0);
    work();
    entry_points();
    CU(cuCtxPopCurrent(&current));
    EXPECT(current == primary);
    CU(cuDevicePrimaryCtxRelease(0));
    show(cuCtxSetCurrent((CUcontext)&device));
    return 0;
}
