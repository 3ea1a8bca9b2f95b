/* SPDX-License-Identifier: MIT */
/* cuBLAS: gemv and ger, geam and dgmm, with leading dimensions beyond the
 * rows, every transposition, and scalars that are 0. */
// flags: -lcublas
#include "cublas_check.h"

static const float scalars[] = { 0, 1, -0.5f };
static const cublasOperation_t operations[] = { CUBLAS_OP_N, CUBLAS_OP_T,
                                                CUBLAS_OP_C };

static void gemv(cublasHandle_t h, int m, int n, cublasOperation_t op,
                 float alpha, float beta)
{
    const int in = op == CUBLAS_OP_N ? n : m, out = op == CUBLAS_OP_N ? m : n;
    matrix<float> a(m, n, 3);
    array<float> x(2 * in + 1), y(out + 1);

    a.randomize();
    x.randomize();
    y.randomize();
    if (beta == 0)
        y.host.assign(out + 1, NAN);
    y.send();
    const std::vector<float> old = y.host;
    BLAS(cublasSgemv(h, op, m, n, &alpha, a.device, a.ld, x.device, 2, &beta,
                     y.device, 1));
    y.fetch();
    for (int i = 0; i < out; i++) {
        double sum = 0;
        for (int j = 0; j < in; j++)
            sum += a.op(op, i, j) * x.host[2 * j];
        near(y.host[i], alpha * sum + (beta != 0 ? beta * old[i] : 0),
             1e-6 * (1 + in), "gemv");
    }
}

static void ger(cublasHandle_t h, int m, int n)
{
    const double alpha = 1.5;
    matrix<double> a(m, n, 1);
    array<double> x(m + 1), y(n + 1);

    a.randomize();
    x.randomize();
    y.randomize();
    const std::vector<double> old = a.host;
    BLAS(cublasDger(h, m, n, &alpha, x.device, 1, y.device, -1, a.device,
                    a.ld));
    a.fetch();
    for (int j = 0; j < n; j++) {
        for (int i = 0; i < m; i++)
            near(a.at(i, j),
                 old[i + j * a.ld] + 1.5 * x.host[i] * y.host[n - 1 - j],
                 1e-15, "ger");
        near(a.at(m, j), old[m + j * a.ld], 0, "ger beside");
    }
}

static void geam(cublasHandle_t h, int m, int n, cublasOperation_t ta,
                 cublasOperation_t tb, float alpha, float beta)
{
    matrix<float> a(ta == CUBLAS_OP_N ? m : n, ta == CUBLAS_OP_N ? n : m, 1);
    matrix<float> b(tb == CUBLAS_OP_N ? m : n, tb == CUBLAS_OP_N ? n : m, 2);
    matrix<float> c(m, n, 3);

    a.randomize();
    b.randomize();
    if (alpha == 0)
        a.host.assign(a.host.size(), NAN);
    a.send();
    c.host.assign(c.host.size(), NAN);
    c.send();
    BLAS(cublasSgeam(h, ta, tb, m, n, &alpha, a.device, a.ld, &beta, b.device,
                     b.ld, c.device, c.ld));
    c.fetch();
    for (int j = 0; j < n; j++)
        for (int i = 0; i < m; i++)
            near(c.at(i, j),
                 (alpha != 0 ? alpha * a.op(ta, i, j) : 0)
                     + beta * b.op(tb, i, j),
                 4e-7, "geam");
}

static void dgmm(cublasHandle_t h, int m, int n, cublasSideMode_t side)
{
    matrix<double> a(m, n, 1), c(m, n, 0);
    array<double> x(2 * (m > n ? m : n));

    a.randomize();
    x.randomize();
    BLAS(cublasDdgmm(h, side, m, n, a.device, a.ld, x.device, 2, c.device,
                     c.ld));
    c.fetch();
    for (int j = 0; j < n; j++)
        for (int i = 0; i < m; i++)
            near(c.at(i, j),
                 a.at(i, j) * x.host[2 * (side == CUBLAS_SIDE_LEFT ? i : j)],
                 1e-15, "dgmm");
}

/* C is A itself: allowed where nothing is turned. */
static void in_place(cublasHandle_t h)
{
    const float one = 1, two = 2;
    matrix<float> a(20, 30, 0), b(30, 20, 0);

    a.randomize();
    b.randomize();
    const std::vector<float> old = a.host;
    BLAS(cublasSgeam(h, CUBLAS_OP_N, CUBLAS_OP_T, 20, 30, &one, a.device, 20,
                     &two, b.device, 30, a.device, 20));
    a.fetch();
    for (int i = 0; i < 20; i++)
        near(a.at(i, 7), old[i + 140] + 2.0 * b.at(7, i), 1e-6, "in place");
    EXPECT(cublasSgeam(h, CUBLAS_OP_T, CUBLAS_OP_N, 20, 20, &one, a.device, 20,
                       &two, b.device, 30, a.device, 20)
           == CUBLAS_STATUS_INVALID_VALUE);
}

int main()
{
    const int shapes[][2] = { { 1, 1 }, { 3, 40 }, { 70, 5 }, { 513, 33 } };
    cublasHandle_t h;

    BLAS(cublasCreate(&h));
    for (const int *s : shapes) {
        for (cublasOperation_t op : operations)
            for (float alpha : scalars)
                for (float beta : scalars)
                    gemv(h, s[0], s[1], op, alpha, beta);
        ger(h, s[0], s[1]);
        for (cublasOperation_t ta : operations)
            for (cublasOperation_t tb : operations)
                geam(h, s[0], s[1], ta, tb, scalars[s[0] % 3], 2);
        dgmm(h, s[0], s[1], CUBLAS_SIDE_LEFT);
        dgmm(h, s[0], s[1], CUBLAS_SIDE_RIGHT);
    }
    in_place(h);
    BLAS(cublasDestroy(h));
    return tell("level 2, geam, dgmm");
}
