/* SPDX-License-Identifier: MIT */
/* Mean, variance and skewness of curand_poisson() from 64 to 4000: those of a
 * Poisson distribution, which is not a rounded normal one.  The headers of
 * cuRAND's parts can be included by themselves. */
// flags: -lcurand
#include <curand_discrete2.h>
#include <curand_mrg32k3a.h>
#include <curand_normal_static.h>
#include <curand_precalc.h>

#include "check.h"

enum { THREADS = 256, BLOCKS = 16, EACH = 64, N = THREADS * BLOCKS * EACH };

/* A number each. */
template <class State> __global__ void draw(unsigned *out, double mean)
{
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    State state;

    curand_init(2024, i, 0, &state);
    for (int k = 0; k < EACH; k++)
        out[k * THREADS * BLOCKS + i] = curand_poisson(&state, mean);
}

/* Four at once. */
__global__ void draw_four(uint4 *out, double mean)
{
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    curandStatePhilox4_32_10_t state;

    curand_init(2025, i, 0, &state);
    for (int k = 0; k < EACH / 4; k++)
        out[k * THREADS * BLOCKS + i] = curand_poisson4(&state, mean);
}

/* Five standard errors. */
static void expect_poisson(const unsigned *x, double mean)
{
    const double n = N, deviation = sqrt(mean);
    double sum = 0, squares = 0, cubes = 0;

    for (int i = 0; i < N; i++) {
        const double d = x[i] - mean;
        sum += d;
        squares += d * d;
        cubes += d * d * d;
    }
    EXPECT(fabs(sum / n) < 5 * deviation / sqrt(n));
    EXPECT(fabs(squares / n / mean - 1) < 5 * sqrt(2 / n));
    EXPECT(fabs(cubes / n / (mean * deviation) - 1 / deviation)
           < 5 * sqrt(15 / n));
}

int main()
{
    unsigned *out = managed<unsigned>(N);

    for (double mean : {64.0, 90.5, 400.0, 4000.0}) {
        draw<curandStateXORWOW_t><<<BLOCKS, THREADS>>>(out, mean);
        RUN();
        expect_poisson(out, mean);
    }
    draw<curandStateMRG32k3a_t><<<BLOCKS, THREADS>>>(out, 64);
    RUN();
    expect_poisson(out, 64);
    draw_four<<<BLOCKS, THREADS>>>((uint4 *)out, 64);
    RUN();
    expect_poisson(out, 64);
    printf("done\n");
    return 0;
}
