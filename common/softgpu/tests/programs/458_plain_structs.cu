/* SPDX-License-Identifier: MIT */
/* Variables of classes without constructors need no initial value: they are 0,
 * in every form of declaration, before the host stores to them. */
#include "check.h"

typedef struct {
    float strike, years;
} option;
struct camera {
    float matrix[2][3];
    option inside;
};
class counter {
    int n;

public:
    __device__ int add(int x) { return n += x; }
};
template <typename A, typename B> struct both {
    A a;
    B b;
};
union word {
    int i;
    float f;
};

__constant__ option a;
static __constant__ option b[3];
__device__ camera c, d[2], *e;
__device__ counter f;
__device__ both<int, option> g, h[2];
__device__ word i;
__managed__ option j;
__device__ struct { int x; } k;
__device__ option (*l)[2];
namespace inside { __device__ option m; }
struct holder { static __device__ option n; };
__device__ option holder::n;

__device__ int count()
{
    static both<int, int> calls;
    return ++calls.a + calls.b;
}

/* One thread prints all of them. */
__global__ void show()
{
    printf("%g %g %g %g\n", a.strike, b[2].years, c.matrix[1][2],
           d[1].inside.years);
    printf("%d %d %d %g %d\n", e == nullptr, f.add(2), g.a, h[1].b.years, i.i);
    printf("%g %d %d %g %g\n", j.years, k.x, l == nullptr, inside::m.strike,
           holder::n.years);
    printf("%d", count());
    printf(" %d\n", count());
}

int main()
{
    const option host[3] = {{1, 2}, {3, 4}, {5, 6}};
    show<<<1, 1>>>();
    OK(cudaDeviceSynchronize());
    OK(cudaMemcpyToSymbol(a, host, sizeof *host));
    OK(cudaMemcpyToSymbol(b, host, sizeof host));
    show<<<1, 1>>>();
    OK(cudaDeviceSynchronize());
    return 0;
}
/* nvcc refuses memory qualifiers of members, which clang accepts. */
