/* SPDX-License-Identifier: MIT */
/* NVML beside the runtime: the same devices, names, places and memory;
 * nvmlInit() and nvmlShutdown() in order; sensors are refused plainly.
 * nvcc refuses this where nvml.h is not installed. */
// flags: -lnvidia-ml
#include "check.h"
#include <cstring>
#include <nvml.h>

/* Print the text of a status. */
static void show(const char *what, nvmlReturn_t status)
{
    printf("%s: %s\n", what, nvmlErrorString(status));
}

/* The memory that the device `number` has allocated, of so many bytes. */
static void check_memory(nvmlDevice_t device, int number, size_t bytes)
{
    unsigned room = 1;
    void *block;
    nvmlMemory_t before, after;
    nvmlProcessInfo_t process;
    OK(cudaSetDevice(number));
    EXPECT(!nvmlDeviceGetMemoryInfo(device, &before));
    OK(cudaMalloc(&block, 64 << 20));
    EXPECT(!nvmlDeviceGetMemoryInfo(device, &after));
    EXPECT(after.used >= before.used + (64 << 20));
    EXPECT(after.used + after.free == after.total);
    EXPECT(after.total == bytes);
    EXPECT(!nvmlDeviceGetComputeRunningProcesses(device, &room, &process));
    EXPECT(room == 1 && process.usedGpuMemory == after.used);
    OK(cudaFree(block));
}

int main()
{
    unsigned count = 0, x = 0;
    int devices = 0, version = 0, driver = 0, major = 0, minor = 0;
    nvmlDevice_t device, same;
    show("before", nvmlDeviceGetCount(&count));
    show("init", nvmlInit());
    show("init", nvmlInit());
    show("shutdown", nvmlShutdown());
    show("count", nvmlDeviceGetCount(&count));
    OK(cudaGetDeviceCount(&devices));
    EXPECT(count == (unsigned)devices);
    show("index", nvmlDeviceGetHandleByIndex(count, &device));
    show("index", nvmlDeviceGetHandleByIndex(count - 1, &device));

    cudaDeviceProp p;
    OK(cudaGetDeviceProperties(&p, devices - 1));
    char name[NVML_DEVICE_NAME_V2_BUFFER_SIZE], uuid[96];
    nvmlPciInfo_t pci;
    EXPECT(!nvmlDeviceGetName(device, name, sizeof name));
    EXPECT(strcmp(name, p.name) == 0);
    const unsigned length = (unsigned)strlen(p.name);
    show("name", nvmlDeviceGetName(device, name, length));
    EXPECT(!nvmlDeviceGetName(device, name, length + 1));
    EXPECT(!nvmlDeviceGetUUID(device, uuid, sizeof uuid));
    EXPECT(!nvmlDeviceGetHandleByUUID(uuid, &same) && same == device);
    EXPECT(!nvmlDeviceGetPciInfo(device, &pci));
    EXPECT(pci.bus == (unsigned)p.pciBusID);
    EXPECT(!nvmlDeviceGetHandleByPciBusId(pci.busId, &same) && same == device);
    show("domain", nvmlDeviceGetHandleByPciBusId("0001:01:00.0", &same));
    show("slot", nvmlDeviceGetHandleByPciBusId("0000:01:01.0", &same));
    EXPECT(!nvmlDeviceGetCudaComputeCapability(device, &major, &minor));
    EXPECT(major == p.major && minor == p.minor);
    EXPECT(!nvmlDeviceGetMemoryBusWidth(device, &x));
    EXPECT(x == (unsigned)p.memoryBusWidth);
    EXPECT(!nvmlSystemGetCudaDriverVersion(&version));
    OK(cudaDriverGetVersion(&driver));
    EXPECT(version == driver);

    check_memory(device, devices - 1, p.totalGlobalMem);
    nvmlUtilization_t u;
    show("temperature",
         nvmlDeviceGetTemperature(device, NVML_TEMPERATURE_GPU, &x));
    show("utilization", nvmlDeviceGetUtilizationRates(device, &u));
    show("power", nvmlDeviceGetPowerUsage(nullptr, &x));
    show("shutdown", nvmlShutdown());
    show("shutdown", nvmlShutdown());
    return 0;
}
