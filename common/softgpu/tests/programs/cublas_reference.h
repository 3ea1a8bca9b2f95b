/* SPDX-License-Identifier: MIT */
/** @file
 *  For tests of cuBLAS with all four element types: numbers as complex<double>,
 *  matrices in every storage, vectors with increments, factors in host or
 *  device memory.  What a call may not read is NaN.
 */
#ifndef CUBLAS_REFERENCE_H
#define CUBLAS_REFERENCE_H

#include <algorithm>
#include <complex>

#include "cublas_check.h"

typedef std::complex<double> number;

/** Real type, and conversions from and to number. */
template <class T> struct element;
#define ELEMENT(T, R, is_pair, value, made)                         \
    template <> struct element<T> {                                 \
        typedef R real;                                             \
        static constexpr bool complex = is_pair;                    \
        static number get(T v) { return value; }                    \
        static T make(number z) { return made; }                    \
    };
ELEMENT(float, float, false, v, (float)z.real())
ELEMENT(double, double, false, v, z.real())
ELEMENT(cuComplex, float, true, number(v.x, v.y),
        make_cuComplex((float)z.real(), (float)z.imag()))
ELEMENT(cuDoubleComplex, double, true, number(v.x, v.y),
        make_cuDoubleComplex(z.real(), z.imag()))
#undef ELEMENT

/** A random element, as the type has it. */
template <class T> number random_element()
{
    typedef typename element<T>::real real;
    /* gcc 12 may drop the rounding of a value that stays in registers */
    volatile real re = (real)random_number(), im = (real)random_number();
    return element<T>::get(element<T>::make(number(re, im)));
}

/** Accuracy of a short sum of products. */
template <class T> double tolerance()
{
    return 200 * epsilon<typename element<T>::real>();
}

/** Compare two numbers. */
static inline void near_number(number got, number want, double tolerance,
                               const char *what)
{
    near(got.real(), want.real(), tolerance, what);
    near(got.imag(), want.imag(), tolerance, what);
}

/** NaN in all parts. */
static const number not_a_number(NAN, NAN);

/** Factors by the handle's pointer mode: each has its place on the device. */
static bool factors_on_device;
template <class T> const T *factor(number z)
{
    static T ring[8], *device;
    static int next;
    const int at = next++ % 8;

    ring[at] = element<T>::make(z);
    if (!factors_on_device)
        return &ring[at];
    if (!device)
        device = managed<T>(8); /* freed at the end */
    OK(cudaMemcpy(device + at, &ring[at], sizeof(T), cudaMemcpyHostToDevice));
    return device + at;
}

/** How a matrix is stored. */
enum form { FULL, BAND, TRIANGLE, TRIANGLE_BAND, PACKED };

/** A matrix of numbers, and how it is stored on the device. */
template <class T> struct stored {
    form how;
    int rows, columns, kl, ku, ld;
    cublasFillMode_t uplo;
    bool unit = false; /* the diagonal is not stored */
    std::vector<number> value;
    array<T> memory;

    stored(form how, int rows, int columns, int kl = 0, int ku = 0,
           cublasFillMode_t uplo = CUBLAS_FILL_MODE_LOWER, int slack = 2)
        : how(how), rows(rows), columns(columns), kl(kl), ku(ku),
          ld((how == BAND            ? kl + ku + 1
              : how == TRIANGLE_BAND ? kl + 1
                                     : rows)
             + slack),
          uplo(uplo), value((size_t)rows * columns),
          memory((size_t)ld * columns + rows * rows)
    {
        for (number &z : value)
            z = random_element<T>();
    }
    number &at(int i, int j) { return value[i + (size_t)j * rows]; }
    bool lower() const { return uplo == CUBLAS_FILL_MODE_LOWER; }
    /** Its index in memory, or -1. */
    int index(int i, int j) const
    {
        const bool here = lower() ? i >= j : i <= j;
        if (unit && i == j)
            return -1;
        switch (how) {
        case FULL:
            return i + j * ld;
        case BAND:
            return i - j <= kl && j - i <= ku ? ku + i - j + j * ld : -1;
        case TRIANGLE:
            return here ? i + j * ld : -1;
        case TRIANGLE_BAND:
            return !here || std::abs(i - j) > kl ? -1
                   : (lower() ? i - j : kl + i - j) + j * ld;
        default:
            return !here ? -1
                   : lower() ? i + j * rows - j * (j + 1) / 2
                             : i + j * (j + 1) / 2;
        }
    }
    /** The other triangle from this one: its mirror image. */
    void mirror(bool conjugate)
    {
        for (int j = 0; j < columns; j++)
            for (int i = 0; i < rows; i++)
                if (lower() ? i < j : i > j)
                    at(i, j) = conjugate ? std::conj(at(j, i)) : at(j, i);
    }
    /** Send what is stored; the rest of memory is NaN, of value 0. */
    void send(bool clears = true)
    {
        for (T &v : memory.host)
            v = element<T>::make(not_a_number);
        for (int j = 0; j < columns; j++)
            for (int i = 0; i < rows; i++)
                if (index(i, j) >= 0)
                    memory.host[index(i, j)] = element<T>::make(at(i, j));
                else if (clears)
                    at(i, j) = 0;
        memory.send();
    }
    /** As a triangle, with a diagonal of ones if that is not stored. */
    void send_triangle(cublasDiagType_t diag)
    {
        unit = diag == CUBLAS_DIAG_UNIT;
        send();
        for (int i = 0; unit && i < rows; i++)
            at(i, i) = 1;
    }
    /** As a symmetric or Hermitian matrix, the diagonal of which is real. */
    void send_symmetric(bool hermitian)
    {
        send(false);
        for (int j = 0; j < columns; j++)
            for (int i = 0; i < rows; i++)
                if (std::abs(i - j) > kl && how == TRIANGLE_BAND)
                    at(i, j) = 0;
        mirror(hermitian);
        for (int i = 0; hermitian && i < rows; i++)
            at(i, i) = at(i, i).real();
    }
    number op(cublasOperation_t t, int i, int j)
    {
        const number z = t == CUBLAS_OP_N ? at(i, j) : at(j, i);
        return t == CUBLAS_OP_C ? std::conj(z) : z;
    }
    T *device() { return memory.device; }
    /** Compare what is stored with the values; nothing else was written. */
    void expect(const char *what, double scale = 1)
    {
        std::vector<T> old = memory.host;
        std::vector<bool> mine(old.size());

        memory.fetch();
        for (int j = 0; j < columns; j++)
            for (int i = 0; i < rows; i++) {
                const int p = index(i, j);
                if (p < 0)
                    continue;
                mine[p] = true;
                near_number(element<T>::get(memory.host[p]), at(i, j),
                            scale * tolerance<T>(), what);
            }
        for (size_t p = 0; p < old.size(); p++)
            if (!mine[p]) {
                const number z = element<T>::get(memory.host[p]);
                EXPECT(std::isnan(z.real()));
            }
    }
};

/** A vector with an increment, NaN between its elements. */
template <class T> struct vector {
    int n, inc;
    std::vector<number> value;
    array<T> memory;

    vector(int n, int inc)
        : n(n), inc(inc), value(n), memory((size_t)n * std::abs(inc) + 1)
    {
        for (number &z : value)
            z = random_element<T>();
        send();
    }
    number &operator[](int i) { return value[i]; }
    int index(int i) const { return inc < 0 ? (i + 1 - n) * inc : i * inc; }
    void send()
    {
        for (T &v : memory.host)
            v = element<T>::make(not_a_number);
        for (int i = 0; i < n; i++)
            memory.host[index(i)] = element<T>::make(value[i]);
        memory.send();
    }
    /** NaN, which a call may not read. */
    void forget()
    {
        std::vector<number> kept = value;
        for (number &z : value)
            z = not_a_number;
        send();
        std::fill(value.begin(), value.end(), number(0));
    }
    T *device() { return memory.device; }
    void expect(const char *what, double scale = 1)
    {
        memory.fetch();
        for (int i = 0; i < n; i++)
            near_number(element<T>::get(memory.host[index(i)]), value[i],
                        scale * tolerance<T>(), what);
    }
};

static const cublasFillMode_t both_halves[]
    = { CUBLAS_FILL_MODE_LOWER, CUBLAS_FILL_MODE_UPPER };
static const cublasSideMode_t both_sides[]
    = { CUBLAS_SIDE_LEFT, CUBLAS_SIDE_RIGHT };
static const cublasOperation_t all_operations[]
    = { CUBLAS_OP_N, CUBLAS_OP_T, CUBLAS_OP_C };
static const cublasDiagType_t both_diagonals[]
    = { CUBLAS_DIAG_NON_UNIT, CUBLAS_DIAG_UNIT };

/* Test with a handle `h`, with factors and results on the host and on the
 * device.  @return the exit status */
template <class Test>
static int in_both_modes(cublasHandle_t &h, const char *name, Test test)
{
    BLAS(cublasCreate(&h));
    for (cublasPointerMode_t mode :
         { CUBLAS_POINTER_MODE_HOST, CUBLAS_POINTER_MODE_DEVICE }) {
        BLAS(cublasSetPointerMode(h, mode));
        factors_on_device = mode == CUBLAS_POINTER_MODE_DEVICE;
        test();
    }
    BLAS(cublasDestroy(h));
    return tell(name);
}

#endif
