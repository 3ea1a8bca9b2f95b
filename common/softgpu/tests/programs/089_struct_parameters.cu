/* SPDX-License-Identifier: MIT */
/* Structs by value: padded, nested, with an array and a const one. */
#include "check.h"

struct inner {
    char tag;
    double value;
};

struct outer {
    inner parts[3];
    short small;
    int *to;
};

/* Computes a value from members of all three arguments. */
__global__ void use(outer o, const inner extra, float3 f)
{
    o.small += threadIdx.x;
    o.to[threadIdx.x] = o.parts[0].value + o.parts[1].value * o.parts[2].value
                        + o.small + extra.tag + f.x + f.y + f.z;
}

int main()
{
    outer o = {{{'a', 1}, {'b', 2}, {'c', 30}}, 400, managed<int>(3)};
    use<<<1, 3>>>(o, {'A', 0}, make_float3(1, 2, 3));
    o.small = 0;
    o.parts[0].value = 0;
    RUN();
    printf("%d %d %d\n", o.to[0], o.to[1], o.to[2]);
    return 0;
}
