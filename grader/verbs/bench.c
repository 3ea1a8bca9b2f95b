/* SPDX-License-Identifier: MIT */
/* warpbook bench [LAB]: every step of every ladder on the soft device. */
#include "../bench.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "../house.h"
#include "../process.h"
#include "../text.h"
#include "common.h"

/* The same inputs each time: tables are compared. */
enum { BENCH_SEED = 1 };

/* The processor's name as the system has it. */
static void processor(char *text, size_t bytes)
{
    char line[256];
    FILE *file = fopen("/proc/cpuinfo", "r");

    text_put(text, bytes, "a processor without a name");
    while (file && fgets(line, sizeof line, file))
        if (!strncmp(line, "model name", 10) && strchr(line, ':')) {
            text_put(text, bytes, "%.*s",
                     (int)strcspn(strchr(line, ':') + 2, "\n"),
                     strchr(line, ':') + 2);
            break;
        }
    if (file)
        fclose(file);
}

/* Where, when and with what. */
static void show_top(FILE *out, const struct target *target)
{
    char name[128], compiler[256], nvcc[PATH_MAX], date[16];
    const char *chosen = getenv("SOFTCC_CXX");
    time_t now = time(NULL);

    processor(name, sizeof name);
    strftime(date, sizeof date, "%Y-%m-%d", gmtime(&now));
    if (!first_line(chosen ? chosen : "g++", "--version", compiler,
                    sizeof compiler))
        text_put(compiler, sizeof compiler, "unknown compiler");
    fprintf(out,
            "# The ladders on the software GPU {#ladders_soft}\n\n"
            "By `make bench` on %s: %s, %ld cores;\n%s;\nwarpbook %s. Card "
            "described: %.*s; registers: %s.\n\n",
            date, name, sysconf(_SC_NPROCESSORS_ONLN), compiler,
            GRADER_VERSION, (int)strcspn(target->model, " "), target->model,
            program_find("nvcc", nvcc) ? "from ptxas" : "not known");
    text_wrap(out, 0,
              "Counts are exact, for the small case that is named. *Modelled* "
              "microseconds are those of the described card for a thousand "
              "times as many blocks of that kind: a model's answer, no "
              "measurement. *CPU* is what a run takes of this computer's "
              "cores, all threads together, beside the first step in turns, "
              "with fresh inputs: what a step gains on a card a CPU need not "
              "show. `x` is times as fast as the first step; \"unsteady\": "
              "the rounds lay too far apart for a number, as when copying is "
              "most of a call.");
    fputc('\n', out);
}

/* One ladder.  @return false when a step has no numbers */
static bool bench_lab(FILE *out, const struct lab *lab,
                      const struct target *target, uint64_t seed)
{
    static struct rung rung[LAB_STEPS];
    bool all = lab->steps > 0;

    bench_ladder(lab, target, seed, rung);
    if (interrupted())
        return false;
    bench_show(out, lab, rung);
    for (size_t i = 0; i < lab->steps; i++) {
        all &= rung[i].told;
        if (!rung[i].told)
            complain(0, "%s/%s: %s", lab->stem, lab->step[i], rung[i].why);
    }
    return all;
}

static bool bench_labs(FILE *out, const struct options *options,
                       const struct target *target)
{
    static struct lab lab;
    bool all = true;

    show_top(out, target);
    for (size_t i = 0; suites[i] && !interrupted(); i++) {
        if (!open_lab(options->count ? options->words[0] : suites[i]->stem,
                      options, &lab))
            return false;
        if (options->output) {
            printf("bench: %s\n", lab.stem);
            fflush(stdout);
        }
        all &= bench_lab(out, &lab, target,
                         options->seeded ? options->seed : BENCH_SEED);
        remove_temporary(); /* there are only so many at a time */
        if (options->count)
            break;
    }
    return all;
}

static int run(const struct options *options)
{
    struct target target;
    char error[512], *text = NULL;
    size_t length = 0;
    FILE *out = stdout;
    bool all;

    if (!target_find("soft", &target, error))
        return complain(EXIT_TROUBLE, "%s", error);
    if (options->output && !(out = open_memstream(&text, &length)))
        return complain(EXIT_TROUBLE, "out of memory");
    all = bench_labs(out, options, &target);
    if (!options->output)
        return all ? EXIT_FULL : EXIT_NOT_FULL;
    fclose(out);
    all = all && !interrupted();
    if (all && !write_whole(options->output, text, length))
        return complain(EXIT_TROUBLE, "cannot write %s: %s", options->output,
                        strerror(errno));
    free(text);
    return all ? EXIT_FULL : EXIT_NOT_FULL;
}

const struct verb verb_bench = {
    "bench", "[LAB]", "count, model and time every step of the ladders",
    "On the soft device, as Markdown: counters, modelled times of the card "
    "described, times on this computer, each beside the ladder's first step. "
    "make bench writes it to docs/results, and beside it, on a card, what "
    "grader/bench/gpu measures there.", "ostmk", 0, 1, run};
