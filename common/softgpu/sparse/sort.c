/* SPDX-License-Identifier: MIT */
/* Sorts of a sparse matrix's indices, each on one OS thread. */
#include <stdlib.h>

#include "common/softgpu/core/core.h"
#include "sparse.h"

/** Arguments of a sort. */
struct sorting {
    struct softgpu_library_call call;
    struct cusparseSpMatDescr a; /**< where its lines begin; COO: one line */
    int *major, *minor;          /**< the keys; `major` is NULL unless COO */
    int *permutation;            /**< or NULL */
};

/** An element: equal ones keep their order. */
struct element {
    int major, minor, permutation;
    int64_t order;
};

static int compare(const void *one, const void *two)
{
    const struct element *a = one, *b = two;

    if (a->major != b->major)
        return a->major < b->major ? -1 : 1;
    if (a->minor != b->minor)
        return a->minor < b->minor ? -1 : 1;
    return (a->order > b->order) - (a->order < b->order);
}

/* Sort the elements of one line. */
static void sort_line(const struct sorting *s, int64_t begin, int64_t end)
{
    const size_t n = end > begin ? (size_t)(end - begin) : 0;
    struct element *all = malloc((n + 1) * sizeof *all);

    if (!all)
        softgpu_fail(SOFTGPU_LAUNCH_FAILURE, "no memory for a sort");
    for (size_t i = 0; i < n; i++) {
        const size_t at = (size_t)begin + i;
        all[i] = (struct element){s->major ? s->major[at] : 0, s->minor[at],
                                  s->permutation ? s->permutation[at] : 0,
                                  (int64_t)i};
    }
    qsort(all, n, sizeof *all, compare);
    for (size_t i = 0; i < n; i++) {
        const size_t at = (size_t)begin + i;
        if (s->major)
            s->major[at] = all[i].major;
        s->minor[at] = all[i].minor;
        if (s->permutation)
            s->permutation[at] = all[i].permutation;
    }
    free(all);
}

static void run_sort(const void *self, unsigned part)
{
    const struct sorting *s = self;
    const struct cusparseSpMatDescr *a = &s->a;

    (void)part;
    if (s->major)
        sort_line(s, 0, a->nnz);
    for (int64_t line = 0; !s->major && line < sparse_lines(a); line++)
        sort_line(s, sparse_begin(a, line), sparse_begin(a, line + 1));
}

static void run_identity(const void *self, unsigned part)
{
    const struct sorting *s = self;

    (void)part;
    for (int64_t i = 0; i < s->a.nnz; i++)
        s->permutation[i] = (int)i;
}

/* Accesses: the indices are exchanged, and with them the permutation. */
static void arrays(const void *self)
{
    const struct sorting *s = self;
    const enum softgpu_use both = SOFTGPU_READS | SOFTGPU_WRITES;

    if (s->a.first)
        sparse_array("offsets", s->a.first, sparse_lines(&s->a) + 1,
                     sizeof(int), SOFTGPU_READS);
    if (s->major)
        sparse_array("indices", s->major, s->a.nnz, sizeof(int), both);
    if (s->minor)
        sparse_array("indices", s->minor, s->a.nnz, sizeof(int), both);
    if (s->permutation)
        sparse_array("permutation", s->permutation, s->a.nnz, sizeof(int),
                     s->minor ? both : SOFTGPU_WRITES);
}

/* Submit, with its name and run. */
static cusparseStatus_t submit(cusparseHandle_t handle, const char *name,
                               void (*run)(const void *, unsigned),
                               struct sorting s)
{
    s.call = (struct softgpu_library_call){
        .name = name, .run = run, .arrays = arrays, .parts = 1,
        .bytes = 6.0 * sizeof(int) * (double)s.a.nnz,
        .site = softgpu_call_site};
    s.a.first_type = s.a.second_type = CUSPARSE_INDEX_32I;
    return sparse_submit(handle, &s, sizeof s);
}

/* Bytes of the external buffer: 0. */
static cusparseStatus_t no_buffer(cusparseHandle_t handle, int m, int n,
                                  int nnz, size_t *bytes)
{
    SPARSE_REQUIRE_HANDLE(handle);
    SPARSE_REQUIRE_VALUE(m >= 0 && n >= 0 && nnz >= 0 && bytes);
    *bytes = 0;
    return CUSPARSE_STATUS_SUCCESS;
}

/* --- the calls ------------------------------------------------------------ */

cusparseStatus_t cusparseCreateIdentityPermutation(cusparseHandle_t handle,
                                                   int n, int *permutation)
{
    SOFTGPU_LIBRARY_CALL();
    SPARSE_REQUIRE_HANDLE(handle);
    SPARSE_REQUIRE_VALUE(n >= 0 && (permutation || !n));
    return submit(handle, "cusparseCreateIdentityPermutation", run_identity,
                  (struct sorting){.a = {.nnz = n},
                                   .permutation = permutation});
}

/* Sort by one index, then by the other one. */
static cusparseStatus_t sort_coo(cusparseHandle_t handle, const char *name,
                                 int m, int n, int nnz, int *major, int *minor,
                                 int *permutation)
{
    SPARSE_REQUIRE_HANDLE(handle);
    SPARSE_REQUIRE_VALUE(m >= 0 && n >= 0 && nnz >= 0
                         && ((major && minor) || !nnz));
    if (!nnz)
        return CUSPARSE_STATUS_SUCCESS;
    return submit(handle, name, run_sort,
                  (struct sorting){
        .a = {.format = CUSPARSE_FORMAT_COO, .rows = m, .cols = n, .nnz = nnz},
        .major = major, .minor = minor, .permutation = permutation});
}

cusparseStatus_t cusparseXcoosort_bufferSizeExt(
    cusparseHandle_t handle, int m, int n, int nnz, const int *rows,
    const int *columns, size_t *bytes)
{
    (void)rows, (void)columns;
    return no_buffer(handle, m, n, nnz, bytes);
}

cusparseStatus_t cusparseXcoosortByRow(cusparseHandle_t handle, int m, int n,
                                       int nnz, int *rows, int *columns,
                                       int *permutation, void *buffer)
{
    (void)buffer;
    SOFTGPU_LIBRARY_CALL();
    return sort_coo(handle, "cusparseXcoosortByRow", m, n, nnz, rows, columns,
                    permutation);
}

cusparseStatus_t cusparseXcoosortByColumn(cusparseHandle_t handle, int m, int n,
                                          int nnz, int *rows, int *columns,
                                          int *permutation, void *buffer)
{
    (void)buffer;
    SOFTGPU_LIBRARY_CALL();
    return sort_coo(handle, "cusparseXcoosortByColumn", m, n, nnz, columns,
                    rows, permutation);
}

/* Sort the places in each line. */
static cusparseStatus_t sort_lines(cusparseHandle_t handle, const char *name,
                                   const struct cusparseSpMatDescr *a,
                                   cusparseMatDescr_t description,
                                   int *permutation)
{
    struct sorting s = {.a = *a, .minor = a->second,
                        .permutation = permutation};

    SPARSE_REQUIRE_HANDLE(handle);
    SPARSE_REQUIRE_VALUE(description && a->rows >= 0 && a->cols >= 0
                         && a->nnz >= 0 && a->first && (a->second || !a->nnz));
    s.a.base = description->base;
    return submit(handle, name, run_sort, s);
}

cusparseStatus_t cusparseXcsrsort_bufferSizeExt(
    cusparseHandle_t handle, int m, int n, int nnz, const int *row_offsets,
    const int *columns, size_t *bytes)
{
    (void)row_offsets, (void)columns;
    return no_buffer(handle, m, n, nnz, bytes);
}

cusparseStatus_t cusparseXcsrsort(cusparseHandle_t handle, int m, int n,
                                  int nnz, cusparseMatDescr_t description,
                                  const int *row_offsets, int *columns,
                                  int *permutation, void *buffer)
{
    const struct cusparseSpMatDescr a = {
        .format = CUSPARSE_FORMAT_CSR, .rows = m, .cols = n, .nnz = nnz,
        .first = (void *)row_offsets, .second = columns};

    (void)buffer;
    SOFTGPU_LIBRARY_CALL();
    return sort_lines(handle, "cusparseXcsrsort", &a, description, permutation);
}

cusparseStatus_t cusparseXcscsort_bufferSizeExt(
    cusparseHandle_t handle, int m, int n, int nnz, const int *column_offsets,
    const int *rows, size_t *bytes)
{
    (void)column_offsets, (void)rows;
    return no_buffer(handle, m, n, nnz, bytes);
}

cusparseStatus_t cusparseXcscsort(cusparseHandle_t handle, int m, int n,
                                  int nnz, cusparseMatDescr_t description,
                                  const int *column_offsets, int *rows,
                                  int *permutation, void *buffer)
{
    const struct cusparseSpMatDescr a = {
        .format = CUSPARSE_FORMAT_CSC, .rows = m, .cols = n, .nnz = nnz,
        .first = (void *)column_offsets, .second = rows};

    (void)buffer;
    SOFTGPU_LIBRARY_CALL();
    return sort_lines(handle, "cusparseXcscsort", &a, description, permutation);
}
