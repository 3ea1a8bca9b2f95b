/* SPDX-License-Identifier: MIT */
/* cuSOLVER's calls with 64-bit sizes, and eigenvalues by Jacobi's method: each
 * result by what it must give back. */
// flags: -lcusolver
#include <cmath>
#include <cusolverDn.h>

#include "check.h"

enum { N = 17, LD = 20, COLUMNS = 3, BATCH = 4 };

static cusolverDnHandle_t handle;
static cusolverDnParams_t params;
static int *info;

/** The types of a call. */
template <class T> struct type_of;
template <> struct type_of<float> {
    static constexpr cudaDataType value = CUDA_R_32F;
    static constexpr double slack = 1e-3;
    static constexpr auto size = cusolverDnSsyevj_bufferSize;
    static constexpr auto one = cusolverDnSsyevj;
    static constexpr auto batch_size = cusolverDnSsyevjBatched_bufferSize;
    static constexpr auto batch = cusolverDnSsyevjBatched;
};
template <> struct type_of<double> { /**< the same in double */
    static constexpr cudaDataType value = CUDA_R_64F;
    static constexpr double slack = 1e-11;
    static constexpr auto size = cusolverDnDsyevj_bufferSize;
    static constexpr auto one = cusolverDnDsyevj;
    static constexpr auto batch_size = cusolverDnDsyevjBatched_bufferSize;
    static constexpr auto batch = cusolverDnDsyevjBatched;
};

/** A symmetric matrix with a strong diagonal, another one for each seed. */
static double element(int i, int j, unsigned seed)
{
    const unsigned low = i < j ? i : j, high = i < j ? j : i;
    const unsigned mixed = (low * 131 + high * 17 + seed * 7) * 2654435761u;

    return i == j ? N + i : (mixed >> 20) / 4096.0;
}

/** Fill A, and B with A X for X[i][c] = i + c, whose places are swapped in A
 *  for LU: row i is row N - 1 - i. */
template <class T> static void fill(T *a, T *b, bool swapped)
{
    for (int i = 0; i < N; i++) {
        const int row = swapped ? N - 1 - i : i;
        for (int j = 0; j < N; j++)
            a[j * LD + row] = (T)element(i, j, 1);
        for (int c = 0; c < COLUMNS; c++) {
            b[c * LD + row] = 0;
            for (int j = 0; j < N; j++)
                b[c * LD + row] += (T)element(i, j, 1) * (T)(j + c);
        }
    }
}

/** The largest error of a solution. */
template <class T> static double error_of(const T *x)
{
    double worst = 0;

    for (int c = 0; c < COLUMNS; c++)
        for (int i = 0; i < N; i++)
            worst = fmax(worst, fabs(x[c * LD + i] - (double)(i + c)));
    return worst / type_of<T>::slack;
}

/** A system by LU, and by Cholesky. */
template <class T> static void solve()
{
    const cudaDataType type = type_of<T>::value;
    T *a = managed<T>(LD * N), *b = managed<T>(LD * COLUMNS);
    int64_t *pivots = managed<int64_t>(N);
    size_t on_device, on_host;
    void *work;

    EXPECT(!cusolverDnXgetrf_bufferSize(handle, params, N, N, type, a, LD, type,
                                        &on_device, &on_host));
    OK(cudaMalloc(&work, on_device));
    fill(a, b, true);
    EXPECT(!cusolverDnXgetrf(handle, params, N, N, type, a, LD, pivots, type,
                             work, on_device, nullptr, on_host, info));
    EXPECT(!cusolverDnXgetrs(handle, params, CUBLAS_OP_N, N, COLUMNS, type, a,
                             LD, pivots, type, b, LD, info));
    OK(cudaDeviceSynchronize());
    EXPECT(*info == 0 && pivots[0] == N && error_of(b) < 1);

    fill(a, b, false);
    EXPECT(!cusolverDnXpotrf(handle, params, CUBLAS_FILL_MODE_LOWER, N, type, a,
                             LD, type, work, on_device, nullptr, 0, info));
    EXPECT(!cusolverDnXpotrs(handle, params, CUBLAS_FILL_MODE_LOWER, N, COLUMNS,
                             type, a, LD, type, b, LD, info));
    OK(cudaDeviceSynchronize());
    EXPECT(*info == 0 && error_of(b) < 1);

    EXPECT(!cusolverDnXgeqrf(handle, params, N, COLUMNS, type, b, LD, type, a,
                             type, work, on_device, nullptr, 0, info));
    OK(cudaDeviceSynchronize());
    double norm = 0; /* of the first column, i = 0 to N - 1 */
    for (int i = 0; i < N; i++)
        norm += i * i;
    EXPECT(fabs(fabs(b[0]) - sqrt(norm)) < 1e4 * type_of<T>::slack);
    OK(cudaFree(work));
}

/** A v = w v for all pairs.  @return the largest error */
template <class T> static double error_of(const T *v, const T *w, unsigned seed)
{
    double worst = 0;

    for (int k = 0; k < N; k++)
        for (int i = 0; i < N; i++) {
            double sum = -(double)w[k] * v[k * LD + i];
            for (int j = 0; j < N; j++)
                sum += element(i, j, seed) * v[k * LD + j];
            worst = fmax(worst, fabs(sum));
        }
    return worst / type_of<T>::slack;
}

/** One matrix, the same by Xsyevd, and a batch. */
template <class T> static void eigenvalues()
{
    using type = type_of<T>;
    const auto vectors = CUSOLVER_EIG_MODE_VECTOR;
    const auto lower = CUBLAS_FILL_MODE_LOWER;
    T *a = managed<T>(BATCH * LD * N), *w = managed<T>(BATCH * N), *work;
    int lwork, sweeps;
    double residual;
    syevjInfo_t jacobi;

    EXPECT(!cusolverDnCreateSyevjInfo(&jacobi));
    EXPECT(!cusolverDnXsyevjSetTolerance(jacobi, 1e-7));
    EXPECT(!cusolverDnXsyevjSetMaxSweeps(jacobi, 15));
    EXPECT(!cusolverDnXsyevjSetSortEig(jacobi, 1));
    EXPECT(!type::size(handle, vectors, lower, N, a, LD, w, &lwork, jacobi));
    OK(cudaMalloc(&work, sizeof *work * lwork));
    for (int m = 0; m < BATCH; m++)
        for (int j = 0; j < N; j++)
            for (int i = 0; i < N; i++)
                a[(m * N + j) * LD + i] = i < j ? 99 : (T)element(i, j, m);
    EXPECT(!type::batch(handle, vectors, lower, N, a, LD, w, work, lwork, info,
                        jacobi, BATCH));
    EXPECT(cusolverDnXsyevjGetResidual(handle, jacobi, &residual)
           == CUSOLVER_STATUS_NOT_SUPPORTED);
    for (int m = 0; m < BATCH; m++)
        EXPECT(!info[m] && error_of(a + m * N * LD, w + m * N, m) < 1);

    const T last = w[N - 1];
    for (int j = 0; j < N; j++)
        for (int i = j; i < N; i++)
            a[i * LD + j] = (T)element(i, j, 0);
    EXPECT(!type::one(handle, vectors, CUBLAS_FILL_MODE_UPPER, N, a, LD, w,
                      work, lwork, info, jacobi));
    EXPECT(!cusolverDnXsyevjGetResidual(handle, jacobi, &residual));
    EXPECT(!cusolverDnXsyevjGetSweeps(handle, jacobi, &sweeps));
    EXPECT(!*info && sweeps == 1 && error_of(a, w, 0) < 1);
    EXPECT(residual < 10 * type::slack);
    EXPECT(fabs(w[N - 1] - last) < type::slack);

    for (int j = 0; j < N; j++)
        for (int i = j; i < N; i++)
            a[j * LD + i] = (T)element(i, j, 2);
    EXPECT(!cusolverDnXsyevd(handle, params, vectors, lower, N, type::value, a,
                             LD, type::value, w, type::value, work, 8, nullptr,
                             0, info));
    OK(cudaDeviceSynchronize());
    EXPECT(!*info && error_of(a, w, 2) < 1);
    EXPECT(!cusolverDnDestroySyevjInfo(jacobi));
    OK(cudaFree(work));
}

int main()
{
    size_t bytes;
    float *a = managed<float>(LD * N);

    info = managed<int>(BATCH);
    EXPECT(!cusolverDnCreate(&handle));
    EXPECT(!cusolverDnCreateParams(&params));
    EXPECT(!cusolverDnSetAdvOptions(params, CUSOLVERDN_GETRF, CUSOLVER_ALG_0));
    solve<float>();
    solve<double>();
    eigenvalues<float>();
    eigenvalues<double>();
    printf("complex %d, two types %d, lda %d, 2^33 rows %d\n",
           cusolverDnXgetrf_bufferSize(handle, params, N, N, CUDA_C_32F, a, LD,
                                       CUDA_C_32F, &bytes, &bytes),
           cusolverDnXgetrf(handle, params, N, N, CUDA_R_32F, a, LD, nullptr,
                            CUDA_R_64F, a, 0, nullptr, 0, info),
           cusolverDnXpotrf(handle, params, CUBLAS_FILL_MODE_LOWER, N,
                            CUDA_R_32F, a, N - 1, CUDA_R_32F, a, 0, nullptr, 0,
                            info),
           cusolverDnXgetrf(handle, params, (int64_t)1 << 33, N, CUDA_R_32F, a,
                            (int64_t)1 << 33, nullptr, CUDA_R_32F, a, 0,
                            nullptr, 0, info));
    EXPECT(!cusolverDnDestroyParams(params));
    EXPECT(!cusolverDnDestroy(handle));
}
