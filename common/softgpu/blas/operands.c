/* SPDX-License-Identifier: MIT */
/* Scalars, declarations of accesses, submission. */
#include <string.h>

#include "blas.h"

/* --- scalars ------------------------------------------------------------- */

struct blas_scalar blas_scalar(cublasHandle_t handle, const void *p,
                               cudaDataType type)
{
    struct blas_scalar s = {.type = type};

    if (handle->pointer_mode == CUBLAS_POINTER_MODE_DEVICE)
        s.at = p;
    else
        memcpy(s.value, p, blas_bytes(type));
    return s;
}

double blas_scalar_value(const struct blas_scalar *scalar)
{
    return blas_load(scalar->type, blas_scalar_address(scalar), 0);
}

double complex blas_scalar_complex(const struct blas_scalar *scalar)
{
    return blas_load_complex(scalar->type, blas_scalar_address(scalar), 0);
}

void blas_scalar_array(const char *name, const struct blas_scalar *scalar)
{
    const struct softgpu_array array = {
        .name = name, .ptr = scalar->at, .row = blas_bytes(scalar->type),
        .rows = 1, .use = SOFTGPU_READS};

    if (scalar->at)
        softgpu_library_array(&array);
}

/* --- arrays -------------------------------------------------------------- */

void blas_array(const struct blas_array *a)
{
    const size_t bytes = blas_bytes(a->type);
    const struct softgpu_array array = {
        .name = a->name, .ptr = a->ptr, .row = (size_t)a->rows * bytes,
        .rows = (size_t)a->columns, .pitch = (size_t)a->ld * bytes,
        .use = a->use};

    softgpu_library_array(&array);
}

void blas_vector_array(const char *name, const struct blas_vector *v,
                       enum softgpu_use use)
{
    const int64_t inc = v->inc < 0 ? -v->inc : v->inc;
    const bool dense = inc == 1;
    const struct blas_array area = {
        .name = name, .ptr = v->ptr, .type = v->type,
        .rows = dense ? v->n : 1, .columns = dense ? v->n > 0 : v->n,
        .ld = inc, .use = use};

    blas_array(&area);
}

/* --- submission ---------------------------------------------------------- */

/* cuBLAS has no status for most errors of the runtime. */
static cublasStatus_t status_of(cudaError_t error)
{
    switch (error) {
    case cudaSuccess:
        return CUBLAS_STATUS_SUCCESS;
    case cudaErrorMemoryAllocation:
        return CUBLAS_STATUS_ALLOC_FAILED;
    default:
        return CUBLAS_STATUS_EXECUTION_FAILED;
    }
}

cublasStatus_t blas_submit(cudaStream_t stream, const void *self, size_t bytes)
{
    return status_of(softgpu_library_submit(stream, self, bytes));
}

cublasStatus_t blas_submit_result(cublasHandle_t handle, const void *self,
                                  size_t bytes)
{
    const cublasStatus_t status = blas_submit(handle->stream, self, bytes);

    if (status || handle->pointer_mode == CUBLAS_POINTER_MODE_DEVICE)
        return status;
    return status_of(cudaStreamSynchronize(handle->stream));
}
