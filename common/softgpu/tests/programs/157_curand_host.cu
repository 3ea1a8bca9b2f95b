/* SPDX-License-Identifier: MIT */
/* The cuRAND host API: ranges, moments and reproducible sequences. */
#include "check.h"
#include <cmath>
#include <curand.h>

int main()
{
    const int n = 20000;
    float *d, h[3][n];
    double sum = 0, squares = 0;
    curandGenerator_t generator;
    OK(cudaMalloc(&d, n * sizeof(float)));
    EXPECT(!curandCreateGenerator(&generator, CURAND_RNG_PSEUDO_DEFAULT));
    EXPECT(!curandSetPseudoRandomGeneratorSeed(generator, 42));
    for (int round = 0; round < 2; round++) {
        EXPECT(!curandGenerateUniform(generator, d, n));
        OK(cudaMemcpy(h[round], d, sizeof h[0], cudaMemcpyDeviceToHost));
    }
    EXPECT(!curandSetPseudoRandomGeneratorSeed(generator, 42));
    EXPECT(!curandSetGeneratorOffset(generator, 0));
    EXPECT(!curandGenerateUniform(generator, d, n));
    OK(cudaMemcpy(h[2], d, sizeof h[0], cudaMemcpyDeviceToHost));
    int same = 0, again = 0;
    for (int i = 0; i < n; i++) {
        EXPECT(h[0][i] > 0 && h[0][i] <= 1);
        sum += h[0][i];
        same += h[0][i] == h[1][i];
        again += h[0][i] == h[2][i];
    }
    EXPECT(fabs(sum / n - 0.5) < 0.02 && same < 100);
    EXPECT(!curandGenerateNormal(generator, d, n, 3.0f, 2.0f));
    OK(cudaMemcpy(h[1], d, sizeof h[1], cudaMemcpyDeviceToHost));
    sum = 0;
    for (int i = 0; i < n; i++) {
        sum += h[1][i];
        squares += (h[1][i] - 3) * (h[1][i] - 3);
    }
    EXPECT(fabs(sum / n - 3) < 0.1 && fabs(squares / n - 4) < 0.3);
    EXPECT(!curandDestroyGenerator(generator));
    printf("%d again\n", again);
    OK(cudaFree(d));
    return 0;
}
