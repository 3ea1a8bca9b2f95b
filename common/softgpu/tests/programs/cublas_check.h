/* SPDX-License-Identifier: MIT */
/** @file
 *  Helpers of the cuBLAS test programs.
 */
#ifndef CUBLAS_CHECK_H
#define CUBLAS_CHECK_H

#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include <cublas_v2.h>

#include "check.h"

/** Stop with the name of the status, unless it is success. */
static inline void blas_ok(cublasStatus_t status, const char *what, int line)
{
    if (status == CUBLAS_STATUS_SUCCESS)
        return;
    printf("line %d: %s: %s\n", line, what, cublasGetStatusName(status));
    exit(2);
}

/** This call must succeed. */
#define BLAS(call) blas_ok(call, #call, __LINE__)

/** A number in [-1, 1), the same sequence in each run. */
static inline double random_number()
{
    static uint64_t state = 42;
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (double)(int64_t)state / 9223372036854775808.0;
}

/** n elements on the host and on the device. */
template <class T> struct array {
    std::vector<T> host;
    T *device = nullptr;

    explicit array(size_t n) : host(n)
    {
        OK(cudaMalloc(&device, n * sizeof(T) + 1));
    }
    array(const array &) = delete;
    ~array() { cudaFree(device); }
    size_t bytes() const { return host.size() * sizeof(T); }
    /** Random ones, on both sides. */
    void randomize()
    {
        for (T &x : host)
            x = T(random_number());
        send();
    }
    void send()
    {
        OK(cudaMemcpy(device, host.data(), bytes(), cudaMemcpyHostToDevice));
    }
    void fetch()
    {
        OK(cudaMemcpy(host.data(), device, bytes(), cudaMemcpyDeviceToHost));
    }
};

/** A column-major matrix with `slack` more rows in memory than it has. */
template <class T> struct matrix : array<T> {
    int rows, columns, ld;

    matrix(int m, int n, int slack)
        : array<T>((size_t)(m + slack) * (n > 0 ? n : 1)), rows(m), columns(n),
          ld(m + slack > 0 ? m + slack : 1)
    {
    }
    T &at(int i, int j) { return this->host[i + (size_t)j * ld]; }
    /** Element of the matrix or of its transpose. */
    double op(cublasOperation_t t, int i, int j)
    {
        return t == CUBLAS_OP_N ? (double)at(i, j) : (double)at(j, i);
    }
};

/** Fraction that a rounding may change, of each type. */
template <class T> double epsilon()
{
    return std::numeric_limits<T>::epsilon();
}

/** How many of the comparisons so far were off; the first is reported. */
static int compared, wrong;

/** Compare with what it should be, give or take. */
static inline void near(double got, double want, double tolerance,
                        const char *what)
{
    compared++;
    if (std::fabs(got - want) <= tolerance)
        return;
    if (!wrong++)
        printf("%s: %.9g, should be %.9g +- %.3g\n", what, got, want,
               tolerance);
}

/** Last line of a test. */
static inline int tell(const char *what)
{
    printf("%s: %s\n", what, wrong || !compared ? "wrong" : "right");
    return wrong || !compared;
}

#endif
