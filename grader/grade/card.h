/* SPDX-License-Identifier: MIT */
/** @file
 *  Is a card fit to be timed?  Asks NVML, the driver's management library,
 *  which is loaded at run time: a machine without a driver has none.
 */
#ifndef GRADER_CARD_H
#define GRADER_CARD_H

#include <stdbool.h>
#include <stddef.h>

enum { CARD_TEXT = 96, /**< bytes of a name */
       CARD_REASON = 256 /**< bytes of a reason */ };

/** A card as NVML sees it. */
struct card;

/** Properties of a card that change measurements. */
struct card_facts {
    char name[CARD_TEXT];   /**< "NVIDIA H200" */
    char driver[CARD_TEXT]; /**< "570.124.06" */
    unsigned sm_mhz;        /**< highest clock of the multiprocessors; 0: not
                                 known */
    unsigned memory_mhz;    /**< highest clock of the memory; 0: not known */
};

/** Open the first card that CUDA programs see.
 *  @param library  file of NVML; NULL: the driver's
 *  @param visible  value of CUDA_VISIBLE_DEVICES, whose first index or UUID
 *                  counts; or NULL
 *  @return NULL when there is no NVML, or no such card */
struct card *card_open(const char *library, const char *visible);
/** Describe a card; what is not known is empty or 0. */
void card_describe(const struct card *card, struct card_facts *facts);
/** Does another process compute on the card, or has the driver lowered its
 *  clocks because of heat or power?  What NVML does not answer is no reason.
 *  @param allowed  processes of the grader that may be on the card
 *  @param[out] reason  CARD_REASON bytes; written when true */
bool card_is_unfit(const struct card *card, unsigned allowed, char *reason);
/** Close a card; NULL is allowed. */
void card_close(struct card *card);

#endif
