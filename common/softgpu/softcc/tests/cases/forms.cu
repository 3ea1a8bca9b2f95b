/* SPDX-License-Identifier: MIT */
/* Definitions and launches of every form; the compiler must take them all. */
// expect: &sfinae<T,softgpu_p
// expect: template<>voidspec<float>(float*p)
// expect: softgpu::launch_closure<softgpu_tag,static_cast<void(*)(float*p)>(&spec<float>)>
// expect: static_cast<void(*)(float*x,floatscale)>(&::scale)
// expect: static_cast<void(*)(int*add)>(&::q::add)
// expect: ,0u,(256),(2),0}
// expect: ,0u,(32),(0),0}
// expect: ,0u,(B*2),(0),0}
// expect: &pack<Ts...>
// expect: voidproto(int*,int=4);
// expect: static_cast<void(*)(int*p,intn)>(&proto)
// expect: extern"C"voidcfun(
// expect: printf("%s\n","par")
// expect: R"(<<<1
#include <cstdio>
#include <cassert>
#include <utility>
#define LAUNCH(k, g, b, ...) k<<<g, b>>>(__VA_ARGS__)
#define BLOCK 32
namespace a { namespace b {
template <typename T, int N = 4> __global__ void k(T *p) { p[0] = N; }
__global__ static void s(int *p) { *p = 1; }
} }
/* In a namespace of two names. */
namespace c::d { __global__ void nested(int *) {} }
/* A template with an argument of its type. */
template <class T> __global__ void over(T *p, T v) { *p = v; }
/* Another template of the same name. */
template <class T, class U> __global__ void over(T *p, U u, T v) { *p = v + u; }
/* A plain kernel of the same name. */
__global__ void over(int *p) { *p = 3; }
/* C linkage, an array and a function as parameters, a default argument. */
extern "C" __global__ void cfun(float a[], void (*f)(int), int n = 3) { a[0] = n; }
/* In braces of extern "C". */
extern "C" { __global__ void cfun2(float *a) { a[0] = 1; }
__device__ float cdev(float x) { return x; } }
/* Launch bounds between the type and the name. */
__global__ void __launch_bounds__(256, 2) lb(int *p) { *p = 1; }
/* Launch bounds first, from a macro. */
__launch_bounds__(BLOCK) __global__ void lb2(int *p) { *p = 1; }
/* Launch bounds of a template argument, and the return type first. */
template <int B> void __global__ __launch_bounds__(B * 2) lb3(int *p) { *p = B; }
/* A parameter pack. */
template <typename... Ts> __global__ void pack(int *p, Ts... ts)
{
    *p = sizeof...(ts);
    int x[] = {(int)ts...};
    p[1] = x[0];
}
/* Template parameters with no name, with defaults, and with parameters. */
template <typename T, typename = std::enable_if_t<(sizeof(T) > 2)>, int = 3,
          template <class> class V = std::decay>
__global__ void sfinae(T *p) { *p = 2; }
/* Takes a lambda. */
template <typename F> __global__ void apply(F f, int *p) { *p = f(3); }
/* The general case of a template. */
template <typename T> __global__ void spec(T *p) { *p = 1; }
/* Specialized with its argument. */
template <> __global__ void spec<float>(float *p) { *p = 2; }
/* Specialized, with its argument deduced. */
template <> __global__ void spec(double *p) { *p = 2; }
template __global__ void spec<int>(int *);
__global__ void proto(int *, int = 4);
/* Its prototype has no names, but a default argument. */
__global__ void proto(int *p, int n) { *p = n; }
/* A parameter hides the kernel. */
__global__ void scale(float *x, float scale) { x[0] *= scale; }
/* The same in a namespace. */
namespace q { __global__ void add(int *add) { *add = 1; } }
/* An attribute first. */
[[maybe_unused]] static __global__ void attr(int *p) { *p = 0; }
__device__ __forceinline__ float sq(float x) { return x * x; }
__device__ float g_x[4] = {1, 2, 3, 4};
__constant__ float c_x[4];
__managed__ int m_x;
__device__ const int d_n = 4;
static __device__ int s_x;
struct P {
    float x;
    __host__ __device__ P(float a = 0) : x(a) {}
    __device__ float get() const { return x; }
    __host__ __device__ P operator+(const P &o) const { return P(x + o.x); }
};
struct H {
    void (*f)(int *);
    template <class T> static void go(T *p) { over<T><<<1, 1>>>(p, T(1)); }
    void run(int *p) { this->f<<<1, 1>>>(p); f<<<1, 1>>>(p); }
};
template <class T> struct L {
    void (*kf)(T *);
    template <int N> void launch(T *p, int n)
    {
        auto s = 0;
        a::b::k<T, (N > 3)><<<dim3(n, 1), dim3{1, 1}, s>>>(p);
        kf<<<{1, 2}, {3}>>>(p);
    }
};
/* A local class and a lambda read the indices. */
__global__ void cls(int *p)
{
    struct A { __device__ int i() { return threadIdx.x; } } a;
    auto l = [] { return (int)blockIdx.x; };
    *p = a.i() + l();
}
/* Objects by value and by pointer, and its own name. */
__global__ void par(P v, P *out)
{
    P w = v + v;
    *out = w;
    out->x += v.get();
    v.x = 3;
    printf("%s\n", __func__);
}
/* An assertion. */
__global__ void asrt(int *p) { assert(p != 0); }
/* A variable hides a built-in. */
__global__ void shadow(int n) { for (int blockIdx = 0; blockIdx < n; blockIdx++) ; }
void (*table[2])(int *) = { q::add, a::b::s };
using fn = void (*)(int *);
fn pick() { return q::add; }
template <class T> T id(T x) { return x; }
template <int A, int B> struct V2 { static constexpr int v = A + B; };
int main(int argc, char **argv)
{
    int *p; float *f; P *pp; cudaStream_t st = 0;
    cudaMalloc(&p, 64); cudaMalloc(&f, 64); cudaMalloc(&pp, 64);
    a::b::k<int><<<1, 1>>>(p);
    a::b::k<float, 8><<<dim3(1, 1, 1), dim3(BLOCK), 0, st>>>(f);
    ::a::b::s<<<1, 1>>>(p); c::d::nested<<<1,1>>>(p);
    over<<<1, 1>>>(p, 3); over<<<1,1>>>(p, 2.0f, 3); over<<<1, 1>>>(p);
    cfun<<<1, 1>>>(f, nullptr); cfun2<<<1, 1>>>(f);
    lb<<<1, 1>>>(p); lb2 <<< 1, 1 >>> (p); lb3<4><<<1, 1>>>(p);
    pack<<<1, 1>>>(p, 1, 2.0, 'c'); sfinae<<<1, 1>>>(f);
    apply<<<1, 1>>>([=] __device__ (int i) { return i + argc; }, p);
    apply<<<1, 1>>>([=] __host__ __device__ (int i) -> int { return i >> 1; }, p);
    spec<float><<<1, 1>>>(f); spec<<<1, 1>>>(p); proto<<<1, 1>>>(p); scale<<<1, 1>>>(f, 2);
    q::add<<<1, 1>>>(p); attr<<<1, 1>>>(p);
    table[0]<<<1, 1>>>(p); (*table[1])<<<1, 1>>>(p); pick()<<<1, 1>>>(p);
    if (argc) (pick())<<<1, 1>>>(p);
    H h{q::add}; h.f<<<1, 1>>>(p); (&h)->f<<<1, 1>>>(p); H::go(p); h.run(p);
    L<int> l{q::add}; l.launch<4>(p, 1);
    LAUNCH(q::add, 1, 1, p); LAUNCH((a::b::k<int, 3>), (dim3(1, 2)), 1, p);
    if (argc > 3) q::add<<<argc > 2 ? 1 : 2, (argc >> 1) + 1>>>(p);
    else q::add<<<argc < 2 ? 1 : 2, 1>>>(p);
    for (int i = 0; i < 2; i++) q::add<<<(i + 255) / 256, id<int>(1)>>>(p);
    q::add<<<V2<1, 2>::v, id<V2<1, 0>>({}).v>>>(p);
    switch (argc) { case 1: lb3<1><<<1, 1>>>(p); break; default: lb3<2><<<1, 1>>>(p); }
    cls<<<1, 1>>>(p); par<<<1, 1>>>(P(3), pp); asrt<<<1, 1>>>(p); shadow<<<1, 1>>>(3);
    auto kk = a::b::k<int, 3>; kk<<<1, 1>>>(p);
    auto lam = [&](int b) { q::add<<<1, b>>>(p); }; lam(1);
    const char *s = "x<<<1,1>>>(y)"; /* __global__ */ (void)s;
    char ch = '<'; (void)ch; const char *r = R"(<<<1
2>>>(__shared__)"; (void)r;
    int x = 64 >> 2 >> 1; x >>= 1; x <<= 2; (void)x;
    (void)m_x; (void)s_x; (void)d_n; (void)c_x; (void)g_x;
    return cudaDeviceSynchronize();
}

// Bounds that only the prototype has.
__global__ void __launch_bounds__(96, 4) foretold(int *a);
/* With the bounds of its prototype. */
__global__ void foretold(int *a) { *a = 96; }
// expect: ,0u,(96),(4),0}
