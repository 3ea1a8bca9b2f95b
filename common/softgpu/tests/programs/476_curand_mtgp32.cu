/* SPDX-License-Identifier: MIT */
/* MTGP32 in kernels: a block's threads get the numbers that the host generator
 * gives a block, which NVIDIA's library prints too; with fewer threads the same
 * sequence goes on; all kinds of numbers. */
// flags: -lcurand
#include <curand_kernel.h>
#include <curand_mtgp32_host.h>
#include <curand_mtgp32dc_p_11213.h>

#include <vector>

#include "check.h"

#define RAND(call) EXPECT((call) == CURAND_STATUS_SUCCESS)

enum { BLOCKS = 3, THREADS = 256, TURNS = 5 };

/* Block b: TURNS numbers a thread, in the order of the host generator. */
__global__ void bits(curandStateMtgp32_t *states, unsigned *out)
{
    const int i = blockIdx.x * THREADS + threadIdx.x;
    for (int k = 0; k < TURNS; k++)
        out[k * BLOCKS * THREADS + i] = curand(&states[blockIdx.x]);
}

/* The same by places: 255 of the first turn, and the next 100 in 2-D. */
__global__ void places(curandStateMtgp32_t *state, unsigned *out)
{
    out[threadIdx.x] = curand_mtgp32_specific(state, threadIdx.x, 255);
}

/* The next numbers, by the threads of a block of two dimensions. */
__global__ void flat(curandStateMtgp32_t *state, unsigned *out)
{
    const int i = threadIdx.y * blockDim.x + threadIdx.x;
    out[i] = curand(state);
}

/* Thread i: a number of each kind. */
__global__ void kinds(curandStateMtgp32_t *state,
                      curandDiscreteDistribution_t d, double *out)
{
    double *to = out + 9 * threadIdx.x;
    to[0] = curand_uniform(state);
    to[1] = curand_uniform_double(state);
    to[2] = curand_normal(state);
    to[3] = curand_normal_double(state);
    to[4] = curand_log_normal(state, 0.5f, 0.25f);
    to[5] = curand_log_normal_double(state, 0.5, 0.25);
    to[6] = curand_poisson(state, 40.0);
    to[7] = curand_discrete(state, d);
    to[8] = curand_mtgp32_single(state);
    to[8] += curand_mtgp32_single_specific(state, threadIdx.x, blockDim.x);
}

/* The words of n turns of one block, of a host generator in legacy order. */
static void host_words(unsigned long long seed, std::vector<unsigned> &words)
{
    curandGenerator_t g;
    const size_t stride = 64 * THREADS;
    std::vector<unsigned> all(stride * TURNS);
    RAND(curandCreateGeneratorHost(&g, CURAND_RNG_PSEUDO_MTGP32));
    RAND(curandSetGeneratorOrdering(g, CURAND_ORDERING_PSEUDO_LEGACY));
    RAND(curandSetPseudoRandomGeneratorSeed(g, seed));
    RAND(curandGenerate(g, all.data(), all.size()));
    for (int k = 0; k < TURNS; k++)
        words.insert(words.end(), all.begin() + k * stride,
                     all.begin() + k * stride + BLOCKS * THREADS);
    RAND(curandDestroyGenerator(g));
}

int main()
{
    const unsigned long long seed = 0x500000007ull;
    const int n = BLOCKS * THREADS * TURNS;
    mtgp32_kernel_params_t *params;
    curandStateMtgp32_t *states;
    curandDiscreteDistribution_t d;
    std::vector<unsigned> words;
    unsigned *out = managed<unsigned>(n);
    double *values = managed<double>(9 * 2);
    OK(cudaMalloc(&params, sizeof *params));
    OK(cudaMalloc(&states, BLOCKS * sizeof *states));
    RAND(curandMakeMTGP32Constants(mtgp32dc_params_fast_11213, params));
    RAND(curandMakeMTGP32KernelState(states, mtgp32dc_params_fast_11213, params,
                                     BLOCKS, seed));
    bits<<<BLOCKS, THREADS>>>(states, out);
    RUN();
    host_words(seed, words);
    int wrong = 0;
    unsigned sum = 0;
    for (int i = 0; i < n; i++) {
        wrong += out[i] != words[i];
        sum = sum * 31 + out[i];
    }
    printf("%d sets, %d wrong, %u %u, digest %u\n", mtgpdc_params_11213_num,
           wrong, out[0], out[n - 1], sum);

    RAND(curandMakeMTGP32KernelState(states, mtgp32dc_params_fast_11213, params,
                                     1, seed));
    places<<<1, 255>>>(states, out);
    RUN();
    flat<<<1, dim3(10, 10)>>>(states, out + 255);
    RUN();
    wrong = 0; /* a turn of 256 words of block 0, then of the next turn */
    for (int i = 0; i < 355; i++)
        wrong += out[i] != words[i < 256 ? i
                                         : BLOCKS * THREADS + i - 256];
    printf("by places: %d wrong\n", wrong);

    RAND(curandCreatePoissonDistribution(7, &d));
    kinds<<<1, 2>>>(states, d, values);
    RUN();
    for (int i = 0; i < 18; i++)
        printf("%.6f%c", values[i], i % 9 == 8 ? '\n' : ' ');
    RAND(curandDestroyDistribution(d));
    OK(cudaFree(states));
    OK(cudaFree(params));
    return 0;
}
