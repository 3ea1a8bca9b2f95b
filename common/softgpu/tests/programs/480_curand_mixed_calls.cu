/* SPDX-License-Identifier: MIT */
/* Integers and doubles of one Philox generator in turns, past all its 65,536
 * subsequences: each counts on as many groups of four as it has given.
 * NVIDIA's library (cuRAND 10.4) printed the same. */
// flags: -lcurand
#include <curand.h>
#include <vector>

#include "check.h"

#define RAND(call) EXPECT((call) == CURAND_STATUS_SUCCESS)

static unsigned long long hash = 1469598103934665603ull;

static void integers(curandGenerator_t g, size_t n)
{
    std::vector<unsigned> h(n);
    RAND(curandGenerate(g, h.data(), n));
    for (unsigned x : h)
        hash = (hash ^ x) * 1099511628211ull;
    printf("%u %u\n", h[0], h[n - 1]);
}

static void doubles(curandGenerator_t g, size_t n)
{
    std::vector<double> h(n);
    RAND(curandGenerateUniformDouble(g, h.data(), n));
    for (double x : h)
        hash = (hash ^ static_cast<unsigned long long>(x * 0x1p53))
               * 1099511628211ull;
    printf("%.17f %.17f\n", h[0], h[n - 1]);
}

int main()
{
    curandGenerator_t g;
    RAND(curandCreateGeneratorHost(&g, CURAND_RNG_PSEUDO_PHILOX4_32_10));
    RAND(curandSetPseudoRandomGeneratorSeed(g, 1234));
    RAND(curandSetGeneratorOffset(g, 5));
    integers(g, 262144);
    doubles(g, 300002);
    integers(g, 3);
    doubles(g, 262144);
    integers(g, 300000);
    printf("%llx\n", hash);
    RAND(curandDestroyGenerator(g));
    return 0;
}
