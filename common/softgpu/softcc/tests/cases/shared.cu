/* SPDX-License-Identifier: MIT */
/* __shared__ in every form. */
// expect: typedef T softgpu_t4[R][C+1],softgpu_t5[R*(C>3?2:1)],*softgpu_t6,softgpu_t7;
// expect: struct __attribute__((aligned(16)))softgpu_s11{using kernel=softgpu_tag;};
// expect: {using kernel=void;}; softgpu_t0& buf = softgpu::shared<softgpu_s0,softgpu_t0>("buf");
// expect: typedef int softgpu_t1[]; softgpu_t1& __smem = softgpu::dynamic_shared<softgpu_t1>();
// expect: float param(float *g_dyn) { return g_dyn[0]; }
// absent: __shared__
#include <cstdio>
#define TILE 16
extern __shared__ float g_dyn[];
__shared__ int g_count, g_arr[4];
static __shared__ float4 g_v;
struct Pair { int a, b; };
namespace n { __shared__ double nd; __device__ void f() { nd = 3; } }
__device__ float dev(float x)
{
    __shared__ float buf[TILE][TILE + 1];
    buf[0][0] = x;
    g_dyn[0] = x;
    return buf[0][0];
}
__device__ float param(float *g_dyn) { return g_dyn[0]; }
__device__ void local()
{
    g_count++;
    int g_count = 3;
    (void)g_count;
    { float g_arr = 2; (void)g_arr; }
}
template <class T> struct SharedMemory {
    __device__ inline operator T *() { extern __shared__ int __smem[]; return (T *)__smem; }
    __device__ inline operator const T *() const
    { extern __shared__ int __smem[]; return (T *)__smem; }
};
template <> struct SharedMemory<double> {
    __device__ inline operator double *()
    { extern __shared__ double __smem_d[]; return (double *)__smem_d; }
};
/* Every form of declaration in one kernel. */
template <typename T, int R, int C = R * 2> __global__ void t1(T *o) {
    __shared__ T a[R][C + 1], b[R * (C > 3 ? 2 : 1)], *p, c;
    volatile __shared__ T v[R];
    __shared__ volatile int vi;
    static __shared__ T st[R];
    __shared__ __align__(16) T al[R];
    __align__(32) __shared__ T al2[R];
    alignas(64) __shared__ unsigned char raw[64 * sizeof(T)];
    __shared__ alignas(T) unsigned char raw2[4];
    __shared__ struct { int x; T y; } an;
    __shared__ struct Named { int x; } nm, nm2[2];
    
    __shared__ Pair pr[2];
    __shared__ unsigned int ui;
    __shared__ void (*fp)(int);
    __shared__ T (*pa)[R];
    __shared__ float4 f4[R / 4];
    const int W = 8;
    __shared__ T w[W];
    a[0][0] = 1; p = &a[0][1]; c = *p; v[0] = c; vi = 1; st[0] = 1; al[0] = al2[0] = 2;
    raw[0] = raw2[0] = 3; an.x = nm.x = nm2[1].x = 1; pr[0].a = 1; ui = 2; f4[0].x = 1;
    b[0] = w[0] = 1; fp = nullptr; pa = nullptr;
    if (threadIdx.x == 0) { __shared__ int a; a = 1; { __shared__ float a[2]; a[0] = 1; } }
    T *sd = SharedMemory<T>();
    sd[0] = a[0][0] + (T)raw[0];
    for (int i = 0; i < 3; i++) { __shared__ int loop; loop = i; }
    o[0] = sd[0];
}
/* Names of file scope and of functions, beside its own dynamic array. */
__global__ void t2(float *o)
{
    extern __shared__ __align__(16) unsigned char mem[];
    float *f = reinterpret_cast<float *>(mem);
    g_v.x = dev(1);
    g_count = 1;
    g_arr[1] = g_count;
    local();
    n::f();
    o[0] = f[0] + g_dyn[1] + param(o);
}
/* Two dynamic arrays of different types. */
__global__ void t3(float *o)
{
    extern volatile __shared__ float vd[];
    extern __shared__ float4 q4[];
    vd[0] = 1;
    o[0] = vd[0] + q4[0].x;
}
#define SH(T, n, s) __shared__ T n[s]
/* Declared by a macro, and in a case. */
__global__ void t4(float *o) { SH(float, m, 16); SH(int, k, 3); m[0] = k[0] = 1; o[0] = m[0]; 
  switch ((int)o[0]) { case 1: { __shared__ int u; u = 1; } default: ; } }
int main() { float *o; cudaMalloc(&o, 4);
    t1<float, 4><<<1, 32, 64>>>(o); t2<<<1,1,64>>>(o); t3<<<1,1,64>>>(o); t4<<<1,1>>>(o); }
