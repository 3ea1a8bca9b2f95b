// verdict: WRONG
// expect: or that of the bits as signed integers
// test: largest
/* SPDX-License-Identifier: MIT */
/* atomicMax() of the bits, which begin as those of -infinity: among the bits of
 * negative floats these are the largest int. */
#include "grid.h"
#include "reduction.h"

/** One thread writes the start value. */
__global__ void set_value(float *out, float value)
{
    *out = value;
}

/** A thread compares the bits of one element. */
__global__ void max_of_bits(const float *in, float *out, size_t n)
{
    const size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;

    if (i < n) atomicMax((int *)out, __float_as_int(in[i]));
}

/** One thread adds all elements. */
__global__ void sum_of_one(const float *in, float *out, size_t n)
{
    float sum = 0;

    for (size_t i = 0; i < n; i++) sum += in[i];
    *out = sum;
}

int reduction(const float *d_in, float *d_out, float *d_work, size_t n, int op)
{
    if (op == REDUCTION_SUM) {
        sum_of_one<<<1, 1>>>(d_in, d_out, n);
    } else {
        set_value<<<1, 1>>>(d_out, __int_as_float(0xff800000));
        if (n) max_of_bits<<<(unsigned)ceil_div(n, 256), 256>>>(d_in, d_out, n);
    }
    return CUDA_CHECK(cudaGetLastError());
}
