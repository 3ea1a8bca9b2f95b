/* SPDX-License-Identifier: MIT */
/* Pitched memory: cudaMallocPitch, cudaMemcpy2D and cudaMemset2D. */
#include "check.h"

/* A block negates one row. */
__global__ void negate(char *base, size_t pitch, int width)
{
    int *row = (int *)(base + blockIdx.x * pitch);
    if ((int)threadIdx.x < width)
        row[threadIdx.x] = -row[threadIdx.x];
}

int main()
{
    const int w = 30, h = 5, gap = 37;
    int from[h][gap], to[h][w];
    char *d;
    size_t pitch;
    for (int y = 0; y < h; y++)
        for (int x = 0; x < gap; x++)
            from[y][x] = 100 * y + x;
    OK(cudaMallocPitch(&d, &pitch, w * sizeof(int), h));
    EXPECT(pitch >= w * sizeof(int) && pitch % 32 == 0);
    OK(cudaMemcpy2D(d, pitch, from, sizeof from[0], w * sizeof(int), h,
                    cudaMemcpyHostToDevice));
    negate<<<h, 32>>>(d, pitch, w);
    OK(cudaMemset2D(d + 2 * pitch + 8, pitch, 0, 3 * sizeof(int), 2));
    OK(cudaMemcpy2D(to, sizeof to[0], d, pitch, sizeof to[0], h,
                    cudaMemcpyDeviceToHost));
    for (int y = 0; y < h; y++)
        for (int x = 0; x < w; x++) {
            bool hole = (y == 2 || y == 3) && x >= 2 && x < 5;
            EXPECT(to[y][x] == (hole ? 0 : -(100 * y + x)));
        }
    SHOW(cudaMemcpy2D(to, 4, d, pitch, 8, h, cudaMemcpyDeviceToHost));
    printf("%d %d\n", to[4][29], to[2][2]);
    OK(cudaFree(d));
    return 0;
}
