// verdict: WRONG
// expect: a shuffle took a value from a lane that does not call it
// test: small
// hint: Let all lanes reach it
#include <math.h>

#include "grid.h"
#include "reduction.h"

enum { ITEMS = 4096 }; /* of a block, which is one warp */

/** A warp reduces ITEMS elements; lanes past the end have returned. */
__global__ void reduce_items(const float *in, float *out, size_t n, int op)
{
    const size_t first = (size_t)blockIdx.x * ITEMS;
    const size_t left = n - first < ITEMS ? n - first : ITEMS;

    if (threadIdx.x >= left) return;
    float value = in[first + threadIdx.x];
    for (size_t i = threadIdx.x + 32; i < left; i += 32)
        value = op == REDUCTION_SUM ? value + in[first + i]
                                    : fmaxf(value, in[first + i]);
    for (unsigned offset = 16; offset > 0; offset /= 2) {
        const float other = __shfl_down_sync(0xffffffff, value, offset);

        if (op == REDUCTION_SUM) value += other;
        else if (threadIdx.x + offset < left) value = fmaxf(value, other);
    }
    if (threadIdx.x == 0) out[blockIdx.x] = value;
}

/* The result of nothing is the identity element. */
__global__ void store(float *out, float value)
{
    *out = value;
}

int reduction(const float *d_in, float *d_out, float *d_work, size_t n,
              int op)
{
    if (n == 0) store<<<1, 1>>>(d_out, op == REDUCTION_SUM ? 0 : -INFINITY);
    while (n > ITEMS) {
        const size_t blocks = ceil_div(n, ITEMS);

        reduce_items<<<(unsigned)blocks, 32>>>(d_in, d_work, n, op);
        d_in = d_work;
        d_work += blocks;
        n = blocks;
    }
    if (n > 0) reduce_items<<<1, 32>>>(d_in, d_out, n, op);
    return CUDA_CHECK(cudaGetLastError());
}
