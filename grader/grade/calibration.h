/* SPDX-License-Identifier: MIT */
/** @file
 *  What `warpbook calibrate` measured on a card: the speedup of every step of
 *  the ladders.  A grade names the step that a file has reached.  Points do not
 *  depend on it: they compare with the reference, timed in the same run.
 *
 *  The file, JSON, describes one card:
 *
 *      {"schema": "warpbook-calibration/1",
 *       "card": "NVIDIA H200, 9.0", "driver": "570.124.06",
 *       "sm_mhz": 1980, "memory_mhz": 3201,
 *       "labs": {"03_transpose": {"square": {
 *           "date": "2026-01-31",
 *           "baseline_seconds": 0.00351, "reference_seconds": 0.00055,
 *           "steps": [{"step": "1_naive.cu", "ratio": 1.0}, ...]}}}}
 */
#ifndef GRADER_CALIBRATION_H
#define GRADER_CALIBRATION_H

#include <jansson.h>
#include <limits.h>

#include "card.h"
#include "grader/lab/lab.h"

/** A calibration file, read. */
struct calibration {
    char path[PATH_MAX];     /**< the file */
    struct card_facts facts; /**< of the card of this machine */
    json_t *root;            /**< an object; NULL: there is no file yet */
};

/** Measurements of one timed run. */
struct calibrated_run {
    char date[16];       /**< "2026-01-31" */
    double baseline;     /**< seconds */
    double reference;    /**< seconds */
    double ratio[LAB_MAX_STEPS]; /**< speedups over the baseline, as
                                      lab->step */
};

/** Write the default file, $XDG_STATE_HOME/warpbook/calibration.json.
 *  @param[out] path  PATH_MAX bytes; empty when there is no home folder */
void calibration_default_path(char *path);
/** Read a file.  A file that does not exist is an empty calibration.
 *  @param path   is copied
 *  @param facts  the card of this machine, copied
 *  @return false with one line in `error` (LAB_ERROR_SIZE) when it is no
 *  calibration; calibration_free() is then not needed */
bool calibration_read(const char *path, const struct card_facts *facts,
                      struct calibration *calibration, char *error);
/** Free what calibration_read() allocated. */
void calibration_free(struct calibration *calibration);
/** Find a timed run, measured on this card with this driver and for this
 *  ladder.
 *  @param[out] reason  LAB_ERROR_SIZE bytes: why there is none
 *  @return false when there is none */
bool calibration_find(const struct calibration *calibration,
                      const struct lab *lab, size_t index,
                      struct calibrated_run *run, char *reason);
/** Store a timed run.  Measurements of another card or driver are dropped. */
void calibration_set(struct calibration *calibration, const struct lab *lab,
                     size_t index, const struct calibrated_run *run);
/** Write the file, and make its folder.  @return false with errno set */
bool calibration_write(const struct calibration *calibration);
/** Have baseline or reference changed by more than `limit` since the
 *  calibration?
 *  @param[out] reason  LAB_ERROR_SIZE bytes; written when true */
bool calibration_has_drifted(const struct calibrated_run *run,
                             const struct lab *lab, double baseline,
                             double reference, double limit, char *reason);

#endif
