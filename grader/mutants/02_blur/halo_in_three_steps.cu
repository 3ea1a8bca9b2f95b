// verdict: WRONG
// expect: loaded three bytes in each dimension
// test: radii
/* SPDX-License-Identifier: MIT */
/* Each thread loads the pixels at -radius, 0 and +radius of its own: right for
 * a radius of up to the block's side. */
#include "blur.h"
#include "grid.h"

enum { SIDE = 16, MOST = SIDE + 2 * BLUR_RADIUS_MAX };

struct image_shape {
    size_t pitch;
    int width, height, channels, radius;
};

__device__ static unsigned char pixel(const unsigned char *in,
                                      struct image_shape s, int x, int y, int c)
{
    if (x < 0 || y < 0 || x >= s.width || y >= s.height) return 0;
    return in[y * s.pitch + (size_t)x * s.channels + c];
}

/* A thread writes a pixel; a block loads its tile in three steps. */
__global__ void blur_image(const unsigned char *in, unsigned char *out,
                           struct image_shape s)
{
    __shared__ unsigned char tile[MOST][MOST];
    const int tx = threadIdx.x, ty = threadIdx.y, r = s.radius;
    const int x = blockIdx.x * SIDE + tx;
    const int y = (blockIdx.z * gridDim.y + blockIdx.y) * SIDE + ty;
    const unsigned columns = min(x + r, s.width - 1) - max(x - r, 0) + 1;
    const unsigned count =
        columns * (min(y + r, s.height - 1) - max(y - r, 0) + 1);

    for (int c = 0; c < s.channels; c++) {
        unsigned sum = 0;

        for (int v = -1; v <= 1; v++)
            for (int u = -1; u <= 1; u++)
                tile[ty + r + v * r][tx + r + u * r] =
                    pixel(in, s, x + u * r, y + v * r, c);
        __syncthreads();
        for (int v = 0; v <= 2 * r; v++)
            for (int u = 0; u <= 2 * r; u++) sum += tile[ty + v][tx + u];
        if (x < s.width && y < s.height)
            out[y * s.pitch + (size_t)x * s.channels + c] =
                (2 * sum + count) / (2 * count);
        __syncthreads();
    }
}

int blur(const unsigned char *in, unsigned char *out, int width, int height,
         int channels, int radius)
{
    const struct image_shape s = {(size_t)width * channels, width, height,
                                  channels, radius};
    const size_t bytes = s.pitch * height;
    unsigned char *d_in = NULL, *d_out = NULL;

    if (width < 0 || height < 0 || radius < 0 || radius > BLUR_RADIUS_MAX
        || (channels != 1 && channels != 3 && channels != 4))
        return cudaErrorInvalidValue;
    if (bytes == 0) return cudaSuccess;
    cudaError_t err = CUDA_CHECK(cudaMalloc(&d_in, bytes));
    if (!err) err = CUDA_CHECK(cudaMalloc(&d_out, bytes));
    if (!err)
        err = CUDA_CHECK(cudaMemcpy(d_in, in, bytes, cudaMemcpyHostToDevice));
    if (!err) {
        blur_image<<<grid_of_tiles(ceil_div(width, SIDE),
                                   ceil_div(height, SIDE)),
                     dim3(SIDE, SIDE)>>>(d_in, d_out, s);
        err = CUDA_CHECK(cudaGetLastError());
    }
    if (!err)
        err = CUDA_CHECK(cudaMemcpy(out, d_out, bytes, cudaMemcpyDeviceToHost));
    cudaFree(d_in);
    cudaFree(d_out);
    return err;
}
