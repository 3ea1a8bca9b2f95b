/* SPDX-License-Identifier: MIT */
/* CUDA's words in declarations. */
// expect: static__attribute__((unused)) float hidden(float x)
// expect: static__attribute__((unused)) float table[4]
// expect: extern float elsewhere;
// expect: inline __attribute__((always_inline)) float fast(float x)
// expect: template <class T> T generic(T x)
// expect: float both(float x)
// expect: struct S { float member() const; static int count; };
// expect: auto f = [=] (int i) { return i; };
// expect: "__global__"
// expect: void prototype(int*);
// absent: __host__
// absent: __device__
// absent: __constant__
// absent: __managed__
// absent: __launch_bounds__
__device__ float hidden(float x) { return x; }
__constant__ float table[4];
extern __device__ float elsewhere;
__device__ __forceinline__ float fast(float x) { return x; }
template <class T> __device__ T generic(T x) { return x; }
__host__ __device__ float both(float x) { return x; }
struct S { __device__ float member() const; __device__ static int count; };
__device__ __managed__ int shared_by_both;
__global__ __launch_bounds__(128) void prototype(int *);
void host() { auto f = [=] __host__ __device__ (int i) { return i; };
    s = "__" "global__" "__global__"; }

// Variables are registered; what cannot be named leaves the list open.
__constant__ int y_one, *y_two[3];
// expect: softgpu::symbol softgpu_v
// expect: (y_one, "y_one", SOFTGPU_CONSTANT_VARIABLE)
// expect: (y_two, "y_two", SOFTGPU_CONSTANT_VARIABLE)
__managed__ long y_all = 3;
// expect: (y_all, "y_all", SOFTGPU_MANAGED_VARIABLE)
__device__ int (*y_function)(int);
// expect: (y_function, "y_function", SOFTGPU_DEVICE_VARIABLE)
extern __device__ int y_outside;
// absent: "y_outside"
template <class T> __device__ T y_any;
// absent: "y_any"
// expect: (softgpu_symbols_incomplete(), true)
