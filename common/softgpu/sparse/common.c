/* SPDX-License-Identifier: MIT */
/* Numbers, declarations of accesses, submission. */
#include "common/softgpu/core/core.h"
#include "sparse.h"

/* --- numbers -------------------------------------------------------------- */

/* Value types are float, double, and the complex numbers of both. */
size_t sparse_bytes(cudaDataType type)
{
    switch (type) {
    case CUDA_R_32F: return 4;
    case CUDA_R_64F:
    case CUDA_C_32F: return 8;
    case CUDA_C_64F: return 16;
    default: return 0;
    }
}

/* Float becomes any type, double its complex one. */
bool sparse_types_fit(cudaDataType compute_type, cudaDataType matrix,
                      cudaDataType x, cudaDataType y)
{
    return sparse_bytes(compute_type) && x == compute_type && y == compute_type
           && (matrix == compute_type || matrix == CUDA_R_32F
               || (matrix == CUDA_R_64F && compute_type == CUDA_C_64F));
}

/* The number as the array has it. */
void sparse_bad_index(const struct cusparseSpMatDescr *a, const char *array,
                      int64_t i, int64_t index, int64_t count)
{
    softgpu_fail(SOFTGPU_ILLEGAL_ADDRESS,
                 "%s %lld is %lld, should be %lld to %lld", array,
                 (long long)i, (long long)(index + a->base),
                 (long long)a->base, (long long)(count + a->base - 1));
}

/* The type is one of those above. */
struct sparse_number sparse_load(cudaDataType type, const void *p, int64_t i)
{
    const float *f = p;
    const double *d = p;

    switch (type) {
    case CUDA_R_32F: return (struct sparse_number){f[i], 0};
    case CUDA_R_64F: return (struct sparse_number){d[i], 0};
    case CUDA_C_32F: return (struct sparse_number){f[2 * i], f[2 * i + 1]};
    default: return (struct sparse_number){d[2 * i], d[2 * i + 1]};
    }
}

/* A real type takes the real part alone. */
void sparse_store(cudaDataType type, void *p, int64_t i,
                  struct sparse_number value)
{
    const bool is_complex = type == CUDA_C_32F || type == CUDA_C_64F;
    const int64_t at = is_complex ? 2 * i : i;

    if (type == CUDA_R_32F || type == CUDA_C_32F)
        ((float *)p)[at] = (float)value.re;
    else
        ((double *)p)[at] = value.re;
    if (type == CUDA_C_32F)
        ((float *)p)[at + 1] = (float)value.im;
    else if (is_complex)
        ((double *)p)[at + 1] = value.im;
}

/* With CUSPARSE_POINTER_MODE_DEVICE the scalar is read when the command
 * runs. */
struct sparse_scalar sparse_scalar(cusparseHandle_t handle, const void *p,
                                   cudaDataType type)
{
    struct sparse_scalar s = {.type = type};

    if (handle->mode == CUSPARSE_POINTER_MODE_DEVICE)
        s.at = p;
    else
        s.value = sparse_load(type, p, 0);
    return s;
}

/* From device memory, or the value that the call read. */
struct sparse_number sparse_scalar_value(const struct sparse_scalar *s)
{
    return s->at ? sparse_load(s->type, s->at, 0) : s->value;
}

/* --- arrays --------------------------------------------------------------- */

/* An array of n elements of so many bytes; none of it where n is 0. */
void sparse_array(const char *name, const void *p, int64_t n, size_t bytes,
                  enum softgpu_use use)
{
    const struct softgpu_array array = {.name = name, .ptr = p,
                                        .row = (size_t)n * bytes,
                                        .rows = n > 0, .use = use};

    softgpu_library_array(&array);
}

/* A scalar in host memory is no access of the device. */
void sparse_scalar_array(const char *name, const struct sparse_scalar *s)
{
    if (s->at)
        sparse_array(name, s->at, 1, sparse_bytes(s->type), SOFTGPU_READS);
}

/* Bytes of an index. */
static size_t index_bytes(cusparseIndexType_t type)
{
    return type == CUSPARSE_INDEX_64I ? 8 : 4;
}

/* Offsets (COO: row indices), column or row indices, and values. */
void sparse_matrix_arrays(const struct cusparseSpMatDescr *a,
                          enum softgpu_use use)
{
    const bool is_coo = a->format == CUSPARSE_FORMAT_COO;

    sparse_array(is_coo ? "rows" : "offsets", a->first,
                 is_coo ? a->nnz : sparse_lines(a) + 1,
                 index_bytes(a->first_type), SOFTGPU_READS);
    sparse_array("indices", a->second, a->nnz, index_bytes(a->second_type),
                 SOFTGPU_READS);
    sparse_array("values", a->values, a->nnz, sparse_bytes(a->type), use);
}

/* Contiguous rows or columns, ld elements apart. */
void sparse_dense_array(const char *name, const struct cusparseDnMatDescr *b,
                        enum softgpu_use use)
{
    const bool by_rows = b->order == CUSPARSE_ORDER_ROW;
    const size_t bytes = sparse_bytes(b->type);
    const struct softgpu_array array = {
        .name = name, .ptr = b->values, .use = use,
        .row = (size_t)(by_rows ? b->cols : b->rows) * bytes,
        .rows = (size_t)(by_rows ? b->rows : b->cols),
        .pitch = (size_t)b->ld * bytes};

    softgpu_library_array(&array);
}

/* Errors of the submission, as cuSPARSE names them. */
cusparseStatus_t sparse_submit(cusparseHandle_t handle, const void *self,
                               size_t bytes)
{
    switch (softgpu_library_submit(handle->stream, self, bytes)) {
    case cudaSuccess: return CUSPARSE_STATUS_SUCCESS;
    case cudaErrorMemoryAllocation: return CUSPARSE_STATUS_ALLOC_FAILED;
    default: return CUSPARSE_STATUS_EXECUTION_FAILED;
    }
}
