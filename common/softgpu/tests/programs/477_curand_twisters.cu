/* SPDX-License-Identifier: MIT */
/* cuRAND's host API: MTGP32, MT19937 and the seeded order of XORWOW, all kinds
 * of numbers in one sequence and in calls of odd lengths; orders and offsets
 * that a generator does not have.  NVIDIA's library (cuRAND 10.4) printed the
 * same. */
// flags: -lcurand
#include <cmath>
#include <curand.h>
#include <vector>

#include "check.h"

#define RAND(call) EXPECT((call) == CURAND_STATUS_SUCCESS)

static curandGenerator_t make(curandRngType_t type, curandOrdering_t order,
                              unsigned long long seed)
{
    curandGenerator_t g;
    RAND(curandCreateGeneratorHost(&g, type));
    RAND(curandSetGeneratorOrdering(g, order));
    RAND(curandSetPseudoRandomGeneratorSeed(g, seed));
    return g;
}

/* FNV-1a over the bytes of a result. */
static unsigned long long hash = 1469598103934665603ull;
template <class T> static void digest(const std::vector<T> &v)
{
    const unsigned char *p = reinterpret_cast<const unsigned char *>(v.data());
    for (size_t i = 0; i < v.size() * sizeof(T); i++)
        hash = (hash ^ p[i]) * 1099511628211ull;
}

/* Integers in three calls, of which the last passes all subsequences once. */
static void bits(curandRngType_t type, curandOrdering_t order,
                 unsigned long long seed, size_t n)
{
    curandGenerator_t g = make(type, order, seed);
    std::vector<unsigned> h;
    hash = 1469598103934665603ull;
    for (size_t count : {size_t(5), size_t(1021), n}) {
        h.resize(count);
        RAND(curandGenerate(g, h.data(), count));
        digest(h);
    }
    printf("%d %d: %u %u, %llx\n", type, order, h[0], h[n - 1], hash);
    RAND(curandDestroyGenerator(g));
}

/* The seeded order begins behind an offset. */
static void seeded(unsigned long long offset)
{
    curandGenerator_t g = make(CURAND_RNG_PSEUDO_XORWOW,
                               CURAND_ORDERING_PSEUDO_SEEDED, 0x500000007ull);
    std::vector<unsigned> h(20001);
    RAND(curandSetGeneratorOffset(g, offset));
    RAND(curandGenerate(g, h.data(), h.size()));
    hash = 1469598103934665603ull;
    digest(h);
    printf("seeded from %llu: %u %u, %llx\n", offset, h[0], h[20000], hash);
    RAND(curandDestroyGenerator(g));
}

/* Uniform and Poisson-distributed numbers, exactly; of normal ones the sums of
 * three odd calls, which go on in the sequence. */
static void kinds(curandRngType_t type)
{
    curandGenerator_t g = make(type, CURAND_ORDERING_PSEUDO_DEFAULT, 1234);
    const size_t n = 1333;
    std::vector<float> f(n);
    std::vector<double> d(n);
    std::vector<unsigned> k(n);
    double sum = 0, squares = 0, logs = 0;
    hash = 1469598103934665603ull;
    RAND(curandGenerateUniform(g, f.data(), n));
    digest(f);
    RAND(curandGenerateUniformDouble(g, d.data(), n));
    digest(d);
    for (double mean : {0.5, 7.0, 31.5, 32.0, 500.0, 1999.0}) {
        RAND(curandGeneratePoisson(g, k.data(), n, mean));
        digest(k);
    }
    RAND(curandGenerateNormal(g, f.data(), n, 1, 2));
    for (float x : f)
        sum += x;
    RAND(curandGenerateNormalDouble(g, d.data(), n, 1, 2));
    for (double x : d)
        squares += x * x;
    RAND(curandGenerateLogNormalDouble(g, d.data(), n, 1, 0.5));
    for (double x : d)
        logs += x;
    RAND(curandGenerate(g, k.data(), n));
    digest(k);
    printf("%d: %llx, sums %.3f %.3f %.3f\n", type, hash, sum, squares, logs);
    RAND(curandDestroyGenerator(g));
}

/* Statuses of orders, offsets and lengths. */
static void statuses()
{
    for (curandRngType_t type :
         {CURAND_RNG_PSEUDO_XORWOW, CURAND_RNG_PSEUDO_MRG32K3A,
          CURAND_RNG_PSEUDO_MTGP32, CURAND_RNG_PSEUDO_MT19937,
          CURAND_RNG_PSEUDO_PHILOX4_32_10, CURAND_RNG_QUASI_SOBOL32}) {
        curandGenerator_t g;
        RAND(curandCreateGeneratorHost(&g, type));
        printf("%d:", type);
        for (int order = 100; order < 105; order++)
            printf(" %d", curandSetGeneratorOrdering(
                              g, static_cast<curandOrdering_t>(order)));
        printf(" %d, offset %d, 64 bits %d\n",
               curandSetGeneratorOrdering(g, CURAND_ORDERING_QUASI_DEFAULT),
               curandSetGeneratorOffset(g, 1),
               curandGenerateLongLong(g, nullptr, 1));
        RAND(curandDestroyGenerator(g));
    }
}

int main()
{
    const curandOrdering_t usual = CURAND_ORDERING_PSEUDO_DEFAULT;
    bits(CURAND_RNG_PSEUDO_MTGP32, usual, 1234, 200000);
    bits(CURAND_RNG_PSEUDO_MTGP32, CURAND_ORDERING_PSEUDO_LEGACY,
         0x500000007ull, 70000);
    bits(CURAND_RNG_PSEUDO_MT19937, usual, 0x500000007ull, 9001);
    seeded(0);
    seeded(5001);
    kinds(CURAND_RNG_PSEUDO_MTGP32);
    kinds(CURAND_RNG_PSEUDO_MT19937);
    statuses();
    return 0;
}
