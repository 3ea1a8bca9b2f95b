/* SPDX-License-Identifier: MIT */
/* cublas?geqrfBatched and gelsBatched: QR factors and least squares of many
 * small matrices by arrays of pointers, each a part, by LAPACK. */
#include <stdlib.h>

#include "routines.h"

enum { BLOCK = 32 /* columns of the work area for each row or column */ };

/** Arguments: A, and tau or the right sides C. */
struct arguments {
    struct softgpu_library_call call; /**< first */
    cudaDataType type;
    int m, n, columns, lda, ldc, batch;
    void *const *a, *const *c; /**< device, `batch` pointers */
    int *info;                 /**< of gels: device, or NULL */
    void *function;
};

static int smaller(int a, int b)
{
    return a < b ? a : b;
}

/* LAPACK's work area of `count` elements. */
static void *work_area(const struct arguments *g, int count)
{
    void *work = malloc((size_t)count * blas_bytes(g->type) + 1);

    if (!work)
        softgpu_fail(SOFTGPU_LAUNCH_FAILURE, "no memory for a work area");
    return work;
}

static void run_geqrf(const void *self, unsigned part)
{
    const struct arguments *g = self;
    int numbers[] = {g->m, g->n, g->lda, BLOCK * g->n}, info;
    void *work = work_area(g, numbers[3]);

    blas_call_fortran(g->function,
                      (void *const[]){&numbers[0], &numbers[1], g->a[part],
                                      &numbers[2], g->c[part], work,
                                      &numbers[3], &info},
                      8);
    free(work);
}

static void run_gels(const void *self, unsigned part)
{
    const struct arguments *g = self;
    int numbers[] = {g->m, g->n, g->columns, g->lda, g->ldc,
                     BLOCK * (g->n + g->columns)};
    int info;
    char op = 'N';
    void *work = work_area(g, numbers[5]);

    blas_call_fortran(g->function,
                      (void *const[]){&op, &numbers[0], &numbers[1],
                                      &numbers[2], g->a[part], &numbers[3],
                                      g->c[part], &numbers[4], work,
                                      &numbers[5], &info},
                      11);
    if (g->info)
        g->info[part] = info;
    free(work);
}

/* Declare elements that follow each other. */
static void declare(const char *name, const void *ptr, size_t bytes,
                    enum softgpu_use use)
{
    softgpu_library_array(&(struct softgpu_array){
        .name = name, .ptr = ptr, .row = bytes, .rows = 1, .use = use});
}

static void arrays(const void *self)
{
    const struct arguments *g = self;
    const enum softgpu_use both = SOFTGPU_READS | SOFTGPU_WRITES;
    const size_t pointers = (size_t)g->batch * sizeof *g->a;

    declare("Aarray", g->a, pointers, SOFTGPU_READS);
    declare(g->ldc ? "Carray" : "TauArray", g->c, pointers, SOFTGPU_READS);
    if (g->info)
        declare("devInfoArray", g->info, (size_t)g->batch * sizeof(int),
                SOFTGPU_WRITES);
    for (int i = 0; i < g->batch; i++) {
        blas_array(&(struct blas_array){"A", g->a[i], g->type, g->m, g->n,
                                        g->lda, both});
        if (g->ldc)
            blas_array(&(struct blas_array){"C", g->c[i], g->type, g->m,
                                            g->columns, g->ldc, both});
        else
            blas_array(&(struct blas_array){"tau", g->c[i], g->type,
                                            smaller(g->m, g->n), 1, g->n,
                                            SOFTGPU_WRITES});
    }
}

/* Check the sizes and submit; info is in host memory.  A wrong argument is
 * its negative position there. */
static cublasStatus_t submit(cublasHandle_t handle, struct arguments *g,
                             const char *family, int *info)
{
    const double size = (double)g->m * g->n * g->batch;

    BLAS_REQUIRE_HANDLE(handle);
    BLAS_REQUIRE_VALUE(info);
    *info = 0;
    BLAS_REQUIRE_VALUE(g->m >= 0 && g->n >= 0 && g->columns >= 0
                       && g->batch >= 0);
    BLAS_REQUIRE_VALUE(g->lda >= blas_max(1, g->m));
    BLAS_REQUIRE_VALUE(!g->ldc || g->ldc >= blas_max(1, g->m));
    if (g->m == 0 || g->n == 0 || g->batch == 0)
        return CUBLAS_STATUS_SUCCESS;
    BLAS_REQUIRE_VALUE(g->a && g->c);
    g->function = blas_fortran_function(family, g->type);
    BLAS_REQUIRE_SUPPORTED(g->function, "it needs LAPACK (libopenblas.so.0)");
    g->call.arrays = arrays;
    g->call.parts = (unsigned)g->batch;
    g->call.site = softgpu_call_site;
    g->call.operations = 4 * size * smaller(g->m, g->n);
    g->call.bytes = 2 * size * (double)blas_bytes(g->type);
    return blas_submit(handle->stream, g, sizeof *g);
}

#define AS_POINTERS(x) ((void *const *)(x))

/* The calls of one type. */
#define QR_BATCHED(S, T, t)                                                   \
    cublasStatus_t cublas##S##geqrfBatched(                                   \
        cublasHandle_t handle, int m, int n, T *const a[], int lda,           \
        T *const tau[], int *info, int batchSize)                             \
    {                                                                         \
        SOFTGPU_LIBRARY_CALL();                                               \
        struct arguments g = {                                                \
            .call = {.name = "cublas" #S "geqrfBatched", .run = run_geqrf},   \
            .type = t, .m = m, .n = n, .lda = lda, .batch = batchSize,        \
            .a = AS_POINTERS(a), .c = AS_POINTERS(tau)};                      \
        return submit(handle, &g, "geqrf", info);                             \
    }                                                                         \
    cublasStatus_t cublas##S##gelsBatched(                                    \
        cublasHandle_t handle, cublasOperation_t trans, int m, int n,         \
        int nrhs, T *const a[], int lda, T *const c[], int ldc, int *info,    \
        int *devInfo, int batchSize)                                          \
    {                                                                         \
        SOFTGPU_LIBRARY_CALL();                                               \
        struct arguments g = {                                                \
            .call = {.name = "cublas" #S "gelsBatched", .run = run_gels},     \
            .type = t, .m = m, .n = n, .columns = nrhs, .lda = lda,           \
            .ldc = ldc, .batch = batchSize, .a = AS_POINTERS(a),              \
            .c = AS_POINTERS(c), .info = devInfo};                            \
        BLAS_REQUIRE_VALUE(ldc > 0);                                          \
        BLAS_REQUIRE_SUPPORTED(trans == CUBLAS_OP_N,                          \
                               "trans is not CUBLAS_OP_N");                   \
        BLAS_REQUIRE_SUPPORTED(m >= n, "m is less than n");                   \
        return submit(handle, &g, "gels", info);                              \
    }

QR_BATCHED(S, float, CUDA_R_32F)
QR_BATCHED(D, double, CUDA_R_64F)
QR_BATCHED(C, cuComplex, CUDA_C_32F)
QR_BATCHED(Z, cuDoubleComplex, CUDA_C_64F)
