/* SPDX-License-Identifier: MIT */
/* Three kernels transpose a matrix: the example of docs/pages/profile.md. */
#include <cuda_runtime.h>

enum { N = 1024, TILE = 32 };

/** A warp loads a row and stores a column. */
__global__ void naive(const float *in, float *out)
{
    const int r = blockIdx.y * TILE + threadIdx.y;
    const int c = blockIdx.x * TILE + threadIdx.x;

    out[c * N + r] = in[r * N + c];
}

/** A tile in shared memory: loads and stores both go along rows. */
__global__ void tiled(const float *in, float *out)
{
    __shared__ float tile[TILE][TILE];
    const int r = blockIdx.y * TILE, c = blockIdx.x * TILE;
    const int y = threadIdx.y, x = threadIdx.x;

    tile[y][x] = in[(r + y) * N + c + x];
    __syncthreads();
    out[(c + y) * N + r + x] = tile[x][y];
}

/** The rows of the tile are padded by a word: no bank conflict. */
__global__ void padded(const float *in, float *out)
{
    __shared__ float tile[TILE][TILE + 1];
    const int r = blockIdx.y * TILE, c = blockIdx.x * TILE;
    const int y = threadIdx.y, x = threadIdx.x;

    tile[y][x] = in[(r + y) * N + c + x];
    __syncthreads();
    out[(c + y) * N + r + x] = tile[x][y];
}

int main()
{
    const dim3 grid(N / TILE, N / TILE), block(TILE, TILE);
    float *in, *out;

    if (cudaMalloc(&in, N * N * sizeof *in)
        || cudaMalloc(&out, N * N * sizeof *out))
        return 1;
    cudaMemset(in, 0, N * N * sizeof *in);
    naive<<<grid, block>>>(in, out);
    tiled<<<grid, block>>>(in, out);
    padded<<<grid, block>>>(in, out);
    cudaFree(in);
    cudaFree(out);
    return cudaDeviceSynchronize();
}
