/* SPDX-License-Identifier: MIT */
// flags: -lcublas
/* cuBLAS's level 3 for all types: each operation, side, triangle and diagonal,
 * odd leading dimensions, factors on both sides, sizes 0 and 1, more than one
 * tile; compared with plain loops.  Memory that is not to be read is NaN. */
#include "cublas_reference.h"

/* The calls of a type; real types have symmetric ones for the Hermitian. */
template <class T> struct calls;
#define CALLS(T, S, he)                                                    \
    template <> struct calls<T> {                                          \
        static constexpr auto gemm = cublas##S##gemm;                      \
        static constexpr auto symm = cublas##S##symm;                      \
        static constexpr auto hemm = cublas##S##he##mm;                    \
        static constexpr auto syrk = cublas##S##syrk;                      \
        static constexpr auto herk = cublas##S##he##rk;                    \
        static constexpr auto syr2k = cublas##S##syr2k;                    \
        static constexpr auto her2k = cublas##S##he##r2k;                  \
        static constexpr auto syrkx = cublas##S##syrkx;                    \
        static constexpr auto herkx = cublas##S##he##rkx;                  \
        static constexpr auto trmm = cublas##S##trmm;                      \
        static constexpr auto trsm = cublas##S##trsm;                      \
        static constexpr auto geam = cublas##S##geam;                      \
        static constexpr auto dgmm = cublas##S##dgmm;                      \
        static constexpr auto tpttr = cublas##S##tpttr;                    \
        static constexpr auto trttp = cublas##S##trttp;                    \
    };
CALLS(float, S, sy)
CALLS(double, D, sy)
CALLS(cuComplex, C, he)
CALLS(cuDoubleComplex, Z, he)

static cublasHandle_t h;
static const number alpha(1.5, -0.5), beta(-2, 0.75);

/* The factor as the type has it. */
template <class T> number as(number z)
{
    return element<T>::get(element<T>::make(z));
}

/* C of a call: random, or NaN that is not to be read. */
template <class T> void send_result(stored<T> &c, number b)
{
    c.send(false);
    if (b != 0.0)
        return;
    for (T &v : c.memory.host)
        v = element<T>::make(not_a_number);
    c.memory.send();
    std::fill(c.value.begin(), c.value.end(), number(0));
}

/* The matrix whose op() is m x n. */
template <class T>
stored<T> operand(cublasOperation_t op, int m, int n)
{
    return op == CUBLAS_OP_N ? stored<T>(FULL, m, n, 0, 0, both_halves[0], 1)
                             : stored<T>(FULL, n, m, 0, 0, both_halves[0], 3);
}

/* gemm and geam. */
template <class T>
static void general(int m, int n, int k, cublasOperation_t ta,
                    cublasOperation_t tb, number b)
{
    stored<T> x(operand<T>(ta, m, k)), y(operand<T>(tb, k, n)), c(FULL, m, n);
    x.send();
    y.send();
    send_result(c, b);
    BLAS(calls<T>::gemm(h, ta, tb, m, n, k, factor<T>(alpha), x.device(), x.ld,
                        y.device(), y.ld, factor<T>(b), c.device(), c.ld));
    for (int j = 0; j < n; j++)
        for (int i = 0; i < m; i++) {
            number sum = 0;
            for (int p = 0; p < k; p++)
                sum += x.op(ta, i, p) * y.op(tb, p, j);
            c.at(i, j) = as<T>(alpha) * sum + as<T>(b) * c.at(i, j);
        }
    c.expect("gemm", 1 + k / 20);

    stored<T> z(operand<T>(tb, m, k)), d(FULL, m, k);
    z.send();
    d.send();
    BLAS(calls<T>::geam(h, ta, tb, m, k, factor<T>(alpha), x.device(), x.ld,
                        factor<T>(b), z.device(), z.ld, d.device(), d.ld));
    for (int j = 0; j < k; j++)
        for (int i = 0; i < m; i++)
            d.at(i, j) = as<T>(alpha) * x.op(ta, i, j)
                         + as<T>(b) * z.op(tb, i, j);
    d.expect("geam");
}

/* symm, hemm and dgmm. */
template <class T>
static void sided(int m, int n, cublasSideMode_t side, cublasFillMode_t uplo,
                  number b)
{
    const bool left = side == CUBLAS_SIDE_LEFT;
    const int size = left ? m : n;
    for (bool hermitian : { false, true }) {
        stored<T> a(TRIANGLE, size, size, 0, 0, uplo), x(FULL, m, n),
            c(FULL, m, n);
        a.send_symmetric(hermitian && element<T>::complex);
        x.send();
        send_result(c, b);
        BLAS((hermitian ? calls<T>::hemm : calls<T>::symm)(
            h, side, uplo, m, n, factor<T>(alpha), a.device(), a.ld,
            x.device(), x.ld, factor<T>(b), c.device(), c.ld));
        for (int j = 0; j < n; j++)
            for (int i = 0; i < m; i++) {
                number sum = 0;
                for (int p = 0; p < size; p++)
                    sum += left ? a.at(i, p) * x.at(p, j)
                                : x.at(i, p) * a.at(p, j);
                c.at(i, j) = as<T>(alpha) * sum + as<T>(b) * c.at(i, j);
            }
        c.expect(hermitian ? "hemm" : "symm");
    }
    stored<T> x(FULL, m, n), c(FULL, m, n);
    vector<T> d(size, left ? 2 : -1);
    x.send();
    c.send();
    BLAS(calls<T>::dgmm(h, side, m, n, x.device(), x.ld, d.device(), d.inc,
                        c.device(), c.ld));
    for (int j = 0; j < n; j++)
        for (int i = 0; i < m; i++)
            c.at(i, j) = x.at(i, j) * d[left ? i : j];
    c.expect("dgmm");
}

/* What an update adds to an element. */
template <class T>
static number added(int what, stored<T> &x, stored<T> &y, cublasOperation_t op,
                    number by, int i, int j, int k)
{
    const bool hermitian = what % 2 && element<T>::complex;
    stored<T> &other = what < 2 ? x : y;
    number sum = 0, back = 0;
    for (int p = 0; p < k; p++) {
        const number u = other.op(op, j, p), v = x.op(op, j, p);
        sum += x.op(op, i, p) * (hermitian ? std::conj(u) : u);
        back += y.op(op, i, p) * (hermitian ? std::conj(v) : v);
    }
    sum *= by;
    if (what == 2 || what == 3)
        sum += (hermitian ? std::conj(by) : by) * back;
    return sum;
}

/* syrk, herk, syr2k, her2k, syrkx, herkx; for herkx B is A. */
template <class T>
static void updates(int n, int k, cublasFillMode_t uplo, cublasOperation_t op,
                    number b)
{
    typedef typename element<T>::real real;
    for (int what = 0; what < 6; what++) {
        const bool hermitian = what % 2 && element<T>::complex;
        if (op != CUBLAS_OP_N && element<T>::complex
            && hermitian != (op == CUBLAS_OP_C))
            continue;
        stored<T> x(operand<T>(op, n, k)), y(operand<T>(op, n, k)),
            c(TRIANGLE, n, n, 0, 0, uplo);
        if (what == 5)
            y.value = x.value;
        x.send();
        y.send();
        if (hermitian)
            for (int i = 0; i < n; i++)
                c.at(i, i) = c.at(i, i).real();
        send_result(c, b);
        T *p = x.device(), *q = y.device(), *r = c.device();
        const T *f = factor<T>(alpha), *g = factor<T>(b);
        const real *rf = factor<real>(alpha), *rg = factor<real>(b);
        const number by = what == 1 ? as<real>(alpha) : as<T>(what == 5 ? 1.5
                                                                : alpha);
        if (what == 0)
            BLAS(calls<T>::syrk(h, uplo, op, n, k, f, p, x.ld, g, r, c.ld));
        else if (what == 1)
            BLAS(calls<T>::herk(h, uplo, op, n, k, rf, p, x.ld, rg, r, c.ld));
        else if (what == 2)
            BLAS(calls<T>::syr2k(h, uplo, op, n, k, f, p, x.ld, q, y.ld, g, r,
                                 c.ld));
        else if (what == 3)
            BLAS(calls<T>::her2k(h, uplo, op, n, k, f, p, x.ld, q, y.ld, rg, r,
                                 c.ld));
        else if (what == 4)
            BLAS(calls<T>::syrkx(h, uplo, op, n, k, f, p, x.ld, q, y.ld, g, r,
                                 c.ld));
        else
            BLAS(calls<T>::herkx(h, uplo, op, n, k, factor<T>(1.5), p, x.ld, q,
                                 y.ld, rg, r, c.ld));
        for (int j = 0; j < n; j++)
            for (int i = 0; i < n; i++)
                c.at(i, j) = added(what, x, y, op, by, i, j, k)
                             + (hermitian ? as<real>(b) : as<T>(b))
                                   * c.at(i, j);
        c.expect(what == 0   ? "syrk"
                 : what == 1 ? "herk"
                 : what == 2 ? "syr2k"
                 : what == 3 ? "her2k"
                 : what == 4 ? "syrkx"
                             : "herkx");
    }
}

/* trmm to another matrix and in place, and trsm, which takes it back. */
template <class T>
static void triangular(int m, int n, cublasSideMode_t side,
                       cublasFillMode_t uplo, cublasOperation_t op,
                       cublasDiagType_t d)
{
    const bool left = side == CUBLAS_SIDE_LEFT;
    const int size = left ? m : n;
    stored<T> a(TRIANGLE, size, size, 0, 0, uplo), b(FULL, m, n), c(FULL, m, n);
    for (int i = 0; i < size; i++)
        a.at(i, i) += 3;
    for (number &z : a.value)
        z *= 0.25;
    a.send_triangle(d);
    b.send();
    c.send();
    BLAS(calls<T>::trmm(h, side, uplo, op, d, m, n, factor<T>(alpha),
                        a.device(), a.ld, b.device(), b.ld, c.device(), c.ld));
    for (int j = 0; j < n; j++)
        for (int i = 0; i < m; i++) {
            number sum = 0;
            for (int p = 0; p < size; p++)
                sum += left ? a.op(op, i, p) * b.at(p, j)
                            : b.at(i, p) * a.op(op, p, j);
            c.at(i, j) = as<T>(alpha) * sum;
        }
    c.expect("trmm");
    BLAS(calls<T>::trsm(h, side, uplo, op, d, m, n, factor<T>(2), a.device(),
                        a.ld, c.device(), c.ld));
    for (size_t i = 0; i < c.value.size(); i++)
        c.value[i] = 2.0 * as<T>(alpha) * b.value[i];
    c.expect("trsm", 8);
    BLAS(calls<T>::trsm(h, side, uplo, op, d, m, n, factor<T>(0), a.device(),
                        a.ld, c.device(), c.ld));
    std::fill(c.value.begin(), c.value.end(), number(0));
    c.expect("trsm by 0", 0);
}

/* tpttr and trttp. */
template <class T> static void packed(int n, cublasFillMode_t uplo)
{
    stored<T> p(PACKED, n, n, 0, 0, uplo), q(PACKED, n, n, 0, 0, uplo),
        a(TRIANGLE, n, n, 0, 0, uplo);
    p.send();
    a.send();
    q.send();
    BLAS(calls<T>::tpttr(h, uplo, n, p.device(), a.device(), a.ld));
    a.value = p.value;
    a.expect("tpttr", 0);
    BLAS(calls<T>::trttp(h, uplo, n, a.device(), a.ld, q.device()));
    q.value = p.value;
    q.expect("trttp", 0);
}

/* Everything for a type and a size. */
template <class T> static void all(int m, int n, int k)
{
    for (number b : { beta, number(0) })
        for (cublasOperation_t ta : all_operations) {
            for (cublasOperation_t tb : all_operations)
                general<T>(m, n, k, ta, tb, b);
            for (cublasFillMode_t uplo : both_halves)
                updates<T>(n, k, uplo, ta, b);
        }
    for (cublasFillMode_t uplo : both_halves) {
        packed<T>(n, uplo);
        for (cublasSideMode_t side : both_sides) {
            for (number b : { beta, number(0) })
                sided<T>(m, n, side, uplo, b);
            for (cublasOperation_t op : all_operations)
                for (cublasDiagType_t diag : both_diagonals)
                    triangular<T>(m, n, side, uplo, op, diag);
        }
    }
}

template <class T> static void type()
{
    all<T>(7, 5, 9);
    all<T>(1, 1, 1);
    all<T>(0, 3, 2);
    updates<T>(4, 0, CUBLAS_FILL_MODE_LOWER, CUBLAS_OP_N, beta);
    general<T>(3, 4, 0, CUBLAS_OP_N, CUBLAS_OP_N, beta);
    general<T>(259, 3, 6, CUBLAS_OP_N, CUBLAS_OP_C, beta);
    general<T>(3, 258, 6, CUBLAS_OP_C, CUBLAS_OP_T, 0);
}

int main()
{
    return in_both_modes(h, "level 3", [] {
        type<float>();
        type<double>();
        type<cuComplex>();
        type<cuDoubleComplex>();
    });
}
