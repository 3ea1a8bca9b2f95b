/* SPDX-License-Identifier: MIT */
/* Float4 of a row of threads that are stored to the rows of a matrix: eight
 * neighbors a row, or fewer, by a stride that only the launch knows.  Prints a
 * hash. */
#include <stdio.h>
#include <string.h>

enum { THREADS = 64, ROWS = 16, SIZE = ROWS * 128 };

/* Of a tile of `across` float4 a row, copied with a sum, or computed; some rows
 * and columns do not exist. */
__global__ void store_tile(const float4 *in, float *out, int across, int stride,
                           int rows, int columns, bool adds)
{
    __shared__ float4 s_tile[THREADS];
    const int t = threadIdx.x, row = t / across, column = t % across * 4;

    s_tile[t] = in[t];
    __syncthreads();
    float4 q = s_tile[t];
    const float4 p = in[THREADS + t];
    q.x += p.x, q.y += p.y, q.z += p.z, q.w += p.w;
    if (!adds) q = make_float4(q.w * 2, q.x * q.y, q.z, q.y - 1);
    if (row < rows && column < columns)
        *(float4 *)(out + (size_t)row * stride + column) = q;
}

/* One launch of each shape of a tile. */
static void launch_all(const float *in, float *out, bool adds)
{
    const int shapes[][4] = {{8, 32, 8, 32},  {8, 64, 8, 32}, {8, 36, 7, 32},
                             {8, 68, 8, 20},  {4, 20, 16, 16}, {2, 12, 5, 8},
                             {16, 64, 4, 64}, {3, 16, 9, 12}, {1, 8, 16, 4}};

    for (const int(&s)[4] : shapes)
        store_tile<<<1, THREADS>>>((const float4 *)in, out, s[0], s[1], s[2],
                                   s[3], adds);
}

int main(void)
{
    float *in, *out;
    unsigned hash = 17, bits;

    cudaMallocManaged(&in, 2 * THREADS * sizeof(float4));
    cudaMallocManaged(&out, SIZE * sizeof(float));
    for (int i = 0; i < 8 * THREADS; i++)
        in[i] = (float)(i * 7919 % 1009) / 128;
    for (int adds = 0; adds < 2; adds++) {
        for (int i = 0; i < SIZE; i++) out[i] = -1;
        launch_all(in, out, adds);
        if (cudaDeviceSynchronize() != cudaSuccess) puts("an error");
        for (int i = 0; i < SIZE; i++) {
            memcpy(&bits, &out[i], sizeof bits);
            hash = hash * 31 + bits;
        }
        printf("%08x\n", hash);
    }
    cudaFree(in);
    cudaFree(out);
    return 0;
}
