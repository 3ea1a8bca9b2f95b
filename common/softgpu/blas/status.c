/* SPDX-License-Identifier: MIT */
/* Names and descriptions of status codes. */
#include <stddef.h>

#include "cublas_v2.h"

static const struct {
    cublasStatus_t status;
    const char *name, *words;
} table[] = {
#define STATUS(name, words) {name, #name, words}
    STATUS(CUBLAS_STATUS_SUCCESS, "success"),
    STATUS(CUBLAS_STATUS_NOT_INITIALIZED,
           "the handle was not made by cublasCreate, or there is no library"),
    STATUS(CUBLAS_STATUS_ALLOC_FAILED, "out of memory"),
    STATUS(CUBLAS_STATUS_INVALID_VALUE,
           "an argument has a value that the call does not take"),
    STATUS(CUBLAS_STATUS_ARCH_MISMATCH, "the device lacks what this needs"),
    STATUS(CUBLAS_STATUS_MAPPING_ERROR, "a copy from or to the device failed"),
    STATUS(CUBLAS_STATUS_EXECUTION_FAILED, "the device failed to run it"),
    STATUS(CUBLAS_STATUS_INTERNAL_ERROR, "a defect of the library"),
    STATUS(CUBLAS_STATUS_NOT_SUPPORTED,
           "this combination of arguments is not supported"),
    STATUS(CUBLAS_STATUS_LICENSE_ERROR, "no license"),
#undef STATUS
};
enum { STATUSES = sizeof table / sizeof *table };

const char *cublasGetStatusName(cublasStatus_t status)
{
    for (size_t i = 0; i < STATUSES; i++)
        if (table[i].status == status)
            return table[i].name;
    return "unknown cuBLAS status";
}

const char *cublasGetStatusString(cublasStatus_t status)
{
    for (size_t i = 0; i < STATUSES; i++)
        if (table[i].status == status)
            return table[i].words;
    return "unknown cuBLAS status";
}
