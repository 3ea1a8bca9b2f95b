/* SPDX-License-Identifier: MIT */
/** @file
 *  Proofs about a lab: what must be true of its handout, its ladder and its
 *  mutants (grader/mutants/README.md).
 */
#ifndef GRADER_PROVE_H
#define GRADER_PROVE_H

#include "grade.h"

enum { PROOFS_MOST = 96, PROOF_TEXT = 512 };

/** What a file must come to. */
enum claim {
    CLAIM_HANDOUT, /**< compiles, and does not get full marks */
    CLAIM_STEP,    /**< is right, clean, and gets the points of its tier */
    CLAIM_CAUGHT,  /**< a test ends in `verdict` with `fragment` in it */
    CLAIM_UNDONE,  /**< the same, once watched: not the kernels' work */
    CLAIM_FOUND    /**< the watchers find `fragment`; tests may pass */
};

/** One file and what it must come to. */
struct proof {
    enum claim claim; /**< what is to be proved */
    char name[128];   /**< as shown: "no_tail_guard" */
    char source[512]; /**< file to grade, absolute */
    char mutant[512]; /**< a .diff to be applied first, or empty */
    enum verdict verdict; /**< CLAIM_CAUGHT: that a test must end in */
    char fragment[128];   /**< part of that test's message, or of a finding */
    double points;        /**< CLAIM_STEP: on the soft device; below 0: any */
    double modelled;      /**< CLAIM_STEP: microseconds of the first case with
                               a budget, if large; 0: not known */
    bool done;            /**< it was tried */
    bool held;            /**< and is true */
    char why[PROOF_TEXT]; /**< when it did not hold */
};

/** List all proofs of a lab; the handout is cut into `folder`.
 *  @return how many, or 0 with one line in `error` (LAB_ERROR) */
size_t proofs_list(const struct lab *lab, const char *folder,
                   struct proof *proofs, char *error);
/** Make the file that a mutant's proof grades: for a .diff a patched copy of
 *  the ladder in a folder of its own.
 *  @return false with a line in proof->why */
bool mutant_make(const struct lab *lab, const char *folder,
                 struct proof *proof);
/** Grade the proof's file and see whether its claim holds.
 *  `seed` decides the inputs. */
void proof_try(const struct lab *lab, const struct target *target,
               const char *folder, uint64_t seed, struct proof *proof);
/** When all were tried: is each step, in the model, as fast as those before it,
 *  but for those that lab.ini calls slower, and are they?  The proof of one
 *  where it is not so does not hold. */
void proofs_order(const struct lab *lab, struct proof *proofs, size_t count);

#endif
