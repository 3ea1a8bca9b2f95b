/* SPDX-License-Identifier: MIT */
/* Everything that may stand before <<<. */
#include "check.h"
#include <tuple>
#include <vector>

typedef void (*kernel)(int *);

/* Adds 1. */
__global__ void one(int *a) { *a += 1; }
/* Adds 10. */
__global__ void ten(int *a) { *a += 10; }
/* Adds its template argument. */
template <int N> __global__ void add(int *a) { *a += N; }

struct table {
    kernel entry[2] = {one, ten};
    kernel get(int i) const { return entry[i]; }
    template <int N> static kernel chosen() { return add<N>; }
};

int main(int argc, char **)
{
    int *a = managed<int>(1);
    kernel pointer = &one;
    table t, *p = &t;
    auto pair = std::make_tuple(one, ten);
    std::vector<kernel> list{one, add<1000>};
    (*pointer)<<<1, 1>>>(a);
    (argc > 0 ? ten : one)<<<1, 1>>>(a);
    std::get<1>(pair)<<<1, 1>>>(a);
    t.entry[1]<<<1, 1>>>(a);
    p->entry[0]<<<1, 1>>>(a);
    t.get(1)<<<1, 1>>>(a);
    table::chosen<100>()<<<1, 1>>>(a);
    for (auto k : list)
        k<<<1, 1>>>(a);
    list[1]<<<1, 1>>>(a);
    ::add<(3 > 2) ? 10000 : 0><<<1, 1>>>(a);
    RUN();
    printf("%d\n", *a);
    return 0;
}
