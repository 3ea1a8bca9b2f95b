/* SPDX-License-Identifier: MIT */
/* 1: a thread may have to wait; 2: something it calls reads its indices. */
// flags: plain 0
// flags: maths 0
// flags: barrier 1
// flags: through 1
// flags: indices 2
// flags: both 3
// flags: value 3
// flags: unknown 3
// flags: spins 1
// flags: warp 1
// flags: functor 0
// flags: cast 0
// flags: prints 0
// flags: lambda 0
// flags: declared 0
// flags: method 2
// flags: recursive 0
// flags: overloads 1
// flags: chain 1
struct Op { __device__ float operator()(float x) const { return x; } };
struct M { float v; __device__ float at() const { return threadIdx.x + v; } };
__device__ float pure(float x) { return x * 2; }
__device__ int where() { return blockIdx.x; }
__device__ void wait() { __syncthreads(); }
__device__ int loop(int n) { return n ? loop(n - 1) : 0; }
/* Indices of its own only: the built-ins are arguments of its body. */
__global__ void plain(float *p) { p[threadIdx.x] = pure(p[blockIdx.x]); }
/* Functions of the language and of the runtime, none of which waits. */
__global__ void maths(float *p)
{
    *p = sqrtf(fmaxf(*p, 1.0f)) + __expf(*p) + std::min(1, 2) + __ldg(p)
         + make_float4(1, 2, 3, 4).x;
}
/* Waits itself. */
__global__ void barrier(float *p) { __syncthreads(); }
/* Waits in a function it calls. */
__global__ void through(float *p) { wait(); }
/* Calls a function that reads the indices. */
__global__ void indices(int *p) { *p = where(); }
/* Calls one of each. */
__global__ void both(int *p) { *p = where(); wait(); }
/* Calls an argument, which may do anything. */
template <class F> __global__ void value(F f, int *p) { *p = f(3); }
/* Calls a function whose body is elsewhere. */
__global__ void unknown(int *p) { *p = elsewhere(3); }
/* Reads volatile memory, so that it may wait for another thread. */
__global__ void spins(volatile int *p) { while (*p) ; }
/* Waits for the other lanes. */
__global__ void warp(int *p) { *p = __shfl_sync(~0u, *p, 1); }
/* A local object without a call of it. */
template <class T> __global__ void functor(T *p) { Op op; *p = *p + 1; (void)op; }
/* Casts, which look like calls. */
template <class T> __global__ void cast(T *p)
{
    *p = (T)(*p + 1) + T(3) + (float)(*p) + static_cast<T>(2) + int(3.5);
}
/* printf() never waits; keywords before parentheses are no calls. */
__global__ void prints(int *p) { if (*p) printf("%d", *p); for (int i = 0; i < (3); i++) ; }
/* A lambda of its own. */
__global__ void lambda(int *p) { auto sq = [=](int x) { return x * x; }; *p = sq(3); }
/* Declarations with arguments, which look like calls. */
__global__ void declared(float *p) { float x(3); dim3 d(1, 2); *p = x; }
/* A method that reads the indices. */
__global__ void method(float *p) { M m; *p = m.at(); }
/* A function that calls itself. */
__global__ void recursive(int *p) { *p = loop(3); }
__device__ void over(int) { __syncthreads(); }
__device__ void over(float) {}
/* Counts as waiting if any function of that name does. */
__global__ void overloads(float *p) { over(*p); }
__device__ void later();
__device__ void middle() { later(); }
/* Waits two calls down, in a function that is defined later. */
__global__ void chain(float *p) { middle(); }
__device__ void later() { __syncthreads(); }
