/* SPDX-License-Identifier: MIT */
/** @file
 *  Templates and inline device functions that two files include. */
#ifndef KERNELS_CUH
#define KERNELS_CUH

/** Sum of a block, through shared memory declared here. */
template <typename T, int N> __device__ inline T block_sum(T value)
{
    __shared__ T s_sum[N];
    s_sum[threadIdx.x] = value;
    for (int half = N / 2; half > 0; half /= 2) {
        __syncthreads();
        if ((int)threadIdx.x < half)
            s_sum[threadIdx.x] += s_sum[threadIdx.x + half];
    }
    __syncthreads();
    return s_sum[0];
}

/** Write the block's sum of its indices' multiples. */
template <typename T, int N> __global__ void sums(T *out, T by)
{
    T sum = block_sum<T, N>(by * T(threadIdx.x));
    if (threadIdx.x == 0)
        out[blockIdx.x] = sum;
}

/** Launch sums<int, 64> from the other file. */
void launch_from_other(int *out);

#endif
