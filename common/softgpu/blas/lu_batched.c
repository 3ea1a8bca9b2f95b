/* SPDX-License-Identifier: MIT */
/* cublas?getrfBatched, getrsBatched, getriBatched, matinvBatched: LU factors of
 * many small matrices by arrays of pointers.  Each matrix is a part of the call
 * and is left to LAPACK; without an array of pivots, rows keep their order. */
#include <stdlib.h>
#include <string.h>

#include "routines.h"

enum { MOST_INVERTED = 32 /* rows of matinv's matrices */ };

/** LAPACK's functions of one precision; the length of a text is 1. */
struct lu {
    void (*getrf)(const int *m, const int *n, void *a, const int *lda,
                  int *pivots, int *info);
    void (*getrs)(const char *op, const int *n, const int *columns,
                  const void *a, const int *lda, const int *pivots, void *b,
                  const int *ldb, int *info, size_t length);
    void (*getri)(const int *n, void *a, const int *lda, const int *pivots,
                  void *work, const int *lwork, int *info);
};

static struct lu functions[4]; /* float, double, and complex */

/** Arguments: A, and B or the inverse C. */
struct arguments {
    struct softgpu_library_call call; /**< first */
    cudaDataType type;
    char op; /**< of getrs */
    int n, columns, lda, ldb, batch;
    void *const *a, *const *b; /**< device, `batch` pointers */
    enum softgpu_use a_use, b_use;
    int *pivots; /**< n for each matrix, or NULL */
    enum softgpu_use pivots_use;
    int *info;   /**< one for each matrix, or NULL */
};

/* The functions of a type. */
static struct lu *functions_of(cudaDataType type)
{
    return &functions[2 * blas_is_complex(type)
                      + (blas_real_type(type) == CUDA_R_64F)];
}

/* Find LAPACK's functions. */
static bool load(cudaDataType type)
{
    struct lu *lu = functions_of(type);

    *(void **)&lu->getrf = blas_fortran_function("getrf", type);
    *(void **)&lu->getrs = blas_fortran_function("getrs", type);
    *(void **)&lu->getri = blas_fortran_function("getri", type);
    return lu->getrf && lu->getrs && lu->getri;
}

/* --- the runs ------------------------------------------------------------- */

/* A work area; the kernel fails without memory. */
static void *work_area(size_t bytes)
{
    void *work = malloc(bytes + 1);

    if (!work)
        softgpu_fail(SOFTGPU_LAUNCH_FAILURE, "no memory for a work area");
    return work;
}

/* The pivots of a part; those that keep all rows are made.
 * @return to be freed, or NULL */
static int *pivots_of(const struct arguments *g, unsigned part, int **pivots)
{
    if (g->pivots) {
        *pivots = g->pivots + (size_t)part * (size_t)g->n;
        return NULL;
    }
    int *made = work_area((size_t)g->n * sizeof *made);
    for (int i = 0; i < g->n; i++)
        made[i] = i + 1;
    return *pivots = made;
}

/* LU without pivots, which LAPACK does not have. @return info */
static int factorize_in_order(const struct arguments *g, void *a)
{
    const int64_t n = g->n, ld = g->lda;
    int info = 0;

    for (int64_t k = 0; k < n; k++) {
        const double pivot = blas_load_real(g->type, a, k * ld + k);
        if (pivot == 0 && !info)
            info = (int)k + 1;
        for (int64_t i = k + 1; i < n; i++)
            blas_store_real(g->type, a, k * ld + i,
                            blas_load_real(g->type, a, k * ld + i) / pivot);
        for (int64_t j = k + 1; j < n; j++)
            for (int64_t i = k + 1; i < n; i++)
                blas_store_real(g->type, a, j * ld + i,
                                blas_load_real(g->type, a, j * ld + i)
                                    - blas_load_real(g->type, a, k * ld + i)
                                          * blas_load_real(g->type, a,
                                                           j * ld + k));
    }
    return info;
}

/* The same for complex numbers. */
static int factorize_complex(const struct arguments *g, void *a)
{
    const int64_t n = g->n, ld = g->lda;
    int info = 0;

    for (int64_t k = 0; k < n; k++) {
        const double complex pivot = blas_load_complex(g->type, a, k * ld + k);

        if (pivot == 0 && !info)
            info = (int)k + 1;
        for (int64_t i = k + 1; i < n; i++)
            blas_store_complex(
                g->type, a, k * ld + i,
                blas_load_complex(g->type, a, k * ld + i) / pivot);
        for (int64_t j = k + 1; j < n; j++)
            for (int64_t i = k + 1; i < n; i++)
                blas_store_complex(
                    g->type, a, j * ld + i,
                    blas_load_complex(g->type, a, j * ld + i)
                        - blas_load_complex(g->type, a, k * ld + i)
                              * blas_load_complex(g->type, a, j * ld + k));
    }
    return info;
}

static void run_getrf(const void *self, unsigned part)
{
    const struct arguments *g = self;
    int *info = &g->info[part];

    if (g->pivots)
        functions_of(g->type)->getrf(
            &g->n, &g->n, g->a[part], &g->lda,
            g->pivots + (size_t)part * (size_t)g->n, info);
    else
        *info = blas_is_complex(g->type)
                    ? factorize_complex(g, g->a[part])
                    : factorize_in_order(g, g->a[part]);
}

static void run_getrs(const void *self, unsigned part)
{
    const struct arguments *g = self;
    int info, *pivots, *made = pivots_of(g, part, &pivots);

    functions_of(g->type)->getrs(
        &g->op, &g->n, &g->columns, g->a[part], &g->lda, pivots, g->b[part],
        &g->ldb, &info, 1);
    free(made);
}

/* Copy a part's A to its place for the inverse. */
static void copy_to_inverse(const struct arguments *g, unsigned part)
{
    const size_t bytes = blas_bytes(g->type), n = (size_t)g->n;

    for (size_t j = 0; j < n; j++)
        memcpy((char *)g->b[part] + j * (size_t)g->ldb * bytes,
               (const char *)g->a[part] + j * (size_t)g->lda * bytes,
               n * bytes);
}

static void run_getri(const void *self, unsigned part)
{
    const struct arguments *g = self;
    int *pivots, *made = pivots_of(g, part, &pivots);
    void *work = work_area((size_t)g->n * blas_bytes(g->type));

    copy_to_inverse(g, part);
    functions_of(g->type)->getri(&g->n, g->b[part], &g->ldb, pivots, work,
                                 &g->n, &g->info[part]);
    free(work);
    free(made);
}

/* Both steps, with pivots of its own. */
static void run_matinv(const void *self, unsigned part)
{
    const struct arguments *g = self;
    const struct lu *lu = functions_of(g->type);
    int pivots[MOST_INVERTED];
    void *work = work_area((size_t)g->n * blas_bytes(g->type));

    copy_to_inverse(g, part);
    lu->getrf(&g->n, &g->n, g->b[part], &g->ldb, pivots, &g->info[part]);
    if (!g->info[part])
        lu->getri(&g->n, g->b[part], &g->ldb, pivots, work, &g->n,
                  &g->info[part]);
    free(work);
}

/* --- submission ----------------------------------------------------------- */

/* Declare rows of `row` bytes. */
static void declare(const char *name, const void *ptr, size_t row,
                    enum softgpu_use use)
{
    const struct softgpu_array array = {
        .name = name, .ptr = ptr, .row = row, .rows = 1, .use = use};

    if (ptr && row)
        softgpu_library_array(&array);
}

static void arrays(const void *self)
{
    const struct arguments *g = self;
    const size_t batch = (size_t)g->batch;

    declare("Aarray", g->a, batch * sizeof *g->a, SOFTGPU_READS);
    declare("Barray", g->b, batch * sizeof *g->b, SOFTGPU_READS);
    declare("the pivots", g->pivots, batch * (size_t)g->n * sizeof(int),
            g->pivots_use);
    declare("info", g->info, batch * sizeof(int), SOFTGPU_WRITES);
    for (size_t i = 0; i < batch; i++) {
        blas_array(&(struct blas_array){"A", g->a[i], g->type, g->n, g->n,
                                        g->lda, g->a_use});
        if (g->b)
            blas_array(&(struct blas_array){"B", g->b[i], g->type, g->n,
                                            g->columns, g->ldb, g->b_use});
    }
}

/* Check the sizes and submit; all calls end here. */
static cublasStatus_t submit(cublasHandle_t handle, struct arguments *g,
                             const char *name,
                             void (*run)(const void *, unsigned))
{
    BLAS_REQUIRE_HANDLE(handle);
    BLAS_REQUIRE_VALUE(g->n >= 0 && g->columns >= 0 && g->batch >= 0);
    BLAS_REQUIRE_VALUE(g->lda >= blas_max(1, g->n));
    BLAS_REQUIRE_VALUE(!g->b || g->ldb >= blas_max(1, g->n));
    if (g->n == 0 || g->batch == 0 || g->columns == 0)
        return CUBLAS_STATUS_SUCCESS;
    BLAS_REQUIRE_VALUE(g->a);
    BLAS_REQUIRE_SUPPORTED(load(g->type),
                           "it needs LAPACK (libopenblas.so.0)");
    g->call = (struct softgpu_library_call){
        .name = name, .run = run, .arrays = arrays,
        .parts = (unsigned)g->batch, .site = softgpu_call_site,
        .operations = 2.0 / 3 * g->n * g->n * g->n * g->batch,
        .bytes = 2.0 * g->n * g->n * g->batch * (double)blas_bytes(g->type)};
    return blas_submit(handle->stream, g, sizeof *g);
}

#define AS_POINTERS(x) ((void *const *)(x))

/* The calls of one type. */
#define LU_BATCHED(S, T, t)                                                   \
    cublasStatus_t cublas##S##getrfBatched(cublasHandle_t handle, int n,      \
                                           T *const a[], int lda, int *P,     \
                                           int *info, int batchSize)          \
    {                                                                         \
        SOFTGPU_LIBRARY_CALL();                                               \
        struct arguments g = {                                                \
            .type = t, .n = n, .columns = n, .lda = lda, .batch = batchSize,  \
            .a = AS_POINTERS(a), .a_use = SOFTGPU_READS | SOFTGPU_WRITES,     \
            .pivots = P, .pivots_use = SOFTGPU_WRITES, .info = info};         \
        BLAS_REQUIRE_VALUE(info);                                             \
        return submit(handle, &g, "cublas" #S "getrfBatched", run_getrf);     \
    }                                                                         \
    cublasStatus_t cublas##S##getrsBatched(                                   \
        cublasHandle_t handle, cublasOperation_t trans, int n, int nrhs,      \
        const T *const a[], int lda, const int *devIpiv, T *const b[],        \
        int ldb, int *info, int batchSize)                                    \
    {                                                                         \
        SOFTGPU_LIBRARY_CALL();                                               \
        struct arguments g = {                                                \
            .type = t, .n = n, .columns = nrhs,                               \
            .op = trans == CUBLAS_OP_N   ? 'N'                                \
                  : trans == CUBLAS_OP_T ? 'T' : 'C',                         \
             .lda = lda, .ldb = ldb, .batch = batchSize,      \
            .a = AS_POINTERS(a), .a_use = SOFTGPU_READS,                      \
            .b = AS_POINTERS(b), .b_use = SOFTGPU_READS | SOFTGPU_WRITES,     \
            .pivots = (int *)devIpiv, .pivots_use = SOFTGPU_READS};           \
        BLAS_REQUIRE_VALUE(info && blas_is_operation(trans) && b);            \
        *info = 0;                                                            \
        return submit(handle, &g, "cublas" #S "getrsBatched", run_getrs);     \
    }                                                                         \
    cublasStatus_t cublas##S##getriBatched(                                   \
        cublasHandle_t handle, int n, const T *const a[], int lda,            \
        const int *P, T *const c[], int ldc, int *info, int batchSize)        \
    {                                                                         \
        SOFTGPU_LIBRARY_CALL();                                               \
        struct arguments g = {                                                \
            .type = t, .n = n, .columns = n, .lda = lda, .ldb = ldc,          \
            .batch = batchSize, .a = AS_POINTERS(a), .a_use = SOFTGPU_READS,  \
            .b = AS_POINTERS(c), .b_use = SOFTGPU_WRITES,                     \
            .pivots = (int *)P, .pivots_use = SOFTGPU_READS, .info = info};   \
        BLAS_REQUIRE_VALUE(info && c);                                        \
        return submit(handle, &g, "cublas" #S "getriBatched", run_getri);     \
    }                                                                         \
    cublasStatus_t cublas##S##matinvBatched(                                  \
        cublasHandle_t handle, int n, const T *const a[], int lda,            \
        T *const c[], int ldc, int *info, int batchSize)                      \
    {                                                                         \
        SOFTGPU_LIBRARY_CALL();                                               \
        struct arguments g = {                                                \
            .type = t, .n = n, .columns = n, .lda = lda, .ldb = ldc,          \
            .batch = batchSize, .a = AS_POINTERS(a), .a_use = SOFTGPU_READS,  \
            .b = AS_POINTERS(c), .b_use = SOFTGPU_WRITES, .info = info};      \
        BLAS_REQUIRE_VALUE(info && c && n <= MOST_INVERTED);                  \
        return submit(handle, &g, "cublas" #S "matinvBatched", run_matinv);   \
    }

LU_BATCHED(S, float, CUDA_R_32F)
LU_BATCHED(D, double, CUDA_R_64F)
LU_BATCHED(C, cuComplex, CUDA_C_32F)
LU_BATCHED(Z, cuDoubleComplex, CUDA_C_64F)
