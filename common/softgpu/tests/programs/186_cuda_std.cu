/* SPDX-License-Identifier: MIT */
/* The library of cuda::std in kernels and on the host, beside the atomics of
 * its own. */
#include "check.h"

#include <cuda/atomic>
#include <cuda/barrier>
#include <cuda/cmath>
#include <cuda/std/array>
#include <cuda/std/cassert>
#include <cuda/std/complex>
#include <cuda/std/cstdint>
#include <cuda/std/functional>
#include <cuda/std/limits>
#include <cuda/std/optional>
#include <cuda/std/tuple>
#include <cuda/std/type_traits>
#include <cuda/std/utility>

using sums = cuda::std::array<cuda::std::int32_t, 3>;

template <class Op> __device__ int fold(const sums &of, Op op)
{
    static_assert(cuda::std::is_same_v<int, cuda::std::int32_t>);
    int result = of[0];
    for (cuda::std::size_t i = 1; i < of.size(); i++)
        result = op(result, of[i]);
    return result;
}

__device__ cuda::std::optional<int> even(int i)
{
    if (i % 2)
        return cuda::std::nullopt;
    return i;
}

/* Uses arrays, tuples, pairs, functors, optional and complex. */
__global__ void kernel(sums *out, float *length, int *count)
{
    int i = threadIdx.x;
    sums mine{ i, i * i, 1 };
    assert(mine[2] < cuda::std::numeric_limits<int>::max());
    auto [low, high] = cuda::std::make_tuple(i - 1, i + 1);
    cuda::std::pair<int, int> ends(low, high);
    cuda::std::swap(ends.first, ends.second);
    out[i] = { fold(mine, cuda::std::plus<>{}),
               ends.first * 100 + ends.second, even(i).value_or(-1) };
    cuda::std::complex<float> z(3 * i, 4 * i);
    length[i] = cuda::std::abs(z);
    cuda::atomic_ref<int, cuda::thread_scope_device> all(*count);
    all.fetch_add(i, cuda::std::memory_order_relaxed);
}

int main()
{
    const int n = 8;
    sums *out = managed<sums>(n);
    float *length = managed<float>(n);
    int *count = managed<int>(1);
    kernel<<<cuda::ceil_div(n, 8), 8>>>(out, length, count);
    RUN();
    for (int i = 0; i < n; i++)
        printf("%d %d %d %.1f\n", out[i][0], out[i][1], out[i][2], length[i]);
    printf("%d\n", *count);
    static_assert(cuda::ceil_div(9, 8u) == 2 && cuda::round_up(9, 8) == 16);
    static_assert(cuda::round_down(9, 8) == 8 && cuda::ceil_div(0, 8) == 0);
    OK(cudaFree(out));
    OK(cudaFree(length));
    OK(cudaFree(count));
}
