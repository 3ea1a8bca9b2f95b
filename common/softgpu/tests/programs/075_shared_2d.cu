/* SPDX-License-Identifier: MIT */
/* A padded two-dimensional tile: the transpose. */
#include "check.h"

const int tile = 16;

/* A block transposes one tile. */
__global__ void transpose(const float *in, float *out, int width, int height)
{
    __shared__ float s_tile[tile][tile + 1];
    int x = blockIdx.x * tile + threadIdx.x,
        y = blockIdx.y * tile + threadIdx.y;
    if (x < width && y < height)
        s_tile[threadIdx.y][threadIdx.x] = in[y * width + x];
    __syncthreads();
    x = blockIdx.y * tile + threadIdx.x;
    y = blockIdx.x * tile + threadIdx.y;
    if (x < height && y < width)
        out[y * height + x] = s_tile[threadIdx.x][threadIdx.y];
}

int main()
{
    int w = 50, h = 37;
    float *in = managed<float>(w * h), *out = managed<float>(w * h);
    for (int i = 0; i < w * h; i++)
        in[i] = i;
    transpose<<<dim3(4, 3), dim3(tile, tile)>>>(in, out, w, h);
    RUN();
    for (int y = 0; y < h; y++)
        for (int x = 0; x < w; x++)
            EXPECT(out[x * h + y] == y * w + x);
    printf("%g %g\n", out[1], out[w * h - 1]);
    return 0;
}
