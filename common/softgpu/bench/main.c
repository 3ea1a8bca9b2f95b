/* SPDX-License-Identifier: MIT */
/* Times the software GPU and plain C in alternating runs (A B A B) and prints
 * one table: throughputs, their ratio, the target, and the spread.
 *
 *      bench            the table; exit 1 when an output is wrong
 *      bench NAME       one row's median nanoseconds on the soft device: what
 *                       `run` compares between one and two OS threads
 *
 * BENCH_CPU=1: measures the process's CPU time divided by its OS threads
 * instead of elapsed time, for a machine under other load.
 */
#define _GNU_SOURCE
#include <cuda_runtime_api.h>
#include <math.h>
#include <omp.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "bench.h"

enum { ROUNDS = 7, WARM_NS = 200000000 };

/* The reference for the soft device's throughput or time. */
enum compared_with { PLAIN_RATE, NAIVE_RATE, RATE, TIME };

struct row {
    const char *name;
    void (*soft)(const struct bench_data *);
    void (*plain)(const struct bench_data *);
    double units;     /* of work in one run */
    const char *unit; /* "G x/s" for rates, "ns/x" for times */
    enum compared_with compared_with;
    double target;
    int outputs;      /* floats that are compared */
};

#define ROW(name, ...) {#name, soft_##name, plain_##name, __VA_ARGS__}
static const struct row rows[] = {
    ROW(vector_add, VECTOR_N, "ns/thread", PLAIN_RATE, 0.9, VECTOR_N),
    ROW(gemm_naive, 134217728.0, "G MAC/s", PLAIN_RATE, 0.9, GEMM_N *GEMM_N),
    ROW(gemm_tiled, 134217728.0, "G MAC/s", NAIVE_RATE, 1.0, GEMM_N *GEMM_N),
    ROW(gemm_blocked, 1073741824.0, "G MAC/s", NAIVE_RATE, 7.0,
        BLOCKED_N *BLOCKED_N),
    ROW(reduce_tree, VECTOR_N, "ns/thread", TIME, 40, VECTOR_N / BLOCK),
    ROW(reduce_shuffle, VECTOR_N, "ns/thread", TIME, 50, VECTOR_N / BLOCK),
    ROW(convolution, 25.0 * IMAGE_N * IMAGE_N, "G MAC/s", RATE, 0.6,
        IMAGE_N *IMAGE_N),
    ROW(histogram, VECTOR_N, "ns/byte", TIME, 4, BINS),
    ROW(barrier, (double)BARRIER_BLOCKS *BLOCK *BARRIERS, "ns/thread", TIME,
        10, BARRIER_BLOCKS *BLOCK),
};
enum { ROWS = sizeof rows / sizeof rows[0] };

static int cpu_threads; /* 0: measure elapsed time */

static double now_ns(void)
{
    struct timespec t;
    clock_gettime(cpu_threads ? CLOCK_PROCESS_CPUTIME_ID : CLOCK_MONOTONIC,
                  &t);
    const double ns = (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
    return cpu_threads ? ns / cpu_threads : ns;
}

static double time_one(void (*f)(const struct bench_data *),
                       const struct bench_data *w)
{
    const double start = now_ns();
    f(w);
    cudaDeviceSynchronize();
    return now_ns() - start;
}

static int compare_times(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Median of the rounds; *spread: half the interquartile range over it. */
static double median(double *times, double *spread)
{
    qsort(times, ROUNDS, sizeof *times, compare_times);
    *spread = (times[ROUNDS * 3 / 4] - times[ROUNDS / 4]) / 2
              / times[ROUNDS / 2];
    return times[ROUNDS / 2];
}

static bool outputs_match(const struct row *row, const float *a, const float *b)
{
    for (int i = 0; i < row->outputs; i++)
        if (!(fabsf(a[i] - b[i]) <= 1e-3f * (1 + fabsf(b[i])))) {
            fprintf(stderr, "bench: %s: [%d] is %g, should be %g\n", row->name,
                    i, (double)a[i], (double)b[i]);
            return false;
        }
    return true;
}

/* --- the table ----------------------------------------------------------- */

static bool is_rate(const struct row *row)
{
    return row->unit[0] == 'G';
}

static double value(const struct row *row, double ns)
{
    return is_rate(row) ? row->units / ns : ns / row->units;
}

static void print_row(const struct row *row, double soft, double plain,
                      double spread, double naive_rate)
{
    const double rate = row->units / soft;
    const double x = row->compared_with == PLAIN_RATE   ? plain / soft
                     : row->compared_with == NAIVE_RATE ? rate / naive_rate
                                                  : value(row, soft);
    const bool met =
        row->compared_with == TIME ? x <= row->target : x >= row->target;
    static const char *const words[] = {">= %g x plain", ">= %g x naive",
                                        ">= %g", "<= %g"};
    char target[32];
    snprintf(target, sizeof target, words[row->compared_with], row->target);
    printf("%-15s %8.3f %8.3f %-10s %7.2f %5.1f%%  %-14s %7.2f %s\n",
           row->name, value(row, soft), value(row, plain), row->unit,
           plain / soft, 100 * spread, target, x, met ? "met" : "MISSED");
}

static bool run_row(const struct row *row, struct bench_data *soft,
                    struct bench_data *plain, double *naive_rate)
{
    double soft_ns[ROUNDS], plain_ns[ROUNDS], spread, ignored;
    const double start = now_ns();
    do
        time_one(row->soft, soft);
    while (now_ns() - start < WARM_NS);
    for (int i = 0; i < ROUNDS; i++) {
        soft_ns[i] = time_one(row->soft, soft);
        plain_ns[i] = time_one(row->plain, plain);
    }
    const double ns = median(soft_ns, &spread);
    if (row->soft == soft_gemm_naive)
        *naive_rate = row->units / ns;
    print_row(row, ns, median(plain_ns, &ignored), spread, *naive_rate);
    fflush(stdout);
    return outputs_match(row, soft->out, plain->out);
}

static int print_table(struct bench_data *soft, struct bench_data *plain)
{
    double naive_rate = 0;
    bool right = true;
    printf("%-15s %8s %8s %-10s %7s %6s  %-14s %7s\n", "kernel", "soft",
           "plain C", cpu_threads ? "by CPU" : "", "ratio", "spread",
           "target", "value");
    for (int i = 0; i < ROWS; i++)
        right &= run_row(&rows[i], soft, plain, &naive_rate);
    return !right;
}

static int one_row(const char *name, struct bench_data *w)
{
    double times[ROUNDS], spread;
    for (int i = 0; i < ROWS; i++) {
        if (strcmp(rows[i].name, name))
            continue;
        for (int k = 0; k < ROUNDS; k++)
            times[k] = time_one(rows[i].soft, w);
        printf("%.0f\n", median(times, &spread));
        return 0;
    }
    fprintf(stderr, "bench: no row %s\n", name);
    return 2;
}

/* --- inputs -------------------------------------------------------------- */

static void *managed(size_t bytes)
{
    void *p;
    if (cudaMallocManaged(&p, bytes, cudaMemAttachGlobal) != cudaSuccess) {
        fprintf(stderr, "bench: no memory\n");
        exit(2);
    }
    return p;
}

static float *random_floats(void)
{
    float *p = managed(VECTOR_N * sizeof *p);
    for (int i = 0; i < VECTOR_N; i++)
        p[i] = (float)rand() / (float)RAND_MAX;
    return p;
}

static unsigned char *random_bytes(void)
{
    unsigned char *p = managed(VECTOR_N);
    for (int i = 0; i < VECTOR_N; i++)
        p[i] = (unsigned char)(rand() >> 8);
    return p;
}

int main(int argc, char **argv)
{
    if (getenv("BENCH_CPU"))
        cpu_threads = omp_get_max_threads();
    srand(1);
    struct bench_data soft = {random_floats(), random_floats(), random_bytes(),
                        managed(VECTOR_N * sizeof(float))};
    struct bench_data plain = soft;
    plain.out = managed(VECTOR_N * sizeof(float));
    memset(soft.out, 0, VECTOR_N * sizeof(float));
    memset(plain.out, 0, VECTOR_N * sizeof(float));
    const int status =
        argc > 1 ? one_row(argv[1], &soft) : print_table(&soft, &plain);
    const void *all[] = {soft.a, soft.b, soft.bytes, soft.out, plain.out};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        cudaFree((void *)all[i]);
    return status;
}
