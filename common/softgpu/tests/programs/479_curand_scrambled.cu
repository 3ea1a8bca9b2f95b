/* SPDX-License-Identifier: MIT */
/* Scrambled Sobol sequences, whose points are not those of a card: each power
 * of two of points of a dimension has one in each interval of that width, an
 * integral converges as with plain points, and kernels get the points of the
 * host generators from the library's vectors and constants. */
// flags: -lcurand
#include <cmath>
#include <curand_kernel.h>
#include <vector>

#include "check.h"

#define RAND(call) EXPECT((call) == CURAND_STATUS_SUCCESS)

enum { DIMENSIONS = 161, POINTS = 4096, INNER = 6 };

/* Points of all dimensions from a point on, in units of 2^-32. */
static std::vector<unsigned> points(curandRngType_t type, unsigned first)
{
    const size_t n = static_cast<size_t>(DIMENSIONS) * POINTS;
    std::vector<unsigned> h(n);
    std::vector<unsigned long long> wide(n);
    curandGenerator_t g;
    RAND(curandCreateGeneratorHost(&g, type));
    RAND(curandSetQuasiRandomGeneratorDimensions(g, DIMENSIONS));
    RAND(curandSetGeneratorOffset(g, first));
    if (type == CURAND_RNG_QUASI_SCRAMBLED_SOBOL64
        || type == CURAND_RNG_QUASI_SOBOL64) {
        RAND(curandGenerateLongLong(g, wide.data(), n));
        for (size_t i = 0; i < n; i++)
            h[i] = static_cast<unsigned>(wide[i] >> 32);
    } else
        RAND(curandGenerate(g, h.data(), n));
    RAND(curandDestroyGenerator(g));
    return h;
}

/* Blocks of 2^m points, in any dimension, of which two share an interval of
 * 2^-m. */
static int crowded(const std::vector<unsigned> &h)
{
    int count = 0;
    for (int m = 1; m <= 12; m++)
        for (size_t first = 0; first < h.size(); first += 1u << m) {
            std::vector<char> taken(1u << m);
            bool twice = false;
            for (size_t i = first; i < first + (1u << m); i++) {
                char &t = taken[h[i] >> (32 - m)];
                twice |= t;
                t = 1;
            }
            count += twice;
        }
    return count;
}

/* How far the mean of a product over INNER dimensions is from 1. */
static double error(const std::vector<unsigned> &h)
{
    double sum = 0;
    for (int i = 0; i < POINTS; i++) {
        double product = 1;
        for (int d = 0; d < INNER; d++)
            product *= (fabs(4 * ((h[d * POINTS + i] + 0.5) * 0x1p-32) - 2) + d)
                       / (1 + d);
        sum += product;
    }
    return fabs(sum / POINTS - 1);
}

static void report(const char *name, curandRngType_t type)
{
    const std::vector<unsigned> h = points(type, 0), plain =
        points(CURAND_RNG_QUASI_SOBOL32, 0);
    int shifted = 0; /* dimensions that are not only a shift of the plain one */
    for (int d = 0; d < DIMENSIONS; d++)
        for (int i = 1; i < POINTS; i++)
            if ((h[d * POINTS + i] ^ h[d * POINTS])
                != (plain[d * POINTS + i] ^ plain[d * POINTS])) {
                shifted++;
                break;
            }
    printf("%s: %d blocks crowded, error %s, %d dimensions scrambled\n", name,
           crowded(h), error(h) < 0.002 ? "below 0.002" : "large", shifted);
}

/* Thread d: point 1001 of dimension d, and one skipped to. */
template <class State, class Word, int bits>
__global__ void kernel(Word (*vectors)[bits], Word *constants, Word *out)
{
    const int d = threadIdx.x;
    State state, other;
    curand_init(vectors[d], constants[d], 1000u, &state);
    curand_init(vectors[d], constants[d], 0u, &other);
    curand(&state);
    out[2 * d] = curand(&state);
    skipahead(1002u, &other);
    out[2 * d + 1] = curand(&other);
}

/* A copy in device memory. */
template <class T> static T *sent(const T *host, size_t n)
{
    T *device;
    OK(cudaMalloc(&device, n * sizeof *device));
    OK(cudaMemcpy(device, host, n * sizeof *device, cudaMemcpyHostToDevice));
    return device;
}

/* Are the kernel's points, shifted to 32 bits, the host generator's? */
template <class State, class Word, int bits>
static void compare(Word (*vectors)[bits], Word *constants,
                    curandRngType_t type)
{
    Word (*d_vectors)[bits] = sent(vectors, DIMENSIONS);
    Word *d_constants = sent(constants, DIMENSIONS);
    Word *out = managed<Word>(2 * DIMENSIONS);
    kernel<State, Word, bits><<<1, DIMENSIONS>>>(d_vectors, d_constants, out);
    RUN();
    const std::vector<unsigned> h = points(type, 1001);
    int wrong = 0;
    for (int d = 0; d < DIMENSIONS; d++)
        for (int i = 0; i < 2; i++)
            wrong += static_cast<unsigned>(out[2 * d + i] >> (bits - 32))
                     != h[d * POINTS + i];
    printf("kernel, %d bits: %d wrong\n", bits, wrong);
    OK(cudaFree(d_vectors));
    OK(cudaFree(d_constants));
}

int main()
{
    curandDirectionVectors32_t *vectors;
    curandDirectionVectors64_t *wide;
    unsigned *constants;
    unsigned long long *wide_constants;
    report("plain", CURAND_RNG_QUASI_SOBOL32);
    report("scrambled", CURAND_RNG_QUASI_SCRAMBLED_SOBOL32);
    report("scrambled, 64 bits", CURAND_RNG_QUASI_SCRAMBLED_SOBOL64);
    std::vector<unsigned> h = points(CURAND_RNG_QUASI_SCRAMBLED_SOBOL32, 0);
    h[POINTS + 5] ^= 1u << 31; /* a near miss, which all 12 sizes must notice */
    printf("one point moved: %d blocks crowded\n", crowded(h));
    RAND(curandGetDirectionVectors32(
        &vectors, CURAND_SCRAMBLED_DIRECTION_VECTORS_32_JOEKUO6));
    RAND(curandGetDirectionVectors64(
        &wide, CURAND_SCRAMBLED_DIRECTION_VECTORS_64_JOEKUO6));
    RAND(curandGetScrambleConstants32(&constants));
    RAND(curandGetScrambleConstants64(&wide_constants));
    compare<curandStateScrambledSobol32_t>(vectors, constants,
                                           CURAND_RNG_QUASI_SCRAMBLED_SOBOL32);
    compare<curandStateScrambledSobol64_t>(wide, wide_constants,
                                           CURAND_RNG_QUASI_SCRAMBLED_SOBOL64);
    printf("%d %d\n",
           curandGetDirectionVectors32(
               &vectors, CURAND_SCRAMBLED_DIRECTION_VECTORS_64_JOEKUO6),
           curandGetScrambleConstants32(nullptr));
    return 0;
}
