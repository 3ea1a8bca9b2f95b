/* SPDX-License-Identifier: MIT */
// flags: -lcublas
// env: SOFTGPU_DEVICES=2
/* cuBLASXt: products of matrices in host memory on one device and on two, with
 * every transposition and leading dimensions larger than the rows; what it
 * refuses. */
#include "cublas_check.h"
#include <cmath>
#include <cublasXt.h>
#include <vector>

enum { M = 5, N = 7, K = 4, LD = 9 };

static cublasStatus_t gemm(cublasXtHandle_t h, cublasOperation_t ta,
                           cublasOperation_t tb, float alpha, const float *a,
                           const float *b, float beta, float *c)
{
    return cublasXtSgemm(h, ta, tb, M, N, K, &alpha, a, LD, b, LD, &beta, c,
                         LD);
}

static cublasStatus_t gemm(cublasXtHandle_t h, cublasOperation_t ta,
                           cublasOperation_t tb, double alpha, const double *a,
                           const double *b, double beta, double *c)
{
    return cublasXtDgemm(h, ta, tb, M, N, K, &alpha, a, LD, b, LD, &beta, c,
                         LD);
}

/* Element of op(X). */
template <typename T>
static double at(const std::vector<T> &x, cublasOperation_t op, int i, int j)
{
    return op == CUBLAS_OP_N ? x[j * LD + i] : x[i * LD + j];
}

template <typename T>
static bool is_right(cublasXtHandle_t h, cublasOperation_t ta,
                     cublasOperation_t tb)
{
    std::vector<T> a(LD * LD), b(LD * LD), c(LD * N);
    for (int i = 0; i < LD * LD; i++) {
        a[i] = i % 7 - 3;
        b[i] = i % 5 - 2;
    }
    for (int i = 0; i < LD * N; i++)
        c[i] = i;
    BLAS(gemm(h, ta, tb, (T)2, a.data(), b.data(), (T)-1, c.data()));
    for (int j = 0; j < N; j++)
        for (int i = 0; i < LD; i++) {
            double sum = i < M ? -(j * LD + i) : j * LD + i;
            for (int k = 0; i < M && k < K; k++)
                sum += 2 * at(a, ta, i, k) * at(b, tb, k, j);
            if (c[j * LD + i] != sum)
                return false;
        }
    return true;
}

/* i A^H B of complex numbers with small integers: exact. */
template <typename T, typename F> static void complex_product(F gemm)
{
    const T i = { 0, 1 }, zero = { 0, 0 };
    std::vector<T> a(LD * M), b(LD * N), c(M * N);
    for (int p = 0; p < LD * M; p++)
        a[p] = { decltype(i.x)(p % 5 - 2), decltype(i.x)(p % 3) };
    for (int p = 0; p < LD * N; p++)
        b[p] = { decltype(i.x)(p % 4), decltype(i.x)(p % 7 - 3) };
    BLAS(gemm(CUBLAS_OP_C, &i, a.data(), b.data(), &zero, c.data()));
    for (int n = 0; n < N; n++)
        for (int m = 0; m < M; m++) {
            double re = 0, im = 0;
            for (int k = 0; k < K; k++) {
                const T u = a[m * LD + k], v = b[n * LD + k];
                re += u.x * v.x + u.y * v.y;
                im += u.x * v.y - u.y * v.x;
            }
            EXPECT(c[n * M + m].x == -im && c[n * M + m].y == re);
        }
}

static void complex_products(cublasXtHandle_t h)
{
    complex_product<cuComplex>([h](auto op, auto f, auto a, auto b, auto g,
                                   auto c) {
        return cublasXtCgemm(h, op, CUBLAS_OP_N, M, N, K, f, a, LD, b, LD, g, c,
                             M);
    });
    complex_product<cuDoubleComplex>([h](auto op, auto f, auto a, auto b,
                                         auto g, auto c) {
        return cublasXtZgemm(h, op, CUBLAS_OP_N, M, N, K, f, a, LD, b, LD, g, c,
                             M);
    });
}

static void try_devices(int count)
{
    static const cublasOperation_t ops[] = { CUBLAS_OP_N, CUBLAS_OP_T };
    cublasXtHandle_t h;
    int devices[] = { 1, 0 }, right = 0, dim, current = -1;
    BLAS(cublasXtCreate(&h));
    BLAS(cublasXtDeviceSelect(h, count, devices));
    BLAS(cublasXtGetBlockDim(h, &dim));
    for (cublasOperation_t ta : ops)
        for (cublasOperation_t tb : ops)
            right += is_right<float>(h, ta, tb) + is_right<double>(h, ta, tb);
    complex_products(h);
    OK(cudaGetDevice(&current));
    printf("%d devices: %d of 8 right, tiles of %d, device %d\n", count, right,
           dim, current);
    BLAS(cublasXtDestroy(h));
}

int main()
{
    cublasXtHandle_t h;
    float x[4] = { 1, 2, 3, 4 }, one = 1;
    int none[] = { 5 };
    try_devices(1);
    try_devices(2);
    BLAS(cublasXtCreate(&h));
    printf("no device %d, wrong device %d, tile %d, leading dimension",
           cublasXtSgemm(h, CUBLAS_OP_N, CUBLAS_OP_N, 2, 2, 2, &one, x, 2, x, 2,
                         &one, x, 2),
           cublasXtDeviceSelect(h, 1, none), cublasXtSetBlockDim(h, 0));
    none[0] = 0;
    BLAS(cublasXtDeviceSelect(h, 1, none));
    printf(" %d\n", cublasXtSgemm(h, CUBLAS_OP_N, CUBLAS_OP_N, 2, 2, 2, &one, x,
                                  1, x, 2, &one, x, 2));
    BLAS(cublasXtDestroy(h));
    return 0;
}
