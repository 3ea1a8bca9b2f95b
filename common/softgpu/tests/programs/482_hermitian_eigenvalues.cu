/* SPDX-License-Identifier: MIT */
/* cuSOLVER: eigenvalues and eigenvectors of Hermitian matrices, each by what it
 * must give back. */
// flags: -lcusolver
#include <cmath>
#include <cusolverDn.h>

#include "check.h"

enum { N = 19, LD = 21 };

/** The calls for one type of an element. */
struct single_calls {
    using complex = cuComplex;
    using real = float;
    static constexpr double slack = 1e-4;
    static constexpr auto size = cusolverDnCheevd_bufferSize;
    static constexpr auto run = cusolverDnCheevd;
};
struct double_calls { /**< the same in double */
    using complex = cuDoubleComplex;
    using real = double;
    static constexpr double slack = 1e-11;
    static constexpr auto size = cusolverDnZheevd_bufferSize;
    static constexpr auto run = cusolverDnZheevd;
};

static cusolverDnHandle_t handle;
static int *info;

/** The product of element (i, j) with a vector's element, added to a sum. */
template <class T> static void add(double sum[2], T a, T v)
{
    sum[0] += static_cast<double>(a.x) * v.x - static_cast<double>(a.y) * v.y;
    sum[1] += static_cast<double>(a.x) * v.y + static_cast<double>(a.y) * v.x;
}

/** A v = w v for each pair, and the values ascend; of A one triangle is read.
 *  @return the largest error */
template <class calls>
static double error_of(cusolverEigMode_t mode, cublasFillMode_t uplo)
{
    using complex = typename calls::complex;
    complex full[N][N]; /* by column */
    double worst = 0;
    int lwork = 0;
    auto *w = managed<typename calls::real>(N);
    auto *a = managed<complex>(LD * N);
    unsigned random = 1;
    for (int j = 0; j < N; j++)
        for (int i = 0; i <= j; i++) {
            random = random * 1664525 + 1013904223;
            full[j][i].x = static_cast<float>(random >> 24) / 256 - 0.5f;
            full[j][i].y = i == j ? 0 : static_cast<float>(random >> 16 & 255)
                                            / 256 - 0.5f;
            full[i][j].x = full[j][i].x;
            full[i][j].y = -full[j][i].y;
        }
    for (int j = 0; j < N; j++)
        for (int i = 0; i < N; i++)
            if (uplo == CUBLAS_FILL_MODE_LOWER ? i >= j : i <= j)
                a[j * LD + i] = full[j][i];
            else
                a[j * LD + i].x = 99; /* never read */
    EXPECT(calls::size(handle, mode, uplo, N, a, LD, w, &lwork) == 0);
    auto *work = managed<complex>(static_cast<size_t>(lwork));
    EXPECT(calls::run(handle, mode, uplo, N, a, LD, w, work, lwork, info) == 0);
    OK(cudaDeviceSynchronize());
    EXPECT(*info == 0);
    double trace = 0;
    for (int k = 0; k < N; k++) {
        EXPECT(k == 0 || w[k - 1] <= w[k]);
        trace += w[k] - full[k][k].x;
        for (int i = 0; i < N && mode == CUSOLVER_EIG_MODE_VECTOR; i++) {
            const complex v = a[k * LD + i];
            double sum[2] = {-w[k] * static_cast<double>(v.x),
                             -w[k] * static_cast<double>(v.y)};
            for (int j = 0; j < N; j++)
                add(sum, full[j][i], a[k * LD + j]);
            worst = fmax(worst, fmax(fabs(sum[0]), fabs(sum[1])));
        }
    }
    return fmax(worst, fabs(trace)) / calls::slack;
}

int main()
{
    int lwork;
    info = managed<int>(1);
    EXPECT(cusolverDnCreate(&handle) == CUSOLVER_STATUS_SUCCESS);
    for (auto mode : {CUSOLVER_EIG_MODE_NOVECTOR, CUSOLVER_EIG_MODE_VECTOR})
        for (auto uplo : {CUBLAS_FILL_MODE_LOWER, CUBLAS_FILL_MODE_UPPER}) {
            EXPECT(error_of<single_calls>(mode, uplo) < 1);
            EXPECT(error_of<double_calls>(mode, uplo) < 1);
        }

    /* Pauli's second matrix has the eigenvalues -1 and 1. */
    auto *a = managed<cuDoubleComplex>(4);
    auto *w = managed<double>(2);
    a[1].y = 1;
    a[2].y = -1;
    EXPECT(cusolverDnZheevd(handle, CUSOLVER_EIG_MODE_NOVECTOR,
                            CUBLAS_FILL_MODE_LOWER, 2, a, 2, w, a, 4, info)
           == CUSOLVER_STATUS_SUCCESS);
    OK(cudaDeviceSynchronize());
    printf("%g %g\n", w[0], w[1]);
    printf("lda %d, mode %d\n",
           cusolverDnZheevd_bufferSize(handle, CUSOLVER_EIG_MODE_VECTOR,
                                       CUBLAS_FILL_MODE_LOWER, 4, a, 3, w,
                                       &lwork),
           cusolverDnCheevd(handle, static_cast<cusolverEigMode_t>(7),
                            CUBLAS_FILL_MODE_LOWER, 1, nullptr, 1, nullptr,
                            nullptr, 1, info));
    EXPECT(cusolverDnDestroy(handle) == CUSOLVER_STATUS_SUCCESS);
    return 0;
}
