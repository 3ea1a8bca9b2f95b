/* SPDX-License-Identifier: MIT */
/* CSR to CSC, offsets of rows to rows and back, and COO to CSR; each on one OS
 * thread. */
#include <string.h>

#include "sparse.h"

/** Arguments of a conversion; pointers that it does not use are NULL. */
struct rearrangement {
    struct softgpu_library_call call;
    struct cusparseSpMatDescr from; /* CSR, or COO whose rows are converted */
    int32_t *offsets;               /* of columns, or of rows */
    int32_t *rows;                  /* of each value */
    char *values;                   /* NULL: symbolic */
    size_t value_bytes;
};

void sparse_sort_rows(struct cusparseSpMatDescr *a, int64_t *offsets,
                      int64_t *columns, char *values)
{
    const size_t bytes = sparse_bytes(a->type);

    for (int64_t k = 0; k < a->nnz; k++)
        offsets[sparse_row(a, k) + 2]++;
    for (int64_t row = 0; row < a->rows; row++)
        offsets[row + 2] += offsets[row + 1];
    for (int64_t k = 0; k < a->nnz; k++) {
        const int64_t to = offsets[sparse_row(a, k) + 1]++;
        columns[to] = sparse_place(a, k);
        memcpy(values + (size_t)to * bytes,
               (const char *)a->values + (size_t)k * bytes, bytes);
    }
    a->format = CUSPARSE_FORMAT_CSR;
    a->first = offsets;
    a->second = columns;
    a->values = values;
    a->first_type = a->second_type = CUSPARSE_INDEX_64I;
    a->base = 0;
}

/* Bytes of a value, which is only copied; 0 for a type that is not there. */
static size_t copied_bytes(cudaDataType type)
{
    switch (type) {
    case CUDA_R_8I: return 1;
    case CUDA_R_16F:
    case CUDA_R_16BF: return 2;
    default: return sparse_bytes(type);
    }
}

/* Store the offset of each line and of the end, from the number of values of
 * line i at counts[i + 1]. */
static void counts_to_offsets(int32_t *counts, int64_t lines, int64_t base)
{
    counts[0] = (int32_t)base;
    for (int64_t i = 0; i < lines; i++)
        counts[i + 1] += counts[i];
}

/* Store a value at the next place of its column. */
static void place_value(const struct rearrangement *c, int64_t row, int64_t k)
{
    const struct cusparseSpMatDescr *a = &c->from;
    const int64_t to = c->offsets[sparse_place(a, k)]++ - a->base;

    c->rows[to] = (int32_t)(row + a->base);
    if (c->values)
        memcpy(c->values + (size_t)to * c->value_bytes,
               (const char *)a->values + (size_t)k * c->value_bytes,
               c->value_bytes);
}

/* While values are placed, the offset of a column moves to its end, which is
 * where the next column begins: at last all move up by one. */
static void run_csr2csc(const void *self, unsigned part)
{
    const struct rearrangement *c = self;
    const struct cusparseSpMatDescr *a = &c->from;
    int32_t *offsets = c->offsets;

    (void)part;
    memset(offsets, 0, ((size_t)a->cols + 1) * sizeof *offsets);
    for (int64_t row = 0; row < a->rows; row++)
        for (int64_t k = sparse_begin(a, row); k < sparse_begin(a, row + 1);
             k++)
            offsets[sparse_place(a, k) + 1]++;
    counts_to_offsets(offsets, a->cols, a->base);
    for (int64_t row = 0; row < a->rows; row++)
        for (int64_t k = sparse_begin(a, row); k < sparse_begin(a, row + 1);
             k++)
            place_value(c, row, k);
    memmove(offsets + 1, offsets, (size_t)a->cols * sizeof *offsets);
    offsets[0] = (int32_t)a->base;
}

static void run_csr2coo(const void *self, unsigned part)
{
    const struct rearrangement *c = self;
    const struct cusparseSpMatDescr *a = &c->from;

    (void)part;
    for (int64_t row = 0; row < a->rows; row++)
        for (int64_t k = sparse_begin(a, row); k < sparse_begin(a, row + 1);
             k++)
            c->rows[k] = (int32_t)(row + a->base);
}

static void run_coo2csr(const void *self, unsigned part)
{
    const struct rearrangement *c = self;
    const struct cusparseSpMatDescr *a = &c->from;

    (void)part;
    memset(c->offsets, 0, ((size_t)a->rows + 1) * sizeof *c->offsets);
    for (int64_t k = 0; k < a->nnz; k++)
        c->offsets[sparse_row(a, k) + 1]++;
    counts_to_offsets(c->offsets, a->rows, a->base);
}

/* Declare what a conversion reads and writes. */
static void declare_arrays(const void *self)
{
    const struct rearrangement *c = self;
    const struct cusparseSpMatDescr *a = &c->from;
    const bool is_coo = a->format == CUSPARSE_FORMAT_COO;

    sparse_array(is_coo ? "rows" : "offsets", a->first,
                 is_coo ? a->nnz : a->rows + 1, 4, SOFTGPU_READS);
    if (a->second)
        sparse_array("columns", a->second, a->nnz, 4, SOFTGPU_READS);
    if (c->offsets)
        sparse_array("offsets", c->offsets, (is_coo ? a->rows : a->cols) + 1,
                     4, SOFTGPU_WRITES);
    if (c->rows)
        sparse_array("rows", c->rows, a->nnz, 4, SOFTGPU_WRITES);
    if (!c->values)
        return;
    sparse_array("values", a->values, a->nnz, c->value_bytes, SOFTGPU_READS);
    sparse_array("values", c->values, a->nnz, c->value_bytes, SOFTGPU_WRITES);
}

/* Submit; what is common to all is added here. */
static cusparseStatus_t submit(cusparseHandle_t handle, const char *name,
                               void (*run)(const void *, unsigned),
                               struct rearrangement c)
{
    const size_t bytes = 8 + 2 * c.value_bytes;

    c.call = (struct softgpu_library_call){
        .name = name, .run = run, .arrays = declare_arrays, .parts = 1,
        .bytes = (double)c.from.nnz * (double)bytes,
        .site = softgpu_call_site};
    return sparse_submit(handle, &c, sizeof c);
}

/* Are the sizes and pointers of a matrix right? */
static bool is_valid(int lines, int nnz, const void *offsets,
                     const void *places)
{
    return lines >= 0 && nnz >= 0 && offsets && (places || !nnz);
}

/* Does the array of values fit the action? */
static bool has_values(cusparseAction_t action, const void *from,
                       const void *to, int nnz)
{
    return action == CUSPARSE_ACTION_SYMBOLIC || !nnz || (from && to);
}

/* Bytes of the external buffer: 0. */
cusparseStatus_t cusparseCsr2cscEx2_bufferSize(
    cusparseHandle_t handle, int m, int n, int nnz, const void *values,
    const int *row_offsets, const int *columns, void *csc_values,
    int *column_offsets, int *rows, cudaDataType type, cusparseAction_t action,
    cusparseIndexBase_t base, cusparseCsr2CscAlg_t algorithm, size_t *bytes)
{
    SOFTGPU_LIBRARY_CALL();
    (void)values, (void)row_offsets, (void)columns, (void)csc_values;
    (void)column_offsets, (void)rows, (void)action, (void)base;
    (void)algorithm;
    SPARSE_REQUIRE_HANDLE(handle);
    SPARSE_REQUIRE_VALUE(m >= 0 && n >= 0 && nnz >= 0 && bytes);
    SPARSE_REQUIRE_SUPPORTED(copied_bytes(type), "the type of the values");
    *bytes = 0;
    return CUSPARSE_STATUS_SUCCESS;
}

/* CSR to CSC. */
cusparseStatus_t cusparseCsr2cscEx2(
    cusparseHandle_t handle, int m, int n, int nnz, const void *values,
    const int *row_offsets, const int *columns, void *csc_values,
    int *column_offsets, int *rows, cudaDataType type, cusparseAction_t action,
    cusparseIndexBase_t base, cusparseCsr2CscAlg_t algorithm, void *buffer)
{
    SOFTGPU_LIBRARY_CALL();
    const bool numeric = action == CUSPARSE_ACTION_NUMERIC;

    (void)algorithm, (void)buffer;
    SPARSE_REQUIRE_HANDLE(handle);
    SPARSE_REQUIRE_VALUE(is_valid(m, nnz, row_offsets, columns)
                         && is_valid(n, nnz, column_offsets, rows)
                         && (unsigned)action <= CUSPARSE_ACTION_NUMERIC
                         && (unsigned)base <= CUSPARSE_INDEX_BASE_ONE
                         && has_values(action, values, csc_values, nnz));
    SPARSE_REQUIRE_SUPPORTED(copied_bytes(type), "the type of the values");
    return submit(handle, "cusparseCsr2cscEx2", run_csr2csc,
                  (struct rearrangement){
        .from = {CUSPARSE_FORMAT_CSR, m, n, nnz, (void *)row_offsets,
                 (void *)columns, (void *)values, CUSPARSE_INDEX_32I,
                 CUSPARSE_INDEX_32I, base, type, false, false},
        .offsets = column_offsets, .rows = rows,
        .values = numeric ? csc_values : NULL,
        .value_bytes = numeric ? copied_bytes(type) : 0});
}

/* Offsets to rows. */
cusparseStatus_t cusparseXcsr2coo(cusparseHandle_t handle,
                                  const int *row_offsets, int nnz, int m,
                                  int *rows, cusparseIndexBase_t base)
{
    SOFTGPU_LIBRARY_CALL();
    SPARSE_REQUIRE_HANDLE(handle);
    SPARSE_REQUIRE_VALUE(is_valid(m, nnz, row_offsets, rows)
                         && (unsigned)base <= CUSPARSE_INDEX_BASE_ONE);
    return submit(handle, "cusparseXcsr2coo", run_csr2coo,
                  (struct rearrangement){
        .from = {.format = CUSPARSE_FORMAT_CSR, .rows = m, .nnz = nnz,
                 .first = (void *)row_offsets,
                 .first_type = CUSPARSE_INDEX_32I, .base = base},
        .rows = rows});
}

/* Rows to offsets. */
cusparseStatus_t cusparseXcoo2csr(cusparseHandle_t handle, const int *rows,
                                  int nnz, int m, int *row_offsets,
                                  cusparseIndexBase_t base)
{
    SOFTGPU_LIBRARY_CALL();
    SPARSE_REQUIRE_HANDLE(handle);
    SPARSE_REQUIRE_VALUE(is_valid(m, nnz, row_offsets, rows)
                         && (unsigned)base <= CUSPARSE_INDEX_BASE_ONE);
    return submit(handle, "cusparseXcoo2csr", run_coo2csr,
                  (struct rearrangement){
        .from = {.format = CUSPARSE_FORMAT_COO, .rows = m, .nnz = nnz,
                 .first = (void *)rows, .first_type = CUSPARSE_INDEX_32I,
                 .base = base},
        .offsets = row_offsets});
}
