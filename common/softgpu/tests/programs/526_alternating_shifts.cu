/* SPDX-License-Identifier: MIT */
/* Fixed-point butterflies of short rows, in blocks of 8 x 4 threads: neighboring
 * words are shifted by different numbers of bits, or added to. */
#include <cstdio>

/* Each thread turns four words of shared memory, two numbers in each, by
 * butterflies of fixed-point numbers. */
__global__ void turn(int *rows)
{
    __shared__ int s_row[32][5];
    const int t = threadIdx.y * blockDim.x + threadIdx.x;

    for (int k = 0; k < 4; k++) s_row[t][k] = rows[4 * t + k];
    __syncthreads();
    int *row = s_row[t];
    const int w0 = row[0], w1 = row[1], w2 = row[2], w3 = row[3];
    const int x0 = (short)w0, x1 = w0 >> 16, x2 = (short)w1, x3 = w1 >> 16;
    const int x4 = (short)w2, x5 = w2 >> 16, x6 = (short)w3, x7 = w3 >> 16;
    const int a = (x0 + x4) * 23170, b = (x0 - x4) * 23170;
    const int c = x2 * 12540 - x6 * 30274, d = x6 * 12540 + x2 * 30274;
    const int r = ((x3 + x5) * 23170 + 4096) >> 13;
    const int s = ((x3 - x5) * 23170 + 4096) >> 13;
    const int e = x1 * 4 + r, f = x7 * 4 + s, g = x1 * 4 - r, h = x7 * 4 - s;
    const int i = e * 8035 + f * 1598, j = e * 1598 - f * 8035;
    const int k = g * 4551 + h * 6811, l = g * 6811 - h * 4551;
    const int y[] = {a + d + i, b + c + l, b - c + k, a - d + j,
                     a - d - j, b - c - k, b + c - l, a + d - i};
#pragma unroll
    for (int n = 0; n < 4; n++)
        row[n] = (int)((unsigned)(y[2 * n] + 32768) >> 16 & 0xffff)
                 | (int)((unsigned)(y[2 * n + 1] + 32768) & 0xffff0000);
    __syncthreads();
    for (int n = 0; n < 4; n++) rows[4 * t + n] = s_row[t][n];
}

int main()
{
    enum { N = 32 * 4 };
    int in[N], *d;

    for (int i = 0; i < N; i++)
        in[i] = (i * 37 % 255 - 127) * 65536 + ((i * 91 % 255 - 127) & 0xffff);
    cudaMalloc(&d, sizeof in);
    cudaMemcpy(d, in, sizeof in, cudaMemcpyHostToDevice);
    turn<<<1, dim3(8, 4)>>>(d);
    cudaMemcpy(in, d, sizeof in, cudaMemcpyDeviceToHost);
    cudaFree(d);
    for (int i = 0; i < N; i++)
        printf("%d %d%c", (short)in[i], in[i] >> 16, i % 4 == 3 ? '\n' : ' ');
}
