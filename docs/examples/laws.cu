/* SPDX-License-Identifier: MIT */
/** @file
 *  A program for each law of the book's last chapter whose number no lab
 *  prints: build with `softcc --profile`.
 *
 *  laws copy N T    N blocks of T threads copy 16 MiB
 *  laws blocks N    N blocks with the same work each
 *  laws half        2,048 + 1 in halves, in bfloat16 and in floats
 *  laws ring        all devices add their gradients: SOFTGPU_DEVICES=4
 *  laws pipeline M  three stages work on M parts of a batch
 */
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MIB = 1 << 20, LENET = 61706, STAGES = 3 };

/** A grid-stride loop copies n times 16 bytes; requests are coalesced. */
__global__ void copy(const float4 *in, float4 *out, size_t n)
{
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;

    for (; i < n; i += (size_t)gridDim.x * blockDim.x) out[i] = in[i];
}

/** A thread does a fixed number of multiply-adds: each block the same work. */
__global__ void work(float *data, int rounds)
{
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    float x = data[i];

    for (int k = 0; k < rounds; k++) x = x * 0.5f + 1.0f;
    data[i] = x;
}

/** Add 1 to 2,048 in three types. */
__global__ void add_one(float *sum)
{
    sum[0] = __half2float(__hadd(__float2half(2048), __float2half(1)));
    sum[1] = __bfloat162float(
        __hadd(__float2bfloat16(2048), __float2bfloat16(1)));
    sum[2] = 2048.0f + 1.0f;
}

/** Add a part of a neighbor's gradients to one's own. */
__global__ void add_part(float *own, const float *received, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;

    if (i < n) own[i] += received[i];
}

static void run_copy(int blocks, int threads)
{
    char *d_data;

    cudaMalloc(&d_data, 32 * MIB);
    cudaMemset(d_data, 0, 32 * MIB);
    copy<<<blocks, threads>>>((float4 *)d_data, (float4 *)(d_data + 16 * MIB),
                              MIB);
}

static void run_blocks(int blocks)
{
    float *d_data;

    cudaMalloc(&d_data, (size_t)blocks * 256 * 4);
    cudaMemset(d_data, 0, (size_t)blocks * 256 * 4);
    work<<<blocks, 256>>>(d_data, 200);
}

static void run_half(void)
{
    float *d_sum, h_sum[3];

    cudaMalloc(&d_sum, sizeof h_sum);
    add_one<<<1, 1>>>(d_sum);
    cudaMemcpy(h_sum, d_sum, sizeof h_sum, cudaMemcpyDeviceToHost);
    printf("2048 + 1 is %g in halves, %g in bfloat16, %g in floats\n", h_sum[0],
           h_sum[1], h_sum[2]);
}

/** A device's gradients, and what its neighbor sent. */
struct member {
    float *d_gradient, *d_received;
    long sent; /* bytes */
};

/* Send part k of device i to its neighbor, which adds it or takes it over. */
static void send_part(struct member *m, int i, int devices, int k, bool add)
{
    int to = (i + 1) % devices;
    long begin = (long)LENET * k / devices;
    int n = (int)((long)LENET * (k + 1) / devices - begin);
    float *own = m[to].d_gradient + begin;

    cudaMemcpyPeer(add ? m[to].d_received : own, to, m[i].d_gradient + begin, i,
                   (size_t)n * 4);
    m[i].sent += 4l * n;
    cudaSetDevice(to);
    if (add) add_part<<<(n + 255) / 256, 256>>>(own, m[to].d_received, n);
    cudaDeviceSynchronize();
}

static int run_ring(void)
{
    int devices = 0;
    struct member m[16] = {};
    float *h_one = (float *)malloc(LENET * 4);
    long most = 0;
    int wrong = 0;

    cudaGetDeviceCount(&devices);
    for (int i = 0; i < devices; i++) {
        cudaSetDevice(i);
        cudaMalloc(&m[i].d_gradient, LENET * 4);
        cudaMalloc(&m[i].d_received, LENET * 4);
        for (int k = 0; k < LENET; k++) h_one[k] = (float)(i + 1);
        cudaMemcpy(m[i].d_gradient, h_one, LENET * 4, cudaMemcpyHostToDevice);
    }
    /* Once around the sums are formed, once around they are passed on. */
    for (int round = 0; round < 2 * (devices - 1); round++)
        for (int i = 0; i < devices; i++)
            send_part(m, i, devices, (i - round + 2 * devices) % devices,
                      round < devices - 1);
    for (int i = 0; i < devices; i++) {
        cudaSetDevice(i);
        cudaMemcpy(h_one, m[i].d_gradient, LENET * 4, cudaMemcpyDeviceToHost);
        for (int k = 0; k < LENET; k++)
            wrong += h_one[k] != devices * (devices + 1) / 2;
        if (m[i].sent > most) most = m[i].sent;
    }
    printf("%d devices, %d bytes of gradients: a device sends at most %ld "
           "bytes; %d sums are wrong\n", devices, 4 * LENET, most, wrong);
    free(h_one);
    return wrong > 0;
}

/* A part goes through the stages; each stage takes one part at a time. */
static void run_pipeline(int parts)
{
    cudaStream_t stage[STAGES];
    cudaEvent_t done;
    float *d_data, result;

    cudaMalloc(&d_data, STAGES * sizeof(float));
    cudaMemset(d_data, 0, STAGES * sizeof(float));
    for (int s = 0; s < STAGES; s++) cudaStreamCreate(&stage[s]);
    for (int part = 0; part < parts; part++)
        for (int s = 0; s < STAGES; s++) {
            if (s) cudaStreamWaitEvent(stage[s], done, 0);
            work<<<1, 1, 0, stage[s]>>>(d_data + s, 100000);
            cudaEventCreate(&done);
            cudaEventRecord(done, stage[s]);
        }
    cudaDeviceSynchronize();
    cudaMemcpy(&result, d_data, sizeof result, cudaMemcpyDeviceToHost);
}

int main(int words, char **word)
{
    const char *law = words > 1 ? word[1] : "";
    int n = words > 2 ? atoi(word[2]) : 1, status = 0;

    if (!strcmp(law, "copy")) run_copy(n, words > 3 ? atoi(word[3]) : 256);
    else if (!strcmp(law, "blocks")) run_blocks(n);
    else if (!strcmp(law, "half")) run_half();
    else if (!strcmp(law, "ring")) status = run_ring();
    else if (!strcmp(law, "pipeline")) run_pipeline(n);
    else status = 2;
    return cudaDeviceSynchronize() ? 1 : status;
}
