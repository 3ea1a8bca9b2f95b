/* SPDX-License-Identifier: MIT */
/* cuda::std::span and <cuda/std/bit>, which NVIDIA's library has from C++17 on,
 * the host's from C++20 on. */
#include "check.h"

#include <cuda/std/array>
#include <cuda/std/bit>
#include <cuda/std/span>

using ints = cuda::std::span<const int>;

/* Index of a value; -1 when it is not there. */
__device__ int find(ints in, int value)
{
    for (size_t i = 0; i < in.size(); i++)
        if (in[i] == value)
            return (int)i;
    return -1;
}

__device__ int sum(ints of)
{
    int result = 0;
    for (int x : of)
        result += x;
    return result;
}

/* Spans of an array, of parts of it, and of a fixed extent. */
__global__ void spans(cuda::std::span<int> all, int *out)
{
    cuda::std::array<int, 3> few{5, 6, 7};
    int four[4] = {1, 2, 3, 4};
    out[0] = find(all, 30);
    out[1] = find(all.first(3), 30);
    out[2] = sum(all.subspan(2, 2)) + sum(all.last<1>());
    out[3] = sum(few) * 100 + sum(four);
    cuda::std::span same(four);
    static_assert(decltype(same)::extent == 4, "a static extent");
    out[4] = same.front() * 1000 + same.back() * 100 + (int)same.size_bytes();
    all[0] = -1;
}

/* The functions of <bit>. */
__global__ void bits(unsigned x, int *out)
{
    out[0] = cuda::std::popcount(x);
    out[1] = cuda::std::countl_zero(x) * 100 + cuda::std::countr_zero(x);
    out[2] = (int)cuda::std::bit_ceil(x) + (int)cuda::std::bit_floor(x);
    out[3] = cuda::std::bit_width(x) * 10 + cuda::std::has_single_bit(x);
    out[4] = (int)cuda::std::rotl(x, 4) - (int)cuda::std::rotr(x, 1);
    out[5] = cuda::std::countl_zero((unsigned char)1);
    out[6] = cuda::std::bit_cast<int>(1.0f) == 0x3f800000;
}

int main()
{
    int *all = managed<int>(5), *out = managed<int>(8);
    for (int i = 0; i < 5; i++)
        all[i] = 10 * i;
    spans<<<1, 1>>>({all, 5}, out);
    RUN();
    printf("%d %d %d %d %d %d\n", out[0], out[1], out[2], out[3], out[4],
           all[0]);
    bits<<<1, 1>>>(40, out);
    RUN();
    for (int i = 0; i < 7; i++)
        printf("%d%c", out[i], i < 6 ? ' ' : '\n');
    return 0;
}
