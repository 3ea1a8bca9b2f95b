/* SPDX-License-Identifier: MIT */
// flags: -lcublas
/* cuBLAS's calls with types as arguments: level 1 of all types, products and
 * rank-k updates of complex numbers, cgemm3m; 64-bit sizes; what they refuse.
 */
#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include "cublas_reference.h"

#define IS(call, status) EXPECT((call) == CUBLAS_STATUS_##status)

static cublasHandle_t h;

/* Two vectors of three elements of a type, [1 -2 3] and [2 1 0.5] (times 1 + i
 * for complex ones), alpha = 2, and results. */
template <class T> struct data {
    T *x, *y, *result;
    cudaDataType type;
    data(cudaDataType type, const T *xs, const T *ys) : type(type)
    {
        OK(cudaMallocManaged(&x, 3 * sizeof *x));
        OK(cudaMallocManaged(&y, 3 * sizeof *y));
        OK(cudaMallocManaged(&result, sizeof *result));
        std::copy(xs, xs + 3, x);
        std::copy(ys, ys + 3, y);
    }
    ~data()
    {
        cudaFree(x);
        cudaFree(y);
        cudaFree(result);
    }
};

/* Real types; F is the type of factors and of the computation. */
template <class T, class F>
static void real_vectors(cudaDataType type, cudaDataType execution)
{
    const T xs[] = { T(1.f), T(-2.f), T(3.f) },
            ys[] = { T(2.f), T(1.f), T(0.5f) };
    data<T> d(type, xs, ys);
    const F two = 2, zero = 0, one = 1;
    int index = 0;

    BLAS(cublasDotEx(h, 3, d.x, type, 1, d.y, type, 1, d.result, type,
                     execution));
    EXPECT(float(*d.result) == 1.5f);
    BLAS(cublasDotcEx(h, 3, d.x, type, 1, d.y, type, 1, d.result, type,
                      execution));
    EXPECT(float(*d.result) == 1.5f);
    BLAS(cublasAsumEx(h, 3, d.x, type, 1, d.result, type, execution));
    EXPECT(float(*d.result) == 6);
    BLAS(cublasNrm2Ex(h, 3, d.x, type, 1, d.result, type, execution));
    near(float(*d.result), std::sqrt(14.), 0.02, "nrm2");
    BLAS(cublasIamaxEx(h, 3, d.x, type, 1, &index));
    EXPECT(index == 3);
    BLAS(cublasIaminEx(h, 3, d.y, type, 1, &index));
    EXPECT(index == 3);
    BLAS(cublasAxpyEx(h, 3, &two, execution, d.x, type, 1, d.y, type, 1,
                      execution));
    OK(cudaDeviceSynchronize());
    EXPECT(float(d.y[0]) == 4 && float(d.y[1]) == -3 && float(d.y[2]) == 6.5f);
    BLAS(cublasScalEx(h, 3, &two, execution, d.x, type, 1, execution));
    BLAS(cublasRotEx(h, 3, d.x, type, 1, d.y, type, 1, &zero, &one, execution,
                     execution));
    OK(cudaDeviceSynchronize());
    EXPECT(float(d.x[2]) == 6.5f && float(d.y[2]) == -6);
    BLAS(cublasSwapEx(h, 3, d.x, type, 1, d.y, type, 1));
    BLAS(cublasCopyEx(h, 1, d.x, type, 1, d.y, type, 1));
    OK(cudaDeviceSynchronize());
    EXPECT(float(d.x[2]) == -6 && float(d.y[0]) == -2 && float(d.y[1]) == -3);
}

template <class T> static void complex_vectors(cudaDataType type,
                                               cudaDataType real)
{
    const T xs[] = { { 1, 1 }, { -2, -2 }, { 3, 3 } },
            ys[] = { { 2, 2 }, { 1, 1 }, { 0.5, 0.5 } };
    data<T> d(type, xs, ys);
    const T i = { 0, 1 };

    BLAS(cublasDotEx(h, 3, d.x, type, 1, d.y, type, 1, d.result, type, type));
    EXPECT(d.result->x == 0 && d.result->y == 3);
    BLAS(cublasDotcEx(h, 3, d.x, type, 1, d.y, type, 1, d.result, type, type));
    EXPECT(d.result->x == 3 && d.result->y == 0);
    BLAS(cublasNrm2Ex(h, 3, d.x, type, 1, d.result, real, real));
    near(d.result->x, std::sqrt(28.), 1e-5, "nrm2 of complex numbers");
    BLAS(cublasAxpyEx(h, 3, &i, type, d.x, type, 1, d.y, type, 1, type));
    OK(cudaDeviceSynchronize());
    EXPECT(d.y[0].x == 1 && d.y[0].y == 3);
    BLAS(cublasScalEx(h, 3, &i, type, d.x, type, 1, type));
    OK(cudaDeviceSynchronize());
    EXPECT(d.x[2].x == -3 && d.x[2].y == 3);
}

/* C = alpha A^H B of complex numbers in each way, and its rank-k updates. */
template <class T>
static void products(cudaDataType type, cublasComputeType_t compute)
{
    const number by(0.5, -1);
    stored<T> a(FULL, 3, 4), b(FULL, 3, 5), c(FULL, 4, 5);
    const T *f = factor<T>(by), *z = factor<T>(0);
    a.send();
    b.send();
    for (int way = 0; way < 3; way++) {
        T *one[3] = { a.device(), b.device(), c.device() }, **each;
        OK(cudaMalloc(&each, sizeof one));
        OK(cudaMemcpy(each, one, sizeof one, cudaMemcpyHostToDevice));
        c.send();
        if (way == 0)
            BLAS(cublasGemmEx(h, CUBLAS_OP_C, CUBLAS_OP_N, 4, 5, 3, f,
                              a.device(), type, a.ld, b.device(), type, b.ld,
                              z, c.device(), type, c.ld, compute,
                              CUBLAS_GEMM_DEFAULT));
        else if (way == 1)
            BLAS(cublasGemmBatchedEx(
                h, CUBLAS_OP_C, CUBLAS_OP_N, 4, 5, 3, f, (void **)each, type,
                a.ld, (void **)each + 1, type, b.ld, z, (void **)each + 2, type,
                c.ld, 1, compute, CUBLAS_GEMM_DEFAULT));
        else
            BLAS(cublasGemmStridedBatchedEx(
                h, CUBLAS_OP_C, CUBLAS_OP_N, 4, 5, 3, f, a.device(), type,
                a.ld, 0, b.device(), type, b.ld, 0, z, c.device(), type, c.ld,
                0, 1, compute, CUBLAS_GEMM_DEFAULT));
        for (int j = 0; j < 5; j++)
            for (int i = 0; i < 4; i++) {
                c.at(i, j) = 0;
                for (int p = 0; p < 3; p++)
                    c.at(i, j) += by * std::conj(a.at(p, i)) * b.at(p, j);
            }
        c.expect("GemmEx", compute == CUBLAS_COMPUTE_32F_FAST_TF32 ? 80 : 1);
        OK(cudaFree(each));
    }
}

/* The calls of cuComplex only. */
static void single_complex()
{
    stored<cuComplex> a(FULL, 3, 3), c(FULL, 3, 3);
    const cuComplex *f = factor<cuComplex>(2), *z = factor<cuComplex>(0);
    const float two = 2, zero = 0;
    const cudaDataType type = CUDA_C_32F;
    a.send();
    for (int way = 0; way < 7; way++) {
        cuComplex *p = a.device(), *q = c.device();
        c.send();
        if (way == 0)
            BLAS(cublasCgemm3m(h, CUBLAS_OP_N, CUBLAS_OP_C, 3, 3, 3, f, p,
                               a.ld, p, a.ld, z, q, c.ld));
        else if (way == 1)
            BLAS(cublasCgemmEx(h, CUBLAS_OP_N, CUBLAS_OP_C, 3, 3, 3, f, p, type,
                               a.ld, p, type, a.ld, z, q, type, c.ld));
        else if (way == 2)
            BLAS(cublasCgemm3mEx(h, CUBLAS_OP_N, CUBLAS_OP_C, 3, 3, 3, f, p,
                                 type, a.ld, p, type, a.ld, z, q, type, c.ld));
        else
            for (cublasFillMode_t uplo : both_halves)
                if (way == 3)
                    BLAS(cublasCherkEx(h, uplo, CUBLAS_OP_N, 3, 3, &two, p,
                                       type, a.ld, &zero, q, type, c.ld));
                else if (way == 4)
                    BLAS(cublasCherk3mEx(h, uplo, CUBLAS_OP_N, 3, 3, &two, p,
                                         type, a.ld, &zero, q, type, c.ld));
                else if (way == 5)
                    BLAS(cublasCsyrkEx(h, uplo, CUBLAS_OP_N, 3, 3, f, p, type,
                                       a.ld, z, q, type, c.ld));
                else
                    BLAS(cublasCsyrk3mEx(h, uplo, CUBLAS_OP_N, 3, 3, f, p, type,
                                         a.ld, z, q, type, c.ld));
        for (int j = 0; j < 3; j++)
            for (int i = 0; i < 3; i++) {
                c.at(i, j) = 0;
                for (int k = 0; k < 3; k++)
                    c.at(i, j) += 2.0 * a.at(i, k)
                                  * (way < 5 ? std::conj(a.at(j, k))
                                             : a.at(j, k));
            }
        c.expect("the calls of cuComplex");
    }
}

/* The batch of fp16: the squares of 2 x 2 matrices. */
static void half_batch()
{
    __half *a = managed<__half>(4), *c = managed<__half>(4), one = 1.f,
           zero = 0.f;
    __half **each = managed<__half *>(2);
    each[0] = a;
    each[1] = c;
    for (int i = 0; i < 4; i++)
        a[i] = i + 1.f;
    BLAS(cublasHgemmBatched(h, CUBLAS_OP_N, CUBLAS_OP_N, 2, 2, 2, &one, each, 2,
                            each, 2, &zero, each + 1, 2, 1));
    OK(cudaDeviceSynchronize());
    EXPECT(float(c[0]) == 7 && float(c[1]) == 10 && float(c[2]) == 15
           && float(c[3]) == 22);
}

/* 64-bit sizes, and an index of 64 bits. */
static void long_sizes()
{
    const cuDoubleComplex xs[] = { { 1, 1 }, { 2, 0 }, { 0, -4 } };
    data<cuDoubleComplex> d(CUDA_C_64F, xs, xs);
    const cuDoubleComplex one = { 1, 0 }, zero = { 0, 0 };
    int64_t index = -1;

    BLAS(cublasIzamax_64(h, 3, d.x, 1, &index));
    EXPECT(index == 3);
    BLAS(cublasIamaxEx_64(h, 2, d.x, CUDA_C_64F, 2, &index));
    EXPECT(index == 2);
    BLAS(cublasZhpmv_64(h, CUBLAS_FILL_MODE_UPPER, 2, &one, d.x, d.x, 1, &zero,
                        d.y, 1)); /* [1 2; 2 0] (1 + i, 2) */
    OK(cudaDeviceSynchronize());
    EXPECT(d.y[0].x == 5 && d.y[0].y == 1 && d.y[1].x == 2 && d.y[1].y == 2);
    BLAS(cublasZgemm_64(h, CUBLAS_OP_N, CUBLAS_OP_C, 1, 1, 3, &one, d.x, 1,
                        d.x, 1, &zero, d.y, 1));
    OK(cudaDeviceSynchronize());
    EXPECT(d.y[0].x == 22 && d.y[0].y == 0);
    IS(cublasZhemv_64(h, CUBLAS_FILL_MODE_UPPER, (int64_t)1 << 32, &one, d.x,
                      (int64_t)1 << 32, d.x, 1, &zero, d.y, 1),
       NOT_SUPPORTED);
}

static void refusals(void *p)
{
    const float one = 1;
    const cudaDataType f = CUDA_R_32F, half = CUDA_R_16F;

    IS(cublasAxpyEx(NULL, 1, &one, f, p, f, 1, p, f, 1, f), NOT_INITIALIZED);
    IS(cublasAxpyEx(h, 1, NULL, f, p, f, 1, p, f, 1, f), INVALID_VALUE);
    IS(cublasAxpyEx(h, 1, &one, f, p, f, 1, p, half, 1, f), NOT_SUPPORTED);
    IS(cublasAxpyEx(h, 1, &one, f, p, half, 1, p, half, 1, half),
       NOT_SUPPORTED);
    IS(cublasNrm2Ex(h, 1, p, CUDA_R_8I, 1, p, CUDA_R_8I, f), NOT_SUPPORTED);
    IS(cublasDotEx(h, 1, p, f, 1, p, f, 1, NULL, f, f), INVALID_VALUE);
    IS(cublasGemmEx(h, CUBLAS_OP_N, CUBLAS_OP_N, 1, 1, 1, &one, p, CUDA_C_64F,
                    1, p, CUDA_C_64F, 1, &one, p, CUDA_C_64F, 1,
                    CUBLAS_COMPUTE_32F, CUBLAS_GEMM_DEFAULT),
       NOT_SUPPORTED);
    IS(cublasCherkEx(h, CUBLAS_FILL_MODE_LOWER, CUBLAS_OP_N, 1, 1, &one, p,
                     CUDA_C_8I, 1, &one, p, CUDA_C_32F, 1),
       NOT_SUPPORTED);
    IS(cublasCherk(h, CUBLAS_FILL_MODE_LOWER, CUBLAS_OP_T, 1, 1, &one,
                   (cuComplex *)p, 1, &one, (cuComplex *)p, 1),
       INVALID_VALUE);
    IS(cublasSgbmv(h, CUBLAS_OP_N, 4, 4, 1, 1, &one, (float *)p, 2, (float *)p,
                   1, &one, (float *)p, 1),
       INVALID_VALUE); /* lda below kl + ku + 1 */
    IS(cublasStpmv(h, CUBLAS_FILL_MODE_LOWER, CUBLAS_OP_N,
                   (cublasDiagType_t)2, 1, (float *)p, (float *)p, 1),
       INVALID_VALUE);
    IS(cublasSspr(h, CUBLAS_FILL_MODE_FULL, 1, &one, (float *)p, 1, (float *)p),
       INVALID_VALUE);
    IS(cublasSspr(h, CUBLAS_FILL_MODE_LOWER, 1, &one, (float *)p, 0,
                  (float *)p),
       INVALID_VALUE);
}

int main()
{
    void *p;

    OK(cudaMalloc(&p, 256));
    BLAS(cublasCreate(&h));
    real_vectors<float, float>(CUDA_R_32F, CUDA_R_32F);
    real_vectors<double, double>(CUDA_R_64F, CUDA_R_64F);
    real_vectors<__half, float>(CUDA_R_16F, CUDA_R_32F);
    real_vectors<__nv_bfloat16, float>(CUDA_R_16BF, CUDA_R_32F);
    complex_vectors<cuComplex>(CUDA_C_32F, CUDA_R_32F);
    complex_vectors<cuDoubleComplex>(CUDA_C_64F, CUDA_R_64F);
    products<cuComplex>(CUDA_C_32F, CUBLAS_COMPUTE_32F);
    products<cuComplex>(CUDA_C_32F, CUBLAS_COMPUTE_32F_FAST_TF32);
    products<cuDoubleComplex>(CUDA_C_64F, CUBLAS_COMPUTE_64F);
    single_complex();
    half_batch();
    long_sizes();
    refusals(p);
    OK(cudaDeviceSynchronize());
    BLAS(cublasDestroy(h));
    OK(cudaFree(p));
    return tell("calls with types");
}
