/* SPDX-License-Identifier: MIT */
/* warpbook bench [LAB]: every step of every ladder on the soft device. */
#include "grader/report/ladder.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "common/base/files.h"
#include "common/base/paths.h"
#include "common/base/process.h"
#include "common/base/processor.h"
#include "common/base/temp_dir.h"
#include "common/base/text.h"
#include "common.h"

/* The same inputs each time: the tables are compared. */
enum { BENCH_SEED = 1 };

/* Date, machine, compiler, and what the columns mean. */
static void print_preamble(FILE *out, const struct target *target)
{
    char name[128], compiler[256], nvcc[PATH_MAX], date[16];
    const char *chosen = getenv("SOFTCC_CXX");
    time_t now = time(NULL);

    processor_name(name, sizeof name);
    strftime(date, sizeof date, "%Y-%m-%d", gmtime(&now));
    if (!program_first_line(chosen ? chosen : "g++", "--version", compiler,
                            sizeof compiler))
        text_format(compiler, sizeof compiler, "unknown compiler");
    fprintf(out,
            "# The ladders on the software GPU {#ladders_soft}\n\n"
            "By `make bench` on %s: %s, %ld cores;\n%s;\nwarpbook %s. Card "
            "described: %.*s; registers: %s.\n\n",
            date, name, sysconf(_SC_NPROCESSORS_ONLN), compiler,
            GRADER_VERSION, (int)strcspn(target->model, " "), target->model,
            find_program("nvcc", nvcc) ? "from ptxas" : "not known");
    text_wrap(out, 0,
              "Counts are exact, for the small case that is named. *Modeled* "
              "microseconds are the model's prediction for the described card "
              "and 1024 times as many blocks. *CPU* is the processor time of "
              "all threads on this computer, measured alternately with the "
              "first step on fresh inputs; a CPU need not gain what a card "
              "gains. `x` is the speedup over the first step: the median of the "
              "rounds, so it need not be the quotient of the times, which are "
              "of different minutes. The row of the first step shows how far "
              "two runs of the same step differ; \"unsteady\": "
              "the rounds differ too much, as when copies dominate a call.");
    fputc('\n', out);
}

/* One ladder.  @return false when a step has no numbers */
static bool bench_lab(FILE *out, const struct lab *lab,
                      const struct target *target, uint64_t seed)
{
    static struct step_result step_result[LAB_MAX_STEPS];
    bool all = lab->steps > 0;

    bench_ladder(lab, target, seed, step_result);
    if (interrupted())
        return false;
    bench_write(out, lab, step_result);
    for (size_t i = 0; i < lab->steps; i++) {
        all &= step_result[i].is_measured;
        if (!step_result[i].is_measured)
            report_error(0, "%s/%s: %s", lab->stem, lab->step[i],
                         step_result[i].reason);
    }
    return all;
}

/* A table a lab; an interruption leaves the tables so far. */
static bool bench_labs(FILE *out, const struct options *options,
                       const struct target *target)
{
    static struct lab lab;
    bool all = true;

    print_preamble(out, target);
    for (size_t i = 0; suites[i] && !interrupted(); i++) {
        if (!load_lab(options->count ? options->words[0] : suites[i]->stem,
                      options, &lab))
            return false;
        if (options->output) {
            printf("bench: %s\n", lab.stem);
            fflush(stdout);
        }
        all &= bench_lab(out, &lab, target,
                         options->seeded ? options->seed : BENCH_SEED);
        temp_dirs_remove(); /* free the disk space */
        if (options->count)
            break;
    }
    return all;
}

/* The output file is written at the end, as a whole. */
static int run(const struct options *options)
{
    struct target target;
    char error[512], *text = NULL;
    size_t length = 0;
    FILE *out = stdout;
    bool all;

    if (!target_find("soft", &target, error))
        return report_error(EXIT_GRADER_ERROR, "%s", error);
    if (options->output && !(out = open_memstream(&text, &length)))
        return report_error(EXIT_GRADER_ERROR, "out of memory");
    all = bench_labs(out, options, &target);
    if (!options->output)
        return all ? EXIT_FULL : EXIT_PARTIAL;
    fclose(out);
    all = all && !interrupted();
    if (all && !write_file(options->output, text, length))
        return report_error(EXIT_GRADER_ERROR, "cannot write %s: %s",
                            options->output, strerror(errno));
    free(text);
    return all ? EXIT_FULL : EXIT_PARTIAL;
}

const struct verb verb_bench = {
    "bench", "[LAB]", "measure each step of the ladders on the soft device",
    "Writes Markdown: counters, modeled times of the described card and CPU "
    "times of this computer, each compared with the ladder's first step. make "
    "bench writes it to BUILD/results, and, on a card, the measurements of "
    "grader/bench/gpu.", "ostmk", 0, 1, run};
