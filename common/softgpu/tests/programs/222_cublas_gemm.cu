/* SPDX-License-Identifier: MIT */
/* cuBLAS: gemm of float and double, one, batched by pointers and by stride,
 * against sums in double; NaN in C where beta is 0, and in A where alpha is;
 * what lies between the columns is left alone. */
// flags: -lcublas
#include "cublas_check.h"

/** One product to be checked. */
template <class T> struct product {
    int m, n, k;
    cublasOperation_t ta, tb;
    T alpha, beta;
    matrix<T> a, b, c;
    std::vector<T> old;

    product(int rows, int columns, int inner, cublasOperation_t opa,
            cublasOperation_t opb, double x, double y)
        : m(rows), n(columns), k(inner), ta(opa), tb(opb), alpha(T(x)),
          beta(T(y)), a(opa == CUBLAS_OP_N ? m : k,
                        opa == CUBLAS_OP_N ? k : m, 1),
          b(opb == CUBLAS_OP_N ? k : n, opb == CUBLAS_OP_N ? n : k, 2),
          c(m, n, 3)
    {
        a.randomize();
        b.randomize();
        c.randomize();
        if (alpha == 0)
            a.host.assign(a.host.size(), T(NAN));
        for (int j = 0; beta == 0 && j < n; j++)
            for (int i = 0; i < m; i++)
                c.at(i, j) = T(NAN);
        a.send();
        c.send();
        old = c.host;
    }
    void check()
    {
        c.fetch();
        for (int j = 0; j < n; j++) {
            for (int i = 0; i < m; i++)
                check(i, j);
            for (int i = m; i < c.ld; i++)
                near(c.at(i, j), old[i + (size_t)j * c.ld], 0, "beside C");
        }
    }
    void check(int i, int j)
    {
        double sum = 0;
        for (int p = 0; alpha != 0 && p < k; p++)
            sum += a.op(ta, i, p) * b.op(tb, p, j);
        sum *= alpha;
        if (beta != 0)
            sum += beta * old[i + (size_t)j * c.ld];
        near(c.at(i, j), sum, (k + 4) * epsilon<T>(), "gemm");
    }
};

static cublasStatus_t gemm(cublasHandle_t h, product<float> &p)
{
    return cublasSgemm(h, p.ta, p.tb, p.m, p.n, p.k, &p.alpha, p.a.device,
                       p.a.ld, p.b.device, p.b.ld, &p.beta, p.c.device,
                       p.c.ld);
}

static cublasStatus_t gemm(cublasHandle_t h, product<double> &p)
{
    return cublasDgemm_64(h, p.ta, p.tb, p.m, p.n, p.k, &p.alpha, p.a.device,
                          p.a.ld, p.b.device, p.b.ld, &p.beta, p.c.device,
                          p.c.ld);
}

template <class T> void shapes(cublasHandle_t h)
{
    const int sizes[][3] = { { 1, 1, 1 },    { 2, 3, 4 },    { 17, 5, 129 },
                             { 64, 64, 64 }, { 257, 33, 7 }, { 40, 300, 50 },
                             { 0, 5, 3 },    { 5, 6, 0 } };
    const double scalars[] = { 0, 1, -0.75 };
    const cublasOperation_t ops[] = { CUBLAS_OP_N, CUBLAS_OP_T, CUBLAS_OP_C };
    int turn = 0;

    for (const int *s : sizes)
        for (cublasOperation_t ta : ops)
            for (cublasOperation_t tb : ops) {
                const double alpha = scalars[turn % 3];
                const double beta = scalars[turn++ / 3 % 3];
                product<T> p(s[0], s[1], s[2], ta, tb, alpha, beta);
                BLAS(gemm(h, p));
                p.check();
            }
}

/* Three products in one call, their pointers in device memory. */
static void by_pointers(cublasHandle_t h)
{
    product<float> one(30, 20, 10, CUBLAS_OP_N, CUBLAS_OP_T, 2, 0),
        two(30, 20, 10, CUBLAS_OP_N, CUBLAS_OP_T, 2, 0),
        three(30, 20, 10, CUBLAS_OP_N, CUBLAS_OP_T, 2, 0);
    array<float *> a(3), b(3), c(3);

    a.host = { one.a.device, two.a.device, three.a.device };
    b.host = { one.b.device, two.b.device, three.b.device };
    c.host = { one.c.device, two.c.device, three.c.device };
    a.send();
    b.send();
    c.send();
    BLAS(cublasSgemmBatched(h, CUBLAS_OP_N, CUBLAS_OP_T, 30, 20, 10,
                            &one.alpha, a.device, one.a.ld, b.device,
                            one.b.ld, &one.beta, c.device, one.c.ld, 3));
    one.check();
    two.check();
    three.check();
}

/* Many of A with one B: its stride is 0. */
static void by_stride(cublasHandle_t h)
{
    const int m = 9, n = 8, k = 7, batch = 40;
    const double alpha = 1, beta = 0;
    array<double> a(m * k * batch), b(k * n), c(m * n * batch);

    a.randomize();
    b.randomize();
    BLAS(cublasDgemmStridedBatched(h, CUBLAS_OP_N, CUBLAS_OP_N, m, n, k,
                                   &alpha, a.device, m, m * k, b.device, k, 0,
                                   &beta, c.device, m, m * n, batch));
    c.fetch();
    for (int z = 0; z < batch; z++)
        for (int i = 0; i < m * n; i++) {
            double sum = 0;
            for (int p = 0; p < k; p++)
                sum += a.host[z * m * k + i % m + p * m]
                       * b.host[p + i / m * k];
            near(c.host[z * m * n + i], sum, 1e-14, "strided");
        }
}

int main()
{
    cublasHandle_t h;

    BLAS(cublasCreate(&h));
    shapes<float>(h);
    shapes<double>(h);
    by_pointers(h);
    by_stride(h);
    BLAS(cublasDestroy(h));
    return tell("gemm");
}
