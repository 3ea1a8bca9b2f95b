/* SPDX-License-Identifier: MIT */
/* Device variables with an initializer in parentheses are no prototypes. */
#include "check.h"

namespace units {

template <int Scope, long N = 4> struct box {
    int v;
    constexpr box(int x) : v(x) {}
};
__device__ box<1, 4> a(2), spare(-3);
__constant__ box<1> b{3};

}

__device__ int c(4);
__device__ char d('a');
__device__ int e((2 + 3) * 4);
__device__ int twice(int);
__device__ int three(int n);
__device__ bool f(true);

__device__ int twice(int n)
{
    return 2 * n;
}

__device__ int three(int n)
{
    return 3 * n;
}

/* Each variable is read, and some are written. */
__global__ void change()
{
    units::a.v += units::b.v + units::spare.v;
    c += f ? three(twice(1)) : 0;
    e++;
    d++;
}

int main()
{
    units::box<1, 4> a(0);
    int c, e;
    char d;

    change<<<1, 1>>>();
    OK(cudaMemcpyFromSymbol(&a, units::a, sizeof a));
    OK(cudaMemcpyFromSymbol(&c, ::c, sizeof c));
    OK(cudaMemcpyFromSymbol(&d, ::d, sizeof d));
    OK(cudaMemcpyFromSymbol(&e, ::e, sizeof e));
    printf("%d %d %c %d\n", a.v, c, d, e);
    return 0;
}
