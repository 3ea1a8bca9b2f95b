/* SPDX-License-Identifier: MIT */
/* BLAS level 3 with symmetric and triangular matrices: symm, syrk, trsm, trmm.
 * One part each: OpenBLAS computes the whole call. */
#include <limits.h>
#include <string.h>

#include "blas.h"
#include "openblas.h"

/** Operations. */
enum operation { SYMM, SYRK, TRSM, TRMM };

/** Arguments of a call; syrk's n is the number of c's columns. */
struct level3 {
    struct softgpu_library_call call;
    enum operation operation;
    cublasSideMode_t side;
    cublasFillMode_t uplo;
    cublasOperation_t trans;
    cublasDiagType_t diag;
    int64_t k;
    struct blas_scalar alpha, beta;
    struct blas_array a, b, c;
};

/** Arguments in CBLAS's terms. */
struct cblas_arguments {
    int side, uplo, trans, diag, m, n, k, lda, ldb, ldc;
};

/* Convert cuBLAS's arguments to CBLAS's. */
static struct cblas_arguments cblas_arguments_of(const struct level3 *t)
{
    return (struct cblas_arguments){
        t->side == CUBLAS_SIDE_LEFT ? CBLAS_LEFT : CBLAS_RIGHT,
        t->uplo == CUBLAS_FILL_MODE_LOWER ? CBLAS_LOWER : CBLAS_UPPER,
        t->trans == CUBLAS_OP_N ? CBLAS_NO_TRANS : CBLAS_TRANS,
        t->diag == CUBLAS_DIAG_UNIT ? CBLAS_UNIT : CBLAS_NON_UNIT,
        (int)t->c.rows, (int)t->c.columns, (int)t->k, (int)t->a.ld,
        (int)t->b.ld, (int)t->c.ld};
}

/* CBLAS's trmm works in place: copy B to C first. */
static void copy_b(const struct level3 *t)
{
    const size_t bytes = blas_bytes(t->c.type);

    if (t->b.ptr == t->c.ptr)
        return;
    for (int64_t j = 0; j < t->c.columns; j++)
        memcpy((char *)t->c.ptr + (size_t)(j * t->c.ld) * bytes,
               (const char *)t->b.ptr + (size_t)(j * t->b.ld) * bytes,
               (size_t)t->c.rows * bytes);
}

/* The computation for one element type. */
#define COMPUTE(p, T)                                                      \
    static void compute_##p(const struct level3 *t)                        \
    {                                                                      \
        const struct cblas_arguments w = cblas_arguments_of(t);            \
        const T alpha = (T)blas_scalar_value(&t->alpha);                   \
        const T beta = (T)blas_scalar_value(&t->beta);                     \
        const T *a = t->a.ptr, *b = t->b.ptr;                              \
        T *c = (T *)(uintptr_t)t->c.ptr;                                   \
        switch (t->operation) {                                            \
        case SYMM:                                                         \
            openblas.p##symm(CBLAS_COL_MAJOR, w.side, w.uplo, w.m, w.n,    \
                             alpha, a, w.lda, b, w.ldb, beta, c, w.ldc);   \
            break;                                                         \
        case SYRK:                                                         \
            openblas.p##syrk(CBLAS_COL_MAJOR, w.uplo, w.trans, w.n, w.k,   \
                             alpha, a, w.lda, beta, c, w.ldc);             \
            break;                                                         \
        case TRSM:                                                         \
            openblas.p##trsm(CBLAS_COL_MAJOR, w.side, w.uplo, w.trans,     \
                             w.diag, w.m, w.n, alpha, a, w.lda, c, w.ldc); \
            break;                                                         \
        default:                                                           \
            copy_b(t);                                                     \
            openblas.p##trmm(CBLAS_COL_MAJOR, w.side, w.uplo, w.trans,     \
                             w.diag, w.m, w.n, alpha, a, w.lda, c, w.ldc); \
        }                                                                  \
    }
COMPUTE(s, float)
COMPUTE(d, double)

static void run(const void *self, unsigned part)
{
    const struct level3 *t = self;

    (void)part;
    if (t->c.type == CUDA_R_64F)
        compute_d(t);
    else
        compute_s(t);
}

/* Declare accesses: only one triangle of A is read. */
static void arrays(const void *self)
{
    const struct level3 *t = self;
    const bool whole = t->operation == SYRK;
    struct blas_array c = t->c;

    blas_scalar_array("alpha", &t->alpha);
    blas_scalar_array("beta", &t->beta);
    if (blas_scalar_value(&t->alpha) != 0 && whole)
        blas_array(&t->a);
    else if (blas_scalar_value(&t->alpha) != 0)
        blas_array_triangle(&t->a, t->uplo);
    if (blas_scalar_value(&t->alpha) != 0 && t->b.ptr)
        blas_array(&t->b);
    c.use = SOFTGPU_WRITES;
    if (t->operation == TRSM || blas_scalar_value(&t->beta) != 0)
        c.use |= SOFTGPU_READS;
    if (whole)
        blas_array_triangle(&c, t->uplo);
    else
        blas_array(&c);
}

/* --- the calls ----------------------------------------------------------- */

/* Is the leading dimension valid, and do the sizes fit CBLAS's int? */
static bool is_leading_dimension(const struct blas_array *a)
{
    return a->ld >= blas_max(1, a->rows) && a->ld <= INT_MAX
           && a->columns <= INT_MAX;
}

/* Checks common to all four; two of them have no B. */
static bool is_legal(const struct level3 *t)
{
    return t->c.rows >= 0 && t->c.columns >= 0 && t->k >= 0
           && (unsigned)t->side <= CUBLAS_SIDE_RIGHT
           && (unsigned)t->uplo <= CUBLAS_FILL_MODE_UPPER
           && (unsigned)t->diag <= CUBLAS_DIAG_UNIT
           && blas_is_operation(t->trans) && is_leading_dimension(&t->a)
           && (t->operation == SYRK || t->operation == TRSM
               || is_leading_dimension(&t->b))
           && is_leading_dimension(&t->c);
}

/* Set the shape of A: square, on the given side; for syrk n x k. */
static void shape_a(struct level3 *t)
{
    const bool is_transposed = t->trans != CUBLAS_OP_N;
    const int64_t n = t->side == CUBLAS_SIDE_LEFT ? t->c.rows : t->c.columns;

    t->a.rows = t->a.columns = n;
    if (t->operation != SYRK)
        return;
    t->a.rows = is_transposed ? t->k : t->c.columns;
    t->a.columns = is_transposed ? t->c.columns : t->k;
}

/* Check and submit a call; beta is NULL if it has none. */
static cublasStatus_t submit(cublasHandle_t handle, struct level3 *t,
                             const void *alpha, const void *beta)
{
    BLAS_REQUIRE_HANDLE(handle);
    shape_a(t);
    BLAS_REQUIRE_VALUE(is_legal(t) && alpha);
    if (t->c.rows == 0 || t->c.columns == 0)
        return CUBLAS_STATUS_SUCCESS;
    const double size = (double)t->c.rows * (double)t->c.columns;
    t->alpha = blas_scalar(handle, alpha, t->c.type);
    if (beta)
        t->beta = blas_scalar(handle, beta, t->c.type);
    t->call.run = run;
    t->call.arrays = arrays;
    t->call.parts = 1;
    t->call.site = softgpu_call_site;
    t->call.operations =
        size * (double)(t->operation == SYRK ? t->k : t->a.rows);
    t->call.bytes = 2 * size * (double)blas_bytes(t->c.type);
    return blas_submit(handle->stream, t, sizeof *t);
}

#define MATRIX(x, rows, columns, t) \
    {#x, x, t, rows, columns, ld##x, SOFTGPU_READS}
#define SQUARE(x, t) {#x, x, t, 0, 0, ld##x, SOFTGPU_READS}
#define TRIANGULAR                                                       \
    cublasHandle_t handle, cublasSideMode_t side, cublasFillMode_t uplo, \
        cublasOperation_t trans, cublasDiagType_t diag
#define CALLS(S, s, T, t, I, E)                                               \
    cublasStatus_t cublas##S##symm_v2##E(                                     \
        cublasHandle_t handle, cublasSideMode_t side, cublasFillMode_t uplo,  \
        I m, I n, const T *alpha, const T *A, I ldA, const T *B, I ldB,       \
        const T *beta, T *C, I ldC)                                           \
    {                                                                         \
        struct level3 tri = {.call.name = "cublas" #S "symm",                 \
                             .operation = SYMM, .side = side, .uplo = uplo,   \
                             .a = SQUARE(A, t), .b = MATRIX(B, m, n, t),      \
                             .c = MATRIX(C, m, n, t)};                        \
        SOFTGPU_LIBRARY_CALL();                                               \
        BLAS_REQUIRE_VALUE(beta || !blas_is_handle(handle));                  \
        return submit(handle, &tri, alpha, beta);                             \
    }                                                                         \
    cublasStatus_t cublas##S##syrk_v2##E(                                     \
        cublasHandle_t handle, cublasFillMode_t uplo,                         \
        cublasOperation_t trans, I n, I k, const T *alpha, const T *A, I ldA, \
        const T *beta, T *C, I ldC)                                           \
    {                                                                         \
        struct level3 tri = {.call.name = "cublas" #S "syrk",                 \
                             .operation = SYRK, .uplo = uplo,                 \
                             .trans = trans, .k = k, .a = SQUARE(A, t),       \
                             .c = MATRIX(C, n, n, t)};                        \
        SOFTGPU_LIBRARY_CALL();                                               \
        BLAS_REQUIRE_VALUE(beta || !blas_is_handle(handle));                  \
        return submit(handle, &tri, alpha, beta);                             \
    }                                                                         \
    cublasStatus_t cublas##S##trsm_v2##E(                                     \
        TRIANGULAR, I m, I n, const T *alpha, const T *A, I ldA, T *B, I ldB) \
    {                                                                         \
        struct level3 tri = {.call.name = "cublas" #S "trsm",                 \
                             .operation = TRSM, .side = side, .uplo = uplo,   \
                             .trans = trans, .diag = diag,                    \
                             .a = SQUARE(A, t), .c = MATRIX(B, m, n, t)};     \
        SOFTGPU_LIBRARY_CALL();                                               \
        return submit(handle, &tri, alpha, NULL);                             \
    }                                                                         \
    cublasStatus_t cublas##S##trmm_v2##E(                                     \
        TRIANGULAR, I m, I n, const T *alpha, const T *A, I ldA, const T *B,  \
                                         I ldB, T *C, I ldC)                  \
    {                                                                         \
        struct level3 tri = {.call.name = "cublas" #S "trmm",                 \
                             .operation = TRMM, .side = side, .uplo = uplo,   \
                             .trans = trans, .diag = diag,                    \
                             .a = SQUARE(A, t), .b = MATRIX(B, m, n, t),      \
                             .c = MATRIX(C, m, n, t)};                        \
        SOFTGPU_LIBRARY_CALL();                                               \
        return submit(handle, &tri, alpha, NULL);                             \
    }
BLAS_FOR_EACH_TYPE(CALLS)
