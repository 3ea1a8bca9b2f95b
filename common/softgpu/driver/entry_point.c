/* SPDX-License-Identifier: MIT */
/** @file
 *  Addresses of the driver API's calls by their names.
 */
#include <string.h>

#include "driver.h"
#include "softgpu/driver/entry_points.h"

/* All calls; a program that asks for one is linked with all. */
static const struct {
    const char *name;
    void (*address)(void);
} calls[] = {
#define CALL(name) {#name, (void (*)(void))name},
    SOFTGPU_DRIVER_CALLS(CALL)
#undef CALL
};

/* "cuMemAlloc" and "cuMemAlloc_v2" are one call. */
static size_t name_length(const char *name)
{
    const char *version = strstr(name, "_v");
    return version && version[2] >= '0' && version[2] <= '9'
               ? (size_t)(version - name)
               : strlen(name);
}

CUresult cuGetProcAddress(const char *name, void **function, int version,
                          unsigned long long flags,
                          CUdriverProcAddressQueryResult *status)
{
    (void)version;
    if (!name || !function || flags > 2)
        return CUDA_ERROR_INVALID_VALUE;
    const size_t n = name_length(name);
    *function = NULL;
    for (size_t i = 0; i < sizeof calls / sizeof *calls; i++)
        if (strncmp(calls[i].name, name, n) == 0 && !calls[i].name[n])
            memcpy(function, &calls[i].address, sizeof *function);
    if (status)
        *status = *function ? CU_GET_PROC_ADDRESS_SUCCESS
                            : CU_GET_PROC_ADDRESS_SYMBOL_NOT_FOUND;
    return *function || status ? CUDA_SUCCESS : CUDA_ERROR_NOT_FOUND;
}

cudaError_t cudaGetDriverEntryPoint(
    const char *name, void **function, unsigned long long flags,
    enum cudaDriverEntryPointQueryResult *status)
{
    CUdriverProcAddressQueryResult found = CU_GET_PROC_ADDRESS_SUCCESS;
    const CUresult result =
        cuGetProcAddress(name, function, CUDA_VERSION, flags, &found);
    if (status)
        *status = (enum cudaDriverEntryPointQueryResult)found;
    return (cudaError_t)result;
}

cudaError_t cudaGetDriverEntryPointByVersion(
    const char *name, void **function, unsigned int version,
    unsigned long long flags, enum cudaDriverEntryPointQueryResult *status)
{
    (void)version;
    return cudaGetDriverEntryPoint(name, function, flags, status);
}
