/* SPDX-License-Identifier: MIT */
/** @file
 *  Diagnosis by hypothesis: what would a common mistake have computed?
 *
 *  A suite knows the usual mistakes of its lab: a filter that is flipped, a
 *  last tile that is left out.  After a comparison failed, it computes what
 *  each of them gives.  The mistake is named if its values equal all wrong
 *  elements, and if that is too improbable to be chance:
 *
 *         static void mistakes(struct hypotheses *h, const void *context)
 *         {
 *             const struct sum *sum = context;
 *             double *values = hypothesis_values(h);
 *
 *             values[0] -= sum->in[sum->n - 1];
 *             hypothesis_try(h, NULL, "the sum without its last element");
 *         }
 *         ...
 *         expect_elements(&(struct expected){..., .mistakes = mistakes,
 *                                            .context = &sum});
 *
 *  The function is called only after a failure, so a passing test costs
 *  nothing.
 */
#ifndef GRADER_HYPOTHESIS_H
#define GRADER_HYPOTHESIS_H

#include "diagnose.h"

/** In the array of values: the mistake leaves this element open. */
#define HYPOTHESIS_ANY (-0x1.badp1023)

/** The hypotheses about one failed comparison. */
struct hypotheses {
    const struct evidence *evidence; /**< the failed comparison */
    double *values;             /**< of the mistake that is tried next */
    double precision;           /**< mistakes are that many times as precise
                                     as the output must be; 1 */
    double needed;              /**< bits of evidence, to be no chance */
    size_t fits;                /**< mistakes that fit equally well */
    bool is_vague;              /**< the next one is no cause, only a fact */
    bool is_whole;              /**< the next one is refuted by correct
                                     elements, too */
    bool fits_vaguely;          /**< so was the first one that fits */
    bool fits_all;              /**< they fit the correct elements, too */
    char text[2][DIAGNOSIS_SIZE]; /**< the first two of them */
    const char *hint[2];        /**< their hints, or NULL */
};

/** Array for the values of the next mistake: as many as the output has
 *  elements, initially the expected values.  Valid until the next call. */
double *hypothesis_values(struct hypotheses *h);
/** Value of an element that the mistake does not store: any, or one that
 *  refutes the mistake where the element was written. */
double hypothesis_unstored(const struct hypotheses *h, size_t element);
/** Value of an element that the mistake leaves exactly 0, where it is known
 *  that the call wrote it: another one refutes the mistake, however small. */
double hypothesis_zero(const struct hypotheses *h, size_t element);
/** Compare the array with the output.
 *  @param hint    shown in place of the test's hint if the mistake is named;
 *                 a literal, or NULL: the text says it all
 *  @param format  what the values are, behind "each wrong element is": "the
 *                 sum without its last %d terms" */
void hypothesis_try(struct hypotheses *h, const char *hint,
                    const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/** Threads of a block of the last launch in all dimensions; 0: not known. */
size_t hypothesis_block_size(const struct hypotheses *h);
/** Blocks of the last launch in all dimensions; 0: not known. */
size_t hypothesis_grid_size(const struct hypotheses *h);
/** Elements of the output. */
size_t hypothesis_count(const struct hypotheses *h);

/** Try all mistakes of the suite, then those that every lab can have.
 *  @param[out] text  DIAGNOSIS_SIZE bytes; what fits, if anything does
 *  @param[out] hint  of the mistake, or NULL
 *  @return certain when one mistake fits, vague when it is one of two */
enum certainty diagnose_mistake(const struct evidence *evidence, char *text,
                                const char **hint);

/** Do the first wrong elements agree with a value that is asked for each, up to
 *  four that tell something?  A cheap test before all values are computed.
 *  @param most   elements to look at
 *  @param value  that of element e, or HYPOTHESIS_ANY */
bool hypothesis_first_agree(const struct hypotheses *h, int most,
                            double (*value)(const void *context, size_t e),
                            const void *context);

#endif
