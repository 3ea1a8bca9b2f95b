/* SPDX-License-Identifier: MIT */
/** @file
 *  NVML: what a device is, from the card that it describes itself as, and what
 *  a virtual device has not.
 */
#include "handle.h"

#include <unistd.h>

#include "common/softgpu/host/memory.h"

/* --- what it is ---------------------------------------------------------- */

/* Memory of this process alone: no other one uses the virtual device. */
nvmlReturn_t nvmlDeviceGetMemoryInfo(nvmlDevice_t device, nvmlMemory_t *memory)
{
    const nvmlReturn_t status = softgpu_nvml_check(device, memory);

    if (status != NVML_SUCCESS)
        return status;
    memory->total = softgpu_card()->memory_bytes;
    memory->free = softgpu_free_bytes(softgpu_nvml_device(device));
    memory->used = memory->total - memory->free;
    return NVML_SUCCESS;
}

/* As in cudaDeviceProp. */
nvmlReturn_t nvmlDeviceGetCudaComputeCapability(nvmlDevice_t device,
                                                int *major, int *minor)
{
    const nvmlReturn_t status =
        softgpu_nvml_check(device, major && minor ? major : NULL);

    if (status != NVML_SUCCESS)
        return status;
    *major = softgpu_card()->major;
    *minor = softgpu_card()->minor;
    return NVML_SUCCESS;
}

/* CUDA's "cores" are lanes of float operations. */
nvmlReturn_t nvmlDeviceGetNumGpuCores(nvmlDevice_t device, unsigned *cores)
{
    const struct softgpu_card *card = softgpu_card();
    SOFTGPU_NVML_GIVE(device, cores, (unsigned)(card->sms * card->fp32_lanes));
}

nvmlReturn_t nvmlDeviceGetMemoryBusWidth(nvmlDevice_t device, unsigned *bits)
{
    SOFTGPU_NVML_GIVE(device, bits, (unsigned)softgpu_card()->bus_bits);
}

/* Graphics and SM have one clock here; there is no video. */
nvmlReturn_t nvmlDeviceGetMaxClockInfo(nvmlDevice_t device,
                                       nvmlClockType_t type, unsigned *mhz)
{
    const struct softgpu_card *card = softgpu_card();
    if (type == NVML_CLOCK_VIDEO
        && softgpu_nvml_check(device, mhz) == NVML_SUCCESS)
        return NVML_ERROR_NOT_SUPPORTED;
    SOFTGPU_NVML_GIVE(device, mhz,
         (unsigned)(type == NVML_CLOCK_MEM ? card->memory_khz
                                           : card->clock_khz) / 1000);
}

nvmlReturn_t nvmlDeviceGetComputeMode(nvmlDevice_t device,
                                      nvmlComputeMode_t *mode)
{
    SOFTGPU_NVML_GIVE(device, mode, NVML_COMPUTEMODE_DEFAULT);
}

/* It cannot be changed, so the pending mode is the current one. */
nvmlReturn_t nvmlDeviceGetEccMode(nvmlDevice_t device,
                                  nvmlEnableState_t *current,
                                  nvmlEnableState_t *pending)
{
    const nvmlReturn_t status =
        softgpu_nvml_check(device, current && pending ? current : NULL);

    if (status == NVML_SUCCESS)
        *current = *pending = softgpu_card()->ecc ? NVML_FEATURE_ENABLED
                                                  : NVML_FEATURE_DISABLED;
    return status;
}

/* Without room the count alone is reported, as by NVML. */
nvmlReturn_t nvmlDeviceGetComputeRunningProcesses_v3(
    nvmlDevice_t device, unsigned *count, nvmlProcessInfo_t *processes)
{
    const nvmlReturn_t status = softgpu_nvml_check(device, count);
    nvmlMemory_t memory;

    if (status != NVML_SUCCESS)
        return status;
    const unsigned room = *count;
    *count = 1;
    if (room < 1)
        return NVML_ERROR_INSUFFICIENT_SIZE;
    if (!processes)
        return NVML_ERROR_INVALID_ARGUMENT;
    nvmlDeviceGetMemoryInfo(device, &memory);
    *processes = (nvmlProcessInfo_t){ (unsigned)getpid(), memory.used, ~0u,
                                      ~0u };
    return NVML_SUCCESS;
}

/* --- what a virtual device has not --------------------------------------- */

/* Wrong arguments are reported first. */
static nvmlReturn_t missing(nvmlDevice_t device, const void *result)
{
    const nvmlReturn_t status = softgpu_nvml_check(device, result);
    return status ? status : NVML_ERROR_NOT_SUPPORTED;
}

/* Nothing is sampled. */
nvmlReturn_t nvmlDeviceGetUtilizationRates(nvmlDevice_t device,
                                           nvmlUtilization_t *utilization)
{
    return missing(device, utilization);
}

/* No sensor. */
nvmlReturn_t nvmlDeviceGetTemperature(nvmlDevice_t device,
                                      nvmlTemperatureSensors_t sensor,
                                      unsigned *degrees)
{
    (void)sensor;
    return missing(device, degrees);
}

/* No clock runs; the highest values are above. */
nvmlReturn_t nvmlDeviceGetClockInfo(nvmlDevice_t device, nvmlClockType_t type,
                                    unsigned *mhz)
{
    (void)type;
    return missing(device, mhz);
}

/* The calls whose only result is one value. */
#define MISSING(name, type)                              \
    nvmlReturn_t name(nvmlDevice_t device, type *result) \
    {                                                    \
        return missing(device, result);                  \
    }

MISSING(nvmlDeviceGetFanSpeed, unsigned)
MISSING(nvmlDeviceGetPowerUsage, unsigned)
MISSING(nvmlDeviceGetPowerManagementLimit, unsigned)
MISSING(nvmlDeviceGetEnforcedPowerLimit, unsigned)
MISSING(nvmlDeviceGetTotalEnergyConsumption, unsigned long long)
MISSING(nvmlDeviceGetPerformanceState, nvmlPstates_t)
MISSING(nvmlDeviceGetPersistenceMode, nvmlEnableState_t)
