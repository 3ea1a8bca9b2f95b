/* SPDX-License-Identifier: MIT */
/* Times a step and its peers alternately (A B A B) and prints a line for each
 * case and peer, with tabs between the fields:
 *
 *     case, step's microseconds, its rate, unit, peer, peer's microseconds,
 *     share (step's rate / peer's rate, median of the rounds), its spread,
 *     largest difference, "ok" or the error
 *
 * Exit status 1 when an output was wrong or a call failed. */
#include <algorithm>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench.h"

enum { MIN_ROUNDS = 5, MAX_ROUNDS = 15 };
static const float warm_ms = 200, batch_ms = 2;
static const double target_spread = 0.02, max_drift = 0.03;

/* A case with its arrays. */
struct bench {
    const struct bench_case *c;
    struct bench_size size;
    struct bench_arrays set[BENCH_SETS];
    int sets;
    int next; /* set of the next call */
    void *out[2], *workspace[2]; /* the step's, the peer's */
    cudaEvent_t begin, end;
};

/* Statistics of the rounds. */
struct result {
    double us[2]; /* medians: step, peer */
    double share, spread, drift;
};

static int fail(const char *what)
{
    fprintf(stderr, "bench: %s: %s\n", what,
            cudaGetErrorString(cudaGetLastError()));
    return 1;
}

static bool allocate(void **d_block, size_t bytes)
{
    return cudaMalloc(d_block, bytes ? bytes : 1) == cudaSuccess;
}

/* As many sets as fill four L2 caches, two at least. */
static int count_sets(const struct bench_size *size)
{
    int l2 = 0, device = 0;
    size_t bytes = 1;

    cudaGetDevice(&device);
    cudaDeviceGetAttribute(&l2, cudaDevAttrL2CacheSize, device);
    for (int i = 0; i < BENCH_INPUTS; i++)
        bytes += size->in[i];
    return (int)std::min<size_t>(
        BENCH_SETS, std::max<size_t>(2, 4 * (size_t)l2 / bytes + 1));
}

static bool prepare(struct bench *b)
{
    bool ok = true;

    bench_lab.size(b->c, &b->size);
    b->sets = count_sets(&b->size);
    for (int side = 0; side < 2; side++)
        ok = ok && allocate(&b->out[side], b->size.out)
             && allocate(&b->workspace[side], b->size.workspace);
    for (int s = 0; ok && s < b->sets; s++)
        for (int i = 0; i < BENCH_INPUTS; i++) {
            ok = ok && allocate(&b->set[s].in[i], b->size.in[i]);
            if (ok && b->size.in[i])
                bench_lab.fill(b->c, b->set[s].in[i], b->size.in[i],
                               (uint32_t)(BENCH_INPUTS * s + i + 1));
        }
    ok = ok && cudaEventCreate(&b->begin) == cudaSuccess
         && cudaEventCreate(&b->end) == cudaSuccess;
    return ok && cudaDeviceSynchronize() == cudaSuccess;
}

static void release(struct bench *b)
{
    for (int s = 0; s < b->sets; s++)
        for (int i = 0; i < BENCH_INPUTS; i++)
            cudaFree(b->set[s].in[i]);
    for (int side = 0; side < 2; side++) {
        cudaFree(b->out[side]);
        cudaFree(b->workspace[side]);
    }
    cudaEventDestroy(b->begin);
    cudaEventDestroy(b->end);
}

/* The arrays of one side's next call. */
static struct bench_arrays arrays(struct bench *b, int side)
{
    struct bench_arrays a = b->set[b->next];

    b->next = (b->next + 1) % b->sets;
    a.out = b->out[side];
    a.workspace = b->workspace[side];
    return a;
}

/* Milliseconds of `calls` in a row; negative when one failed. */
static float time_calls(struct bench *b, bench_call *call, int side, int calls)
{
    float ms = -1;
    bool ok = cudaEventRecord(b->begin, 0) == cudaSuccess;

    for (int i = 0; i < calls && ok; i++) {
        const struct bench_arrays a = arrays(b, side);

        ok = call(b->c, &a) == 0;
    }
    ok = ok && cudaEventRecord(b->end, 0) == cudaSuccess
         && cudaEventSynchronize(b->end) == cudaSuccess
         && cudaEventElapsedTime(&ms, b->begin, b->end) == cudaSuccess;
    return ok ? ms : -1;
}

static double median(double *values, int count)
{
    std::sort(values, values + count);
    return values[count / 2];
}

/* Drift of the peer's time: later rounds / earlier rounds - 1. */
static double drift_of(const double *peer, int rounds)
{
    double early = 0, late = 0;

    for (int i = 0; i < rounds / 2; i++) {
        early += peer[i];
        late += peer[rounds - 1 - i];
    }
    return early > 0 ? late / early - 1 : 1;
}

/* Rounds until the ratio is steady.  @return false when a call failed */
static bool measure(struct bench *b, int index, struct result *r)
{
    bench_call *const call[2] = {bench_lab.step, bench_lab.peer[index].run};
    double us[2][MAX_ROUNDS], ratio[MAX_ROUNDS], sorted[MAX_ROUNDS];
    int calls[2], rounds = 0;
    float warm = 0;

    for (int side = 0; side < 2; side++) { /* the first call is not timed */
        float ms = time_calls(b, call[side], side, 1);

        ms = ms < 0 ? ms : time_calls(b, call[side], side, 2) / 2;
        if (ms < 0) return false;
        calls[side] = 1 + (int)(batch_ms / std::max(ms, 1e-3f));
    }
    while (warm < warm_ms) {
        float ms = time_calls(b, call[warm > 100], warm > 100,
                              calls[warm > 100]);

        if (ms < 0) return false;
        warm += std::max(ms, 0.1f);
    }
    do {
        for (int side = 0; side < 2; side++) {
            float ms = time_calls(b, call[side], side, calls[side]);

            if (ms < 0) return false;
            us[side][rounds] = 1e3 * (double)ms / calls[side];
        }
        ratio[rounds] = us[1][rounds] / b->size.peer[index]
                        / (us[0][rounds] / b->size.units);
        rounds++;
        memcpy(sorted, ratio, sizeof sorted);
        r->share = median(sorted, rounds);
        r->spread = (sorted[rounds - 1] - sorted[0]) / r->share / 2;
    } while (rounds < MIN_ROUNDS
             || (rounds < MAX_ROUNDS && r->spread > target_spread));
    r->drift = drift_of(us[1], rounds);
    for (int side = 0; side < 2; side++)
        r->us[side] = median(us[side], rounds);
    return true;
}

/* Compare the outputs of both sides for the same inputs. */
static bool compare(struct bench *b, double *difference)
{
    struct bench_arrays got = b->set[0], answer = b->set[0];

    got.out = b->out[0], got.workspace = b->workspace[0];
    answer.out = b->out[1], answer.workspace = b->workspace[1];
    cudaMemset(got.out, 0xff, b->size.out);
    if (bench_lab.step(b->c, &got) || bench_lab.peer[0].run(b->c, &answer)
        || cudaDeviceSynchronize() != cudaSuccess)
        return false;
    *difference = bench_lab.difference(b->c, &got, &answer);
    return true;
}

static void print(const struct bench *b, int index, const struct result *r,
                  double difference)
{
    const char scales[] = "kMGT", *at = strchr(scales, bench_lab.unit[0]);
    const double scale = pow(1000, at - scales - 1); /* of units by us */
    const char *word = !(difference <= bench_lab.tolerance) ? "WRONG"
                       : r->drift > max_drift || r->drift < -max_drift
                           ? "unsteady"
                           : "ok";

    printf("%s\t%.2f\t%.1f\t%s\t%s\t%.2f\t%.3f\t%.3f\t%.1e\t%s\n", b->c->name,
           r->us[0], b->size.units / r->us[0] / scale, bench_lab.unit,
           bench_lab.peer[index].name, r->us[1], r->share, r->spread,
           difference, word);
    fflush(stdout);
}

static int run_case(const struct bench_case *c)
{
    struct bench b = {};
    struct result r = {};
    double difference = 1;
    int failed;

    b.c = c;
    failed = prepare(&b) ? 0 : fail(c->name);
    failed = failed || compare(&b, &difference) ? failed : fail("a call");
    for (int i = 0; i < BENCH_PEERS && bench_lab.peer[i].name && !failed; i++) {
        failed = measure(&b, i, &r) ? 0 : fail(bench_lab.peer[i].name);
        if (!failed)
            print(&b, i, &r, difference);
    }
    release(&b);
    return failed || !(difference <= bench_lab.tolerance);
}

int bench_copy(const struct bench_case *c, const struct bench_arrays *a)
{
    struct bench_size size = {};

    bench_lab.size(c, &size);
    return cudaMemcpyAsync(a->out, a->in[0], size.in[0],
                           cudaMemcpyDeviceToDevice, 0);
}

/* bench [SHRINK]: all cases, with m and n divided by SHRINK */
int main(int argc, char **argv)
{
    const size_t shrink = argc > 1 ? strtoul(argv[1], NULL, 10) : 1;
    int failed = 0;

    for (int i = 0; bench_lab.cases[i].name; i++) {
        struct bench_case c = bench_lab.cases[i];

        c.m /= shrink;
        c.n /= shrink;
        failed |= run_case(&c);
    }
    return failed;
}
