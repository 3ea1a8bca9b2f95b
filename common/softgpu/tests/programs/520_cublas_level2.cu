/* SPDX-License-Identifier: MIT */
// flags: -lcublas
/* cuBLAS's level 2 for all types: each operation, triangle and diagonal, odd
 * leading dimensions, increments of both signs, factors on both sides, sizes 0
 * and 1; compared with plain loops.  Memory that is not to be read is NaN. */
#include "cublas_reference.h"

/* The calls of a type; real types have symmetric ones for the Hermitian. */
template <class T> struct calls;
#define CALLS(T, S, he, hb, hp, geru_, gerc_)                              \
    template <> struct calls<T> {                                          \
        static constexpr auto gemv = cublas##S##gemv;                      \
        static constexpr auto gbmv = cublas##S##gbmv;                      \
        static constexpr auto symv = cublas##S##symv;                      \
        static constexpr auto hemv = cublas##S##he##mv;                    \
        static constexpr auto hbmv = cublas##S##hb##mv;                    \
        static constexpr auto hpmv = cublas##S##hp##mv;                    \
        static constexpr auto trmv = cublas##S##trmv;                      \
        static constexpr auto trsv = cublas##S##trsv;                      \
        static constexpr auto tbmv = cublas##S##tbmv;                      \
        static constexpr auto tbsv = cublas##S##tbsv;                      \
        static constexpr auto tpmv = cublas##S##tpmv;                      \
        static constexpr auto tpsv = cublas##S##tpsv;                      \
        static constexpr auto geru = cublas##S##geru_;                     \
        static constexpr auto gerc = cublas##S##gerc_;                     \
        static constexpr auto syr = cublas##S##syr;                        \
        static constexpr auto syr2 = cublas##S##syr2;                      \
        static constexpr auto her = cublas##S##he##r;                      \
        static constexpr auto her2 = cublas##S##he##r2;                    \
        static constexpr auto hpr = cublas##S##hp##r;                      \
        static constexpr auto hpr2 = cublas##S##hp##r2;                    \
    };
CALLS(float, S, sy, sb, sp, ger, ger)
CALLS(double, D, sy, sb, sp, ger, ger)
CALLS(cuComplex, C, he, hb, hp, geru, gerc)
CALLS(cuDoubleComplex, Z, he, hb, hp, geru, gerc)

static cublasHandle_t h;
static const number alpha(1.5, -0.5), beta(-2, 0.75);

/* The factor as the type has it. */
template <class T> number as(number z)
{
    return element<T>::get(element<T>::make(z));
}

/* y = a op(A) x + b y of the values. */
template <class T>
static void multiply(stored<T> &a, cublasOperation_t op, number by,
                     vector<T> &x, number b, vector<T> &y)
{
    for (int i = 0; i < y.n; i++) {
        number sum = 0;
        for (int j = 0; j < x.n; j++)
            sum += a.op(op, i, j) * x[j];
        y[i] = as<T>(by) * sum + as<T>(b) * y[i];
    }
}

/* gemv and gbmv. */
template <class T>
static void general(int m, int n, cublasOperation_t op, int incx, int incy,
                    number b)
{
    const bool plain = op == CUBLAS_OP_N;
    for (form how : { FULL, BAND }) {
        stored<T> a(how, m, n, 2, 1);
        vector<T> x(plain ? n : m, incx), y(plain ? m : n, incy);
        a.send();
        if (b == 0.0)
            y.forget();
        if (how == FULL)
            BLAS(calls<T>::gemv(h, op, m, n, factor<T>(alpha), a.device(), a.ld,
                                x.device(), incx, factor<T>(b), y.device(),
                                incy));
        else
            BLAS(calls<T>::gbmv(h, op, m, n, 2, 1, factor<T>(alpha),
                                a.device(), a.ld, x.device(), incx,
                                factor<T>(b), y.device(), incy));
        if (!m || !n)
            continue; /* y is as it was */
        multiply(a, op, alpha, x, b, y);
        y.expect(how == FULL ? "gemv" : "gbmv");
    }
}

/* symv, hemv, hbmv and hpmv. */
template <class T>
static void symmetric(int n, cublasFillMode_t uplo, int incx, int incy,
                      number b)
{
    const T *f = factor<T>(alpha), *g = factor<T>(b);
    for (int what = 0; what < 4; what++) {
        const form how = what < 2    ? TRIANGLE
                         : what == 2 ? TRIANGLE_BAND
                                     : PACKED;
        stored<T> a(how, n, n, 2, 0, uplo);
        vector<T> x(n, incx), y(n, incy);
        T *p = a.device(), *q = x.device(), *r = y.device();
        a.send_symmetric(what > 0 && element<T>::complex);
        if (b == 0.0)
            y.forget();
        if (what == 0)
            BLAS(calls<T>::symv(h, uplo, n, f, p, a.ld, q, incx, g, r, incy));
        else if (what == 1)
            BLAS(calls<T>::hemv(h, uplo, n, f, p, a.ld, q, incx, g, r, incy));
        else if (what == 2)
            BLAS(calls<T>::hbmv(h, uplo, n, 2, f, p, a.ld, q, incx, g, r,
                                incy));
        else
            BLAS(calls<T>::hpmv(h, uplo, n, f, p, q, incx, g, r, incy));
        multiply(a, CUBLAS_OP_N, alpha, x, b, y);
        y.expect(what == 0 ? "symv" : what == 1 ? "hemv" : "hbmv, hpmv");
    }
}

/* trmv, tbmv, tpmv, and the solution that takes each back. */
template <class T>
static void triangular(int n, cublasFillMode_t uplo, cublasOperation_t op,
                       cublasDiagType_t d, int inc)
{
    for (form how : { TRIANGLE, TRIANGLE_BAND, PACKED }) {
        stored<T> a(how, n, n, 2, 0, uplo);
        vector<T> x(n, inc);
        const std::vector<number> old = x.value;
        T *p = a.device(), *q = x.device();
        for (int i = 0; i < n; i++)
            a.at(i, i) += 3;
        for (number &z : a.value)
            z *= 0.25;
        a.send_triangle(d);
        for (int i = 0; i < n; i++) {
            x[i] = 0;
            for (int j = 0; j < n; j++)
                x[i] += a.op(op, i, j) * old[j];
        }
        if (how == TRIANGLE)
            BLAS(calls<T>::trmv(h, uplo, op, d, n, p, a.ld, q, inc));
        else if (how == TRIANGLE_BAND)
            BLAS(calls<T>::tbmv(h, uplo, op, d, n, 2, p, a.ld, q, inc));
        else
            BLAS(calls<T>::tpmv(h, uplo, op, d, n, p, q, inc));
        x.expect("trmv, tbmv, tpmv");
        if (how == TRIANGLE)
            BLAS(calls<T>::trsv(h, uplo, op, d, n, p, a.ld, q, inc));
        else if (how == TRIANGLE_BAND)
            BLAS(calls<T>::tbsv(h, uplo, op, d, n, 2, p, a.ld, q, inc));
        else
            BLAS(calls<T>::tpsv(h, uplo, op, d, n, p, q, inc));
        x.value = old;
        x.expect("trsv, tbsv, tpsv", 4);
    }
}

/* geru and gerc. */
template <class T> static void outer(int m, int n, int incx, int incy)
{
    for (bool conjugate : { false, true }) {
        stored<T> a(FULL, m, n);
        vector<T> x(m, incx), y(n, incy);
        a.send();
        BLAS((conjugate ? calls<T>::gerc : calls<T>::geru)(
            h, m, n, factor<T>(alpha), x.device(), incx, y.device(), incy,
            a.device(), a.ld));
        for (int j = 0; j < n; j++)
            for (int i = 0; i < m; i++)
                a.at(i, j) += as<T>(alpha) * x[i]
                              * (conjugate ? std::conj(y[j]) : y[j]);
        a.expect("ger");
    }
}

/* syr, her, hpr, and those of two vectors. */
template <class T>
static void updates(int n, cublasFillMode_t uplo, int incx, int incy)
{
    typedef typename element<T>::real real;
    for (int what = 0; what < 6; what++) {
        const bool hermitian = what % 3 > 0 && element<T>::complex;
        const bool two = what >= 3;
        stored<T> a(what % 3 == 2 ? PACKED : TRIANGLE, n, n, 0, 0, uplo);
        vector<T> x(n, incx), y(n, incy);
        T *p = a.device(), *q = x.device(), *r = y.device();
        const T *f = factor<T>(alpha);
        const real *g = factor<real>(alpha);
        const number by = hermitian && !two ? as<real>(alpha) : as<T>(alpha);
        a.send_symmetric(hermitian);
        if (what == 0)
            BLAS(calls<T>::syr(h, uplo, n, f, q, incx, p, a.ld));
        else if (what == 1)
            BLAS(calls<T>::her(h, uplo, n, g, q, incx, p, a.ld));
        else if (what == 2)
            BLAS(calls<T>::hpr(h, uplo, n, g, q, incx, p));
        else if (what == 3)
            BLAS(calls<T>::syr2(h, uplo, n, f, q, incx, r, incy, p, a.ld));
        else if (what == 4)
            BLAS(calls<T>::her2(h, uplo, n, f, q, incx, r, incy, p, a.ld));
        else
            BLAS(calls<T>::hpr2(h, uplo, n, f, q, incx, r, incy, p));
        for (int j = 0; j < n; j++)
            for (int i = 0; i < n; i++) {
                vector<T> &other = two ? y : x;
                const number t = hermitian ? std::conj(other[j]) : other[j];
                a.at(i, j) += by * x[i] * t;
                if (two)
                    a.at(i, j) += (hermitian ? std::conj(by) * y[i]
                                                   * std::conj(x[j])
                                             : by * y[i] * x[j]);
            }
        a.expect(two ? "syr2, her2, hpr2" : "syr, her, hpr");
    }
}

/* Everything for a type and a size. */
template <class T> static void all(int n, int m, int incx, int incy)
{
    for (number b : { beta, number(0) })
        for (cublasOperation_t op : all_operations)
            general<T>(m, n, op, incx, incy, b);
    outer<T>(m, n, incx, incy);
    for (cublasFillMode_t uplo : both_halves) {
        for (number b : { beta, number(0) })
            symmetric<T>(n, uplo, incx, incy, b);
        updates<T>(n, uplo, incx, incy);
        for (cublasOperation_t op : all_operations)
            for (cublasDiagType_t diag : both_diagonals)
                triangular<T>(n, uplo, op, diag, incx);
    }
}

template <class T> static void type()
{
    all<T>(9, 6, 1, 1);
    all<T>(7, 13, 2, -3);
    all<T>(5, 4, -1, 2);
    all<T>(1, 1, 1, 1);
    all<T>(0, 3, 1, 1);
}

int main()
{
    return in_both_modes(h, "level 2", [] {
        type<float>();
        type<double>();
        type<cuComplex>();
        type<cuDoubleComplex>();
    });
}
