/* SPDX-License-Identifier: MIT */
// flags: -lcublas
/* The legacy interface of cuBLAS: memory, streams, errors, and calls of each
 * kind, with letters in either case, factors by value and results returned. */
#include <cmath>
#include <cstring>

#include <cublas.h>

#include "check.h"

enum { N = 3 };

/* N x N on the device, column-major: rows of text are columns. */
static const float a_host[N * N] = { 2, 1, 0, 0, 3, 1, 1, 0, 4 };
static const float x_host[N] = { 1, -2, 3 };

static float *device(const float *host, int n)
{
    float *p = nullptr;
    EXPECT(!cublasAlloc(n, sizeof *p, (void **)&p));
    EXPECT(!cublasSetVector(n, sizeof *p, host, 1, p, 1));
    return p;
}

/* The device's vector is this. */
static bool is(const float *p, float a, float b, float c)
{
    float v[N];
    EXPECT(!cublasGetVector(N, sizeof *v, p, 1, v, 1));
    const bool same = v[0] == a && v[1] == b && v[2] == c;
    if (!same)
        printf("%g %g %g, not %g %g %g\n", v[0], v[1], v[2], a, b, c);
    return same;
}

static void vectors(float *x, float *y)
{
    EXPECT(cublasSdot(N, x, 1, x, 1) == 14);
    EXPECT(std::fabs(cublasSnrm2(N, x, 1) - std::sqrt(14.f)) < 1e-6f);
    EXPECT(cublasSasum(N, x, 1) == 6);
    EXPECT(cublasIsamax(N, x, 1) == 3);
    EXPECT(cublasIsamin(N, x, 1) == 1);
    cublasScopy(N, x, 1, y, 1);
    cublasSscal(N, 2, y, 1);
    cublasSaxpy(N, -1, x, 1, y, 1);
    EXPECT(is(y, 1, -2, 3));
    cublasSrot(N, x, 1, y, 1, 0, 1);
    EXPECT(is(y, -1, 2, -3));
    float c = 3, d = 4, cosine = 0, sine = 0;
    cublasSrotg(&c, &d, &cosine, &sine);
    EXPECT(std::fabs(c - 5) < 1e-6f && std::fabs(cosine - 0.6f) < 1e-6f);
}

static void matrices(float *a, float *x, float *y)
{
    cublasSgemv('n', N, N, 1, a, N, x, 1, 0, y, 1);
    EXPECT(is(y, 5, -5, 10));
    cublasSgemv('T', N, N, 1, a, N, x, 1, 1, y, 1);
    EXPECT(is(y, 5, -8, 23));
    cublasStrmv('U', 'N', 'N', N, a, N, y, 1);
    EXPECT(is(y, 33, -24, 92));
    cublasStrsv('u', 'n', 'n', N, a, N, y, 1);
    EXPECT(is(y, 5, -8, 23));
    cublasSgemm('N', 'c', N, 1, N, 2, a, N, x, 1, 0, y, N);
    EXPECT(is(y, 10, -10, 20));
    cublasStrmm('L', 'L', 'N', 'U', N, 1, 1, a, N, y, N); /* in place */
    EXPECT(is(y, 10, 0, 10));
}

static void complex_numbers()
{
    const cuComplex host[2] = { { 1, 2 }, { 3, -1 } };
    cuComplex *z = nullptr;

    EXPECT(!cublasAlloc(2, sizeof *z, (void **)&z));
    EXPECT(!cublasSetVector(2, sizeof *z, host, 1, z, 1));
    const cuComplex u = cublasCdotu(2, z, 1, z, 1),
                    c = cublasCdotc(2, z, 1, z, 1);
    EXPECT(u.x == 5 && u.y == -2 && c.x == 15 && c.y == 0);
    EXPECT(cublasScasum(2, z, 1) == 7);
    cublasCscal(2, make_cuComplex(0, 1), z, 1);
    cublasCsscal(2, 2, z, 1);
    const cuComplex v = cublasCdotu(1, z, 1, z, 1); /* (-4 + 2i)^2 */
    EXPECT(v.x == 12 && v.y == -16);
    EXPECT(!cublasFree(z));
}

static void errors(float *a, float *x)
{
    int version = 0;
    void *p = nullptr;

    EXPECT(!cublasGetVersion(&version) && version > 13000);
    EXPECT(!cublasGetError());
    cublasSgemv('x', N, N, 1, a, N, x, 1, 0, x, 1);
    EXPECT(cublasGetError() == CUBLAS_STATUS_INVALID_VALUE);
    EXPECT(!cublasGetError()); /* it was asked */
    cublasSgemm('N', 'N', N, N, N, 1, a, 1, a, N, 0, a, N);
    EXPECT(cublasGetError() == CUBLAS_STATUS_INVALID_VALUE);
    EXPECT(cublasAlloc(0, 4, &p) == CUBLAS_STATUS_INVALID_VALUE);
    EXPECT(cublasGetError() == CUBLAS_STATUS_INVALID_VALUE);
}

int main()
{
    cudaStream_t stream;

    EXPECT(cublasSdot(N, x_host, 1, x_host, 1) == 0);
    EXPECT(cublasGetError() == CUBLAS_STATUS_NOT_INITIALIZED);
    EXPECT(!cublasInit());
    float *a = device(a_host, N * N), *x = device(x_host, N),
          *y = device(x_host, N);
    vectors(x, y);
    EXPECT(!cublasSetVector(N, sizeof *x, x_host, 1, x, 1));
    OK(cudaStreamCreate(&stream));
    EXPECT(!cublasSetKernelStream(stream));
    matrices(a, x, y);
    complex_numbers();
    EXPECT(!cublasGetError());
    errors(a, x);
    EXPECT(!cublasSetKernelStream(0));
    OK(cudaStreamDestroy(stream));
    EXPECT(!cublasFree(a) && !cublasFree(x) && !cublasFree(y));
    EXPECT(!cublasShutdown());
    printf("done\n");
}
