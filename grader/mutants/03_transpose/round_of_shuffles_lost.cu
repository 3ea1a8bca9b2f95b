// verdict: WRONG
// expect: but for the bit of 1: no round exchanges elements at this distance
// hint: five rounds of shuffles, at 16, 8, 4, 2 and 1
// test: edges
// A warp transposes a tile in its registers, without the round at distance 1.
#include "grid.h"
#include "transpose.h"

/* Rounds of exchanges between the lanes of a warp; one is missing. */
__global__ void transpose_tiles(const float *in, float *out, int rows, int cols)
{
    const int lane = threadIdx.x;
    const long long r0 = ((long long)blockIdx.z * gridDim.y + blockIdx.y) * 32;
    const long long c0 = (long long)blockIdx.x * 32;
    unsigned v[32];

    for (int i = 0; i < 32; i++) {
        const bool is_inside = r0 + i < rows && c0 + lane < cols;
        v[i] = is_inside
                   ? __float_as_uint(in[(r0 + i) * cols + c0 + lane]) : 0;
    }
    for (int bit = 16; bit > 1; bit /= 2)
        for (int i = 0; i < 32; i++) {
            if (i & bit) continue;
            const bool upper = lane & bit;
            const unsigned sent = upper ? v[i] : v[i + bit];
            const unsigned got = __shfl_xor_sync(0xffffffffu, sent, bit);
            v[upper ? i : i + bit] = got;
        }
    for (int i = 0; i < 32; i++)
        if (c0 + i < cols && r0 + lane < rows)
            out[(c0 + i) * rows + r0 + lane] = __uint_as_float(v[i]);
}

int transpose(const float *d_in, float *d_out, int rows, int cols)
{
    if (rows == 0 || cols == 0) return cudaSuccess;
    transpose_tiles<<<grid_of_tiles(ceil_div(cols, 32), ceil_div(rows, 32)),
                      32>>>(d_in, d_out, rows, cols);
    return CUDA_CHECK(cudaGetLastError());
}
