/* SPDX-License-Identifier: MIT */
/* cuSOLVER: LU, Cholesky, QR, eigenvalues and singular values of a matrix, each
 * by what it must give back. */
// flags: -lcusolver
#include <cusolverDn.h>

#include "cublas_check.h"

#define SOLVER(call) solver_ok(call, #call, __LINE__)

static void solver_ok(cusolverStatus_t status, const char *what, int line)
{
    if (status == CUSOLVER_STATUS_SUCCESS)
        return;
    printf("line %d: %s: %d\n", line, what, (int)status);
    exit(2);
}

enum { N = 24, M = 31, SLACK = 2 };

static cusolverDnHandle_t handle;
static array<int> *info;
static array<double> *work;

/** The last call's info. */
static int info_is()
{
    info->fetch();
    return info->host[0];
}

/** A symmetric, positive definite matrix. */
static void make_definite(matrix<double> &a)
{
    a.randomize();
    for (int i = 0; i < N; i++)
        for (int j = 0; j <= i; j++)
            a.at(i, j) = a.at(j, i) = i == j ? N + 1 : a.at(i, j);
    a.send();
}

/** op(A) x = b for all columns. */
static void solved(matrix<double> &a, cublasOperation_t op,
                   matrix<double> &x, const matrix<double> &b, const char *what)
{
    x.fetch();
    for (int c = 0; c < x.columns; c++)
        for (int i = 0; i < N; i++) {
            double sum = 0;
            for (int j = 0; j < N; j++)
                sum += a.op(op, i, j) * x.at(j, c);
            near(sum, const_cast<matrix<double> &>(b).at(i, c), 1e-10, what);
        }
}

static void lu(cublasOperation_t op, bool has_pivots)
{
    matrix<double> a(N, N, SLACK), b(N, 3, SLACK), x(N, 3, SLACK);
    array<int> pivots(N);
    int lwork;
    int *p = has_pivots ? pivots.device : nullptr;
    make_definite(a);
    a.at(0, N - 1) += 3; /* no longer symmetric */
    a.send();
    b.randomize();
    OK(cudaMemcpy(x.device, b.device, b.bytes(), cudaMemcpyDeviceToDevice));
    SOLVER(cusolverDnDgetrf_bufferSize(handle, N, N, a.device, a.ld, &lwork));
    SOLVER(cusolverDnDgetrf(handle, N, N, a.device, a.ld, work->device, p,
                            info->device));
    near(info_is(), 0, 0, "info of getrf");
    SOLVER(cusolverDnDgetrs(handle, op, N, 3, a.device, a.ld, p, x.device,
                            x.ld, info->device));
    solved(a, op, x, b, has_pivots ? "LU" : "LU without pivots");
}

/** Without pivots a 0 on the diagonal is reported by its number, from 1 on. */
static void zero_pivot()
{
    matrix<double> a(3, 3, 0);
    a.at(0, 0) = a.at(2, 2) = 1;
    a.send();
    SOLVER(cusolverDnDgetrf(handle, 3, 3, a.device, a.ld, work->device,
                            nullptr, info->device));
    near(info_is(), 2, 0, "info of getrf without pivots");
}

static void cholesky(cublasFillMode_t uplo)
{
    matrix<double> a(N, N, SLACK), b(N, 2, SLACK), x(N, 2, SLACK);
    make_definite(a);
    b.randomize();
    OK(cudaMemcpy(x.device, b.device, b.bytes(), cudaMemcpyDeviceToDevice));
    SOLVER(cusolverDnDpotrf(handle, uplo, N, a.device, a.ld, work->device, 1,
                            info->device));
    SOLVER(cusolverDnDpotrs(handle, uplo, N, 2, a.device, a.ld, x.device,
                            x.ld, info->device));
    solved(a, CUBLAS_OP_N, x, b, "Cholesky");
    a.at(3, 3) = -1; /* the fourth minor is not positive */
    a.send();
    SOLVER(cusolverDnDpotrf(handle, uplo, N, a.device, a.ld, work->device, 1,
                            info->device));
    near(info_is(), 4, 0, "info of potrf");
}

/** Q R = A, and the transpose of Q times A is R. */
static void qr()
{
    matrix<double> a(M, N, SLACK), q(M, N, SLACK), c(M, N, SLACK);
    array<double> tau(N);
    a.randomize();
    OK(cudaMemcpy(c.device, a.device, a.bytes(), cudaMemcpyDeviceToDevice));
    OK(cudaMemcpy(q.device, a.device, a.bytes(), cudaMemcpyDeviceToDevice));
    SOLVER(cusolverDnDgeqrf(handle, M, N, q.device, q.ld, tau.device,
                            work->device, 1, info->device));
    SOLVER(cusolverDnDormqr(handle, CUBLAS_SIDE_LEFT, CUBLAS_OP_T, M, N, N,
                            q.device, q.ld, tau.device, c.device, c.ld,
                            work->device, 1, info->device));
    q.fetch();
    c.fetch();
    const std::vector<double> factors = q.host;
    for (int j = 0; j < N; j++)
        for (int i = 0; i < M; i++)
            near(c.at(i, j), i <= j ? factors[i + j * q.ld] : 0, 1e-12, "R");
    SOLVER(cusolverDnDorgqr(handle, M, N, N, q.device, q.ld, tau.device,
                            work->device, 1, info->device));
    q.fetch();
    for (int i = 0; i < M; i++)
        for (int j = 0; j < N; j++) {
            double sum = 0;
            for (int k = 0; k <= j; k++)
                sum += q.at(i, k) * factors[k + j * q.ld];
            near(sum, a.at(i, j), 1e-12, "Q R");
        }
}

static void eigenvalues()
{
    matrix<double> a(N, N, SLACK), v(N, N, SLACK);
    array<double> w(N);
    make_definite(a);
    OK(cudaMemcpy(v.device, a.device, a.bytes(), cudaMemcpyDeviceToDevice));
    SOLVER(cusolverDnDsyevd(handle, CUSOLVER_EIG_MODE_VECTOR,
                            CUBLAS_FILL_MODE_LOWER, N, v.device, v.ld,
                            w.device, work->device, 1, info->device));
    v.fetch();
    w.fetch();
    for (int c = 0; c < N; c++) {
        near(c == 0 || w.host[c] >= w.host[c - 1], 1, 0, "ascending");
        for (int i = 0; i < N; i++) {
            double sum = 0;
            for (int j = 0; j < N; j++)
                sum += a.at(i, j) * v.at(j, c);
            near(sum, w.host[c] * v.at(i, c), 1e-11, "eigenvector");
        }
    }
}

/** U S VT = A. */
static void singular_values()
{
    matrix<float> a(M, N, SLACK), u(M, M, SLACK), vt(N, N, SLACK),
        old(M, N, SLACK);
    array<float> s(N);
    array<float> area(1);
    a.randomize();
    old.host = a.host;
    SOLVER(cusolverDnSgesvd(handle, 'A', 'A', M, N, a.device, a.ld, s.device,
                            u.device, u.ld, vt.device, vt.ld, area.device, 1,
                            nullptr, info->device));
    s.fetch();
    u.fetch();
    vt.fetch();
    for (int i = 0; i < M; i++)
        for (int j = 0; j < N; j++) {
            double sum = 0;
            for (int k = 0; k < N; k++)
                sum += (double)u.at(i, k) * s.host[k] * vt.at(k, j);
            near(sum, old.at(i, j), 2e-5, "U S VT");
        }
}

/* Programs name these in tables of traits, though no call here takes them. */
static_assert(CUSOLVER_R_64F == 1203 && CUSOLVER_C_32F == 1214
                  && CUSOLVER_IRS_REFINE_GMRES == 1104
                  && sizeof(cusolver_int_t) == sizeof(int)
                  && CUDA_EMULATION_MANTISSA_CONTROL_FIXED == 1,
              "constants of CUDA's headers");
static const cusolverPrecType_t precision = CUSOLVER_R_32F;
static const cusolverIRSRefinement_t refinement = CUSOLVER_IRS_REFINE_NONE;

int main()
{
    EXPECT(precision == 1204 && refinement == 1101);
    array<int> the_info(1);
    array<double> the_work(1);
    int lwork;
    info = &the_info;
    work = &the_work;
    SOLVER(cusolverDnCreate(&handle));
    lu(CUBLAS_OP_N, true);
    lu(CUBLAS_OP_T, true);
    lu(CUBLAS_OP_N, false);
    zero_pivot();
    cholesky(CUBLAS_FILL_MODE_LOWER);
    cholesky(CUBLAS_FILL_MODE_UPPER);
    qr();
    eigenvalues();
    singular_values();
    printf("lda %d, handle %d, wide %d\n",
           cusolverDnDgetrf_bufferSize(handle, 4, 4, nullptr, 3, &lwork),
           cusolverDnSetStream(nullptr, nullptr),
           cusolverDnDgesvd_bufferSize(handle, 3, 4, &lwork));
    printf("mode %d, reflectors %d\n",
           cusolverDnDsyevd_bufferSize(handle, (cusolverEigMode_t)5,
                                       CUBLAS_FILL_MODE_LOWER, 4, nullptr, 4,
                                       nullptr, &lwork),
           cusolverDnDormqr_bufferSize(handle, CUBLAS_SIDE_LEFT, CUBLAS_OP_N,
                                       3, 4, 4, nullptr, 3, nullptr, nullptr,
                                       3, &lwork));
    SOLVER(cusolverDnDestroy(handle));
    return tell("cuSOLVER");
}
