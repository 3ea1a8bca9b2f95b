/* SPDX-License-Identifier: MIT */
/* The compiler's messages carry the student's line and column. */
#define BAD(x) undefined_in_macro(x)
#define WRAP(k, ...) k<<<1, 1>>>(__VA_ARGS__)
template <typename T> __global__ void t(T *p) { p[0] = undefined_t; } // at: 5:56 undefined_t
__global__ void k(int *p, int n)
{
    int i = threadIdx.x; undefined1(i);          // at: 8:26 undefined1
    __shared__ float s[4]; s[0] = undefined2;    // at: 9:35 undefined2
    p[i] = n + undefined3;                       // at: 10:16 undefined3
    BAD(i + undefined4);                         // at: 11:13 undefined4
}
__device__ float d(float x) { return x.y; }     
int main()
{
    int *p;
    k<<<1, 2>>>(p, 3); undefined5();             // at: 17:24 undefined5
    k<<<1, undefined6>>>(p, 3);                  // at: 18:12 undefined6
    k<<<dim3(1, 2), "x">>>(p, 1);                // at: 19:21
    WRAP(k, p, undefined7);                      // at: 20:16 undefined7
    undefined8<<<1, 1>>>(p);                     // at: 21:5 undefined8
    t<int><<<1, 1>>>(undefined9);                // at: 22:22 undefined9
#define TEN undefined10
    h(p, TEN                                     // at: 24:10 undefined10
#define REST(x) \
    h(x, undefined10)
    );
}
