/* SPDX-License-Identifier: MIT */
/* Casts of the address of an element of a __restrict__ pointer, in a template:
 * gcc binds no reference to such an address. */
#include "check.h"

/* Casts of elements of restricted pointers. */
template <int N>
__global__ void copy(float *__restrict__ to, const float *__restrict__ from,
                     float *__restrict__ also)
{
    float values[N];

    for (int i = 0; i < N; i += 4) {
        const int at = i * N + threadIdx.x * 4;
        reinterpret_cast<float4 *>(&(values[i]))[0] =
            reinterpret_cast<const float4 *>(&(from[at]))[0];
        (reinterpret_cast<float4 *>(&(to[at]))[0]) =
            reinterpret_cast<float4 *>(&(values[i]))[0];
        *(float4 *)(&also[at]) = ((float4 *)(&to[at]))[0];
        *reinterpret_cast<float2 *>(also + at + 2) = make_float2(7, N);
    }
}

int main()
{
    float *to = managed<float>(8), *also = managed<float>(8),
          *from = managed<float>(8);

    for (int i = 0; i < 8; i++)
        from[i] = i + 1;
    copy<4><<<1, 2>>>(to, from, also);
    RUN();
    for (int i = 0; i < 8; i++)
        printf("%g/%g%s", to[i], also[i], i < 7 ? " " : "\n");
    return 0;
}
