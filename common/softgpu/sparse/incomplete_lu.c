/* SPDX-License-Identifier: MIT */
/* Incomplete LU, each on one OS thread: a row waits for those before it. */
#include <stdlib.h>

#include "common/softgpu/core/core.h"
#include "sparse.h"

/** Of cusparseCreateCsrilu02Info(). */
struct csrilu02Info {
    int unused;
};

/** Arguments of a factorization. */
struct factorization {
    struct softgpu_library_call call;
    struct cusparseSpMatDescr a;
};

/* Subtract `factor` times row `from`, right of its diagonal, from the values
 * that row `to` has. */
static void subtract_row(const struct cusparseSpMatDescr *a, double factor,
                         int64_t from, int64_t to)
{
    static const struct sparse_number zero;
    const int64_t end = sparse_begin(a, to + 1);
    int64_t at = sparse_begin(a, to);

    for (int64_t k = sparse_begin(a, from); k < sparse_begin(a, from + 1);
         k++) {
        const int64_t place = sparse_place(a, k);
        while (at < end && sparse_place(a, at) < place)
            at++;
        if (place <= from || at == end || sparse_place(a, at) != place)
            continue;
        struct sparse_number v = sparse_load(a->type, a->values, at);
        v.re -= factor * sparse_load(a->type, a->values, k).re;
        sparse_store(a->type, a->values, at,
                     (struct sparse_number){v.re, zero.im});
    }
}

/* Row by row, from the rows above. */
static void run_factorization(const void *self, unsigned part)
{
    const struct cusparseSpMatDescr *a =
        &((const struct factorization *)self)->a;
    double *pivots = calloc((size_t)a->rows + 1, sizeof *pivots);

    (void)part;
    if (!pivots)
        softgpu_fail(SOFTGPU_LAUNCH_FAILURE, "no memory for the factors");
    for (int64_t row = 0; row < a->rows; row++)
        for (int64_t k = sparse_begin(a, row); k < sparse_begin(a, row + 1);
             k++) {
            const int64_t place = sparse_place(a, k);
            struct sparse_number v = sparse_load(a->type, a->values, k);
            if (place == row)
                pivots[row] = v.re;
            if (place >= row)
                continue;
            v.re /= pivots[place];
            sparse_store(a->type, a->values, k, v);
            v = sparse_load(a->type, a->values, k);
            subtract_row(a, v.re, place, row);
        }
    free(pivots);
}

/* Declare the accesses of a factorization, which is in place. */
static void arrays_factorization(const void *self)
{
    sparse_matrix_arrays(&((const struct factorization *)self)->a,
                         SOFTGPU_READS | SOFTGPU_WRITES);
}

/* The fill-in of the analysis: none here. */
cusparseStatus_t cusparseCreateCsrilu02Info(csrilu02Info_t *info)
{
    SPARSE_REQUIRE_VALUE(info);
    *info = calloc(1, sizeof **info);
    return *info ? CUSPARSE_STATUS_SUCCESS : CUSPARSE_STATUS_ALLOC_FAILED;
}

/* Free one; NULL is CUSPARSE_STATUS_INVALID_VALUE. */
cusparseStatus_t cusparseDestroyCsrilu02Info(csrilu02Info_t info)
{
    SPARSE_REQUIRE_VALUE(info);
    free(info);
    return CUSPARSE_STATUS_SUCCESS;
}

/* Factorize, or with no name only check. */
static cusparseStatus_t factorize(cusparseHandle_t handle, const char *name,
                                  struct cusparseSpMatDescr a,
                                  const struct cusparseMatDescr *matrix,
                                  csrilu02Info_t info)
{
    SPARSE_REQUIRE_HANDLE(handle);
    SPARSE_REQUIRE_VALUE(matrix && info && a.rows >= 0 && a.nnz >= 0
                         && (!a.nnz || (a.first && a.second && a.values)));
    SPARSE_REQUIRE(matrix->type == CUSPARSE_MATRIX_TYPE_GENERAL,
                   CUSPARSE_STATUS_MATRIX_TYPE_NOT_SUPPORTED);
    if (!name || !a.rows)
        return CUSPARSE_STATUS_SUCCESS;
    a.base = matrix->base;
    const struct factorization f = {
        .call = {.name = name, .run = run_factorization,
                 .arrays = arrays_factorization, .parts = 1,
                 .operations = 8 * (double)a.nnz,
                 .bytes = 16 * (double)a.nnz, .site = softgpu_call_site},
        .a = a};
    return sparse_submit(handle, &f, sizeof f);
}

#define CSR(type)                                                             \
    (struct cusparseSpMatDescr){CUSPARSE_FORMAT_CSR, m, m, nnz,               \
                                (void *)offsets, (void *)columns,             \
                                (void *)values, CUSPARSE_INDEX_32I,           \
                                CUSPARSE_INDEX_32I, 0, type, false, false}
/* The three calls of a type. */
#define ILU(P, T, type)                                                       \
    cusparseStatus_t cusparse##P##csrilu02_bufferSize(                        \
        cusparseHandle_t handle, int m, int nnz,                              \
        const cusparseMatDescr_t matrix, T *values, const int *offsets,       \
        const int *columns, csrilu02Info_t info, int *bytes)                  \
    {                                                                         \
        SPARSE_REQUIRE_VALUE(bytes);                                          \
        *bytes = 0;                                                           \
        return factorize(handle, NULL, CSR(type), matrix, info);              \
    }                                                                         \
    cusparseStatus_t cusparse##P##csrilu02_analysis(                          \
        cusparseHandle_t handle, int m, int nnz,                              \
        const cusparseMatDescr_t matrix, const T *values, const int *offsets, \
        const int *columns, csrilu02Info_t info,                              \
        cusparseSolvePolicy_t policy, void *buffer)                           \
    {                                                                         \
        (void)policy, (void)buffer;                                           \
        return factorize(handle, NULL, CSR(type), matrix, info);              \
    }                                                                         \
    cusparseStatus_t cusparse##P##csrilu02(                                   \
        cusparseHandle_t handle, int m, int nnz,                              \
        const cusparseMatDescr_t matrix, T *values, const int *offsets,       \
        const int *columns, csrilu02Info_t info,                              \
        cusparseSolvePolicy_t policy, void *buffer)                           \
    {                                                                         \
        (void)policy, (void)buffer;                                           \
        SOFTGPU_LIBRARY_CALL();                                              \
        return factorize(handle, "cusparse" #P "csrilu02", CSR(type), matrix, \
                         info);                                               \
    }
ILU(S, float, CUDA_R_32F)
ILU(D, double, CUDA_R_64F)
