/* SPDX-License-Identifier: MIT */
/* A variable of the device whose initial value is no constant is refused, as by
 * nvcc. */
int count();
__host__ __device__ int both() { return 8; }
struct pair { int x, y; };
struct filled { int x; __device__ filled() : x(5) {} };
struct number { int x; __device__ number(int v) : x(v) {} };
struct holder { filled f; };
int host = 3;
__device__ int a = count();                 // at: 11:16 dynamic
__constant__ float b = both() * 2.0f;       // at: 12:20 dynamic
__device__ filled c;                        // at: 13:19 dynamic
__device__ number d(3);                     // at: 14:19 dynamic
static __device__ pair e = { 1, both() };   // at: 15:24 dynamic
__device__ int f = host;                    // at: 16:16 dynamic
__managed__ int g = both();                 // at: 17:17 dynamic
__device__ holder h;                        // at: 18:19 dynamic
__device__ int i{both()};                   // at: 19:16 dynamic
__device__ int j = 4, k = both();           // at: 20:23 dynamic
namespace inside { __device__ int *l = new int; } // at: 21:36 dynamic
__device__ int function(int n)
{
    static __device__ int m = both();       // at: 24:27 dynamic
    static int o = both();                  // at: 25:16 dynamic
    return m + o + n;
}
