/* SPDX-License-Identifier: MIT */
/* Words and float4 of places that a table names: neighbors, parts of two or
 * more lines, some of which end where memory ends, and any places.  Prints a
 * hash of each kernel's results. */
#include <cuda_pipeline.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { THREADS = 64, TERMS = 6, TILES = 5, N = 4096, SIDE = 4 };

/* The places of a row are what a thread has and an offset that all share. */
__global__ void by_offset(const float *in, const unsigned *place,
                          const unsigned *offset, float *out)
{
    const unsigned own = place[threadIdx.x];
    const int own_signed = (int)own;
    float sum = 0;

#pragma unroll
    for (int k = 0; k < TERMS; k++) {
        sum += in[own + offset[k]];
        sum -= 3 * in[own_signed + (int)offset[k + 1]];
        if (threadIdx.x % 5 < 4) sum += 5 * in[own + offset[k + 2]];
    }
    out[threadIdx.x] = sum;
}

/* The places of a row differ by thread in both parts. */
__global__ void by_two(const float *in, const unsigned *place,
                       const unsigned *offset, float *out)
{
    const int t = threadIdx.x;
    float sum = 0;

    __syncthreads(); /* long enough for vectors */
#pragma unroll
    for (int k = 0; k < TERMS; k++)
        sum += in[place[t / 8 * 8] + offset[t % 8] + offset[k]] * (k + 1);
    out[t] = sum;
}

/* Tiles of float4 by a table: transposed in shared memory, and copied. */
__global__ void tiles(const float *in, const unsigned *place, float *out)
{
    __shared__ __align__(16) float s_a[2 * SIDE][THREADS / 2 + SIDE];
    __shared__ float4 s_b[THREADS];
    const unsigned t = threadIdx.x;
    float sum = 0;

    for (int k = 0; k < TILES; k++) {
        const unsigned at = place[t] / 4 * 4 + k * 128;
        const float4 q = *(const float4 *)(in + at);
        const float part[SIDE] = {q.x, q.y, q.z, q.w};
        for (int j = 0; j < SIDE; j++)
            s_a[t % 2 * SIDE + j][t / 2] = part[j];
        __pipeline_memcpy_async(&s_b[t], in + at + 4, sizeof(float4));
        __pipeline_commit();
        __pipeline_wait_prior(0);
        __syncthreads();
        for (int j = 0; j < 2 * SIDE; j++)
            sum += s_a[j][(t + j) % (THREADS / 2)] * s_b[(t + j) % THREADS].y;
        __syncthreads();
    }
    out[t] = sum;
}

/* Terms of a few rows, stored as columns: of the threads of a row, two are
 * neighbors there. */
__global__ void pairs(const float *in, float *out)
{
    __shared__ float s[8][THREADS + 4], s_half[4][THREADS + 4];
    const int t = threadIdx.x;

    for (int i = 0; i < 8; i++)
        s[t % 8][t / 8 + i * 8] = in[t * 8 + i];
    for (int i = 0; i < 4; i++)
        s_half[t % 4][t / 4 + i * 16] = in[t + i];
    __syncthreads();
    for (int i = 0; i < 8; i++)
        out[i * THREADS + t] = s[i][t] + 3 * s_half[i / 2][t ^ i];
}

static float *in, *out;
static unsigned *place, *offset;

static void print(const char *name, int way, int n)
{
    unsigned hash = 17, bits;

    if (cudaDeviceSynchronize() != cudaSuccess) puts("an error");
    for (int i = 0; i < n; i++) {
        memcpy(&bits, &out[i], sizeof bits);
        hash = hash * 31 + bits;
    }
    printf("%s %d: %08x\n", name, way, hash);
}

/* Where thread t loads. */
static unsigned place_of(int way, int t)
{
    switch (way) {
    case 0: return t;                                 /* neighbors */
    case 1: return t / 14 * 16 + t % 14;              /* lines of 14 */
    case 2: return t / 28 * 64 + t % 28 / 4 * 2       /* windows of 2 x 2 */
                   + t % 4 / 2 * 30 + t % 2;
    case 3: return t / 8 * 100 + t % 8;               /* eight of a place */
    case 4: return t / 8 * 100 + t % 8 + t % 8 / 5 * 3; /* with a gap */
    case 5: return 500 - t;                           /* backwards */
    case 6: return t / 16 * 77 + t % 16 * 16 % 19;    /* in any order */
    case 7: return t * 397 % 1021;                    /* anywhere */
    case 8: return t / 4 * 64 + t % 4 * 4;            /* four float4 */
    case 9: return t / 2 * 40 + t % 2 * 4;            /* two float4 */
    case 10: return t * 4;                            /* float4 */
    default: return t / 3 * 32 + t % 3 * 4;           /* three float4 */
    }
}

/* The last words of memory: a page after them cannot be read. */
static void at_the_end(void)
{
    const size_t page = (size_t)sysconf(_SC_PAGESIZE);
    char *memory = (char *)mmap(NULL, 2 * page, PROT_READ | PROT_WRITE,
                                MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    float *const words = (float *)memory;
    const unsigned count = (unsigned)(page / sizeof(float));

    for (unsigned i = 0; i < count; i++) words[i] = in[i];
    mprotect(memory + page, page, PROT_NONE);
    for (int i = 0; i < 8 + TERMS; i++) offset[i] = i % 8;
    for (int way = 0; way < 4; way++) {
        for (int t = 0; t < THREADS; t++)
            place[t] = way == 0   ? count - 8 - THREADS + t
                       : way == 1 ? count - 24 + t / 14 * 3 + t % 4
                       : way == 2 ? count - 16 - t % 16 / 12
                                  : t / 16 * 16 + t % 8 / 4 * (count - 300);
        by_offset<<<1, THREADS>>>(words, place, offset, out);
        print("by_offset at the end", way, THREADS);
        for (int t = 0; t < THREADS; t++) place[t] = count - 15 - t % 3;
        by_two<<<1, THREADS>>>(words, place, offset, out);
        print("by_two at the end", way, THREADS);
    }
    munmap(memory, 2 * page);
}

int main(void)
{
    cudaMallocManaged(&in, N * sizeof *in);
    cudaMallocManaged(&out, THREADS * 8 * sizeof *out);
    cudaMallocManaged(&place, THREADS * sizeof *place);
    cudaMallocManaged(&offset, (8 + TERMS) * sizeof *offset);
    for (int i = 0; i < N; i++) in[i] = (float)(i * 7919 % 1009) / 1009;
    for (int way = 0; way < 12; way++) {
        for (int t = 0; t < THREADS; t++) place[t] = place_of(way, t);
        for (int i = 0; i < 8 + TERMS; i++)
            offset[i] = way % 3 == 0 ? i : way % 3 == 1 ? i * 5 : i * i;
        by_offset<<<1, THREADS>>>(in, place, offset, out);
        print("by_offset", way, THREADS);
        for (int t = 0; t < THREADS; t++) place[t] -= 3;
        for (int i = 0; i < 8 + TERMS; i++) offset[i] += 3;
        by_offset<<<1, THREADS>>>(in, place, offset, out);
        print("by_offset that wraps", way, THREADS);
        for (int t = 0; t < THREADS; t++) place[t] += 3;
        by_two<<<1, THREADS>>>(in, place, offset, out);
        print("by_two", way, THREADS);
        tiles<<<1, THREADS>>>(in, place, out);
        print("tiles", way, THREADS);
    }
    pairs<<<1, THREADS>>>(in, out);
    print("pairs", 0, THREADS * 8);
    at_the_end();
    return 0;
}
