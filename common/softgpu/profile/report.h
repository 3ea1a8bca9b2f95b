/* SPDX-License-Identifier: MIT */
/** @file
 *  A profile for the writers: the kernels, the GPU that their times are
 *  modeled for, and the folder that sources may be read from.
 *
 *  A report comes from the profiled program itself, or is read back from the
 *  JSON object that such a program wrote.  That object may be malicious:
 *  reading checks types and ranges, and the writers escape all text of it.
 */
#ifndef SOFTGPU_REPORT_H
#define SOFTGPU_REPORT_H

#include <stdio.h>

#include "profile.h"

struct json_t;

/** Input of the writers. */
struct profile_report {
    const struct softgpu_card *card; /**< the GPU of the modeled times */
    struct kernel_profile *kernels;  /**< `count` of them */
    size_t count;                    /**< kernels */
    const struct json_t *timeline;   /**< of timeline_json(), or NULL */
    /** Sources are shown only of files below one of these folders, which end
     *  with a NULL; NULL: of any. */
    const char *const *roots;
    int columns; /**< of a line of text: 44 to 80; 0: 80 */
};

/** Read a report back from JSON.
 *
 *  @param[in]  json    the report of SOFTGPU_JSON; must outlive `report`
 *  @param[out] report  filled in, with roots NULL; to be freed by
 *                      profile_report_free()
 *
 *  Reads `card` (a key; the H200 if missing) and `kernels[]`.  Members that
 *  are missing or of the wrong type are 0 or "?".  At most 256 kernels, and
 *  4,096 lines and 64 access patterns of each, are read.
 *  @return 0, or -1 if there is no array `kernels` */
int profile_report_read(const struct json_t *json,
                        struct profile_report *report);
/** Free what profile_report_read() allocated. */
void profile_report_free(struct profile_report *report);

/** Write a report as text, at most `columns` wide. */
void profile_print(FILE *out, const struct profile_report *report);

/** Write kernels as text, with sources of any folder.
 *  @param out      where to
 *  @param kernels  `count` of them
 *  @param count    kernels
 *  @param card     the GPU that they were modeled for */
void profile_print_kernels(FILE *out, const struct kernel_profile *kernels,
                           size_t count, const struct softgpu_card *card);

/** Write one row for each kernel: launches, modeled time, its share and, unless
 *  lines are short, what limits it; and one for all. */
void profile_print_table(FILE *out, const struct profile_report *report);
/** Write the table, the first advice for each kernel, the roofline and the
 *  timeline: what to read first where there are many kernels. */
void profile_print_summary(FILE *out, const struct profile_report *report);
/** Write a kernel's advice, numbered in the order of the gains.
 *  @param out     where to
 *  @param report  its GPU, and the columns of a line
 *  @param k       the kernel
 *  @param most    pieces of advice at most */
void profile_print_advice(FILE *out, const struct profile_report *report,
                          const struct kernel_profile *k, size_t most);
/** Draw the access patterns of a kernel that transfer most beyond the ideal,
 *  one of global and one of shared memory: what each word's lane is, by sectors
 *  or banks.  Patterns that are ideal are drawn when there are no others.
 *  @param columns  of a line */
void profile_print_patterns(FILE *out, const struct kernel_profile *k,
                            int columns);
/** Draw a roofline with all kernels; those without operations are listed below
 *  by their share of the DRAM bandwidth. */
void profile_print_roofline(FILE *out, const struct profile_report *report);
/** Write a summary of a timeline as text, if anything was copied.
 *  @param out       where to
 *  @param timeline  of timeline_json() or a report; NULL writes nothing
 *  @param card      the GPU
 *  @param columns   of a line */
void profile_print_timeline(FILE *out, const struct json_t *timeline,
                            const struct softgpu_card *card, int columns);

/** Write a report as one self-contained HTML page.
 *
 *  @param[in] path  written atomically
 *  @param[in] json  the report of SOFTGPU_JSON: `kernels[]`, and `findings[]`
 *                   if the program was checked too
 *  @return 0, or -1 with errno set and no file left */
int profile_page_write(const char *path, const struct json_t *json);

/** The same for reports of programs that are not trusted: sources are shown
 *  only of files below the folders `roots`, which end with a NULL. */
int profile_page_write_below(const char *path, const struct json_t *json,
                             const char *const *roots);

#endif
