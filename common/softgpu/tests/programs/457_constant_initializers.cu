/* SPDX-License-Identifier: MIT */
/* Expressions that CUDA allows as the initial value of a device's variable:
 * constants of every form, and constructors that do nothing. */
#include "check.h"

#include <limits>

constexpr int square(int n) { return n * n; }
const int size = 4;

struct nothing {
    int x;
    __device__ nothing() {}
};
struct holds_nothing { nothing n[2]; };
template <int N> struct sized {
    int x;
    __device__ sized();
};
template <int N> __device__ sized<N>::sized() {}
struct constant {
    int x;
    constexpr constant(int n = 6) : x(n) {}
};
struct member { int x = 11; };

__device__ nothing a, b[2], c = {}, d = nothing();
__device__ holds_nothing e;
__device__ sized<4> f;
__device__ constant g, h(3), i[2];
__device__ member j;
__device__ int k = square(size), l[] = { 1, square(2) };
__device__ int *m = &k, *n[] = { &k, l };
__constant__ float o = std::numeric_limits<float>::max();
__device__ constexpr float p = 2.5f;
__device__ dim3 q(1, 2, 3);
__device__ int function(int x) { return x + 1; }
__device__ int (*r)(int) = function;
__managed__ unsigned long long s = -1ull;
__device__ const char *t = "text";

/* One thread prints all of them. */
__global__ void show()
{
    static int u = 5;
    static __constant__ float v[] = { 1.5f, 3 * 3 };
    printf("%d %d %d %d %d %d\n", a.x, b[1].x, c.x, d.x, e.n[1].x, f.x);
    printf("%d %d %d %d\n", g.x, h.x, i[1].x, j.x);
    printf("%d %d %d %d\n", k, l[1], *m, *n[1]);
    printf("%d %.1f %u %d\n", o > 3e38f, p, q.y, r(6));
    printf("%llu %s %d %.1f\n", s, t, u, v[1]);
}

int main()
{
    show<<<1, 1>>>();
    OK(cudaDeviceSynchronize());
    return 0;
}
