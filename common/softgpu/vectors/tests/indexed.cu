/* SPDX-License-Identifier: MIT */
/* Float4 at unsigned places that two tables give, one for each two threads, the
 * other one for each second thread.  Two of them are neighbors or not, and the
 * sum of a place may wrap.  Prints a hash and the error of each case. */
#include <stdio.h>
#include <string.h>

enum { THREADS = 64, ROWS = THREADS / 2, TILES = 3, WORDS = 1024 };

/* A thread adds the float4 of a column in each tile. */
__global__ void add_tiles(const float *in, const unsigned *row,
                          const unsigned *term, float *out, int tiles)
{
    __shared__ unsigned s_term[2];
    const int t = threadIdx.x;
    const unsigned own = row[t / 2];
    float sum = 0;

    for (int tile = 0; tile < tiles; tile++) {
        if (t < 2) s_term[t] = term[t] + 8 * tile;
        __syncthreads();
        const float4 q = *(const float4 *)(in + (own + s_term[t % 2]));
        sum = sum * 0.5f + (q.x - 2 * q.y) + (q.z - 3 * q.w);
        __syncthreads();
    }
    out[t] = sum;
}

/* Tables and results, of the host and of the device. */
struct data {
    float in[WORDS], out[THREADS];
    unsigned row[ROWS], term[2];
};

/* @param in  the base, in floats from data->in on
 * @param first  the lowest entry of the first table
 * @param term  the second entry of the other one */
static void run(struct data *data, long long in, unsigned first, unsigned term)
{
    unsigned hash = 17, bits;
    cudaError_t error;

    for (int i = 0; i < ROWS; i++)
        data->row[i] = first + (unsigned)(i * 3 % 4) * 16;
    data->term[0] = 0;
    data->term[1] = term;
    add_tiles<<<1, THREADS>>>(data->in + in, data->row, data->term, data->out,
                              TILES);
    error = cudaDeviceSynchronize();
    for (int i = 0; i < THREADS && !error; i++) {
        memcpy(&bits, &data->out[i], sizeof bits);
        hash = hash * 31 + bits;
    }
    printf("%08x %s\n", hash, cudaGetErrorName(error));
}

/* An argument: the last case is misaligned, in the second thread of each two. */
int main(int count, char **)
{
    const long long whole = 1ll << 32; /* indices */
    struct data *data;

    cudaMallocManaged(&data, sizeof *data);
    for (int i = 0; i < WORDS; i++) data->in[i] = (float)(i * 7919 % 1009) / 64;
    run(data, 0, 0, 4); /* neighbors */
    run(data, 0, 0, 8);
    run(data, 0, 0, 0);
    run(data, 0, 8, -4); /* neighbors, in the other order */
    run(data, 128 - whole, -128, 4); /* large, and neighbors */
    if (count > 1)
        run(data, 0, 0, 6);
    else
        run(data, 20 - whole, -20, 4); /* the second of two wraps */
}
