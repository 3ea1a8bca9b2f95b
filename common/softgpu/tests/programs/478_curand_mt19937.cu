/* SPDX-License-Identifier: MIT */
/* MT19937 past all its 8192 subsequences and past 624 words of the first ones:
 * NVIDIA's library (cuRAND 10.4) printed the same.  The first numbers come from
 * the C++ library's generator in another order. */
// flags: -lcurand
#include <curand.h>
#include <random>
#include <vector>

#include "check.h"

#define RAND(call) EXPECT((call) == CURAND_STATUS_SUCCESS)

int main()
{
    const size_t round = 8192 * 8, rounds = 80;
    std::vector<unsigned> h(round * rounds + 3);
    unsigned long long hash = 1469598103934665603ull;
    unsigned sum = 0, same = 0;
    curandGenerator_t g;
    RAND(curandCreateGeneratorHost(&g, CURAND_RNG_PSEUDO_MT19937));
    RAND(curandSetPseudoRandomGeneratorSeed(g, 1234));
    RAND(curandGenerate(g, h.data(), h.size()));
    for (unsigned x : h)
        hash = (hash ^ x) * 1099511628211ull;

    /* The first subsequence is the sequence: 624 numbers in 78 rounds. */
    for (size_t r = 0; r < 78; r++)
        for (size_t j = 0; j < 8; j++)
            sum += h[r * round + j];
    std::mt19937 standard(1234);
    for (int i = 0; i < 624; i++) {
        const unsigned x = standard();
        sum -= x;
        for (size_t r = 0; r < 78; r++)
            for (size_t j = 0; j < 8; j++)
                same += h[r * round + j] == x;
    }
    printf("%u %u %u, %llx\n", h[0], h[round - 1], h[h.size() - 1], hash);
    printf("of the standard's 624: %u, sums differ by %u\n", same, sum);
    RAND(curandDestroyGenerator(g));
    return 0;
}
