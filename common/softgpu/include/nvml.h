/* SPDX-License-Identifier: MIT */
/** @file
 *  NVML (the NVIDIA Management Library): what the virtual devices are, and how
 *  much of their memory this process uses.
 *
 *  Sensors, clocks that change, utilization and settings are not supported:
 *  those calls return NVML_ERROR_NOT_SUPPORTED, as on a card that lacks them.
 */
#ifndef SOFTGPU_NVML_H
#define SOFTGPU_NVML_H
#define __nvml_nvml_h__ /* programs ask for it */

#include "softgpu/push_macros.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Sizes of the texts that calls write. */
#define NVML_DEVICE_NAME_BUFFER_SIZE 64
#define NVML_DEVICE_NAME_V2_BUFFER_SIZE 96
#define NVML_DEVICE_UUID_BUFFER_SIZE 80
#define NVML_DEVICE_UUID_V2_BUFFER_SIZE 96
#define NVML_DEVICE_SERIAL_BUFFER_SIZE 30
#define NVML_DEVICE_PCI_BUS_ID_BUFFER_SIZE 32
#define NVML_DEVICE_PCI_BUS_ID_BUFFER_V2_SIZE 16
#define NVML_SYSTEM_DRIVER_VERSION_BUFFER_SIZE 80
#define NVML_SYSTEM_NVML_VERSION_BUFFER_SIZE 80
/** Parts of a version of CUDA. */
#define NVML_CUDA_DRIVER_VERSION_MAJOR(v) ((v) / 1000)
#define NVML_CUDA_DRIVER_VERSION_MINOR(v) (((v) % 1000) / 10)

/** Status of a call. */
typedef enum nvmlReturn_enum {
    NVML_SUCCESS = 0,
    NVML_ERROR_UNINITIALIZED = 1,
    NVML_ERROR_INVALID_ARGUMENT = 2,
    NVML_ERROR_NOT_SUPPORTED = 3,
    NVML_ERROR_NO_PERMISSION = 4,
    NVML_ERROR_ALREADY_INITIALIZED = 5,
    NVML_ERROR_NOT_FOUND = 6,
    NVML_ERROR_INSUFFICIENT_SIZE = 7,
    NVML_ERROR_INSUFFICIENT_POWER = 8,
    NVML_ERROR_DRIVER_NOT_LOADED = 9,
    NVML_ERROR_TIMEOUT = 10,
    NVML_ERROR_LIBRARY_NOT_FOUND = 12,
    NVML_ERROR_FUNCTION_NOT_FOUND = 13,
    NVML_ERROR_GPU_IS_LOST = 15,
    NVML_ERROR_MEMORY = 20,
    NVML_ERROR_NO_DATA = 21,
    NVML_ERROR_UNKNOWN = 999
} nvmlReturn_t;

/** Is a feature on? */
typedef enum nvmlEnableState_enum {
    NVML_FEATURE_DISABLED = 0,
    NVML_FEATURE_ENABLED = 1
} nvmlEnableState_t;

/** The processes that may use a device. */
typedef enum nvmlComputeMode_enum {
    NVML_COMPUTEMODE_DEFAULT = 0,
    NVML_COMPUTEMODE_EXCLUSIVE_THREAD = 1,
    NVML_COMPUTEMODE_PROHIBITED = 2,
    NVML_COMPUTEMODE_EXCLUSIVE_PROCESS = 3
} nvmlComputeMode_t;

/** Where a temperature is measured. */
typedef enum nvmlTemperatureSensors_enum {
    NVML_TEMPERATURE_GPU = 0
} nvmlTemperatureSensors_t;

/** A clock. */
typedef enum nvmlClockType_enum {
    NVML_CLOCK_GRAPHICS = 0,
    NVML_CLOCK_SM = 1,
    NVML_CLOCK_MEM = 2,
    NVML_CLOCK_VIDEO = 3
} nvmlClockType_t;

/** A level of performance. */
typedef enum nvmlPStates_enum {
    NVML_PSTATE_0 = 0,
    NVML_PSTATE_UNKNOWN = 32
} nvmlPstates_t;

/** A device. */
typedef struct nvmlDevice_st *nvmlDevice_t;

/** Memory of a device, bytes. */
typedef struct nvmlMemory_st {
    unsigned long long total, free, used;
} nvmlMemory_t;

/** Percent of the last sampling period. */
typedef struct nvmlUtilization_st {
    unsigned gpu, memory;
} nvmlUtilization_t;

/** Place on the PCI bus. */
typedef struct nvmlPciInfo_st {
    char busIdLegacy[NVML_DEVICE_PCI_BUS_ID_BUFFER_V2_SIZE];
    unsigned domain, bus, device;
    unsigned pciDeviceId, pciSubSystemId; /**< 0 here */
    char busId[NVML_DEVICE_PCI_BUS_ID_BUFFER_SIZE];
} nvmlPciInfo_t;

/** A process that uses a device. */
typedef struct nvmlProcessInfo_st {
    unsigned pid;
    unsigned long long usedGpuMemory;
    unsigned gpuInstanceId, computeInstanceId;
} nvmlProcessInfo_t;

/** Begin to use NVML; every nvmlShutdown() ends one nvmlInit(). */
nvmlReturn_t nvmlInit_v2(void);
/** The same; no flag has an effect. */
nvmlReturn_t nvmlInitWithFlags(unsigned flags);
/** End it. */
nvmlReturn_t nvmlShutdown(void);
/** The text of a status. */
const char *nvmlErrorString(nvmlReturn_t result);

/** The version of the driver, as text: that of CUDA here. */
nvmlReturn_t nvmlSystemGetDriverVersion(char *version, unsigned length);
/** The version of NVML, as text. */
nvmlReturn_t nvmlSystemGetNVMLVersion(char *version, unsigned length);
/** The version of CUDA that the driver has: 1000 * major + 10 * minor. */
nvmlReturn_t nvmlSystemGetCudaDriverVersion(int *version);
/** The same. */
nvmlReturn_t nvmlSystemGetCudaDriverVersion_v2(int *version);

/** Number of devices. */
nvmlReturn_t nvmlDeviceGetCount_v2(unsigned *count);
/** The device of an index, from 0. */
nvmlReturn_t nvmlDeviceGetHandleByIndex_v2(unsigned index,
                                           nvmlDevice_t *device);
/** The device at a place of the PCI bus ("0000:01:00.0"). */
nvmlReturn_t nvmlDeviceGetHandleByPciBusId_v2(const char *id,
                                              nvmlDevice_t *device);
/** The device of a unique identifier. */
nvmlReturn_t nvmlDeviceGetHandleByUUID(const char *uuid, nvmlDevice_t *device);
/** The index of a device. */
nvmlReturn_t nvmlDeviceGetIndex(nvmlDevice_t device, unsigned *index);
/** The number of its device file: its index. */
nvmlReturn_t nvmlDeviceGetMinorNumber(nvmlDevice_t device, unsigned *number);
/** Its name: that of cudaGetDeviceProperties(). */
nvmlReturn_t nvmlDeviceGetName(nvmlDevice_t device, char *name,
                               unsigned length);
/** Its unique identifier. */
nvmlReturn_t nvmlDeviceGetUUID(nvmlDevice_t device, char *uuid,
                               unsigned length);
/** Its place on the PCI bus. */
nvmlReturn_t nvmlDeviceGetPciInfo_v3(nvmlDevice_t device, nvmlPciInfo_t *pci);
/** Its memory, as cudaMemGetInfo() says. */
nvmlReturn_t nvmlDeviceGetMemoryInfo(nvmlDevice_t device,
                                     nvmlMemory_t *memory);
/** Its compute capability. */
nvmlReturn_t nvmlDeviceGetCudaComputeCapability(nvmlDevice_t device,
                                                int *major, int *minor);
/** Its cores: float operations of all SMs in a clock. */
nvmlReturn_t nvmlDeviceGetNumGpuCores(nvmlDevice_t device, unsigned *cores);
/** The width of its memory bus, bits. */
nvmlReturn_t nvmlDeviceGetMemoryBusWidth(nvmlDevice_t device, unsigned *bits);
/** The highest value of a clock, MHz. */
nvmlReturn_t nvmlDeviceGetMaxClockInfo(nvmlDevice_t device,
                                       nvmlClockType_t type, unsigned *mhz);
/** The compute mode: NVML_COMPUTEMODE_DEFAULT. */
nvmlReturn_t nvmlDeviceGetComputeMode(nvmlDevice_t device,
                                      nvmlComputeMode_t *mode);
/** Does its memory correct errors? */
nvmlReturn_t nvmlDeviceGetEccMode(nvmlDevice_t device,
                                  nvmlEnableState_t *current,
                                  nvmlEnableState_t *pending);
/** The processes that use it: this one.
 *  @param[in,out] count  room in `processes`, then the processes there are */
nvmlReturn_t nvmlDeviceGetComputeRunningProcesses_v3(
    nvmlDevice_t device, unsigned *count, nvmlProcessInfo_t *processes);

/** How busy it is: not supported. */
nvmlReturn_t nvmlDeviceGetUtilizationRates(nvmlDevice_t device,
                                           nvmlUtilization_t *utilization);
/** A temperature, degrees Celsius: not supported. */
nvmlReturn_t nvmlDeviceGetTemperature(nvmlDevice_t device,
                                      nvmlTemperatureSensors_t sensor,
                                      unsigned *degrees);
/** The speed of its fan, percent: not supported. */
nvmlReturn_t nvmlDeviceGetFanSpeed(nvmlDevice_t device, unsigned *percent);
/** Its power, mW: not supported. */
nvmlReturn_t nvmlDeviceGetPowerUsage(nvmlDevice_t device, unsigned *mw);
/** The limit of its power, mW: not supported. */
nvmlReturn_t nvmlDeviceGetPowerManagementLimit(nvmlDevice_t device,
                                               unsigned *mw);
/** The limit in force, mW: not supported. */
nvmlReturn_t nvmlDeviceGetEnforcedPowerLimit(nvmlDevice_t device,
                                             unsigned *mw);
/** Energy since the driver was loaded, mJ: not supported. */
nvmlReturn_t nvmlDeviceGetTotalEnergyConsumption(nvmlDevice_t device,
                                                 unsigned long long *mj);
/** The present value of a clock, MHz: not supported. */
nvmlReturn_t nvmlDeviceGetClockInfo(nvmlDevice_t device, nvmlClockType_t type,
                                    unsigned *mhz);
/** Its level of performance: not supported. */
nvmlReturn_t nvmlDeviceGetPerformanceState(nvmlDevice_t device,
                                           nvmlPstates_t *state);
/** Does its driver stay loaded?  Not supported. */
nvmlReturn_t nvmlDeviceGetPersistenceMode(nvmlDevice_t device,
                                          nvmlEnableState_t *mode);

#ifdef __cplusplus
}
#endif

#define nvmlInit nvmlInit_v2
#define nvmlDeviceGetCount nvmlDeviceGetCount_v2
#define nvmlDeviceGetHandleByIndex nvmlDeviceGetHandleByIndex_v2
#define nvmlDeviceGetHandleByPciBusId nvmlDeviceGetHandleByPciBusId_v2
#define nvmlDeviceGetPciInfo nvmlDeviceGetPciInfo_v3
#define nvmlDeviceGetComputeRunningProcesses \
    nvmlDeviceGetComputeRunningProcesses_v3

#include "softgpu/pop_macros.h"

#endif
