/* SPDX-License-Identifier: MIT */
/** @file
 *  The properties of a device, computed from its card, and the attributes.
 */
#include "properties.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "call.h"
#include "device.h"

/* Properties that are equal on all cards since compute capability 7.0. */
static const struct cudaDeviceProp common = {
    .regsPerBlock = SOFTGPU_REGISTERS,
    .warpSize = 32,
    .memPitch = 0x7fffffff,
    .maxThreadsPerBlock = 1024,
    .maxThreadsDim = {1024, 1024, 64},
    .maxGridSize = {0x7fffffff, 65535, 65535},
    .totalConstMem = 65536,
    .textureAlignment = 512,
    .texturePitchAlignment = 32,
    .surfaceAlignment = 512,
    .deviceOverlap = 1,
    .canMapHostMemory = 1,
    .concurrentKernels = 1,
    .unifiedAddressing = 1,
    .streamPrioritiesSupported = 1,
    .globalL1CacheSupported = 1,
    .localL1CacheSupported = 1,
    .regsPerMultiprocessor = SOFTGPU_REGISTERS,
    .managedMemory = 1,
    .concurrentManagedAccess = 1,
    .computePreemptionSupported = 1,
    .canUseHostPointerForRegisteredMem = 1,
    .cooperativeLaunch = 1,
    .hostRegisterSupported = 1,
    .hostRegisterReadOnlySupported = 1,
    .memoryPoolsSupported = 1,
    .ipcEventSupported = 1,
};

void softgpu_fill_properties(struct cudaDeviceProp *p, int index)
{
    const struct softgpu_card *c = softgpu_card();
    *p = common;
    snprintf(p->name, sizeof p->name, "%s", c->name);
    snprintf(p->uuid.bytes, sizeof p->uuid.bytes, "softgpu-%d", index);
    p->totalGlobalMem = c->memory_bytes;
    p->sharedMemPerBlock = c->shared_block;
    p->clockRate = c->clock_khz;
    p->major = c->major;
    p->minor = c->minor;
    p->multiProcessorCount = c->sms;
    p->ECCEnabled = c->ecc;
    p->pciBusID = index + 1;
    p->asyncEngineCount = c->copy_engines;
    p->memoryClockRate = c->memory_khz;
    p->memoryBusWidth = c->bus_bits;
    p->l2CacheSize = (int)c->l2_bytes;
    p->persistingL2CacheMaxSize =
        c->major >= 8 ? (int)(c->l2_bytes / 16 * 11) : 0;
    p->accessPolicyMaxWindowSize = c->major >= 8 ? 128 << 20 : 0;
    p->maxThreadsPerMultiProcessor = c->threads_sm;
    p->sharedMemPerMultiprocessor = c->shared_sm;
    p->singleToDoublePrecisionPerfRatio = c->fp64_ratio;
    p->sharedMemPerBlockOptin = c->shared_optin;
    p->maxBlocksPerMultiProcessor = c->blocks_sm;
    p->reservedSharedMemPerBlock = c->shared_reserved;
    p->multiGpuBoardGroupID = index;
}

cudaError_t cudaGetDeviceProperties(struct cudaDeviceProp *prop, int device)
{
    SOFTGPU_CALL(!prop ? cudaErrorInvalidValue
                 : !softgpu_device_at(device)
                     ? cudaErrorInvalidDevice
                     : (softgpu_fill_properties(prop, device), cudaSuccess));
}

/* Attributes that are equal to a property. */
#define SAME(X)                                                            \
    X(MaxThreadsPerBlock, maxThreadsPerBlock)                              \
    X(MaxBlockDimX, maxThreadsDim[0])                                      \
    X(MaxBlockDimY, maxThreadsDim[1])                                      \
    X(MaxBlockDimZ, maxThreadsDim[2])                                      \
    X(MaxGridDimX, maxGridSize[0])                                         \
    X(MaxGridDimY, maxGridSize[1])                                         \
    X(MaxGridDimZ, maxGridSize[2])                                         \
    X(MaxSharedMemoryPerBlock, sharedMemPerBlock)                          \
    X(TotalConstantMemory, totalConstMem)                                  \
    X(WarpSize, warpSize)                                                  \
    X(MaxPitch, memPitch)                                                  \
    X(MaxRegistersPerBlock, regsPerBlock)                                  \
    X(ClockRate, clockRate)                                                \
    X(TextureAlignment, textureAlignment)                                  \
    X(TexturePitchAlignment, texturePitchAlignment)                        \
    X(SurfaceAlignment, surfaceAlignment)                                  \
    X(GpuOverlap, deviceOverlap)                                           \
    X(MultiProcessorCount, multiProcessorCount)                            \
    X(CanMapHostMemory, canMapHostMemory)                                  \
    X(ConcurrentKernels, concurrentKernels)                                \
    X(EccEnabled, ECCEnabled)                                              \
    X(PciBusId, pciBusID)                                                  \
    X(MemoryClockRate, memoryClockRate)                                    \
    X(GlobalMemoryBusWidth, memoryBusWidth)                                \
    X(L2CacheSize, l2CacheSize)                                            \
    X(MaxThreadsPerMultiProcessor, maxThreadsPerMultiProcessor)            \
    X(AsyncEngineCount, asyncEngineCount)                                  \
    X(UnifiedAddressing, unifiedAddressing)                                \
    X(ComputeCapabilityMajor, major)                                       \
    X(ComputeCapabilityMinor, minor)                                       \
    X(StreamPrioritiesSupported, streamPrioritiesSupported)                \
    X(GlobalL1CacheSupported, globalL1CacheSupported)                      \
    X(LocalL1CacheSupported, localL1CacheSupported)                        \
    X(MaxSharedMemoryPerMultiprocessor, sharedMemPerMultiprocessor)        \
    X(MaxRegistersPerMultiprocessor, regsPerMultiprocessor)                \
    X(ManagedMemory, managedMemory)                                        \
    X(MultiGpuBoardGroupID, multiGpuBoardGroupID)                          \
    X(SingleToDoublePrecisionPerfRatio, singleToDoublePrecisionPerfRatio)  \
    X(ConcurrentManagedAccess, concurrentManagedAccess)                    \
    X(ComputePreemptionSupported, computePreemptionSupported)              \
    X(CanUseHostPointerForRegisteredMem, canUseHostPointerForRegisteredMem) \
    X(CooperativeLaunch, cooperativeLaunch)                                \
    X(MaxSharedMemoryPerBlockOptin, sharedMemPerBlockOptin)                \
    X(HostRegisterSupported, hostRegisterSupported)                        \
    X(MaxBlocksPerMultiprocessor, maxBlocksPerMultiProcessor)              \
    X(MaxPersistingL2CacheSize, persistingL2CacheMaxSize)                  \
    X(MaxAccessPolicyWindowSize, accessPolicyMaxWindowSize)                \
    X(ReservedSharedMemoryPerBlock, reservedSharedMemPerBlock)             \
    X(HostRegisterReadOnlySupported, hostRegisterReadOnlySupported)        \
    X(MemoryPoolsSupported, memoryPoolsSupported)                          \
    X(IpcEventSupport, ipcEventSupported)

static cudaError_t attribute_of(int *value, enum cudaDeviceAttr attribute,
                                int device)
{
    struct cudaDeviceProp p;
    if (!value || (int)attribute < 1 || attribute >= cudaDevAttrMax)
        return cudaErrorInvalidValue;
    if (!softgpu_device_at(device))
        return cudaErrorInvalidDevice;
    softgpu_fill_properties(&p, device);
    switch (attribute) {
#define CASE(name, member)               \
    case cudaDevAttr##name:              \
        *value = (int)p.member;          \
        break;
        SAME(CASE)
#undef CASE
    case cudaDevAttrNumaId:
    case cudaDevAttrHostNumaId:
        *value = -1;
        break;
    case cudaDevAttrMemSyncDomainCount:
        *value = p.major >= 9 ? 4 : 1;
        break;
    default: /* not supported by the soft device */
        *value = 0;
    }
    return cudaSuccess;
}

cudaError_t cudaDeviceGetAttribute(int *value, enum cudaDeviceAttr attribute,
                                   int device)
{
    SOFTGPU_QUERY(attribute_of(value, attribute, device));
}

static cudaError_t choose_device(int *device, const struct cudaDeviceProp *prop)
{
    if (!device || !prop)
        return cudaErrorInvalidValue;
    *device = 0; /* all devices are equal */
    return cudaSuccess;
}

cudaError_t cudaChooseDevice(int *device, const struct cudaDeviceProp *prop)
{
    SOFTGPU_CALL(choose_device(device, prop));
}

static cudaError_t bus_id(char *id, int length, int device)
{
    char text[32];
    if (!id || length < 1)
        return cudaErrorInvalidValue;
    if (!softgpu_device_at(device))
        return cudaErrorInvalidDevice;
    snprintf(text, sizeof text, "0000:%02X:00.0", (unsigned)device + 1);
    snprintf(id, (size_t)length, "%s", text);
    return cudaSuccess;
}

cudaError_t cudaDeviceGetPCIBusId(char *id, int length, int device)
{
    SOFTGPU_CALL(bus_id(id, length, device));
}

static cudaError_t find_by_bus_id(int *device, const char *id)
{
    unsigned domain, bus, slot;
    if (!device || !id
        || (sscanf(id, "%x:%x:%x", &domain, &bus, &slot) != 3
            && (domain = 0, sscanf(id, "%x:%x", &bus, &slot) != 2)))
        return cudaErrorInvalidValue;
    if (domain || slot || bus < 1 || !softgpu_device_at((int)bus - 1))
        return cudaErrorInvalidDevice;
    *device = (int)bus - 1;
    return cudaSuccess;
}

cudaError_t cudaDeviceGetByPCIBusId(int *device, const char *id)
{
    SOFTGPU_CALL(find_by_bus_id(device, id));
}
