/* SPDX-License-Identifier: MIT */
/** @file
 *  Attributes of kernels (cudaFuncGetAttributes(), cudaFuncSetAttribute()).
 */
#include "call.h"
#include "device.h"
#include "launch.h"

static cudaError_t attributes_of(struct cudaFuncAttributes *a,
                                 const void *func)
{
    const struct softgpu_kernel *kernel = softgpu_find_kernel_of(func);
    if (!a)
        return cudaErrorInvalidValue;
    if (!kernel)
        return cudaErrorInvalidDeviceFunction;
    const struct softgpu_card *card = softgpu_card();
    const int version = 10 * card->major + card->minor;
    *a = (struct cudaFuncAttributes){
        .sharedSizeBytes = softgpu_static_shared(kernel),
        .maxThreadsPerBlock =
            kernel->max_threads ? (int)kernel->max_threads : 1024,
        .numRegs = SOFTGPU_ASSUMED_REGISTERS,
        .ptxVersion = version, .binaryVersion = version,
        .maxDynamicSharedSizeBytes = (int)softgpu_dynamic_limit(kernel),
        .preferredShmemCarveout = kernel->carveout};
    return cudaSuccess;
}

cudaError_t cudaFuncGetAttributes(struct cudaFuncAttributes *attributes,
                                  const void *func)
{
    SOFTGPU_QUERY(attributes_of(attributes, func));
}

static cudaError_t set_dynamic(struct softgpu_kernel *kernel, int bytes)
{
    const size_t fixed = softgpu_static_shared(kernel);
    if (bytes < 0 || (size_t)bytes + fixed > softgpu_card()->shared_optin)
        return cudaErrorInvalidValue;
    kernel->max_dynamic = bytes;
    return cudaSuccess;
}

static cudaError_t set_attribute(const void *func,
                                 enum cudaFuncAttribute attribute, int value)
{
    struct softgpu_kernel *kernel = softgpu_find_kernel_of(func);
    if (!kernel)
        return cudaErrorInvalidDeviceFunction;
    switch (attribute) {
    case cudaFuncAttributeMaxDynamicSharedMemorySize:
        return set_dynamic(kernel, value);
    case cudaFuncAttributePreferredSharedMemoryCarveout:
        if (value < -1 || value > 100)
            return cudaErrorInvalidValue;
        kernel->carveout = value;
        return cudaSuccess;
    case cudaFuncAttributeNonPortableClusterSizeAllowed:
        return cudaSuccess;
    default:
        return cudaErrorInvalidValue;
    }
}

cudaError_t cudaFuncSetAttribute(const void *func,
                                 enum cudaFuncAttribute attribute, int value)
{
    SOFTGPU_CALL(set_attribute(func, attribute, value));
}

/* Check a preference, which has no effect. */
static cudaError_t set_hint(const void *func, unsigned value, unsigned most)
{
    if (!softgpu_find_kernel_of(func))
        return cudaErrorInvalidDeviceFunction;
    return value > most ? cudaErrorInvalidValue : cudaSuccess;
}

cudaError_t cudaFuncSetCacheConfig(const void *func,
                                   enum cudaFuncCache config)
{
    SOFTGPU_CALL(set_hint(func, (unsigned)config, cudaFuncCachePreferEqual));
}

cudaError_t cudaFuncSetSharedMemConfig(const void *func,
                                       enum cudaSharedMemConfig config)
{
    SOFTGPU_CALL(
        set_hint(func, (unsigned)config, cudaSharedMemBankSizeEightByte));
}

static cudaError_t name_of(const char **name, const void *func)
{
    const struct softgpu_kernel *kernel = softgpu_find_kernel_of(func);
    if (!name)
        return cudaErrorInvalidValue;
    if (!kernel)
        return cudaErrorInvalidDeviceFunction;
    *name = kernel->name;
    return cudaSuccess;
}

cudaError_t cudaFuncGetName(const char **name, const void *func)
{
    SOFTGPU_CALL(name_of(name, func));
}
