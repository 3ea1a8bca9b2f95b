/* SPDX-License-Identifier: MIT */
/** @file
 *  A profile as the writers see it: the kernels, the card that the times were
 *  modelled for, and where sources may be read from.
 *
 *  It comes from the program that was profiled, or is read back from the JSON
 *  object that such a program wrote.  Such a file is somebody else's text:
 *  reading believes nothing of it, and the writers print no control character
 *  and no tag of it.
 */
#ifndef SOFTGPU_REPORT_H
#define SOFTGPU_REPORT_H

#include <stdio.h>

#include "profile.h"

struct json_t;

/** What there is to show. */
struct profile_report {
    const struct softgpu_card *card; /**< the times' card */
    struct kernel_profile *kernels;  /**< count of them */
    size_t count;                    /**< how many */
    const struct json_t *timeline;   /**< of the program, or NULL */
    /** Sources are shown only of files below this folder; NULL: of any. */
    const char *root;
};

/** Read a report back from JSON.
 *
 *  @param[in]  json    the object that SOFTGPU_JSON names; must outlive `report`
 *  @param[out] report  filled in, root NULL; to be given to profile_forget()
 *
 *  Takes `card` (a key; the H200 when missing) and `kernels[]`.  What is
 *  missing or of the wrong type is 0 or "?"; at most 256 kernels, 4,096 lines
 *  and 64 pictures of each are taken.
 *  @return 0, or -1 when there is no array `kernels`
 */
int profile_read(const struct json_t *json, struct profile_report *report);
/** Free what profile_read() made. */
void profile_forget(struct profile_report *report);

/** Write the report as text, at most 100 columns wide. */
void profile_report_text(FILE *out, const struct profile_report *report);

/** The same of kernels at hand; sources are read from where they were. */
void profile_text(FILE *out, const struct kernel_profile *kernels, size_t count,
                  const struct softgpu_card *card);

/** Write the time line of a report in words, if anything was copied. */
void profile_timeline_text(FILE *out, const struct json_t *timeline,
                           const struct softgpu_card *card);

/** Write the report as one HTML page that needs nothing else.
 *
 *  @param[in] path  written through a file beside it, so never half there
 *  @param[in] json  the object that SOFTGPU_JSON names: `kernels[]`, and
 *                   `findings[]` when the program was checked too
 *  @return 0, or -1 with errno set and no file left behind
 */
int profile_page(const char *path, const struct json_t *json);

/** The same, showing sources only of files below the folder `root`: for
 *  reports of programs that are not trusted. */
int profile_page_within(const char *path, const struct json_t *json,
                        const char *root);

#endif
