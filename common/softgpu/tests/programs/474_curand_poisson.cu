/* SPDX-License-Identifier: MIT */
/* Poisson-distributed numbers: the host generators' are those of NVIDIA's
 * library (cuRAND 10.4, on this seed), the kernels' those of its headers; what
 * is refused. */
// flags: -lcurand
#include <curand_kernel.h>

#include "check.h"

#define RAND(call) EXPECT((call) == CURAND_STATUS_SUCCESS)

/* A digest of three calls, of which one has an odd length. */
static void digest(curandRngType_t type, double mean)
{
    static unsigned k[30000];
    unsigned long long h = 1469598103934665603ull;
    curandGenerator_t g;
    RAND(curandCreateGeneratorHost(&g, type));
    if (type < CURAND_RNG_QUASI_DEFAULT)
        RAND(curandSetPseudoRandomGeneratorSeed(g, 77));
    for (int r = 0; r < 3; r++) {
        const size_t n = r == 1 ? 777 : 30000;
        RAND(curandGeneratePoisson(g, k, n, mean));
        for (size_t j = 0; j < n; j++)
            h = (h ^ k[j]) * 1099511628211ull;
    }
    printf("%d %g %llx\n", type, mean, h);
    RAND(curandDestroyGenerator(g));
}

/* One thread: numbers of all functions, in turns. */
template <class State> __global__ void poisson(unsigned *out, double *logs)
{
    State state;
    curand_init(11, 2, 3, &state);
    for (int i = 0; i < 4; i++) {
        *out++ = curand_poisson(&state, 3.5);
        *out++ = curand_poisson(&state, 63.0);
        *out++ = curand_poisson(&state, 4500.0);
    }
    const float2 a = curand_log_normal2(&state, 0.5f, 0.25f);
    const double2 b = curand_log_normal2_double(&state, 0.5, 0.25);
    logs[0] = a.x;
    logs[1] = a.y;
    logs[2] = b.x;
    logs[3] = b.y;
}

/* Four at a time, and the sum of each four's digits. */
__global__ void fours(double *out, uint4 *k)
{
    curandStatePhilox4_32_10_t s;
    curand_init(11, 2, 47, &s);
    const double4 u = curand_uniform4_double(&s);
    const double4 n = curand_normal4_double(&s);
    const double4 l = curand_log_normal4_double(&s, 0.5, 0.25);
    const float4 f = curand_log_normal4(&s, 0.5f, 0.25f);
    k[0] = curand_poisson4(&s, 5.0);
    k[1] = curand_poisson4(&s, 5000.0);
    out[0] = u.x + u.y * 2 + u.z * 3 + u.w * 4;
    out[1] = n.x + n.y * 2 + n.z * 3 + n.w * 4;
    out[2] = l.x + l.y * 2 + l.z * 3 + l.w * 4;
    out[3] = f.x + f.y * 2 + f.z * 3 + f.w * 4;
}

/* The four numbers that the host generator gives first, and one of the next
 * subsequence. */
__global__ void discrete(curandDiscreteDistribution_t d, unsigned *out)
{
    curandStatePhilox4_32_10_t s;
    curand_init(77, 0, 0, &s);
    const uint4 k = curand_discrete4(&s, d);
    out[0] = k.x;
    out[1] = k.y;
    out[2] = k.z;
    out[3] = k.w;
    curand_init(77, 1, 0, &s);
    out[4] = curand_discrete(&s, d);
}

static void compare_discrete(double mean)
{
    unsigned *out = managed<unsigned>(5), host[5];
    curandDiscreteDistribution_t d;
    curandGenerator_t g;
    RAND(curandCreatePoissonDistribution(mean, &d));
    discrete<<<1, 1>>>(d, out);
    RUN();
    RAND(curandCreateGeneratorHost(&g, CURAND_RNG_PSEUDO_PHILOX4_32_10));
    RAND(curandSetPseudoRandomGeneratorSeed(g, 77));
    RAND(curandGeneratePoisson(g, host, 5, mean));
    for (int i = 0; i < 5; i++)
        EXPECT(out[i] == host[i]);
    printf("%u %u\n", out[0], out[4]);
    RAND(curandDestroyDistribution(d));
    RAND(curandDestroyGenerator(g));
}

template <class State> static void print(const char *name)
{
    unsigned *out = managed<unsigned>(12);
    double *logs = managed<double>(4);
    poisson<State><<<1, 1>>>(out, logs);
    RUN();
    printf("%s", name);
    for (int i = 0; i < 12; i++)
        printf(" %u", out[i]);
    printf(" %.5f %.5f %.9f %.9f\n", logs[0], logs[1], logs[2], logs[3]);
}

int main()
{
    const curandRngType_t types[] = {
        CURAND_RNG_PSEUDO_XORWOW, CURAND_RNG_PSEUDO_MRG32K3A,
        CURAND_RNG_PSEUDO_MTGP32, CURAND_RNG_PSEUDO_PHILOX4_32_10,
        CURAND_RNG_QUASI_SOBOL32, CURAND_RNG_QUASI_SOBOL64};
    for (curandRngType_t type : types)
        for (double mean : {0.5, 9.75, 12.25, 63.0, 250.0, 1000.0, 5000.0})
            digest(type, mean);
    print<curandStateXORWOW_t>("xorwow");
    print<curandStateMRG32k3a_t>("mrg32k3a");
    print<curandStatePhilox4_32_10_t>("philox");
    double *out = managed<double>(4);
    uint4 *k = managed<uint4>(2);
    fours<<<1, 1>>>(out, k);
    RUN();
    printf("%.9f %.9f %.9f %.5f\n", out[0], out[1], out[2], out[3]);
    printf("%u %u %u %u %u %u %u %u\n", k[0].x, k[0].y, k[0].z, k[0].w, k[1].x,
           k[1].y, k[1].z, k[1].w);
    compare_discrete(7);
    compare_discrete(300);

    curandGenerator_t g;
    curandDiscreteDistribution_t d;
    int major = 0;
    printf("%d", curandCreateGenerator(&g, static_cast<curandRngType_t>(120)));
    RAND(curandCreateGenerator(&g, CURAND_RNG_PSEUDO_MRG32K3A));
    printf(" %d", curandSetGeneratorOrdering(g, CURAND_ORDERING_PSEUDO_SEEDED));
    printf(" %d", curandGeneratePoisson(g, NULL, 1, 0));
    printf(" %d\n", curandCreatePoissonDistribution(400001, &d));
    RAND(curandDestroyGenerator(g));
    RAND(curandGetProperty(MAJOR_VERSION, &major));
    EXPECT(major == 10);
    return 0;
}
