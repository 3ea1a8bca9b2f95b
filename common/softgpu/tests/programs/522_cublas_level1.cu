/* SPDX-License-Identifier: MIT */
// flags: -lcublas
/* cuBLAS's level 1 for complex numbers, and rotg, rotm and rotmg for real ones:
 * increments of both signs, factors and results on both sides, sizes 0 and 1,
 * more than one chunk; compared with plain loops. */
#include "cublas_reference.h"

/* The calls of a complex type. */
template <class T> struct calls;
#define CALLS(T, S, s, norm, by_real)                        \
    template <> struct calls<T> {                            \
        static constexpr auto axpy = cublas##S##axpy;        \
        static constexpr auto scal = cublas##S##scal;        \
        static constexpr auto copy = cublas##S##copy;        \
        static constexpr auto swap = cublas##S##swap;        \
        static constexpr auto rot = cublas##S##rot;          \
        static constexpr auto dotu = cublas##S##dotu;        \
        static constexpr auto dotc = cublas##S##dotc;        \
        static constexpr auto rotg = cublas##S##rotg;        \
        static constexpr auto nrm2 = cublas##norm##nrm2;     \
        static constexpr auto asum = cublas##norm##asum;     \
        static constexpr auto real_rot = cublas##by_real##rot;   \
        static constexpr auto real_scal = cublas##by_real##scal; \
        static constexpr auto amax = cublasI##s##amax;       \
        static constexpr auto amin = cublasI##s##amin;       \
    };
CALLS(cuComplex, C, c, Sc, Cs)
CALLS(cuDoubleComplex, Z, z, Dz, Zd)

/* The calls of a real type. */
#define REAL_CALLS(T, S)                                \
    template <> struct calls<T> {                       \
        static constexpr auto rotg = cublas##S##rotg;   \
        static constexpr auto rotm = cublas##S##rotm;   \
        static constexpr auto rotmg = cublas##S##rotmg; \
    };
REAL_CALLS(float, S)
REAL_CALLS(double, D)

static cublasHandle_t h;
static const number alpha(1.5, -0.5);

/* A result, on the side of the factors. */
template <class T> struct result {
    T host, *device;
    result() { OK(cudaMalloc(&device, sizeof(T))); }
    ~result() { cudaFree(device); }
    T *to() { return factors_on_device ? device : &host; }
    T get()
    {
        if (factors_on_device)
            OK(cudaMemcpy(&host, device, sizeof(T), cudaMemcpyDeviceToHost));
        return host;
    }
};

/* Operations element by element. */
template <class T> static void elementwise(int n, int incx, int incy)
{
    typedef typename element<T>::real real;
    const number a = element<T>::get(element<T>::make(alpha)), s(0.25, 0.75);
    vector<T> x(n, incx), y(n, incy);
    T *p = x.device(), *q = y.device();

    BLAS(calls<T>::axpy(h, n, factor<T>(alpha), p, incx, q, incy));
    for (int i = 0; i < n; i++)
        y[i] += a * x[i];
    y.expect("axpy");
    BLAS(calls<T>::swap(h, n, p, incx, q, incy));
    std::swap(x.value, y.value);
    x.expect("swap");
    y.expect("swap");
    BLAS(calls<T>::rot(h, n, p, incx, q, incy, factor<real>(0.5),
                       factor<T>(s)));
    for (int i = 0; i < n; i++) {
        const number u = x[i], v = y[i];
        x[i] = 0.5 * u + s * v;
        y[i] = 0.5 * v - std::conj(s) * u;
    }
    x.expect("rot");
    y.expect("rot");
    BLAS(calls<T>::real_rot(h, n, p, incx, q, incy, factor<real>(0.5),
                            factor<real>(0.75)));
    for (int i = 0; i < n; i++) {
        const number u = x[i], v = y[i];
        x[i] = 0.5 * u + 0.75 * v;
        y[i] = 0.5 * v - 0.75 * u;
    }
    x.expect("csrot");
    y.expect("csrot");
    if (incx > 0) {
        BLAS(calls<T>::scal(h, n, factor<T>(alpha), p, incx));
        BLAS(calls<T>::real_scal(h, n, factor<real>(-2), p, incx));
        for (int i = 0; i < n; i++)
            x[i] *= -2.0 * a;
        x.expect("scal", 4);
    }
    BLAS(calls<T>::copy(h, n, p, incx, q, incy));
    y.value = x.value;
    y.expect("copy", 4);
}

/* Sums and extremes. */
template <class T> static void reductions(int n, int incx, int incy)
{
    typedef typename element<T>::real real;
    vector<T> x(n, incx), y(n, incy);
    number u = 0, c = 0;
    double squares = 0, sum = 0;
    int largest = n > 0, smallest = n > 0;
    const auto size = [](number z) {
        return std::abs(z.real()) + std::abs(z.imag());
    };

    for (int i = 0; i < n; i++) {
        u += x[i] * y[i];
        c += std::conj(x[i]) * y[i];
        squares += std::norm(x[i]);
        sum += size(x[i]);
        if (size(x[i]) > size(x[largest - 1]))
            largest = i + 1;
        if (size(x[i]) < size(x[smallest - 1]))
            smallest = i + 1;
    }
    const double close = tolerance<T>() * (n + 1);
    result<T> dot;
    result<real> norm;
    result<int> index;
    BLAS(calls<T>::dotu(h, n, x.device(), incx, y.device(), incy, dot.to()));
    near_number(element<T>::get(dot.get()), u, close, "dotu");
    BLAS(calls<T>::dotc(h, n, x.device(), incx, y.device(), incy, dot.to()));
    near_number(element<T>::get(dot.get()), c, close, "dotc");
    if (incx < 0)
        return;
    BLAS(calls<T>::nrm2(h, n, x.device(), incx, norm.to()));
    near(norm.get(), std::sqrt(squares), close, "nrm2");
    BLAS(calls<T>::asum(h, n, x.device(), incx, norm.to()));
    near(norm.get(), sum, close, "asum");
    BLAS(calls<T>::amax(h, n, x.device(), incx, index.to()));
    EXPECT(index.get() == largest);
    BLAS(calls<T>::amin(h, n, x.device(), incx, index.to()));
    EXPECT(index.get() == smallest);
}

/* What the call gets of some numbers, and what it made of them. */
template <class T> struct numbers {
    std::vector<T> host;
    T *device;
    numbers(std::vector<T> v) : host(v)
    {
        OK(cudaMalloc(&device, v.size() * sizeof(T)));
        OK(cudaMemcpy(device, v.data(), v.size() * sizeof(T),
                      cudaMemcpyHostToDevice));
    }
    ~numbers() { cudaFree(device); }
    T *at(int i) { return (factors_on_device ? device : host.data()) + i; }
    T operator[](int i)
    {
        if (factors_on_device)
            OK(cudaMemcpy(host.data(), device, host.size() * sizeof(T),
                          cudaMemcpyDeviceToHost));
        return host[i];
    }
};

/* rotg: the rotation turns (a, b) to (r, 0). */
template <class T> static void make_rotation()
{
    typedef typename element<T>::real real;
    const number a = random_element<T>(), b = random_element<T>();
    numbers<T> t({ element<T>::make(a), element<T>::make(b), T() });
    numbers<real> cosine({ 0 });

    BLAS(calls<T>::rotg(h, t.at(0), t.at(1), cosine.at(0), t.at(2)));
    const number r = element<T>::get(t[0]), s = element<T>::get(t[2]);
    near_number(double(cosine[0]) * a + s * b, r, tolerance<T>(), "rotg");
    near_number(double(cosine[0]) * b - std::conj(s) * a, 0, tolerance<T>(),
                "rotg's zero");
}

/* rotm with each flag, and that of rotmg, which makes y1 zero. */
template <class T> static void modified_rotation(int n, int incx, int incy)
{
    for (int flag = -2; flag <= 1; flag++) {
        const double hs[4] = { flag == 0 ? 1. : 0.5, flag == 1 ? 1. : -0.25,
                               flag == 1 ? -1. : 2., flag == 0 ? 1. : 3. };
        numbers<T> param({ T(flag), T(0.5), T(2), T(-0.25), T(3) });
        vector<T> x(n, incx), y(n, incy);
        BLAS(calls<T>::rotm(h, n, x.device(), incx, y.device(), incy,
                            param.at(0)));
        for (int i = 0; i < n && flag > -2; i++) {
            const number u = x[i], v = y[i];
            x[i] = hs[0] * u + hs[1] * v;
            y[i] = hs[2] * u + hs[3] * v;
        }
        x.expect("rotm");
        y.expect("rotm");
    }
    numbers<T> d({ T(0.75), T(1.25), T(2), T(3) }), param({ 0, 0, 0, 0, 0 });
    BLAS(calls<T>::rotmg(h, d.at(0), d.at(1), d.at(2), d.at(3), param.at(0)));
    const double flag = param[0], p2 = flag == 1 ? -1 : param[2];
    near(p2 * 2 + (flag == 0 ? 1 : param[4]) * 3, 0, tolerance<T>(), "rotmg");
    EXPECT(flag >= -1 && flag <= 1);
}

template <class T> static void complex_type()
{
    make_rotation<T>();
    for (int n : { 0, 1, 100, 70001 }) {
        elementwise<T>(n, 1, 1);
        reductions<T>(n, 1, 1);
    }
    elementwise<T>(40, 2, -3);
    elementwise<T>(40, -1, 2);
    reductions<T>(40, 3, -2);
    reductions<T>(40, -2, -1);
    result<typename element<T>::real> norm;
    BLAS(calls<T>::nrm2(h, 4, nullptr, 0, norm.to()));
    near(norm.get(), 0, 0, "nrm2 of an increment of 0");
}

template <class T> static void real_type()
{
    make_rotation<T>();
    modified_rotation<T>(17, 1, 1);
    modified_rotation<T>(17, -2, 3);
}

int main()
{
    return in_both_modes(h, "level 1", [] {
        complex_type<cuComplex>();
        complex_type<cuDoubleComplex>();
        real_type<float>();
        real_type<double>();
    });
}
