/* SPDX-License-Identifier: MIT */
/* Declarations below __CUDA_ARCH__: members, types and constants of device
 * code, in classes and namespaces; constants with two values; a header. */
#if __CUDA_ARCH__ >= 700
#include <cooperative_groups.h>
#endif
#include <cstdio>

struct first {
    int x;
    __host__ __device__ int common() const { return x; }
#ifdef __CUDA_ARCH__
    static constexpr int scale = 3;
    typedef long wide;
    __device__ wide scaled() const { return (wide)scale * x; }
    template <typename T> __device__ T as() const { return T(x) / 2; }
#endif
};

class second {
    int y;
public:
    __host__ __device__ explicit second(int v) : y(v) {}
#if __CUDA_ARCH__ >= 700
    __device__ int operator()(int v) const { return helper(v) + 1; }
private:
    __device__ int helper(int v) const { return v * y; }
#endif
};

namespace tools {
#if defined(__CUDA_ARCH__)
constexpr int size = 64;
#else
constexpr int size = 32;
#endif
#ifdef __CUDA_ARCH__
struct device_only {
    int values[4];
    __device__ int sum() const { return values[0] + values[3]; }
};
enum kind { small = 5, large };
using number = double;
template <typename T> struct twice {
    static constexpr T of(T v) { return v + v; }
};
#endif
}

#ifdef __CUDA_ARCH__
__device__ int place() { return 1; }
#else
int place() { return 0; }
#endif

/* Of one function, two definitions with other names of the parameters. */
#if __CUDA_ARCH__ >= 500
static __device__ __forceinline__ int mixed(int a, unsigned int b, int *c = 0)
{
    return c ? 0 : 10 * a + (int)b;
}
#else
static __device__ __forceinline__ int mixed(int g, unsigned int e, int *f = 0)
{
    return f ? 1 : g + (int)e;
}
#endif

/* A type that host and device code name differently, and device code alone
 * uses: the parameters of a launch. */
struct launch_box {
    struct sm_host { enum { nt = 7 }; };
    struct sm_device { enum { nt = 96 }; };
#ifdef __CUDA_ARCH__
    typedef sm_device sm_ptx;
#else
    typedef sm_host sm_ptx;
#endif
};
struct other_box { typedef launch_box::sm_device sm_ptx; };
/* Its bounds are a constant of another pass. */
template <class Box> __global__ void __launch_bounds__(Box::sm_ptx::nt)
    boxed(double *to)
{
    typedef typename Box::sm_ptx params;
    *to = params::nt;
}

/* A kernel whose stub for the host has another name of its parameter. */
#if __CUDA_ARCH__ >= 120
/* Other names of parameters by pass. */
template <int N> __global__ void fill(double *to, const int count)
{
    extern __shared__ double s_values[];
    s_values[0] = N;
    to[count] = s_values[0];
}
#else
/* The same for the host. */
template <int N> __global__ void fill(double *out, const int) {}
#endif

__host__ __device__ int size_seen() { return tools::size; }

/** A constructor with other initializers in kernels, and another body. */
struct scaled {
    int x, y[2];
    __host__ __device__ scaled(int v)
#ifdef __CUDA_ARCH__
        : x(2 * v), y{ v, 1 }
#else
        : x(v), y{ v, 1 }
#endif
    {
#ifdef __CUDA_ARCH__
        y[1] += 40;
#else
        y[1] += 50;
#endif
    }
    __host__ __device__ int sum() const { return x + y[0] + y[1]; }
};

/* Both passes agree on the parameters; the body uses what is device code's. */
__global__ void k(first a, second b, double *out)
{
#ifdef __CUDA_ARCH__
    tools::device_only d = { { 1, 2, 3, 4 } };
    __shared__ int s[tools::size];
    s[tools::size - 1] = 7;
    out[0] = a.common();
    out[1] = a.scaled() + first::scale;
    out[2] = a.as<tools::number>();
    out[3] = b(10);
    out[4] = d.sum() + tools::large;
    out[5] = sizeof s / sizeof *s;
    out[6] = tools::twice<int>::of(21);
    out[7] = size_seen() + place();
    out[9] = mixed(4, 2);
    out[10] = scaled(5).sum();
    out[8] = cooperative_groups::this_thread_block().size();
#endif
}

int main()
{
    double *d, h[13];
    cudaMalloc(&d, sizeof h);
    k<<<1, 1>>>(first{ 5 }, second(4), d);
    fill<3><<<1, 1, 8>>>(d, 11);
    boxed<launch_box><<<1, 1>>>(d + 12);
    cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost);
    cudaFree(d);
    for (double v : h)
        printf("%g\n", v);
    printf("%d %d %d %d\n", tools::size, size_seen(), place(),
           scaled(5).sum());
}
/* nvcc refuses this without --expt-relaxed-constexpr. */
