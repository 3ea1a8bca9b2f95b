/* SPDX-License-Identifier: MIT */
/* MRG32k3a and Sobol sequences in kernels: the numbers of their host
 * generators, by subsequence, offset and dimension; scrambled points; skipping
 * ahead. */
// flags: -lcurand
#include "check.h"
#include <cmath>
#include <curand_kernel.h>

/* Thread i: numbers of subsequence i, from i on. */
__global__ void mrg(unsigned *bits, double *uniform)
{
    const int i = threadIdx.x;
    curandStateMRG32k3a state, other;
    curand_init(0, i, i, &state);
    curand_init(0, 0, 0, &other);
    skipahead_subsequence(i, &other);
    skipahead(i, &other);
    bits[i] = curand(&state);
    uniform[i] = curand_uniform_double(&state);
    curand(&other);
    if (uniform[i] != curand_uniform_double(&other))
        printf("skipahead differs\n");
}

/* Thread i: five points of dimension i from point 7 on, in all forms. */
template <class State, class Vectors, class... Scramble>
__global__ void points(Vectors *vectors, double *out, Scramble... c)
{
    const int i = threadIdx.x;
    State state, copy;
    curand_init(vectors[i], c..., 7, &state);
    curand_init(vectors[i], c..., 0, &copy);
    skipahead(8, &copy);
    double *to = out + 5 * i;
    to[0] = curand_uniform_double(&state);
    to[1] = curand_uniform(&state);
    if (curand_uniform(&copy) != static_cast<float>(to[1]))
        printf("skipahead differs\n");
    to[2] = curand_normal_double(&state);
    to[3] = curand_poisson(&state, 10.0);
    to[4] = static_cast<double>(curand(&state));
}

static void print(const char *name, const double *out)
{
    RUN();
    printf("%s\n", name);
    for (int i = 0; i < 10; i++)
        printf("%.7f%c", out[i], i % 5 == 4 ? '\n' : ' ');
}

int main()
{
    unsigned *bits = managed<unsigned>(3);
    double *out = managed<double>(10);
    mrg<<<1, 3>>>(bits, out);
    RUN();
    for (int i = 0; i < 3; i++)
        printf("%u %.9f\n", bits[i], out[i]);

    curandDirectionVectors32_t *host, *v32;
    curandDirectionVectors64_t *host64, *v64;
    const curandDirectionVectorSet_t set = CURAND_DIRECTION_VECTORS_32_JOEKUO6;
    EXPECT(!curandGetDirectionVectors32(&host, set));
    EXPECT(!curandGetDirectionVectors64(&host64,
                                        CURAND_DIRECTION_VECTORS_64_JOEKUO6));
    OK(cudaMalloc(&v32, 2 * sizeof *v32));
    OK(cudaMalloc(&v64, 2 * sizeof *v64));
    OK(cudaMemcpy(v32, host + 2, 2 * sizeof *v32, cudaMemcpyHostToDevice));
    OK(cudaMemcpy(v64, host64 + 2, 2 * sizeof *v64, cudaMemcpyHostToDevice));
    points<curandStateSobol32_t><<<1, 2>>>(v32, out);
    print("sobol32", out);
    points<curandStateScrambledSobol32_t><<<1, 2>>>(v32, out, 0x12345678u);
    print("scrambled", out);
    points<curandStateSobol64_t><<<1, 2>>>(v64, out);
    print("sobol64", out);
    points<curandStateScrambledSobol64_t><<<1, 2>>>(v64, out,
                                                    0x123456789abcdefull);
    print("scrambled 64", out);
    OK(cudaFree(v32));
    OK(cudaFree(v64));
    return 0;
}
