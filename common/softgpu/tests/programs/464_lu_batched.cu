/* SPDX-License-Identifier: MIT */
// flags: -lcublas
/* cuBLAS: LU factors of a batch of matrices, with pivots and without; systems
 * solved and inverses made from them; singular matrices and wrong sizes. */
#include "cublas_check.h"
#include <cmath>

enum { N = 3, LD = 4, BATCH = 3, COLUMNS = 2 };

/* Device pointers to BATCH matrices that follow each other. */
template <typename T> static T **pointers_to(T *first, int stride)
{
    T **p, *h[BATCH];
    for (int i = 0; i < BATCH; i++)
        h[i] = first + i * stride;
    OK(cudaMalloc(&p, sizeof h));
    OK(cudaMemcpy(p, h, sizeof h, cudaMemcpyHostToDevice));
    return p;
}

/* The first element needs a row to be exchanged, except in matrix 1. */
static double element(int batch, int i, int j)
{
    static const double a[N][N] = { { 0, 2, 1 }, { 4, 1, 3 }, { 2, 5, 7 } };
    return a[i][j] + (i == j && batch == 1 ? 8 : 0);
}

/* A X of the solutions, compared with B; A X = B is [row + 1, 10 row]. */
template <typename T> static double residual(const T *x, int batch, bool trans)
{
    double worst = 0;
    for (int c = 0; c < COLUMNS; c++)
        for (int i = 0; i < N; i++) {
            double sum = 0;
            for (int k = 0; k < N; k++)
                sum += (trans ? element(batch, k, i) : element(batch, i, k))
                       * x[(batch * COLUMNS + c) * N + k];
            worst = fmax(worst, fabs(sum - (c ? 10 * i : i + 1)));
        }
    return worst;
}

template <typename T> struct calls;
template <> struct calls<float> {
    static constexpr auto getrf = cublasSgetrfBatched;
    static constexpr auto getrs = cublasSgetrsBatched;
    static constexpr auto getri = cublasSgetriBatched;
};
template <> struct calls<double> {
    static constexpr auto getrf = cublasDgetrfBatched;
    static constexpr auto getrs = cublasDgetrsBatched;
    static constexpr auto getri = cublasDgetriBatched;
};

template <typename T> static void solve(cublasHandle_t handle, bool pivoted)
{
    T *a, *b, *c;
    int *pivots, *info, host_info = -9;
    OK(cudaMallocManaged(&a, BATCH * LD * N * sizeof *a));
    OK(cudaMallocManaged(&b, BATCH * COLUMNS * N * sizeof *b));
    OK(cudaMallocManaged(&c, BATCH * N * N * sizeof *c));
    OK(cudaMallocManaged(&pivots, BATCH * N * sizeof *pivots));
    OK(cudaMallocManaged(&info, BATCH * sizeof *info));
    for (int m = 0; m < BATCH; m++) {
        for (int j = 0; j < N; j++)
            for (int i = 0; i < LD; i++)
                a[(m * N + j) * LD + i]
                    = i < N ? element(pivoted ? m : 1, i, j) : -1;
        for (int i = 0; i < N; i++) {
            b[m * COLUMNS * N + i] = i + 1;
            b[(m * COLUMNS + 1) * N + i] = 10 * i;
        }
    }
    T **as = pointers_to(a, LD * N), **bs = pointers_to(b, COLUMNS * N);
    T **cs = pointers_to(c, N * N);
    int *p = pivoted ? pivots : nullptr;
    BLAS(calls<T>::getrf(handle, N, as, LD, p, info, BATCH));
    BLAS(calls<T>::getrs(handle, CUBLAS_OP_T, N, COLUMNS, as, LD, p, bs, N,
                       &host_info, BATCH));
    OK(cudaDeviceSynchronize());
    double worst = 0, identity = 0;
    for (int m = 0; m < BATCH; m++) {
        const T *x = b + (pivoted ? 0 : (m - 1) * COLUMNS * N);
        worst = fmax(worst, residual(x, pivoted ? m : 1, true));
    }
    BLAS(calls<T>::getri(handle, N, as, LD, p, cs, N, info, BATCH));
    OK(cudaDeviceSynchronize());
    for (int m = 0; m < BATCH; m++)
        for (int i = 0; i < N; i++)
            for (int j = 0; j < N; j++) {
                double sum = i == j ? -1 : 0;
                for (int k = 0; k < N; k++)
                    sum += element(pivoted ? m : 1, i, k)
                           * c[(m * N + j) * N + k];
                identity = fmax(identity, fabs(sum));
            }
    const double bound = sizeof(T) == 8 ? 1e-12 : 1e-4;
    printf("%s pivots: solved %d, inverse %d, info %d %d %d %d, row 3 %g",
           pivoted ? "with" : "without", worst < bound, identity < bound,
           info[0], info[1], info[2], host_info, (double)a[3]);
    if (pivoted)
        printf(", pivots %d %d %d", pivots[0], pivots[1], pivots[2]);
    printf("\n");
}

int main()
{
    cublasHandle_t handle;
    double *zero;
    int *info, host_info;
    BLAS(cublasCreate(&handle));
    solve<float>(handle, true);
    solve<double>(handle, true);
    solve<double>(handle, false);
    OK(cudaMallocManaged(&zero, BATCH * N * N * sizeof *zero));
    OK(cudaMallocManaged(&info, BATCH * sizeof *info));
    OK(cudaMemset(zero, 0, BATCH * N * N * sizeof *zero));
    double **zeros = pointers_to(zero, N * N);
    BLAS(cublasDgetrfBatched(handle, N, zeros, N, nullptr, info, BATCH));
    OK(cudaDeviceSynchronize());
    printf("singular at %d\n", info[2]);
    printf("%d %d %d %d\n",
           cublasDgetrfBatched(handle, N, zeros, N - 1, nullptr, info, BATCH),
           cublasDgetrfBatched(handle, -1, zeros, N, nullptr, info, BATCH),
           cublasDgetrsBatched(handle, CUBLAS_OP_N, N, 1, zeros, N, nullptr,
                               zeros, 1, &host_info, BATCH),
           cublasDgetrfBatched(nullptr, N, zeros, N, nullptr, info, BATCH));
    BLAS(cublasDestroy(handle));
    return 0;
}
