/* SPDX-License-Identifier: MIT */
/* Symmetric and triangular matrices: symm, syrk, trsm, trmm.  One part each:
 * OpenBLAS does it whole. */
#include <limits.h>
#include <string.h>

#include "blas.h"
#include "openblas.h"

/** Which. */
enum operation { SYMM, SYRK, TRSM, TRMM };

/** The call; n and k of syrk are c's columns and the other side of a. */
struct triangle {
    struct softgpu_library_call call;
    enum operation operation;
    cublasSideMode_t side;
    cublasFillMode_t uplo;
    cublasOperation_t trans;
    cublasDiagType_t diag;
    int64_t k;
    struct blas_scalar alpha, beta;
    struct blas_area a, b, c;
};

/** What CBLAS is told. */
struct words {
    int side, uplo, trans, diag, m, n, k, lda, ldb, ldc;
};

/* From cuBLAS's words to CBLAS's. */
static struct words words_of(const struct triangle *t)
{
    return (struct words){
        t->side == CUBLAS_SIDE_LEFT ? BLAS_LEFT : BLAS_RIGHT,
        t->uplo == CUBLAS_FILL_MODE_LOWER ? BLAS_LOWER : BLAS_UPPER,
        t->trans == CUBLAS_OP_N ? BLAS_PLAIN : BLAS_TRANSPOSED,
        t->diag == CUBLAS_DIAG_UNIT ? BLAS_UNIT : BLAS_NON_UNIT,
        (int)t->c.rows, (int)t->c.columns, (int)t->k, (int)t->a.ld,
        (int)t->b.ld, (int)t->c.ld};
}

/* trmm multiplies in place: C begins as B. */
static void copy_b(const struct triangle *t)
{
    const size_t bytes = blas_bytes(t->c.type);

    if (t->b.ptr == t->c.ptr)
        return;
    for (int64_t j = 0; j < t->c.columns; j++)
        memcpy((char *)t->c.ptr + (size_t)(j * t->c.ld) * bytes,
               (const char *)t->b.ptr + (size_t)(j * t->b.ld) * bytes,
               (size_t)t->c.rows * bytes);
}

/* The call itself, of one type. */
#define COMPUTE(p, T)                                                         \
    static void compute_##p(const struct triangle *t)                         \
    {                                                                         \
        const struct words w = words_of(t);                                   \
        const T alpha = (T)blas_value(&t->alpha);                             \
        const T beta = (T)blas_value(&t->beta);                               \
        const T *a = t->a.ptr, *b = t->b.ptr;                                 \
        T *c = (T *)(uintptr_t)t->c.ptr;                                      \
        switch (t->operation) {                                               \
        case SYMM:                                                            \
            openblas.p##symm(BLAS_COLUMNS, w.side, w.uplo, w.m, w.n, alpha,   \
                             a, w.lda, b, w.ldb, beta, c, w.ldc);             \
            break;                                                            \
        case SYRK:                                                            \
            openblas.p##syrk(BLAS_COLUMNS, w.uplo, w.trans, w.n, w.k, alpha,  \
                             a, w.lda, beta, c, w.ldc);                       \
            break;                                                            \
        case TRSM:                                                            \
            openblas.p##trsm(BLAS_COLUMNS, w.side, w.uplo, w.trans, w.diag,   \
                             w.m, w.n, alpha, a, w.lda, c, w.ldc);            \
            break;                                                            \
        default:                                                              \
            copy_b(t);                                                        \
            openblas.p##trmm(BLAS_COLUMNS, w.side, w.uplo, w.trans, w.diag,   \
                             w.m, w.n, alpha, a, w.lda, c, w.ldc);            \
        }                                                                     \
    }
COMPUTE(s, float)
COMPUTE(d, double)

static void run(const void *self, unsigned part)
{
    const struct triangle *t = self;

    (void)part;
    if (t->c.type == CUDA_R_64F)
        compute_d(t);
    else
        compute_s(t);
}

/* Of the triangular or symmetric matrix only one half is looked at. */
static void arrays(const void *self)
{
    const struct triangle *t = self;
    const bool whole = t->operation == SYRK;
    struct blas_area c = t->c;

    blas_scalar_array("alpha", &t->alpha);
    blas_scalar_array("beta", &t->beta);
    if (blas_value(&t->alpha) != 0 && whole)
        blas_area(&t->a);
    else if (blas_value(&t->alpha) != 0)
        blas_triangle(&t->a, t->uplo);
    if (blas_value(&t->alpha) != 0 && t->b.ptr)
        blas_area(&t->b);
    c.use = SOFTGPU_WRITES;
    if (t->operation == TRSM || blas_value(&t->beta) != 0)
        c.use |= SOFTGPU_READS;
    if (whole)
        blas_triangle(&c, t->uplo);
    else
        blas_area(&c);
}

/* --- the calls ------------------------------------------------------------ */

/* CBLAS takes sizes of int. */
static bool has_room(const struct blas_area *a)
{
    return a->ld >= blas_most(1, a->rows) && a->ld <= INT_MAX
           && a->columns <= INT_MAX;
}

/* What all four ask of their arguments; b is missing in two of them. */
static bool is_legal(const struct triangle *t)
{
    return t->c.rows >= 0 && t->c.columns >= 0 && t->k >= 0
           && (unsigned)t->side <= CUBLAS_SIDE_RIGHT
           && (unsigned)t->uplo <= CUBLAS_FILL_MODE_UPPER
           && (unsigned)t->diag <= CUBLAS_DIAG_UNIT
           && blas_is_operation(t->trans) && has_room(&t->a)
           && (t->operation == SYRK || t->operation == TRSM || has_room(&t->b))
           && has_room(&t->c);
}

/* The special matrix of the other three is as long as the side it is on. */
static void shape_a(struct triangle *t)
{
    const bool turned = t->trans != CUBLAS_OP_N;
    const int64_t n = t->side == CUBLAS_SIDE_LEFT ? t->c.rows : t->c.columns;

    t->a.rows = t->a.columns = n;
    if (t->operation != SYRK)
        return;
    t->a.rows = turned ? t->k : t->c.columns;
    t->a.columns = turned ? t->c.columns : t->k;
}

/* beta is NULL where the call has none. */
static cublasStatus_t submit(cublasHandle_t handle, struct triangle *t,
                             const void *alpha, const void *beta)
{
    BLAS_HANDLE(handle);
    shape_a(t);
    BLAS_LEGAL(is_legal(t) && alpha);
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

#define AREA(x, rows, columns, t) \
    {#x, x, t, rows, columns, ld##x, SOFTGPU_READS}
#define SQUARE(x, t) {#x, x, t, 0, 0, ld##x, SOFTGPU_READS}
#define SIDES                                                          \
    cublasHandle_t handle, cublasSideMode_t side, cublasFillMode_t uplo, \
        cublasOperation_t trans, cublasDiagType_t diag
#define CALLS(S, s, T, t, I, E)                                               \
    cublasStatus_t cublas##S##symm_v2##E(                                     \
        cublasHandle_t handle, cublasSideMode_t side, cublasFillMode_t uplo,  \
        I m, I n, const T *alpha, const T *A, I ldA, const T *B, I ldB,       \
        const T *beta, T *C, I ldC)                                           \
    {                                                                         \
        struct triangle tri = {.call.name = "cublas" #S "symm",               \
                               .operation = SYMM, .side = side, .uplo = uplo, \
                               .a = SQUARE(A, t), .b = AREA(B, m, n, t),      \
                               .c = AREA(C, m, n, t)};                        \
        BLAS_HERE();                                                          \
        BLAS_LEGAL(beta || !blas_is_handle(handle));                          \
        return submit(handle, &tri, alpha, beta);                             \
    }                                                                         \
    cublasStatus_t cublas##S##syrk_v2##E(                                     \
        cublasHandle_t handle, cublasFillMode_t uplo,                         \
        cublasOperation_t trans, I n, I k, const T *alpha, const T *A, I ldA, \
        const T *beta, T *C, I ldC)                                           \
    {                                                                         \
        struct triangle tri = {.call.name = "cublas" #S "syrk",               \
                               .operation = SYRK, .uplo = uplo,               \
                               .trans = trans, .k = k, .a = SQUARE(A, t),     \
                               .c = AREA(C, n, n, t)};                        \
        BLAS_HERE();                                                          \
        BLAS_LEGAL(beta || !blas_is_handle(handle));                          \
        return submit(handle, &tri, alpha, beta);                             \
    }                                                                         \
    cublasStatus_t cublas##S##trsm_v2##E(SIDES, I m, I n, const T *alpha,     \
                                         const T *A, I ldA, T *B, I ldB)      \
    {                                                                         \
        struct triangle tri = {.call.name = "cublas" #S "trsm",               \
                               .operation = TRSM, .side = side, .uplo = uplo, \
                               .trans = trans, .diag = diag,                  \
                               .a = SQUARE(A, t), .c = AREA(B, m, n, t)};     \
        BLAS_HERE();                                                          \
        return submit(handle, &tri, alpha, NULL);                             \
    }                                                                         \
    cublasStatus_t cublas##S##trmm_v2##E(SIDES, I m, I n, const T *alpha,     \
                                         const T *A, I ldA, const T *B,       \
                                         I ldB, T *C, I ldC)                  \
    {                                                                         \
        struct triangle tri = {.call.name = "cublas" #S "trmm",               \
                               .operation = TRMM, .side = side, .uplo = uplo, \
                               .trans = trans, .diag = diag,                  \
                               .a = SQUARE(A, t), .b = AREA(B, m, n, t),      \
                               .c = AREA(C, m, n, t)};                        \
        BLAS_HERE();                                                          \
        return submit(handle, &tri, alpha, NULL);                             \
    }
BLAS_EACH(CALLS)
