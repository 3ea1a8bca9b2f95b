// verdict: WRONG
// expect: does a thread that moves 2 of them leave out a single one
// test: edges
// A thread moves two neighboring columns; of an odd number the last has none.
#include "grid.h"
#include "transpose.h"

enum { THREADS = 256 };

/** Thread t moves the pair t of all pairs of columns. */
__global__ void move_pairs(const float *in, float *out, int rows, int cols)
{
    const size_t pairs = cols / 2;
    const size_t t = (size_t)blockIdx.x * THREADS + threadIdx.x;
    const size_t row = pairs ? t / pairs : rows, pair = pairs ? t % pairs : 0;

    for (size_t col = 2 * pair; row < rows && col < 2 * pair + 2; col++)
        out[col * rows + row] = in[row * cols + col];
}

int transpose(const float *d_in, float *d_out, int rows, int cols)
{
    if (rows == 0 || cols == 0) return cudaSuccess;
    const size_t threads = (size_t)rows * ((cols + 1) / 2);

    move_pairs<<<(unsigned)ceil_div(threads, THREADS), THREADS>>>(d_in, d_out,
                                                                  rows, cols);
    return CUDA_CHECK(cudaGetLastError());
}
