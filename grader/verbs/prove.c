/* SPDX-License-Identifier: MIT */
/* warpbook prove [LAB]: prove every lab.
 *
 * Each proof runs in a child process; results are in shared memory. */
#include "grader/prove/prove.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>

#include "grader/build/build.h"
#include "common/base/process_pool.h"
#include "common/base/files.h"
#include "common/base/paths.h"
#include "common/base/temp_dir.h"
#include "common/base/text.h"
#include "common.h"

/* A fixed seed, for reproducible proofs: a wrong byte is correct by chance once
 * in 256 inputs. */
enum { PROVE_SEED = 1 };

/* Time limit of a call of a mutant that must time out. */
static const double mutant_seconds = 5;

/* Results of one lab's proofs. */
struct tally {
    size_t steps, steps_right, mutants, mutants_killed;
    bool handout, same;
};

/* A lab to prove. */
struct lab_proofs {
    struct lab *lab;
    const struct target *target;
    char folder[PATH_MAX]; /* for the handout */
    uint64_t seed;         /* of all inputs */
    bool verbose;          /* show what each proof cost */
    size_t part, parts;    /* of the steps and mutants, from 0 */
    struct proof *proofs;  /* in shared memory */
};

/* User and system seconds of a CPU. */
static double cpu_seconds(int who)
{
    struct rusage usage;

    if (getrusage(who, &usage))
        return 0;
    return (double)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec)
           + 1e-6 * (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec);
}

/* In a child process, which has its own copy of the lab. */
static void run_proof(void *user, size_t index)
{
    const struct lab_proofs *work = user;
    struct proof *proof = &work->proofs[index];
    struct lab *lab = work->lab;

    if (proof->verdict == TIMEOUT && lab->seconds > mutant_seconds)
        lab->seconds = mutant_seconds;
    proof_run(lab, work->target, work->seed, proof);
    proof->seconds = cpu_seconds(RUSAGE_SELF) + cpu_seconds(RUSAGE_CHILDREN);
    proof->done = true;
}

/* Is labs/NN_stem/stem.cu the current handout? */
static bool handout_is_current(const struct lab *lab)
{
    char path[PATH_MAX], error[LAB_ERROR_SIZE], *made, *there;
    size_t length;
    bool same;

    made = lab_extract_handout(lab, error);
    there = read_file(root_path(path, "labs/%s/%s.cu", lab->stem,
                                lab->name), 1 << 20, &length);
    same = made && there && !strcmp(made, there);
    free(made);
    free(there);
    return same;
}

/* How many proofs of each kind hold. */
static struct tally count_holding(const struct proof *proofs, size_t count)
{
    struct tally tally = {0};

    for (size_t i = 0; i < count; i++) {
        switch (proofs[i].claim) {
        case CLAIM_HANDOUT:
            tally.handout = proofs[i].holds;
            break;
        case CLAIM_STEP:
            tally.steps++;
            tally.steps_right += proofs[i].holds;
            break;
        case CLAIM_KILLED:
        case CLAIM_NO_DEVICE_WORK:
        case CLAIM_FINDING:
        case CLAIM_SCORE:
            tally.mutants++;
            tally.mutants_killed += proofs[i].holds;
            break;
        }
    }
    return tally;
}

/* One line for each proof that fails, in the form of the tests. */
static void show_failures(const struct lab *lab, const struct proof *proofs,
                          size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const struct proof *proof = &proofs[i];

        if (proof->holds)
            continue;
        printf("not ok %s/%s: ", lab->stem, proof->name);
        if (proof->claim == CLAIM_KILLED
            || proof->claim == CLAIM_NO_DEVICE_WORK)
            printf("wanted %s with \"%s\"; got ",
                   verdict_name(proof->verdict), proof->expected_text);
        if (proof->claim == CLAIM_FINDING)
            printf("wanted a finding with \"%s\"; got ", proof->expected_text);
        if (proof->claim == CLAIM_SCORE)
            printf("wanted %s; got %g points: ", proof->expected_text,
                   proof->score);
        if (proof->claim == CLAIM_STEP && proof->points >= 0)
            printf("wanted %g points; got ", proof->points);
        printf("%s\n", proof->done ? proof->reason : "no answer");
    }
}

/* The cost of each proof: build, processes that ran it, and grader. */
static void show_costs(const struct proof *proofs, size_t count)
{
    for (size_t i = 0; i < count; i++)
        printf("  %5.2f CPU s  %s\n", proofs[i].seconds, proofs[i].name);
}

/* A line a lab, then the proofs that do not hold. */
static bool show_lab(const struct lab *lab, const struct proof *proofs,
                     size_t count)
{
    struct tally tally = count_holding(proofs, count);

    tally.same = handout_is_current(lab);
    printf("%-16s %-12s %2zu of %-2zu      %2zu of %zu killed\n", lab->stem,
           !tally.handout ? "WRONG" : !tally.same ? "NOT AS CUT" : "ok",
           tally.steps_right, tally.steps, tally.mutants_killed, tally.mutants);
    if (!tally.same)
        printf("not ok labs/%s/%s.cu is not what warpbook cut %02d makes\n",
               lab->stem, lab->name, lab->number);
    show_failures(lab, proofs, count);
    fflush(stdout);
    return tally.handout && tally.same && tally.steps_right == tally.steps
           && tally.steps > 0 && tally.mutants_killed == tally.mutants;
}

/* Keeps the handout, the reference and every `parts`-th of the others.
 * @return how many proofs are left */
static size_t keep_part(const struct lab_proofs *work, size_t count)
{
    size_t kept = 0, others = 0;

    for (size_t i = 0; i < count; i++) {
        const struct proof *proof = &work->proofs[i];

        if (proof->claim == CLAIM_HANDOUT
            || (proof->claim == CLAIM_STEP
                && !strcmp(proof->name, work->lab->reference))
            || others++ % work->parts == work->part)
            work->proofs[kept++] = *proof;
    }
    return kept;
}

/* Parts that all proofs share are built first; then proofs run in parallel
 * processes. */
static bool prove_lab(struct lab_proofs *work)
{
    const struct lab *lab = work->lab;
    char error[MESSAGE_SIZE];
    size_t count;

    if (!temp_dir_create(work->folder)
        || !build_shared(work->target, lab, error))
        return report_error(0, "cannot prepare %s", lab->stem);
    count = proofs_list(lab, work->folder, work->proofs, error);
    if (!count)
        return report_error(0, "%s", error);
    count = keep_part(work, count);
    process_pool_run(count, run_proof, work);
    if (work->parts == 1) /* all steps */
        check_modeled_order(lab, work->proofs, count);
    if (work->target->kind == DEVICE_SOFT)
        check_points_order(lab, work->proofs, count);
    if (work->verbose)
        show_costs(work->proofs, count);
    return !interrupted() && show_lab(lab, work->proofs, count);
}

/* "2/3": the second of three parts; NULL: all.  @return false for other
 * texts */
static bool read_part(const char *text, struct lab_proofs *work)
{
    int end = 0;

    work->parts = 1;
    if (!text)
        return true;
    if (sscanf(text, "%3zu/%3zu%n", &work->part, &work->parts, &end) != 2
        || text[end] || work->part < 1 || work->part > work->parts)
        return report_error(0, "\"%s\" is no part of the proofs, like 1/2",
                            text);
    work->part--;
    return true;
}

/* Results of the child processes come back through shared memory. */
static int run(const struct options *options)
{
    static struct lab lab;
    struct target target;
    struct lab_proofs work = {.lab = &lab, .target = &target,
                        .seed = options->seeded ? options->seed : PROVE_SEED,
                        .verbose = options->verbose};
    char error[512] = "out of memory";
    bool all = true;

    if (!read_part(options->part, &work))
        return EXIT_USAGE;
    work.proofs = mmap(NULL, MAX_PROOFS * sizeof *work.proofs,
                       PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1,
                       0);
    if (work.proofs == MAP_FAILED
        || !target_find(options->device, &target, error))
        return report_error(EXIT_GRADER_ERROR, "%s", error);
    printf("%-16s %-12s %-13s %s\n", "lab", "handout", "steps right",
           "mutants");
    for (size_t i = 0; suites[i] && !interrupted(); i++) {
        const char *name = options->count ? options->words[0]
                                          : suites[i]->stem;

        if (!load_lab(name, options, &lab))
            return EXIT_USAGE;
        all &= prove_lab(&work);
        if (options->count)
            break;
    }
    return all ? EXIT_FULL : EXIT_PARTIAL;
}

const struct verb verb_prove = {
    "prove", "[LAB]", "prove the labs: handout, ladder and mutants",
    "The handout compiles and does not get full marks, every step of the "
    "ladder is right, clean and gets its points, and each mutant in "
    "grader/mutants gets its verdict and its message. The inputs are the same "
    "each time, those of --seed 1; try other seeds, or --seed random, on new "
    "proofs. With --verbose, print the CPU seconds of each.",
    "dstmakv", 0, 1, run};
