/* SPDX-License-Identifier: MIT */
/* Ranks the modeled times of the published ladders: reads the reports of the
 * profiled programs, FOLDER/NAME.json, models each step for two cards and
 * prints it beside the published value.  Usage: rank FOLDER [NAME...] */
#include <jansson.h>
#include <stdio.h>
#include <string.h>

#include "common/softgpu/profile/profile.h"
#include "published.h"

/* of a ladder that may be graded by time */
#define MIN_RANK_CORRELATION 0.9
enum { CARDS = 2 };
static const char *const cards[CARDS] = {"h200", "a100"};

/** A ladder and the reports of its program. */
struct reports {
    const struct published_ladder *ladder;
    json_t *report, *deep_report; /* the second may be NULL */
};

static uint64_t json_uint(const json_t *object, const char *key)
{
    return (uint64_t)json_integer_value(json_object_get(object, key));
}

static dim3 json_dim3(const json_t *array)
{
    return (dim3){(unsigned)json_integer_value(json_array_get(array, 0)),
                  (unsigned)json_integer_value(json_array_get(array, 1)),
                  (unsigned)json_integer_value(json_array_get(array, 2))};
}

/* The kernel of a report with `block_ratio` times as many blocks. */
static struct kernel_profile kernel_of(const json_t *report, int block_ratio,
                                       int registers)
{
    const int measured =
        json_is_true(json_object_get(report, "registers_measured"));
    struct kernel_profile k = {
        .name = json_string_value(json_object_get(report, "name")),
        .launches = json_uint(report, "launches"),
        .block = json_dim3(json_object_get(report, "block")),
        .blocks = json_uint(report, "blocks") * (uint64_t)block_ratio,
        .blocks_watched = json_uint(report, "blocks_watched"),
        .static_shared = (uint32_t)json_uint(report, "static_shared"),
        .dynamic_shared = (uint32_t)json_uint(report, "dynamic_shared"),
        .registers = measured || !registers
                         ? (uint32_t)json_uint(report, "registers")
                         : (uint32_t)registers};
#define X(name, metric, words) k.total.name = json_uint(report, #name);
    SOFTGPU_COUNTERS(X)
#undef X
    return k;
}

/* Extrapolate the counters linearly in a block's depth, from two reports. */
static void extrapolate_depth(struct kernel_profile *k,
                              const json_t *deep_report, int times)
{
    size_t i;
    json_t *kernel;
    json_array_foreach(json_object_get(deep_report, "kernels"), i, kernel)
        if (strcmp(json_string_value(json_object_get(kernel, "name")), k->name)
            == 0) {
#define X(name, metric, words) \
    k->total.name +=           \
        (json_uint(kernel, #name) - k->total.name) * (uint64_t)times;
            SOFTGPU_COUNTERS(X)
#undef X
        }
}

/* Modeled time of all kernels of a step in us; limiter of the longest. */
static double step_us(const struct reports *r,
                      const struct published_step *step, const char *card,
                      const char **limiter)
{
    double sum = 0, longest = 0;
    size_t i;
    json_t *kernel;
    json_array_foreach(json_object_get(r->report, "kernels"), i, kernel) {
        struct kernel_profile k =
            kernel_of(kernel, r->ladder->block_ratio, step->registers);
        if (strncmp(k.name, step->kernel, strlen(step->kernel)) != 0)
            continue;
        extrapolate_depth(&k, r->deep_report, r->ladder->depth_ratio);
        model_kernel(softgpu_find_card(card), &k);
        sum += k.model.us;
        if (k.model.us > longest)
            *limiter = k.model.limiter;
        longest = k.model.us > longest ? k.model.us : longest;
    }
    return sum;
}

/* Spearman's rank correlation of times with the order slowest to fastest. */
static double spearman(const double *us, int n)
{
    double squares = 0;
    for (int i = 0; i < n; i++) {
        double rank = 0.5; /* equal times share a rank */
        for (int j = 0; j < n; j++)
            rank += us[j] > us[i] ? 1 : us[j] == us[i] ? 0.5 : 0;
        squares += (rank - 1 - i) * (rank - 1 - i);
    }
    return 1 - 6 * squares / (n * ((double)n * n - 1));
}

static void print_step(const struct published_step *step, const double *us,
                       const char *const *limiter)
{
    printf("  %-12s", step->kernel);
    if (step->published_value)
        printf("%10.6g", step->published_value);
    else
        printf("%10s", "-");
    for (int c = 0; c < CARDS; c++)
        printf("%12.1f  %-8s", us[c], limiter[c]);
    printf("\n");
}

/* Published speedup of step b over step a; 0 if unknown. */
static double published_speedup(const struct published_ladder *l, int a, int b)
{
    const double x = l->steps[a].published_value,
                 y = l->steps[b].published_value;
    if (!x || !y)
        return 0;
    return strstr(l->unit, "/s") ? y / x : x / y;
}

/* Steps that a grade by time can distinguish: each at least 1.3 times as fast
 * as the one before it, as published and as modeled on every card. */
static void print_gradable_steps(const struct published_ladder *l,
                                 double us[CARDS][LADDER_STEPS], int n)
{
    int last = 0;
    printf("  fit for graded time; steps 1.3x apart in both:");
    for (int i = 0; i < n; i++) {
        int apart =
            l->steps[i].published_value && published_speedup(l, last, i) >= 1.3;
        for (int c = 0; c < CARDS; c++)
            apart = apart && us[c][last] / us[c][i] >= 1.3;
        if (!apart && i)
            continue;
        printf(" %s", strrchr(l->steps[i].kernel, '_') + 1);
        last = i;
    }
    printf("\n\n");
}

static void print_head(const struct published_ladder *l)
{
    printf("%s, modeled at %s\n  published: %s\n  %-12s%10s", l->name,
           l->size, l->source, "step", l->unit);
    for (int c = 0; c < CARDS; c++)
        printf("%9s us%10s", cards[c], "");
    printf("\n");
}

/* Print a ladder.  @return 1 when a step is missing from the report */
static int rank(const struct reports *r)
{
    const struct published_ladder *l = r->ladder;
    double us[CARDS][LADDER_STEPS], least = 1;
    int n = 0;
    print_head(l);
    for (; n < LADDER_STEPS && l->steps[n].kernel; n++) {
        const char *limiter[CARDS] = {"", ""};
        double now[CARDS];
        for (int c = 0; c < CARDS; c++)
            us[c][n] = now[c] = step_us(r, &l->steps[n], cards[c], &limiter[c]);
        if (now[0] == 0) {
            fprintf(stderr, "rank: %s.json has no %s\n", l->name,
                    l->steps[n].kernel);
            return 1;
        }
        print_step(&l->steps[n], now, limiter);
    }
    printf("  %-22s", "Spearman");
    for (int c = 0; c < CARDS; c++) {
        const double rho = spearman(us[c], n);
        least = rho < least ? rho : least;
        printf("%12.2f%10s", rho, "");
    }
    printf("\n");
    if (least >= MIN_RANK_CORRELATION)
        print_gradable_steps(l, us, n);
    else
        printf("  not fit for graded time\n\n");
    return 0;
}

/* Is the ladder selected by name, or are no names given? */
static int is_wanted(const char *name, char **names)
{
    if (!*names)
        return 1;
    while (*names && strcmp(*names, name) != 0)
        names++;
    return *names != NULL;
}

/* A report, or NULL when it cannot be read. */
static json_t *load(const char *folder, const char *name, const char *end)
{
    char path[4096];
    json_error_t error;
    snprintf(path, sizeof path, "%s/%s%s.json", folder, name, end);
    json_t *report = json_load_file(path, 0, &error);
    if (!report)
        fprintf(stderr, "rank: %s: %s\n", path, error.text);
    return report;
}

/* Load a ladder's reports and rank it.  @return 1 when it cannot be */
static int load_and_rank(const struct published_ladder *l, const char *folder)
{
    struct reports r = {l, load(folder, l->name, ""), NULL};
    if (l->depth_ratio)
        r.deep_report = load(folder, l->name, "_deeper");
    const int failed =
        !r.report || (l->depth_ratio && !r.deep_report) || rank(&r);
    json_decref(r.report);
    json_decref(r.deep_report);
    return failed;
}

int main(int argc, char **argv)
{
    if (argc < 2) {
        fprintf(stderr, "usage: rank FOLDER [NAME...]\n");
        return 2;
    }
    int failed = 0;
    for (const struct published_ladder *l = published_ladders; l->name; l++)
        if (is_wanted(l->name, argv + 2))
            failed |= load_and_rank(l, argv[1]);
    return failed;
}
