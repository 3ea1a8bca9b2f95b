/* SPDX-License-Identifier: MIT */
/** @file
 *  Inside NVML: the checks that every call begins with.
 */
#ifndef SOFTGPU_NVML_HANDLE_H
#define SOFTGPU_NVML_HANDLE_H

#include "nvml.h"

#include "common/softgpu/host/device.h"

/** The device of a handle, or NULL: a handle is the device itself. */
struct softgpu_device *softgpu_nvml_device(nvmlDevice_t device);

/** Is NVML in use, and are this device and this pointer valid? */
nvmlReturn_t softgpu_nvml_check(nvmlDevice_t device, const void *result);

/** The end of a call: set *to, if the arguments are valid. */
#define SOFTGPU_NVML_GIVE(device, to, value)                         \
    do {                                                             \
        const nvmlReturn_t status_ = softgpu_nvml_check(device, to); \
        if (status_ == NVML_SUCCESS)                                 \
            *(to) = (value);                                         \
        return status_;                                              \
    } while (0)

#endif
