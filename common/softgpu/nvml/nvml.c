/* SPDX-License-Identifier: MIT */
/** @file
 *  NVML: the library, the system, and which devices there are.
 */
#include "handle.h"

#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

static atomic_int users; /* nvmlInit() less nvmlShutdown() */

/* --- checks -------------------------------------------------------------- */

struct softgpu_device *softgpu_nvml_device(nvmlDevice_t device)
{
    for (int i = 0; i < softgpu_device_count(); i++)
        if ((void *)softgpu_device_at(i) == (void *)device)
            return softgpu_device_at(i);
    return NULL;
}

nvmlReturn_t softgpu_nvml_check(nvmlDevice_t device, const void *result)
{
    if (users == 0)
        return NVML_ERROR_UNINITIALIZED;
    return result && softgpu_nvml_device(device)
               ? NVML_SUCCESS : NVML_ERROR_INVALID_ARGUMENT;
}

/* The same for calls without a device. */
static nvmlReturn_t check_system(const void *result)
{
    return users == 0 ? NVML_ERROR_UNINITIALIZED
           : result   ? NVML_SUCCESS : NVML_ERROR_INVALID_ARGUMENT;
}

/* Copy a text into `length` bytes. */
static nvmlReturn_t copy_text(char *to, unsigned length, const char *text)
{
    if (strlen(text) >= length)
        return NVML_ERROR_INSUFFICIENT_SIZE;
    strcpy(to, text);
    return NVML_SUCCESS;
}

/* --- the library and the system ------------------------------------------ */

/* No device is touched: queries need no context, as on a card. */
nvmlReturn_t nvmlInit_v2(void)
{
    softgpu_initialize();
    users++;
    return NVML_SUCCESS;
}

/* Its flags say what may fail; nothing does. */
nvmlReturn_t nvmlInitWithFlags(unsigned flags)
{
    (void)flags;
    return nvmlInit_v2();
}

/* Handles stay valid for the next nvmlInit(). */
nvmlReturn_t nvmlShutdown(void)
{
    if (users == 0)
        return NVML_ERROR_UNINITIALIZED;
    users--;
    return NVML_SUCCESS;
}

/* NVML's own texts. */
const char *nvmlErrorString(nvmlReturn_t result)
{
    static const struct {
        nvmlReturn_t code;
        const char *text;
    } texts[] = {
        { NVML_SUCCESS, "Success" },
        { NVML_ERROR_UNINITIALIZED, "Uninitialized" },
        { NVML_ERROR_INVALID_ARGUMENT, "Invalid Argument" },
        { NVML_ERROR_NOT_SUPPORTED, "Not Supported" },
        { NVML_ERROR_NO_PERMISSION, "Insufficient Permissions" },
        { NVML_ERROR_ALREADY_INITIALIZED, "Already Initialized" },
        { NVML_ERROR_NOT_FOUND, "Not Found" },
        { NVML_ERROR_INSUFFICIENT_SIZE, "Insufficient Size" },
        { NVML_ERROR_DRIVER_NOT_LOADED, "Driver Not Loaded" },
        { NVML_ERROR_TIMEOUT, "Timeout" },
        { NVML_ERROR_FUNCTION_NOT_FOUND, "Function Not Found" },
        { NVML_ERROR_MEMORY, "Insufficient Memory" },
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        if (texts[i].code == result)
            return texts[i].text;
    return "Unknown Error";
}

/* The version that the runtime tells, too. */
nvmlReturn_t nvmlSystemGetCudaDriverVersion(int *version)
{
    if (check_system(version) != NVML_SUCCESS)
        return check_system(version);
    return cudaDriverGetVersion(version) ? NVML_ERROR_UNKNOWN : NVML_SUCCESS;
}

nvmlReturn_t nvmlSystemGetCudaDriverVersion_v2(int *version)
{
    return nvmlSystemGetCudaDriverVersion(version);
}

/* There is no driver of its own: the version of CUDA stands for it. */
nvmlReturn_t nvmlSystemGetDriverVersion(char *version, unsigned length)
{
    char text[32];
    int cuda = 0;

    if (check_system(version) != NVML_SUCCESS)
        return check_system(version);
    cudaDriverGetVersion(&cuda);
    snprintf(text, sizeof text, "%d.%d", cuda / 1000, cuda % 1000 / 10);
    return copy_text(version, length, text);
}

nvmlReturn_t nvmlSystemGetNVMLVersion(char *version, unsigned length)
{
    return nvmlSystemGetDriverVersion(version, length);
}

/* --- which device -------------------------------------------------------- */

/* SOFTGPU_DEVICES. */
nvmlReturn_t nvmlDeviceGetCount_v2(unsigned *count)
{
    if (check_system(count) == NVML_SUCCESS)
        *count = (unsigned)softgpu_device_count();
    return check_system(count);
}

/* The handle of an index, or this error. */
static nvmlReturn_t return_device(int index, nvmlDevice_t *device,
                                  nvmlReturn_t if_missing)
{
    if (!softgpu_device_at(index))
        return if_missing;
    *device = (nvmlDevice_t)(void *)softgpu_device_at(index);
    return NVML_SUCCESS;
}

nvmlReturn_t nvmlDeviceGetHandleByIndex_v2(unsigned index,
                                           nvmlDevice_t *device)
{
    if (check_system(device) != NVML_SUCCESS)
        return check_system(device);
    return return_device(index < SOFTGPU_MAX_DEVICES ? (int)index : -1, device,
                         NVML_ERROR_INVALID_ARGUMENT);
}

/* Device i is at bus i + 1, as cudaDeviceGetPCIBusId() says. */
nvmlReturn_t nvmlDeviceGetHandleByPciBusId_v2(const char *id,
                                              nvmlDevice_t *device)
{
    unsigned domain, bus, slot;

    if (check_system(device) != NVML_SUCCESS)
        return check_system(device);
    if (!id || sscanf(id, "%x:%x:%x", &domain, &bus, &slot) != 3)
        return NVML_ERROR_INVALID_ARGUMENT;
    return return_device(domain || slot ? -1 : (int)bus - 1, device,
                         NVML_ERROR_NOT_FOUND);
}

/* In the form of NVIDIA's: the word "softgpu-", then the index. */
static void write_uuid(char text[NVML_DEVICE_UUID_BUFFER_SIZE], int index)
{
    snprintf(text, NVML_DEVICE_UUID_BUFFER_SIZE,
             "GPU-736f6674-6770-752d-%04x-000000000000", (unsigned)index);
}

nvmlReturn_t nvmlDeviceGetHandleByUUID(const char *uuid, nvmlDevice_t *device)
{
    char text[NVML_DEVICE_UUID_BUFFER_SIZE];

    if (check_system(device) != NVML_SUCCESS)
        return check_system(device);
    if (!uuid)
        return NVML_ERROR_INVALID_ARGUMENT;
    for (int i = 0; i < softgpu_device_count(); i++) {
        write_uuid(text, i);
        if (strcmp(uuid, text) == 0)
            return return_device(i, device, NVML_ERROR_NOT_FOUND);
    }
    return NVML_ERROR_NOT_FOUND;
}

/* --- what identifies a device -------------------------------------------- */

/* The index of the runtime: nothing reorders devices here. */
nvmlReturn_t nvmlDeviceGetIndex(nvmlDevice_t device, unsigned *index)
{
    SOFTGPU_NVML_GIVE(device, index,
                      (unsigned)softgpu_nvml_device(device)->index);
}

nvmlReturn_t nvmlDeviceGetMinorNumber(nvmlDevice_t device, unsigned *number)
{
    return nvmlDeviceGetIndex(device, number);
}

/* All devices are the card that SOFTGPU_CARD names. */
nvmlReturn_t nvmlDeviceGetName(nvmlDevice_t device, char *name,
                               unsigned length)
{
    const nvmlReturn_t status = softgpu_nvml_check(device, name);
    return status ? status : copy_text(name, length, softgpu_card()->name);
}

nvmlReturn_t nvmlDeviceGetUUID(nvmlDevice_t device, char *uuid,
                               unsigned length)
{
    char text[NVML_DEVICE_UUID_BUFFER_SIZE];
    const nvmlReturn_t status = softgpu_nvml_check(device, uuid);

    if (status != NVML_SUCCESS)
        return status;
    write_uuid(text, softgpu_nvml_device(device)->index);
    return copy_text(uuid, length, text);
}

/* The long form of the place has a domain of eight digits. */
nvmlReturn_t nvmlDeviceGetPciInfo_v3(nvmlDevice_t device, nvmlPciInfo_t *pci)
{
    const nvmlReturn_t status = softgpu_nvml_check(device, pci);

    if (status != NVML_SUCCESS)
        return status;
    const int index = softgpu_nvml_device(device)->index;
    *pci = (nvmlPciInfo_t){ .bus = (unsigned)index + 1 };
    snprintf(pci->busIdLegacy, sizeof pci->busIdLegacy, "0000:%02X:00.0",
             pci->bus);
    snprintf(pci->busId, sizeof pci->busId, "00000000:%02X:00.0", pci->bus);
    return NVML_SUCCESS;
}

