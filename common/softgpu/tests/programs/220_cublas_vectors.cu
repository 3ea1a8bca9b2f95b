/* SPDX-License-Identifier: MIT */
/* cuBLAS, level 1: each call at several lengths and strides, forwards and
 * backwards, against loops in double. */
// flags: -lcublas
#include "cublas_check.h"

/* The calls by type, so that one text tests both. */
#define CALL(name)                                                            \
    template <class... A> cublasStatus_t name(float, A... a)                  \
    {                                                                         \
        return cublasS##name(a...);                                           \
    }                                                                         \
    template <class... A> cublasStatus_t name(double, A... a)                 \
    {                                                                         \
        return cublasD##name(a...);                                           \
    }
CALL(axpy) CALL(scal) CALL(copy) CALL(swap) CALL(rot) CALL(nrm2) CALL(dot)
CALL(asum)
template <class... A> cublasStatus_t amax(float, A... a)
{
    return cublasIsamax(a...);
}
template <class... A> cublasStatus_t amax(double, A... a)
{
    return cublasIdamax(a...);
}
template <class... A> cublasStatus_t amin(float, A... a)
{
    return cublasIsamin(a...);
}
template <class... A> cublasStatus_t amin(double, A... a)
{
    return cublasIdamin(a...);
}

/** Two vectors and what they were before the call. */
template <class T> struct vectors {
    int n, step_x, step_y;
    array<T> x, y;
    std::vector<T> old_x, old_y;

    vectors(int count, int a, int b)
        : n(count), step_x(a), step_y(b), x(1 + count * std::abs(a)),
          y(1 + count * std::abs(b))
    {
    }
    void begin()
    {
        x.randomize();
        y.randomize();
        old_x = x.host;
        old_y = y.host;
    }
    void end()
    {
        x.fetch();
        y.fetch();
    }
    static int place(int i, int n, int step)
    {
        return step > 0 ? i * step : (i + 1 - n) * step;
    }
    int px(int i) const { return place(i, n, step_x); }
    int py(int i) const { return place(i, n, step_y); }
    double was_x(int i) const { return old_x[px(i)]; }
    double was_y(int i) const { return old_y[py(i)]; }
};

template <class T> void element_wise(cublasHandle_t h, vectors<T> &v)
{
    const T alpha = T(-1.25), c = T(0.6), s = T(0.8), t = 0;
    const double tolerance = 4 * epsilon<T>();

    v.begin();
    BLAS(axpy(t, h, v.n, &alpha, v.x.device, v.step_x, v.y.device, v.step_y));
    v.end();
    for (int i = 0; i < v.n; i++)
        near(v.y.host[v.py(i)], -1.25 * v.was_x(i) + v.was_y(i), tolerance,
             "axpy");
    v.begin();
    BLAS(copy(t, h, v.n, v.x.device, v.step_x, v.y.device, v.step_y));
    v.end();
    for (int i = 0; i < v.n; i++)
        near(v.y.host[v.py(i)], v.was_x(i), 0, "copy");
    v.begin();
    BLAS(swap(t, h, v.n, v.x.device, v.step_x, v.y.device, v.step_y));
    v.end();
    for (int i = 0; i < v.n; i++) {
        near(v.y.host[v.py(i)], v.was_x(i), 0, "swap y");
        near(v.x.host[v.px(i)], v.was_y(i), 0, "swap x");
    }
    v.begin();
    BLAS(rot(t, h, v.n, v.x.device, v.step_x, v.y.device, v.step_y, &c, &s));
    v.end();
    for (int i = 0; i < v.n; i++) {
        near(v.x.host[v.px(i)], 0.6 * v.was_x(i) + 0.8 * v.was_y(i), tolerance,
             "rot x");
        near(v.y.host[v.py(i)], 0.6 * v.was_y(i) - 0.8 * v.was_x(i), tolerance,
             "rot y");
    }
}

template <class T> void of_one(cublasHandle_t h, vectors<T> &v)
{
    const T alpha = T(3.5), t = 0;
    T norm = -1, sum = -1;
    int largest = -1, smallest = -1, high = 0, low = 0;
    long double squares = 0, absolute = 0;

    v.begin();
    BLAS(nrm2(t, h, v.n, v.x.device, v.step_x, &norm));
    BLAS(asum(t, h, v.n, v.x.device, v.step_x, &sum));
    BLAS(amax(t, h, v.n, v.x.device, v.step_x, &largest));
    BLAS(amin(t, h, v.n, v.x.device, v.step_x, &smallest));
    for (int i = 0; i < v.n; i++) {
        squares += (long double)v.was_x(i) * v.was_x(i);
        absolute += std::fabs(v.was_x(i));
        if (std::fabs(v.was_x(i)) > std::fabs(v.was_x(high)))
            high = i;
        if (std::fabs(v.was_x(i)) < std::fabs(v.was_x(low)))
            low = i;
    }
    const double root = (double)std::sqrt(squares);
    near(norm, root, 4 * epsilon<T>() * root, "nrm2");
    near(sum, (double)absolute, 4 * epsilon<T>() * (double)absolute, "asum");
    near(largest, v.n ? high + 1 : 0, 0, "amax");
    near(smallest, v.n ? low + 1 : 0, 0, "amin");
    BLAS(scal(t, h, v.n, &alpha, v.x.device, v.step_x));
    v.end();
    for (int i = 0; i < v.n; i++)
        near(v.x.host[v.px(i)], 3.5 * v.was_x(i), 4 * epsilon<T>(), "scal");
}

template <class T> void dots(cublasHandle_t h, vectors<T> &v)
{
    T got = -1;
    long double want = 0;

    v.begin();
    BLAS(dot(T(0), h, v.n, v.x.device, v.step_x, v.y.device, v.step_y, &got));
    for (int i = 0; i < v.n; i++)
        want += (long double)v.was_x(i) * v.was_y(i);
    near(got, (double)want, 4 * epsilon<T>() * (1 + std::fabs((double)want)),
         "dot");
}

template <class T> void all(cublasHandle_t h)
{
    const int lengths[] = { 0, 1, 2, 3, 31, 1000, 70001 };

    for (int n : lengths) {
        vectors<T> plain(n, 1, 1), strided(n, 2, 3), back(n, -1, 2);
        element_wise(h, plain);
        element_wise(h, strided);
        element_wise(h, back);
        dots(h, plain);
        dots(h, back);
        of_one(h, plain);
        of_one(h, strided);
    }
}

int main()
{
    cublasHandle_t h;
    float big[] = { 3e30f, 4e30f }, norm = 0;
    int64_t where = 0;

    BLAS(cublasCreate(&h));
    all<float>(h);
    all<double>(h);
    array<float> two(2);
    two.host = { big[0], big[1] };
    two.send();
    BLAS(cublasSnrm2(h, 2, two.device, 1, &norm));
    near(norm, 5e30, 1e24, "nrm2 without overflow");
    BLAS(cublasIsamax_64(h, 2, two.device, 1, &where));
    near((double)where, 2, 0, "amax_64");
    BLAS(cublasDestroy(h));
    return tell("level 1");
}
