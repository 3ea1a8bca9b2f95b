/* SPDX-License-Identifier: MIT */
/* warpbook prove [LAB]: prove every lab.
 *
 * Each proof is graded in a child process of its own; they answer through
 * shared memory. */
#include "../prove.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "../build.h"
#include "../children.h"
#include "../house.h"
#include "../text.h"
#include "common.h"

/* What proves today proves tomorrow: by chance, a wrong byte is the right one
 * once in 256 inputs. */
enum { PROVE_SEED = 1 };

/* Seconds a call may take of a mutant that is there to take too long. */
static const double mutant_seconds = 5;

/* What one lab's proofs came to. */
struct tally {
    size_t steps, steps_held, mutants, mutants_held;
    bool handout, same;
};

/* One lab to prove. */
struct work {
    struct lab *lab;
    const struct target *target;
    char folder[PATH_MAX]; /* for the handout and patched ladders */
    uint64_t seed;         /* of all inputs */
    struct proof *proofs;  /* in shared memory */
};

/* In a child process: what is changed here is changed here alone. */
static void try_one(void *user, size_t index)
{
    const struct work *work = user;
    struct proof *proof = &work->proofs[index];
    struct lab *lab = work->lab;

    if (proof->verdict == TIMEOUT && lab->seconds > mutant_seconds)
        lab->seconds = mutant_seconds;
    proof_try(lab, work->target, work->folder, work->seed, proof);
    proof->done = true;
}

/* Is labs/NN_stem/stem.cu what cutting gives? */
static bool handout_is_cut(const struct lab *lab)
{
    char path[PATH_MAX], error[LAB_ERROR], *made, *there;
    size_t length;
    bool same;

    made = cut_lab(lab, error);
    there = read_whole(house_path(path, "labs/%s/%s.cu", lab->stem,
                                  lab->name), 1 << 20, &length);
    same = made && there && !strcmp(made, there);
    free(made);
    free(there);
    return same;
}

static struct tally count_held(const struct proof *proofs, size_t count)
{
    struct tally tally = {0};

    for (size_t i = 0; i < count; i++) {
        switch (proofs[i].claim) {
        case CLAIM_HANDOUT:
            tally.handout = proofs[i].held;
            break;
        case CLAIM_STEP:
            tally.steps++;
            tally.steps_held += proofs[i].held;
            break;
        case CLAIM_CAUGHT:
        case CLAIM_UNDONE:
        case CLAIM_FOUND:
            tally.mutants++;
            tally.mutants_held += proofs[i].held;
            break;
        }
    }
    return tally;
}

/* A line each, in the form that tests print what is wrong. */
static void show_failures(const struct lab *lab, const struct proof *proofs,
                          size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const struct proof *proof = &proofs[i];

        if (proof->held)
            continue;
        printf("not ok %s/%s: ", lab->stem, proof->name);
        if (proof->claim == CLAIM_CAUGHT || proof->claim == CLAIM_UNDONE)
            printf("wanted %s with \"%s\"; got ",
                   verdict_name(proof->verdict), proof->fragment);
        if (proof->claim == CLAIM_FOUND)
            printf("wanted a finding with \"%s\"; got ", proof->fragment);
        if (proof->claim == CLAIM_STEP && proof->points >= 0)
            printf("wanted %g points; got ", proof->points);
        printf("%s\n", proof->done ? proof->why : "no answer");
    }
}

static bool show_lab(const struct lab *lab, const struct proof *proofs,
                     size_t count)
{
    struct tally tally = count_held(proofs, count);

    tally.same = handout_is_cut(lab);
    printf("%-16s %-12s %2zu of %-2zu      %2zu of %zu caught\n", lab->stem,
           !tally.handout ? "WRONG" : !tally.same ? "NOT AS CUT" : "ok",
           tally.steps_held, tally.steps, tally.mutants_held, tally.mutants);
    if (!tally.same)
        printf("not ok labs/%s/%s.cu is not what warpbook cut %02d makes\n",
               lab->stem, lab->name, lab->number);
    show_failures(lab, proofs, count);
    fflush(stdout);
    return tally.handout && tally.same && tally.steps_held == tally.steps
           && tally.steps > 0 && tally.mutants_held == tally.mutants;
}

static bool prove_lab(struct work *work)
{
    static char parts[BUILD_OBJECTS][PATH_MAX];
    const struct lab *lab = work->lab;
    char error[MESSAGE_TEXT];
    size_t count;

    if (!make_temporary(work->folder)
        || !build_parts(work->target, lab, parts, &count, error))
        return complain(0, "cannot prepare %s", lab->stem);
    count = proofs_list(lab, work->folder, work->proofs, error);
    if (!count)
        return complain(0, "%s", error);
    children_run(count, try_one, work);
    proofs_order(lab, work->proofs, count);
    return !interrupted() && show_lab(lab, work->proofs, count);
}

static int run(const struct options *options)
{
    static struct lab lab;
    struct target target;
    struct work work = {.lab = &lab, .target = &target,
                        .seed = options->seeded ? options->seed : PROVE_SEED};
    char error[512] = "out of memory";
    bool all = true;

    work.proofs = mmap(NULL, PROOFS_MOST * sizeof *work.proofs,
                       PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1,
                       0);
    if (work.proofs == MAP_FAILED
        || !target_find(options->device, &target, error))
        return complain(EXIT_TROUBLE, "%s", error);
    printf("%-16s %-12s %-13s %s\n", "lab", "handout", "steps right",
           "mutants");
    for (size_t i = 0; suites[i] && !interrupted(); i++) {
        const char *name = options->count ? options->words[0]
                                          : suites[i]->stem;

        if (!open_lab(name, options, &lab))
            return EXIT_USAGE;
        all &= prove_lab(&work);
        if (options->count)
            break;
    }
    return all ? EXIT_FULL : EXIT_NOT_FULL;
}

const struct verb verb_prove = {
    "prove", "[LAB]", "prove the labs: handout, ladder and wrong kernels",
    "The handout compiles and does not get full marks, every step of the "
    "ladder is right, clean and gets its points, and each mutant in "
    "grader/mutants gets its verdict and its message. The inputs are the same "
    "each time, those of --seed 1; try other seeds, or --seed random, on new "
    "proofs.", "dstmk", 0, 1, run};
