/* SPDX-License-Identifier: MIT */
/* cublas?gemm..., cublasGemm...Ex. */
#include "product.h"

/** What all of them are given. */
struct arguments {
    const char *name;
    cublasOperation_t ta, tb;
    int64_t m, n, k, batch;
    const void *alpha, *beta;
    struct blas_matrix a, b, c;
    cublasComputeType_t compute;
    cublasGemmAlgo_t algo;
    bool is_plain; /* of float: the handle's math mode counts */
};

/* Any that NVIDIA names: here they are all the same. */
static bool is_algorithm(cublasGemmAlgo_t algo)
{
    return (algo >= CUBLAS_GEMM_DEFAULT && algo <= CUBLAS_GEMM_ALGO23)
           || (algo >= CUBLAS_GEMM_DEFAULT_TENSOR_OP
               && algo <= CUBLAS_GEMM_ALGO15_TENSOR_OP)
           || algo == CUBLAS_GEMM_AUTOTUNE;
}

/* Sizes, leading dimensions by what is stored, scalars. */
static cublasStatus_t check(const struct arguments *g)
{
    const int64_t rows_a = g->ta == CUBLAS_OP_N ? g->m : g->k;
    const int64_t rows_b = g->tb == CUBLAS_OP_N ? g->k : g->n;

    BLAS_LEGAL(blas_is_operation(g->ta) && blas_is_operation(g->tb));
    BLAS_LEGAL(g->m >= 0 && g->n >= 0 && g->k >= 0 && g->batch >= 0);
    BLAS_LEGAL(g->a.ld >= blas_most(1, rows_a));
    BLAS_LEGAL(g->b.ld >= blas_most(1, rows_b));
    BLAS_LEGAL(g->c.ld >= blas_most(1, g->m));
    BLAS_LEGAL(g->alpha && g->beta && is_algorithm(g->algo));
    return CUBLAS_STATUS_SUCCESS;
}

/* What the math mode makes of float. */
static cublasComputeType_t compute_of(cublasHandle_t handle,
                                      const struct arguments *g)
{
    if (!g->is_plain || g->compute != CUBLAS_COMPUTE_32F
        || g->a.type != CUDA_R_32F)
        return g->compute;
    switch (handle->math & 0xf) {
    case CUBLAS_TENSOR_OP_MATH:
        return CUBLAS_COMPUTE_32F_FAST_16F;
    case CUBLAS_TF32_TENSOR_OP_MATH:
        return CUBLAS_COMPUTE_32F_FAST_TF32;
    default:
        return g->compute;
    }
}

/* All calls come to this. */
static cublasStatus_t gemm(cublasHandle_t handle, const struct arguments *g)
{
    BLAS_HANDLE(handle);
    const cublasStatus_t bad = check(g);
    if (bad)
        return bad;
    const cublasComputeType_t compute = compute_of(handle, g);
    const cudaDataType scale = blas_scale_type(compute);
    struct blas_product p = {
        .call.name = g->name, .m = g->m, .n = g->n, .k = g->k,
        .batch = g->batch, .alpha = blas_scalar(handle, g->alpha, scale),
        .beta = blas_scalar(handle, g->beta, scale), .a = g->a, .b = g->b,
        .c = g->c, .d = g->c};

    p.a.transposed = g->ta != CUBLAS_OP_N;
    p.b.transposed = g->tb != CUBLAS_OP_N;
    const cublasStatus_t odd = blas_product_types(&p, compute);
    return odd ? odd : blas_product_submit(handle->stream, &p);
}

/* The parameters that all have, as members. */
#define COMMON(call)                                                    \
    .name = call, .ta = transa, .tb = transb, .m = m, .n = n, .k = k,   \
    .alpha = alpha, .beta = beta
#define ONE(x, ldx, t) {.ptr = x, .ld = ldx, .type = t}
#define MANY(x, ldx, t) {.each = (const void *const *)x, .ld = ldx, .type = t}
#define STRIDE(x, ldx, s, t) {.ptr = x, .ld = ldx, .stride = s, .type = t}
/* A call of one type: the compute type follows from it. */
#define OWN(t, ...)                                                     \
    const struct arguments g = {                                        \
        __VA_ARGS__, .is_plain = true, .algo = CUBLAS_GEMM_DEFAULT,     \
        .compute = t == CUDA_R_64F   ? CUBLAS_COMPUTE_64F               \
                   : t == CUDA_R_16F ? CUBLAS_COMPUTE_16F               \
                                     : CUBLAS_COMPUTE_32F};             \
    BLAS_HERE();                                                        \
    return gemm(handle, &g)
#define SIZES(I)                                                        \
    cublasHandle_t handle, cublasOperation_t transa,                    \
        cublasOperation_t transb, I m, I n, I k

#define GEMM(S, T, t, I, F, E)                                          \
    cublasStatus_t cublas##S##gemm##F##E(                               \
        SIZES(I), const T *alpha, const T *a, I lda, const T *b, I ldb, \
        const T *beta, T *c, I ldc)                                     \
    {                                                                   \
        OWN(t, COMMON("cublas" #S "gemm"), .batch = 1,                  \
            .a = ONE(a, lda, t), .b = ONE(b, ldb, t),                   \
            .c = ONE(c, ldc, t));                                       \
    }
#define BATCHED(S, s, T, t, I, E)                                       \
    cublasStatus_t cublas##S##gemmBatched##E(                           \
        SIZES(I), const T *alpha, const T *const a[], I lda,            \
        const T *const b[], I ldb, const T *beta, T *const c[], I ldc,  \
        I batch)                                                        \
    {                                                                   \
        OWN(t, COMMON("cublas" #S "gemmBatched"), .batch = batch,       \
            .a = MANY(a, lda, t), .b = MANY(b, ldb, t),                 \
            .c = MANY(c, ldc, t));                                      \
    }
#define STRIDED(S, s, T, t, I, E)                                       \
    cublasStatus_t cublas##S##gemmStridedBatched##E(                    \
        SIZES(I), const T *alpha, const T *a, I lda, long long sa,      \
        const T *b, I ldb, long long sb, const T *beta, T *c, I ldc,    \
        long long sc, I batch)                                          \
    {                                                                   \
        OWN(t, COMMON("cublas" #S "gemmStridedBatched"),                \
            .batch = batch, .a = STRIDE(a, lda, sa, t),                 \
            .b = STRIDE(b, ldb, sb, t), .c = STRIDE(c, ldc, sc, t));    \
    }
#define GEMM_V2(S, s, T, t, I, E) GEMM(S, T, t, I, _v2, E)
BLAS_EACH(GEMM_V2)
BLAS_EACH(BATCHED)
BLAS_EACH(STRIDED)

/* Of fp16; declared for C++ only, where __half is. */
cublasStatus_t cublasHgemm(SIZES(int), const uint16_t *, const uint16_t *,
                           int, const uint16_t *, int, const uint16_t *,
                           uint16_t *, int);
cublasStatus_t cublasHgemm_64(SIZES(int64_t), const uint16_t *,
                              const uint16_t *, int64_t, const uint16_t *,
                              int64_t, const uint16_t *, uint16_t *, int64_t);
cublasStatus_t cublasHgemmStridedBatched(SIZES(int), const uint16_t *,
                                         const uint16_t *, int, long long,
                                         const uint16_t *, int, long long,
                                         const uint16_t *, uint16_t *, int,
                                         long long, int);
cublasStatus_t cublasHgemmStridedBatched_64(
    SIZES(int64_t), const uint16_t *, const uint16_t *, int64_t, long long,
    const uint16_t *, int64_t, long long, const uint16_t *, uint16_t *,
    int64_t, long long, int64_t);
GEMM(H, uint16_t, CUDA_R_16F, int, , )
GEMM(H, uint16_t, CUDA_R_16F, int64_t, , _64)
STRIDED(H, h, uint16_t, CUDA_R_16F, int, )
STRIDED(H, h, uint16_t, CUDA_R_16F, int64_t, _64)

/* --- of other types ------------------------------------------------------- */

/* A call that names its types. */
#define ANY(...)                                                        \
    const struct arguments g = {__VA_ARGS__, .compute = compute,        \
                                .algo = algo};                          \
    BLAS_HERE();                                                        \
    return gemm(handle, &g)

#define EX(I, E)                                                        \
    cublasStatus_t cublasGemmEx##E(                                     \
        SIZES(I), const void *alpha, const void *a, cudaDataType at,    \
        I lda, const void *b, cudaDataType bt, I ldb, const void *beta, \
        void *c, cudaDataType ct, I ldc, cublasComputeType_t compute,   \
        cublasGemmAlgo_t algo)                                          \
    {                                                                   \
        ANY(COMMON("cublasGemmEx"), .batch = 1, .a = ONE(a, lda, at),   \
            .b = ONE(b, ldb, bt), .c = ONE(c, ldc, ct));                \
    }                                                                   \
    cublasStatus_t cublasGemmBatchedEx##E(                              \
        SIZES(I), const void *alpha, const void *const a[],             \
        cudaDataType at, I lda, const void *const b[], cudaDataType bt, \
        I ldb, const void *beta, void *const c[], cudaDataType ct,      \
        I ldc, I batch, cublasComputeType_t compute,                    \
        cublasGemmAlgo_t algo)                                          \
    {                                                                   \
        ANY(COMMON("cublasGemmBatchedEx"), .batch = batch,              \
            .a = MANY(a, lda, at), .b = MANY(b, ldb, bt),               \
            .c = MANY(c, ldc, ct));                                     \
    }                                                                   \
    cublasStatus_t cublasGemmStridedBatchedEx##E(                       \
        SIZES(I), const void *alpha, const void *a, cudaDataType at,    \
        I lda, long long sa, const void *b, cudaDataType bt, I ldb,     \
        long long sb, const void *beta, void *c, cudaDataType ct,       \
        I ldc, long long sc, I batch, cublasComputeType_t compute,      \
        cublasGemmAlgo_t algo)                                          \
    {                                                                   \
        ANY(COMMON("cublasGemmStridedBatchedEx"), .batch = batch,       \
            .a = STRIDE(a, lda, sa, at), .b = STRIDE(b, ldb, sb, bt),   \
            .c = STRIDE(c, ldc, sc, ct));                               \
    }                                                                   \
    cublasStatus_t cublasSgemmEx##E(                                    \
        SIZES(I), const float *alpha, const void *a, cudaDataType at,   \
        I lda, const void *b, cudaDataType bt, I ldb,                   \
        const float *beta, void *c, cudaDataType ct, I ldc)             \
    {                                                                   \
        OWN(CUDA_R_32F, COMMON("cublasSgemmEx"), .batch = 1,            \
            .a = ONE(a, lda, at), .b = ONE(b, ldb, bt),                 \
            .c = ONE(c, ldc, ct));                                      \
    }
EX(int, )
EX(int64_t, _64)
