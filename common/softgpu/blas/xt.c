/* SPDX-License-Identifier: MIT */
/* cuBLASXt: each selected device gets some columns of C, with copies of the
 * matrices in its own memory. */
#include <stdlib.h>

#include "blas.h"
#include "cublasXt.h"

enum { MOST_DEVICES = 64, FIRST_BLOCK_DIM = 2048 };

/** A handle. */
struct cublasXtContext {
    int devices[MOST_DEVICES], count;
    int block_dim; /**< without effect */
    cublasXtPinnedMemMode_t pinning; /**< without effect */
};

/* --- handles and settings ------------------------------------------------- */

cublasStatus_t cublasXtCreate(cublasXtHandle_t *handle)
{
    BLAS_REQUIRE_VALUE(handle);
    *handle = calloc(1, sizeof **handle);
    BLAS_REQUIRE(*handle, CUBLAS_STATUS_ALLOC_FAILED);
    (*handle)->block_dim = FIRST_BLOCK_DIM;
    return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasXtDestroy(cublasXtHandle_t handle)
{
    BLAS_REQUIRE(handle, CUBLAS_STATUS_NOT_INITIALIZED);
    free(handle);
    return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasXtDeviceSelect(cublasXtHandle_t handle, int nbDevices,
                                    int deviceId[])
{
    int there = 0;

    BLAS_REQUIRE(handle, CUBLAS_STATUS_NOT_INITIALIZED);
    BLAS_REQUIRE_VALUE(deviceId && nbDevices > 0 && nbDevices <= MOST_DEVICES);
    BLAS_REQUIRE_VALUE(!handle->count && !cudaGetDeviceCount(&there));
    for (int i = 0; i < nbDevices; i++)
        BLAS_REQUIRE_VALUE(deviceId[i] >= 0 && deviceId[i] < there);
    for (int i = 0; i < nbDevices; i++)
        handle->devices[i] = deviceId[i];
    handle->count = nbDevices;
    return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasXtSetBlockDim(cublasXtHandle_t handle, int blockDim)
{
    BLAS_REQUIRE(handle, CUBLAS_STATUS_NOT_INITIALIZED);
    BLAS_REQUIRE_VALUE(blockDim > 0);
    handle->block_dim = blockDim;
    return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasXtGetBlockDim(cublasXtHandle_t handle, int *blockDim)
{
    BLAS_REQUIRE(handle, CUBLAS_STATUS_NOT_INITIALIZED);
    BLAS_REQUIRE_VALUE(blockDim);
    *blockDim = handle->block_dim;
    return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasXtSetPinningMemMode(cublasXtHandle_t handle,
                                         cublasXtPinnedMemMode_t mode)
{
    BLAS_REQUIRE(handle, CUBLAS_STATUS_NOT_INITIALIZED);
    BLAS_REQUIRE_VALUE((unsigned)mode <= CUBLASXT_PINNING_ENABLED);
    handle->pinning = mode;
    return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasXtGetPinningMemMode(cublasXtHandle_t handle,
                                         cublasXtPinnedMemMode_t *mode)
{
    BLAS_REQUIRE(handle, CUBLAS_STATUS_NOT_INITIALIZED);
    BLAS_REQUIRE_VALUE(mode);
    *mode = handle->pinning;
    return CUBLAS_STATUS_SUCCESS;
}

/* --- products ------------------------------------------------------------- */

/** A matrix by columns, in the program's memory and on the device. */
struct matrix {
    char *at;
    size_t rows, columns, ld; /**< as stored; `ld` of the program's */
    void *device;             /**< its columns follow each other */
};

/** A product, or the columns of it that a device computes. */
struct product {
    cublasOperation_t ta, tb;
    cudaDataType type;
    size_t m, n, k;
    const void *alpha, *beta;
    struct matrix a, b, c;
};

static size_t element(const struct product *p)
{
    return blas_bytes(p->type);
}

/* Allocate the copy of a matrix, and copy it. */
static cudaError_t send(const struct product *p, struct matrix *x)
{
    const size_t row = x->rows * element(p);
    const cudaError_t error = cudaMalloc(&x->device, row * x->columns + 1);

    if (error || !row || !x->columns)
        return error;
    return cudaMemcpy2D(x->device, row, x->at, x->ld * element(p), row,
                        x->columns, cudaMemcpyDefault);
}

static cudaError_t receive(const struct product *p)
{
    const size_t row = p->m * element(p);

    return cudaMemcpy2D(p->c.at, p->c.ld * element(p), p->c.device, row, row,
                        p->n, cudaMemcpyDefault);
}

static cublasStatus_t multiply(cublasHandle_t blas, const struct product *p)
{
    const int64_t m = (int64_t)p->m, n = (int64_t)p->n, k = (int64_t)p->k;
    const int64_t lda = blas_max(1, (int64_t)p->a.rows);
    const int64_t ldb = blas_max(1, (int64_t)p->b.rows);

    return cublasGemmEx_64(
        blas, p->ta, p->tb, m, n, k, p->alpha, p->a.device, p->type, lda,
        p->b.device, p->type, ldb, p->beta, p->c.device, p->type, m,
        blas_real_type(p->type) == CUDA_R_64F ? CUBLAS_COMPUTE_64F
                                              : CUBLAS_COMPUTE_32F,
        CUBLAS_GEMM_DEFAULT);
}

/* Compute the columns on the current device. */
static cublasStatus_t run(struct product *p)
{
    cublasHandle_t blas = NULL;
    cublasStatus_t status = cublasCreate_v2(&blas);

    if (!status && (send(p, &p->a) || send(p, &p->b) || send(p, &p->c)))
        status = CUBLAS_STATUS_ALLOC_FAILED;
    if (!status)
        status = multiply(blas, p);
    if (!status && receive(p))
        status = CUBLAS_STATUS_EXECUTION_FAILED;
    cudaFree(p->a.device);
    cudaFree(p->b.device);
    cudaFree(p->c.device);
    if (blas)
        cublasDestroy_v2(blas);
    return status;
}

/* The columns from first to end of a product. */
static struct product columns(const struct product *p, size_t first, size_t end)
{
    struct product part = *p;
    const size_t step = p->tb == CUBLAS_OP_N ? p->b.ld : 1;

    part.n = part.c.columns = end - first;
    *(p->tb == CUBLAS_OP_N ? &part.b.columns : &part.b.rows) = end - first;
    part.b.at += first * step * element(p);
    part.c.at += first * p->c.ld * element(p);
    return part;
}

/* Distribute a product over the devices. */
static cublasStatus_t distribute(cublasXtHandle_t handle,
                                 const struct product *p)
{
    cublasStatus_t status = CUBLAS_STATUS_SUCCESS;
    int current = 0;

    BLAS_REQUIRE(handle && handle->count, CUBLAS_STATUS_NOT_INITIALIZED);
    BLAS_REQUIRE_VALUE(blas_is_operation(p->ta) && blas_is_operation(p->tb));
    BLAS_REQUIRE_VALUE(p->alpha && p->beta);
    BLAS_REQUIRE_VALUE(p->a.ld >= p->a.rows && p->b.ld >= p->b.rows
                       && p->c.ld >= p->c.rows && p->a.ld && p->b.ld
                       && p->c.ld);
    if (!p->m || !p->n)
        return status;
    cudaGetDevice(&current);
    for (size_t i = 0; !status && i < (size_t)handle->count; i++) {
        const size_t count = (size_t)handle->count;
        struct product part =
            columns(p, p->n * i / count, p->n * (i + 1) / count);
        if (part.n)
            status = cudaSetDevice(handle->devices[i])
                         ? CUBLAS_STATUS_EXECUTION_FAILED : run(&part);
    }
    cudaSetDevice(current);
    return status;
}

/* A matrix whose op is rows x columns. */
static struct matrix operand(const void *at, cublasOperation_t op, size_t rows,
                             size_t columns, size_t ld)
{
    const bool swap = op != CUBLAS_OP_N;

    return (struct matrix){.at = (char *)at, .rows = swap ? columns : rows,
                           .columns = swap ? rows : columns, .ld = ld};
}

/* The call of one type. */
#define GEMM(S, T, t)                                                         \
    cublasStatus_t cublasXt##S##gemm(                                         \
        cublasXtHandle_t handle, cublasOperation_t transa,                    \
        cublasOperation_t transb, size_t m, size_t n, size_t k,               \
        const T *alpha, const T *A, size_t lda, const T *B, size_t ldb,       \
        const T *beta, T *C, size_t ldc)                                      \
    {                                                                         \
        const struct product p = {                                            \
            .ta = transa, .tb = transb, .type = t, .m = m,                    \
            .n = n, .k = k, .alpha = alpha, .beta = beta,                     \
            .a = operand(A, transa, m, k, lda),                               \
            .b = operand(B, transb, k, n, ldb),                               \
            .c = operand(C, CUBLAS_OP_N, m, n, ldc)};                         \
        SOFTGPU_LIBRARY_CALL();                                               \
        return distribute(handle, &p);                                        \
    }

GEMM(S, float, CUDA_R_32F)
GEMM(D, double, CUDA_R_64F)
GEMM(C, cuComplex, CUDA_C_32F)
GEMM(Z, cuDoubleComplex, CUDA_C_64F)
