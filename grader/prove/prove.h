/* SPDX-License-Identifier: MIT */
/** @file
 *  Proofs about a lab: what must be true of its handout, its ladder and its
 *  mutants (grader/mutants/README.md).
 */
#ifndef GRADER_PROVE_H
#define GRADER_PROVE_H

#include "grader/grade/grade.h"

enum { MAX_PROOFS = 96, PROOF_SIZE = 512 };

/** The claim about a file. */
enum claim {
    CLAIM_HANDOUT, /**< compiles, and does not pass all tests */
    CLAIM_STEP,    /**< passes, without findings, and gets its points */
    CLAIM_KILLED,  /**< a test fails with `verdict` and `expected_text` */
    CLAIM_NO_DEVICE_WORK,  /**< the same, after check_device_work() */
    CLAIM_FINDING,   /**< a finding has `expected_text`; tests may pass */
    CLAIM_SCORE      /**< is right or wrong, with points in a range */
};

/** One file and its claim. */
struct proof {
    enum claim claim; /**< what is proved */
    char name[128];   /**< as shown: "no_tail_guard" */
    char source[512]; /**< file to grade, absolute */
    char mutant[512]; /**< a .diff to be applied first, or empty */
    enum verdict verdict; /**< of the test that fails */
    char expected_text
        [128]; /**< part of that test's message, or of a finding */
    char hint[128];       /**< part of the mistake's hint; empty: any */
    char test[64];        /**< the test that fails; empty: any */
    double points;        /**< CLAIM_STEP: on the soft device; negative: any */
    double least, most;   /**< CLAIM_SCORE: its points */
    bool is_right;        /**< CLAIM_SCORE: all tests pass */
    double score;         /**< points that it got; not of CLAIM_KILLED */
    double modeled;      /**< CLAIM_STEP: us of the case of lab_model_case(),
                               scaled up; 0: not known */
    double seconds;       /**< CPU time that the proof took */
    bool done;            /**< the proof ran */
    bool holds;            /**< the claim is true */
    char reason[PROOF_SIZE]; /**< why it is not */
};

/** List all proofs of a lab.
 *  @param folder  gets the handout
 *  @return how many, or 0 with one line in `error` (LAB_ERROR_SIZE) */
size_t proofs_list(const struct lab *lab, const char *folder,
                   struct proof *proofs, char *error);
/** Write the file that a mutant's proof grades: for a .diff a patched copy of
 *  the ladder.  Files that have the same content already are not written.
 *  @param folder  gets the copy; made if it is not there
 *  @return false with a line in proof->reason */
bool mutant_prepare(const struct lab *lab, const char *folder,
                    struct proof *proof);
/** Grade the proof's file and compare the report with the claim.
 *  @param      seed   of the inputs
 *  @param[out] proof  `holds`, and `reason` when it does not */
void proof_run(const struct lab *lab, const struct target *target,
               uint64_t seed, struct proof *proof);
/** After all proofs ran: check that each step is modeled as fast as the earlier
 *  ones, except those in [slower], which must be slower.  The proof of a step
 *  for which that is false fails. */
void check_modeled_order(const struct lab *lab, struct proof *proofs,
                         size_t count);
/** After all proofs ran on the soft device: check the order of the points.  The
 *  handout has fewer than each wrong file whose points were proved, that has
 *  fewer than each right one, a file with one failing test cannot have more,
 *  and no step has more than a later one up to the reference.  The proof of a
 *  file for which that is false fails. */
void check_points_order(const struct lab *lab, struct proof *proofs,
                        size_t count);

#endif
