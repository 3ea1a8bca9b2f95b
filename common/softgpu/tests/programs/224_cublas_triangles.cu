/* SPDX-License-Identifier: MIT */
/* cuBLAS: symm, syrk, trsm and trmm on both sides, of both triangles; the other
 * triangle holds NaN, and what syrk does not write is left alone. */
// flags: -lcublas
#include "cublas_check.h"

static const int m = 23, n = 31;

/* A square whose other triangle is NaN, and whose diagonal is large. */
static void make_triangle(matrix<double> &a, cublasFillMode_t uplo)
{
    a.randomize();
    for (int j = 0; j < a.columns; j++)
        for (int i = 0; i < a.rows; i++) {
            if (uplo == CUBLAS_FILL_MODE_LOWER ? i < j : i > j)
                a.at(i, j) = NAN;
            if (i == j)
                a.at(i, j) += 30;
        }
    a.send();
}

/* Element of the symmetric matrix that a triangle stands for. */
static double symmetric(matrix<double> &a, cublasFillMode_t uplo, int i, int j)
{
    const bool stored = uplo == CUBLAS_FILL_MODE_LOWER ? i >= j : i <= j;
    return stored ? a.at(i, j) : a.at(j, i);
}

/* Element of op(triangle). */
static double triangular(matrix<double> &a, cublasFillMode_t uplo,
                         cublasOperation_t op, cublasDiagType_t diag, int i,
                         int j)
{
    const int row = op == CUBLAS_OP_N ? i : j, column = i + j - row;
    if (row == column)
        return diag == CUBLAS_DIAG_UNIT ? 1 : a.at(row, column);
    const bool stored =
        uplo == CUBLAS_FILL_MODE_LOWER ? row > column : row < column;
    return stored ? a.at(row, column) : 0;
}

static void symm(cublasHandle_t h, cublasSideMode_t side, cublasFillMode_t uplo)
{
    const int size = side == CUBLAS_SIDE_LEFT ? m : n;
    const double alpha = 1.5, beta = -2;
    matrix<double> a(size, size, 1), b(m, n, 0), c(m, n, 2);

    make_triangle(a, uplo);
    b.randomize();
    c.randomize();
    const std::vector<double> old = c.host;
    BLAS(cublasDsymm(h, side, uplo, m, n, &alpha, a.device, a.ld, b.device,
                     b.ld, &beta, c.device, c.ld));
    c.fetch();
    for (int j = 0; j < n; j++)
        for (int i = 0; i < m; i++) {
            double sum = 0;
            for (int p = 0; p < size; p++)
                sum += side == CUBLAS_SIDE_LEFT
                           ? symmetric(a, uplo, i, p) * b.at(p, j)
                           : b.at(i, p) * symmetric(a, uplo, p, j);
            near(c.at(i, j), 1.5 * sum - 2 * old[i + j * c.ld], 1e-13,
                 "symm");
        }
}

static void syrk(cublasHandle_t h, cublasFillMode_t uplo, cublasOperation_t op)
{
    const bool plain = op == CUBLAS_OP_N;
    const float alpha = 2, beta = 0;
    matrix<float> a(plain ? n : m, plain ? m : n, 1), c(n, n, 1);

    a.randomize();
    c.randomize();
    const std::vector<float> old = c.host;
    BLAS(cublasSsyrk(h, uplo, op, n, m, &alpha, a.device, a.ld, &beta,
                     c.device, c.ld));
    c.fetch();
    for (int j = 0; j < n; j++)
        for (int i = 0; i < n; i++) {
            double sum = 0;
            for (int p = 0; p < m; p++)
                sum += 2 * a.op(op, i, p) * a.op(op, j, p);
            if (uplo == CUBLAS_FILL_MODE_LOWER ? i < j : i > j)
                near(c.at(i, j), old[i + j * c.ld], 0, "syrk's other half");
            else
                near(c.at(i, j), sum, 1e-5, "syrk");
        }
}

/* trmm multiplies, trsm takes that back. */
static void there_and_back(cublasHandle_t h, cublasSideMode_t side,
                           cublasFillMode_t uplo, cublasOperation_t op,
                           cublasDiagType_t diag)
{
    const int size = side == CUBLAS_SIDE_LEFT ? m : n;
    const double two = 2, half = 0.5;
    matrix<double> a(size, size, 2), b(m, n, 1), c(m, n, 0);

    make_triangle(a, uplo);
    if (diag == CUBLAS_DIAG_UNIT)
        for (int i = 0; i < size; i++)
            a.at(i, i) = NAN; /* not to be read */
    for (double &x : a.host)
        x /= 30; /* a unit triangle's inverse grows fast */
    a.send();
    b.randomize();
    BLAS(cublasDtrmm(h, side, uplo, op, diag, m, n, &two, a.device, a.ld,
                     b.device, b.ld, c.device, c.ld));
    c.fetch();
    for (int j = 0; j < n; j++)
        for (int i = 0; i < m; i++) {
            double sum = 0;
            for (int p = 0; p < size; p++)
                sum += side == CUBLAS_SIDE_LEFT
                           ? triangular(a, uplo, op, diag, i, p) * b.at(p, j)
                           : b.at(i, p) * triangular(a, uplo, op, diag, p, j);
            near(c.at(i, j), 2 * sum, 1e-13, "trmm");
        }
    BLAS(cublasDtrsm(h, side, uplo, op, diag, m, n, &half, a.device, a.ld,
                     c.device, c.ld));
    c.fetch();
    for (int j = 0; j < n; j++)
        for (int i = 0; i < m; i++)
            near(c.at(i, j), b.at(i, j), 1e-12, "trsm");
}

int main()
{
    cublasHandle_t h;

    BLAS(cublasCreate(&h));
    for (cublasFillMode_t uplo :
         { CUBLAS_FILL_MODE_LOWER, CUBLAS_FILL_MODE_UPPER })
        for (cublasSideMode_t side : { CUBLAS_SIDE_LEFT, CUBLAS_SIDE_RIGHT }) {
            symm(h, side, uplo);
            for (cublasOperation_t op : { CUBLAS_OP_N, CUBLAS_OP_T }) {
                syrk(h, uplo, op);
                there_and_back(h, side, uplo, op, CUBLAS_DIAG_NON_UNIT);
                there_and_back(h, side, uplo, op, CUBLAS_DIAG_UNIT);
            }
        }
    BLAS(cublasDestroy(h));
    return tell("triangles");
}
