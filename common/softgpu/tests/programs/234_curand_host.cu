/* SPDX-License-Identifier: MIT */
/* cuRAND's host API: each generator's integers in cuRAND's order, after a seed
 * and an offset, in one call and in two; Sobol points of several dimensions, in
 * host and device memory; what cuRAND refuses.  NVIDIA's library printed the
 * same. */
// flags: -lcurand
#include "check.h"
#include <cmath>
#include <curand.h>
#include <vector>

#define RAND(call)                                                       \
    do {                                                                 \
        int status_ = (call);                                            \
        if (status_)                                                     \
            printf("line %d: %s: %d\n", __LINE__, #call, status_);       \
    } while (0)

/* A digest of 100,000 integers that come in two calls. */
static void bits(const char *name, curandRngType_t type,
                 unsigned long long seed, unsigned long long offset)
{
    const size_t n = 100000, first = 33333;
    std::vector<unsigned> h(n);
    curandGenerator_t g;
    RAND(curandCreateGeneratorHost(&g, type));
    RAND(curandSetPseudoRandomGeneratorSeed(g, seed));
    RAND(curandSetGeneratorOffset(g, offset));
    RAND(curandGenerate(g, h.data(), first));
    RAND(curandGenerate(g, h.data() + first, n - first));
    unsigned sum = 0;
    for (unsigned x : h)
        sum = sum * 31 + x;
    printf("%s: %u %u, last %u, digest %u\n", name, h[0], h[1], h[n - 1], sum);
    RAND(curandDestroyGenerator(g));
}

/* A seed begins the sequence again, also in the middle of a group. */
static void again()
{
    unsigned first[5], second[5];
    curandGenerator_t g;
    RAND(curandCreateGeneratorHost(&g, CURAND_RNG_PSEUDO_PHILOX4_32_10));
    RAND(curandSetPseudoRandomGeneratorSeed(g, 7));
    RAND(curandGenerate(g, first, 5));
    RAND(curandSetPseudoRandomGeneratorSeed(g, 7));
    RAND(curandGenerate(g, second, 5));
    for (int i = 0; i < 5; i++)
        EXPECT(first[i] == second[i]);
    RAND(curandDestroyGenerator(g));
}

/* Points of three dimensions in device memory, doubles and normal numbers. */
static void sobol()
{
    const int n = 9;
    unsigned *d;
    double *normal;
    curandGenerator_t g;
    OK(cudaMallocManaged(&d, n * sizeof *d));
    OK(cudaMallocManaged(&normal, 2 * n * sizeof *normal));
    RAND(curandCreateGenerator(&g, CURAND_RNG_QUASI_SOBOL32));
    RAND(curandSetQuasiRandomGeneratorDimensions(g, 3));
    RAND(curandSetGeneratorOffset(g, 1));
    RAND(curandGenerate(g, d, n));
    RAND(curandGenerateNormalDouble(g, normal, n, 0, 1));
    RAND(curandSetQuasiRandomGeneratorDimensions(g, 161));
    printf("sobol32:");
    for (int i = 0; i < n; i++)
        printf(" %.4f", d[i] * 0x1p-32);
    printf("\nnormal: %.6f %.6f\n", normal[0], normal[n - 1]);
    OK(cudaFree(normal));
    OK(cudaFree(d));
    RAND(curandDestroyGenerator(g));
}

/* The sum over the last of 161 dimensions of 64 bits. */
static void sobol64()
{
    std::vector<unsigned long long> h(161 * 4);
    curandGenerator_t g;
    RAND(curandCreateGeneratorHost(&g, CURAND_RNG_QUASI_SOBOL64));
    RAND(curandSetQuasiRandomGeneratorDimensions(g, 161));
    RAND(curandSetGeneratorOffset(g, 12345));
    RAND(curandGenerateLongLong(g, h.data(), h.size()));
    printf("sobol64: %llu %llu %llu\n", h[0], h[7], h[h.size() - 1]);
    RAND(curandDestroyGenerator(g));
}

/* Means of the distributions. */
static void moments()
{
    const int n = 20000;
    std::vector<float> f(n);
    std::vector<unsigned> k(n);
    double sum = 0, log_sum = 0;
    curandGenerator_t g;
    RAND(curandCreateGeneratorHost(&g, CURAND_RNG_PSEUDO_MRG32K3A));
    RAND(curandGeneratePoisson(g, k.data(), n, 7));
    RAND(curandGenerateLogNormal(g, f.data(), n, 0, 0.5f));
    for (int i = 0; i < n; i++)
        sum += k[i], log_sum += f[i];
    EXPECT(fabs(sum / n - 7) < 0.1);
    EXPECT(fabs(log_sum / n - exp(0.125)) < 0.05);
    RAND(curandDestroyGenerator(g));
}

/* Arguments that a card's library refuses too. */
static void refused()
{
    unsigned word = 0;
    float f[3];
    unsigned long long wide;
    curandGenerator_t x, s;
    RAND(curandCreateGeneratorHost(&x, CURAND_RNG_PSEUDO_DEFAULT));
    RAND(curandCreateGeneratorHost(&s, CURAND_RNG_QUASI_SOBOL32));
    RAND(curandSetQuasiRandomGeneratorDimensions(s, 3));
    printf("%d", curandSetQuasiRandomGeneratorDimensions(x, 2));
    printf(" %d", curandSetQuasiRandomGeneratorDimensions(s, 0));
    printf(" %d", curandSetQuasiRandomGeneratorDimensions(s, 20001));
    printf(" %d", curandSetPseudoRandomGeneratorSeed(s, 1));
    printf(" %d", curandGenerateNormal(x, f, 3, 0, 1));
    printf(" %d", curandGenerate(s, &word, 1));
    printf(" %d", curandGenerateLongLong(x, &wide, 1));
    printf(" %d", curandGeneratePoisson(x, &word, 1, 0));
    printf(" %d\n", curandCreateGeneratorHost(&s, (curandRngType_t)120));
    RAND(curandDestroyGenerator(x));
    RAND(curandDestroyGenerator(s));
}

int main()
{
    bits("xorwow", CURAND_RNG_PSEUDO_XORWOW, 1234, 0);
    bits("xorwow", CURAND_RNG_PSEUDO_XORWOW, 0x123456789abcull, 100001);
    bits("mrg32k3a", CURAND_RNG_PSEUDO_MRG32K3A, 0, 0);
    bits("mrg32k3a", CURAND_RNG_PSEUDO_MRG32K3A, 1234, 5);
    bits("philox", CURAND_RNG_PSEUDO_PHILOX4_32_10, 1234, 300001);
    again();
    sobol();
    sobol64();
    moments();
    refused();
    return 0;
}
