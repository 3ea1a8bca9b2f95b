/* SPDX-License-Identifier: MIT */
/* cublas?gemm..., cublasGemm...Ex. */
#include "matmul.h"
#include "routines.h"

/** Arguments of all gemm calls. */
struct arguments {
    const char *name;
    cublasOperation_t ta, tb;
    int64_t m, n, k, batch;
    const void *alpha, *beta;
    struct blas_matrix a, b, c;
    cublasComputeType_t compute;
    cublasGemmAlgo_t algo;
    bool uses_math_mode; /* a typed call: the handle's math mode applies */
};

/* Any algorithm of cuBLAS; all are computed in the same way here. */
static bool is_algorithm(cublasGemmAlgo_t algo)
{
    return (algo >= CUBLAS_GEMM_DEFAULT && algo <= CUBLAS_GEMM_ALGO23)
           || (algo >= CUBLAS_GEMM_DEFAULT_TENSOR_OP
               && algo <= CUBLAS_GEMM_ALGO15_TENSOR_OP)
           || algo == CUBLAS_GEMM_AUTOTUNE;
}

/* Check sizes, leading dimensions of the matrices as stored, and scalars. */
static cublasStatus_t check(const struct arguments *g)
{
    const bool a = g->ta == CUBLAS_OP_N, b = g->tb == CUBLAS_OP_N;

    BLAS_REQUIRE_THAT(blas_is_operation(g->ta) && blas_is_operation(g->tb),
                      "transa or transb is no operation");
    BLAS_REQUIRE_VALUE(g->m >= 0 && g->n >= 0 && g->k >= 0 && g->batch >= 0);
    BLAS_REQUIRE_LD("lda", g->a.ld, a ? "m" : "k", a ? g->m : g->k);
    BLAS_REQUIRE_LD("ldb", g->b.ld, b ? "k" : "n", b ? g->k : g->n);
    BLAS_REQUIRE_LD("ldc", g->c.ld, "m", g->m);
    BLAS_REQUIRE_THAT(g->alpha && g->beta, "alpha or beta is NULL");
    BLAS_REQUIRE_THAT(is_algorithm(g->algo), "algo is no algorithm");
    return CUBLAS_STATUS_SUCCESS;
}

/* The compute type that the math mode selects for float. */
static cublasComputeType_t compute_of(cublasHandle_t handle,
                                      const struct arguments *g)
{
    if (!g->uses_math_mode || g->compute != CUBLAS_COMPUTE_32F
        || blas_real_type(g->a.type) != CUDA_R_32F)
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

/* All calls end here. */
static cublasStatus_t gemm(cublasHandle_t handle, const struct arguments *g)
{
    BLAS_REQUIRE_HANDLE(handle);
    const cublasStatus_t status = check(g);
    if (status)
        return status;
    const cublasComputeType_t compute = compute_of(handle, g);
    const cudaDataType scale = blas_is_complex(g->a.type)
                                   ? g->a.type : blas_scale_type(compute);
    struct blas_matmul p = {
        .call.name = g->name, .m = g->m, .n = g->n, .k = g->k,
        .batch = g->batch, .alpha = blas_scalar(handle, g->alpha, scale),
        .beta = blas_scalar(handle, g->beta, scale), .a = g->a, .b = g->b,
        .c = g->c, .d = g->c};

    p.a.transposed = g->ta != CUBLAS_OP_N;
    p.b.transposed = g->tb != CUBLAS_OP_N;
    p.a.conjugated = g->ta == CUBLAS_OP_C;
    p.b.conjugated = g->tb == CUBLAS_OP_C;
    const cublasStatus_t types_status = blas_matmul_types(&p, compute);
    return types_status ? types_status : blas_matmul_submit(handle->stream, &p);
}

/* The compute type of a typed call. */
static cublasComputeType_t compute_type(cudaDataType type)
{
    return blas_real_type(type) == CUDA_R_64F ? CUBLAS_COMPUTE_64F
           : type == CUDA_R_16F               ? CUBLAS_COMPUTE_16F
                                              : CUBLAS_COMPUTE_32F;
}

cublasStatus_t blas_gemm(cublasHandle_t handle,
                         const struct blas_routine *routine,
                         const struct blas_arguments *g)
{
    const cudaDataType t = routine->type;

    return gemm(handle, &(struct arguments){
                            .name = routine->name, .ta = g->trans,
                            .tb = g->transb, .m = g->m, .n = g->n, .k = g->k,
                            .batch = 1, .alpha = g->alpha, .beta = g->beta,
                            .a = {.ptr = g->a.ptr, .ld = g->a.ld, .type = t},
                            .b = {.ptr = g->b.ptr, .ld = g->b.ld, .type = t},
                            .c = {.ptr = g->c.ptr, .ld = g->c.ld, .type = t},
                            .compute = compute_type(t), .uses_math_mode = true,
                            .algo = CUBLAS_GEMM_DEFAULT});
}

/* The parameters of all calls, as designated initializers. */
#define FIELDS(call)                                                  \
    .name = call, .ta = transa, .tb = transb, .m = m, .n = n, .k = k, \
    .alpha = alpha, .beta = beta
#define SINGLE(x, ldx, t) {.ptr = x, .ld = ldx, .type = t}
#define POINTERS(x, ldx, t) \
    {.each = (const void *const *)x, .ld = ldx, .type = t}
#define STRIDES(x, ldx, s, t) \
    {.ptr = x, .ld = ldx, .stride = s, .type = t}
/* A call with one element type, which determines the compute type. */
#define SUBMIT(t, ...)                                                    \
    const struct arguments g = {                                          \
        __VA_ARGS__, .uses_math_mode = true, .algo = CUBLAS_GEMM_DEFAULT, \
        .compute = compute_type(t)};                                      \
    SOFTGPU_LIBRARY_CALL();                                               \
    return gemm(handle, &g)
#define SIZES(I)                                                        \
    cublasHandle_t handle, cublasOperation_t transa,                    \
        cublasOperation_t transb, I m, I n, I k

#define GEMM(S, T, t, I, E)                                             \
    cublasStatus_t cublas##S##gemm##E(                                  \
        SIZES(I), const T *alpha, const T *a, I lda, const T *b, I ldb, \
        const T *beta, T *c, I ldc)                                     \
    {                                                                   \
        SUBMIT(t, FIELDS("cublas" #S "gemm"), .batch = 1,               \
            .a = SINGLE(a, lda, t), .b = SINGLE(b, ldb, t),             \
            .c = SINGLE(c, ldc, t));                                    \
    }
#define BATCHED(S, family, T, t, I, E)                                      \
    cublasStatus_t cublas##S##family##Batched##E(                       \
        SIZES(I), const T *alpha, const T *const a[], I lda,           \
        const T *const b[], I ldb, const T *beta, T *const c[], I ldc, \
        I batch)                                                       \
    {                                                                  \
        SUBMIT(t, FIELDS("cublas" #S #family "Batched"), .batch = batch,   \
            .a = POINTERS(a, lda, t), .b = POINTERS(b, ldb, t),        \
            .c = POINTERS(c, ldc, t));                                 \
    }
#define STRIDED(S, family, T, t, I, E)                                    \
    cublasStatus_t cublas##S##family##StridedBatched##E(              \
        SIZES(I), const T *alpha, const T *a, I lda, long long sa,   \
        const T *b, I ldb, long long sb, const T *beta, T *c, I ldc, \
        long long sc, I batch)                                       \
    {                                                                \
        SUBMIT(t, FIELDS("cublas" #S #family "StridedBatched"),          \
            .batch = batch, .a = STRIDES(a, lda, sa, t),             \
            .b = STRIDES(b, ldb, sb, t),                             \
            .c = STRIDES(c, ldc, sc, t));                            \
    }
/* The two calls for both types of sizes. */
#define BATCHES(S, family, T, t)          \
    BATCHED(S, family, T, t, int, )       \
    BATCHED(S, family, T, t, int64_t, _64) \
    STRIDED(S, family, T, t, int, )       \
    STRIDED(S, family, T, t, int64_t, _64)
BATCHES(S, gemm, float, CUDA_R_32F)
BATCHES(D, gemm, double, CUDA_R_64F)
BATCHES(C, gemm, cuComplex, CUDA_C_32F)
BATCHES(C, gemm3m, cuComplex, CUDA_C_32F)
BATCHES(Z, gemm, cuDoubleComplex, CUDA_C_64F)

/* fp16; cublas_api.h declares it for C++ only, because of __half. */
cublasStatus_t cublasHgemm(SIZES(int), const uint16_t *, const uint16_t *,
                           int, const uint16_t *, int, const uint16_t *,
                           uint16_t *, int);
cublasStatus_t cublasHgemm_64(SIZES(int64_t), const uint16_t *,
                              const uint16_t *, int64_t, const uint16_t *,
                              int64_t, const uint16_t *, uint16_t *, int64_t);
cublasStatus_t cublasHgemmBatched(SIZES(int), const uint16_t *,
                                  const uint16_t *const[], int,
                                  const uint16_t *const[], int,
                                  const uint16_t *, uint16_t *const[], int,
                                  int);
cublasStatus_t cublasHgemmBatched_64(SIZES(int64_t), const uint16_t *,
                                     const uint16_t *const[], int64_t,
                                     const uint16_t *const[], int64_t,
                                     const uint16_t *, uint16_t *const[],
                                     int64_t, int64_t);
cublasStatus_t cublasHgemmStridedBatched(SIZES(int), const uint16_t *,
                                         const uint16_t *, int, long long,
                                         const uint16_t *, int, long long,
                                         const uint16_t *, uint16_t *, int,
                                         long long, int);
cublasStatus_t cublasHgemmStridedBatched_64(
    SIZES(int64_t), const uint16_t *, const uint16_t *, int64_t, long long,
    const uint16_t *, int64_t, long long, const uint16_t *, uint16_t *,
    int64_t, long long, int64_t);
GEMM(H, uint16_t, CUDA_R_16F, int, )
GEMM(H, uint16_t, CUDA_R_16F, int64_t, _64)
BATCHED(H, gemm, uint16_t, CUDA_R_16F, int, )
BATCHED(H, gemm, uint16_t, CUDA_R_16F, int64_t, _64)
STRIDED(H, gemm, uint16_t, CUDA_R_16F, int, )
STRIDED(H, gemm, uint16_t, CUDA_R_16F, int64_t, _64)

/* --- of other types ------------------------------------------------------ */

/* A call with element types as arguments. */
#define SUBMIT_MIXED(...)                                        \
    const struct arguments g = {__VA_ARGS__, .compute = compute, \
                                .algo = algo};                   \
    SOFTGPU_LIBRARY_CALL();                                      \
    return gemm(handle, &g)

#define EX(I, E)                                                           \
    cublasStatus_t cublasGemmEx##E(                                        \
        SIZES(I), const void *alpha, const void *a, cudaDataType at,       \
        I lda, const void *b, cudaDataType bt, I ldb, const void *beta,    \
        void *c, cudaDataType ct, I ldc, cublasComputeType_t compute,      \
        cublasGemmAlgo_t algo)                                             \
    {                                                                      \
        SUBMIT_MIXED(FIELDS("cublasGemmEx"), .batch = 1,                   \
            .a = SINGLE(a, lda, at), .b = SINGLE(b, ldb, bt),              \
            .c = SINGLE(c, ldc, ct));                                      \
    }                                                                      \
    cublasStatus_t cublasGemmBatchedEx##E(                                 \
        SIZES(I), const void *alpha, const void *const a[],                \
        cudaDataType at, I lda, const void *const b[], cudaDataType bt,    \
        I ldb, const void *beta, void *const c[], cudaDataType ct,         \
        I ldc, I batch, cublasComputeType_t compute,                       \
        cublasGemmAlgo_t algo)                                             \
    {                                                                      \
        SUBMIT_MIXED(FIELDS("cublasGemmBatchedEx"), .batch = batch,        \
            .a = POINTERS(a, lda, at), .b = POINTERS(b, ldb, bt),          \
            .c = POINTERS(c, ldc, ct));                                    \
    }                                                                      \
    cublasStatus_t cublasGemmStridedBatchedEx##E(                          \
        SIZES(I), const void *alpha, const void *a, cudaDataType at,       \
        I lda, long long sa, const void *b, cudaDataType bt, I ldb,        \
        long long sb, const void *beta, void *c, cudaDataType ct,          \
        I ldc, long long sc, I batch, cublasComputeType_t compute,         \
        cublasGemmAlgo_t algo)                                             \
    {                                                                      \
        SUBMIT_MIXED(FIELDS("cublasGemmStridedBatchedEx"), .batch = batch, \
            .a = STRIDES(a, lda, sa, at), .b = STRIDES(b, ldb, sb, bt),    \
            .c = STRIDES(c, ldc, sc, ct));                                 \
    }                                                                      \
    cublasStatus_t cublasSgemmEx##E(                                       \
        SIZES(I), const float *alpha, const void *a, cudaDataType at,      \
        I lda, const void *b, cudaDataType bt, I ldb,                      \
        const float *beta, void *c, cudaDataType ct, I ldc)                \
    {                                                                      \
        SUBMIT(CUDA_R_32F, FIELDS("cublasSgemmEx"), .batch = 1,            \
            .a = SINGLE(a, lda, at), .b = SINGLE(b, ldb, bt),              \
            .c = SINGLE(c, ldc, ct));                                      \
    }
EX(int, )
EX(int64_t, _64)

/* Complex ones, where A, B and C have a type each. */
#define COMPLEX_EX(family, I, E)                                            \
    cublasStatus_t cublasC##family##Ex##E(                                  \
        SIZES(I), const cuComplex *alpha, const void *a, cudaDataType at,   \
        I lda, const void *b, cudaDataType bt, I ldb,                       \
        const cuComplex *beta, void *c, cudaDataType ct, I ldc)             \
    {                                                                       \
        SUBMIT(CUDA_C_32F, FIELDS("cublasC" #family "Ex"), .batch = 1,      \
            .a = SINGLE(a, lda, at), .b = SINGLE(b, ldb, bt),               \
            .c = SINGLE(c, ldc, ct));                                       \
    }
COMPLEX_EX(gemm, int, )
COMPLEX_EX(gemm, int64_t, _64)
COMPLEX_EX(gemm3m, int, )
COMPLEX_EX(gemm3m, int64_t, _64)
