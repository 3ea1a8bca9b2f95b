/* SPDX-License-Identifier: MIT */
/* Host and device code that declare one name in two ways; read by the driver's
 * test. */
struct s {
    int a;
#ifdef __CUDA_ARCH__
    float only;
    union { int u; };
#endif
};
#if __CUDA_ARCH__ >= 800
typedef float number;
constexpr int tile = 8;
#else
typedef double number;
constexpr int tile = 4;
#endif
struct t { int rows[tile]; };
/* Its parameters differ in the two passes. */
__global__ void k(s v, number *p, t w) {}
struct u {
    int x;
    __host__ __device__ u()
#ifdef __CUDA_ARCH__
        : x(1)
#endif
    {
    }
};
