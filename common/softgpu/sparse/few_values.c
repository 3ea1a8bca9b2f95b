/* SPDX-License-Identifier: MIT */
/* Vectors of few values, which are copied from or to a dense vector. */
#include <stdlib.h>
#include <string.h>

#include "sparse.h"

/** A vector of few values. */
struct cusparseSpVecDescr {
    int64_t size, nnz;
    void *indices, *values;
    cusparseIndexType_t index_type;
    int64_t base;
    cudaDataType type;
};

/** Arguments of a copy. */
struct few_values {
    struct softgpu_library_call call;
    struct cusparseSpVecDescr x;
    struct cusparseDnVecDescr y;
    bool gathers; /**< from y to x */
};

static void run_copy(const void *self, unsigned part)
{
    const struct few_values *c = self;
    const struct cusparseSpVecDescr *x = &c->x;
    const size_t bytes = sparse_bytes(x->type);
    const struct cusparseSpMatDescr bounds = {.base = x->base};

    (void)part;
    for (int64_t k = 0; k < x->nnz; k++) {
        const int64_t at = sparse_index(x->index_type, x->indices, k) - x->base;
        if ((uint64_t)at >= (uint64_t)c->y.size)
            sparse_bad_index(&bounds, "index", k, at, c->y.size);
        char *few = (char *)x->values + (size_t)k * bytes;
        char *dense = (char *)c->y.values + (size_t)at * bytes;
        memcpy(c->gathers ? few : dense, c->gathers ? dense : few, bytes);
    }
}

static void arrays(const void *self)
{
    const struct few_values *c = self;
    const struct cusparseSpVecDescr *x = &c->x;
    const size_t bytes = sparse_bytes(x->type);

    sparse_array("indices", x->indices, x->nnz,
                 x->index_type == CUSPARSE_INDEX_64I ? 8 : 4, SOFTGPU_READS);
    sparse_array("x", x->values, x->nnz, bytes,
                 c->gathers ? SOFTGPU_WRITES : SOFTGPU_READS);
    sparse_array("y", c->y.values, c->y.size, bytes,
                 c->gathers ? SOFTGPU_READS : SOFTGPU_READS | SOFTGPU_WRITES);
}

static cusparseStatus_t submit(cusparseHandle_t handle, const char *name,
                               cusparseConstSpVecDescr_t x,
                               cusparseConstDnVecDescr_t y, bool gathers)
{
    SPARSE_REQUIRE_HANDLE(handle);
    SPARSE_REQUIRE_VALUE(x && y && x->size == y->size && x->type == y->type);
    const struct few_values c = {
        .call = {.name = name, .run = run_copy, .arrays = arrays, .parts = 1,
                 .bytes = 3.0 * (double)sparse_bytes(x->type) * (double)x->nnz,
                 .site = softgpu_call_site},
        .x = *x, .y = *y, .gathers = gathers};
    return sparse_submit(handle, &c, sizeof c);
}

/* --- the calls ------------------------------------------------------------ */

static cusparseStatus_t create(
    cusparseConstSpVecDescr_t *vector, int64_t size, int64_t nnz,
    const void *indices, const void *values, cusparseIndexType_t index_type,
    cusparseIndexBase_t base, cudaDataType type)
{
    SPARSE_REQUIRE_VALUE(vector && nnz >= 0 && size >= nnz
                         && ((indices && values) || !nnz)
                         && (unsigned)base <= CUSPARSE_INDEX_BASE_ONE);
    SPARSE_REQUIRE_SUPPORTED(sparse_bytes(type), SPARSE_TYPES);
    SPARSE_REQUIRE_SUPPORTED(index_type == CUSPARSE_INDEX_32I
                                 || index_type == CUSPARSE_INDEX_64I,
                             "indices of 16 bits");
    struct cusparseSpVecDescr *v = malloc(sizeof *v);
    SPARSE_REQUIRE(v, CUSPARSE_STATUS_ALLOC_FAILED);
    *v = (struct cusparseSpVecDescr){size, nnz, (void *)indices, (void *)values,
                                     index_type, base, type};
    *vector = v;
    return CUSPARSE_STATUS_SUCCESS;
}

cusparseStatus_t cusparseCreateConstSpVec(
    cusparseConstSpVecDescr_t *vector, int64_t size, int64_t nnz,
    const void *indices, const void *values, cusparseIndexType_t index_type,
    cusparseIndexBase_t base, cudaDataType type)
{
    SOFTGPU_LIBRARY_CALL();
    return create(vector, size, nnz, indices, values, index_type, base, type);
}

cusparseStatus_t cusparseCreateSpVec(cusparseSpVecDescr_t *vector, int64_t size,
                                     int64_t nnz, void *indices, void *values,
                                     cusparseIndexType_t index_type,
                                     cusparseIndexBase_t base,
                                     cudaDataType type)
{
    SOFTGPU_LIBRARY_CALL();
    return create((cusparseConstSpVecDescr_t *)vector, size, nnz, indices,
                  values, index_type, base, type);
}

cusparseStatus_t cusparseDestroySpVec(cusparseConstSpVecDescr_t vector)
{
    SPARSE_REQUIRE_VALUE(vector);
    free((void *)vector);
    return CUSPARSE_STATUS_SUCCESS;
}

cusparseStatus_t cusparseSpVecSetValues(cusparseSpVecDescr_t vector,
                                        void *values)
{
    SPARSE_REQUIRE_VALUE(vector);
    vector->values = values;
    return CUSPARSE_STATUS_SUCCESS;
}

cusparseStatus_t cusparseGather(cusparseHandle_t handle,
                                cusparseConstDnVecDescr_t y,
                                cusparseSpVecDescr_t x)
{
    SOFTGPU_LIBRARY_CALL();
    return submit(handle, "cusparseGather", x, y, true);
}

cusparseStatus_t cusparseScatter(cusparseHandle_t handle,
                                 cusparseConstSpVecDescr_t x,
                                 cusparseDnVecDescr_t y)
{
    SOFTGPU_LIBRARY_CALL();
    return submit(handle, "cusparseScatter", x, y, false);
}
