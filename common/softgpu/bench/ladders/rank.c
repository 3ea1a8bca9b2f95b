/* SPDX-License-Identifier: MIT */
/* How the modelled times of the published ladders rank: reads the reports of
 * the profiled programs, FOLDER/NAME.json, models each step for two cards and
 * prints it beside what was published.  Usage: rank FOLDER [NAME...] */
#include <jansson.h>
#include <stdio.h>
#include <string.h>

#include "../../profile/profile.h"
#include "published.h"

#define FIT 0.9 /* least rank correlation of a ladder graded by time */
enum { CARDS = 2 };
static const char *const cards[CARDS] = {"h200", "a100"};

/** A ladder and the reports of its program. */
struct reports {
    const struct published_ladder *ladder;
    json_t *report, *deeper; /* the second NULL without one */
};

static uint64_t whole(const json_t *object, const char *key)
{
    return (uint64_t)json_integer_value(json_object_get(object, key));
}

static dim3 shape(const json_t *array)
{
    return (dim3){(unsigned)json_integer_value(json_array_get(array, 0)),
                  (unsigned)json_integer_value(json_array_get(array, 1)),
                  (unsigned)json_integer_value(json_array_get(array, 2))};
}

/* The kernel as it was run, but with `grow` times as many blocks. */
static struct kernel_profile kernel_of(const json_t *report, int grow,
                                       int registers)
{
    const int measured =
        json_is_true(json_object_get(report, "registers_measured"));
    struct kernel_profile k = {
        .name = json_string_value(json_object_get(report, "name")),
        .launches = whole(report, "launches"),
        .block = shape(json_object_get(report, "block")),
        .blocks = whole(report, "blocks") * (uint64_t)grow,
        .blocks_watched = whole(report, "blocks_watched"),
        .static_shared = (uint32_t)whole(report, "static_shared"),
        .dynamic_shared = (uint32_t)whole(report, "dynamic_shared"),
        .registers = measured || !registers
                         ? (uint32_t)whole(report, "registers")
                         : (uint32_t)registers};
#define X(name, metric, words) k.total.name = whole(report, #name);
    SOFTGPU_COUNTERS(X)
#undef X
    return k;
}

/* What is counted grows with a block's depth in a straight line: two reports
 * give it. */
static void deepen(struct kernel_profile *k, const json_t *deeper, int times)
{
    size_t i;
    json_t *kernel;
    json_array_foreach(json_object_get(deeper, "kernels"), i, kernel)
        if (strcmp(json_string_value(json_object_get(kernel, "name")), k->name)
            == 0) {
#define X(name, metric, words) \
    k->total.name +=           \
        (whole(kernel, #name) - k->total.name) * (uint64_t)times;
            SOFTGPU_COUNTERS(X)
#undef X
        }
}

/* Microseconds of all kernels of a step; the longest one's limiter. */
static double step_us(const struct reports *r,
                      const struct published_step *step, const char *card,
                      const char **limiter)
{
    double sum = 0, longest = 0;
    size_t i;
    json_t *kernel;
    json_array_foreach(json_object_get(r->report, "kernels"), i, kernel) {
        struct kernel_profile k =
            kernel_of(kernel, r->ladder->grow, step->registers);
        if (strncmp(k.name, step->kernel, strlen(step->kernel)) != 0)
            continue;
        deepen(&k, r->deeper, r->ladder->deeper);
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
        double rank = 0.5; /* equal times share their ranks */
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
    if (step->figure)
        printf("%10.6g", step->figure);
    else
        printf("%10s", "-");
    for (int c = 0; c < CARDS; c++)
        printf("%12.1f  %-8s", us[c], limiter[c]);
    printf("\n");
}

/* How much faster step b was than a, as published; 0 where nobody says. */
static double published_gain(const struct published_ladder *l, int a, int b)
{
    const double x = l->steps[a].figure, y = l->steps[b].figure;
    if (!x || !y)
        return 0;
    return strstr(l->unit, "/s") ? y / x : x / y;
}

/* Steps that a grade by time may tell apart: each at least 1.3 times as fast
 * as the one before it, as published and on every card modelled. */
static void print_steps_apart(const struct published_ladder *l,
                              double us[CARDS][LADDER_STEPS], int n)
{
    int last = 0;
    printf("  fit for graded time; steps 1.3x apart in both:");
    for (int i = 0; i < n; i++) {
        int apart = l->steps[i].figure && published_gain(l, last, i) >= 1.3;
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
    printf("%s, modelled at %s\n  published: %s\n  %-12s%10s", l->name,
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
    if (least >= FIT)
        print_steps_apart(l, us, n);
    else
        printf("  not fit for graded time\n\n");
    return 0;
}

/* Is the ladder one of those named, or is none? */
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
    if (l->deeper)
        r.deeper = load(folder, l->name, "_deeper");
    const int failed = !r.report || (l->deeper && !r.deeper) || rank(&r);
    json_decref(r.report);
    json_decref(r.deeper);
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
