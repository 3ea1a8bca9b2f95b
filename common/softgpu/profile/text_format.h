/* SPDX-License-Identifier: MIT */
/** @file
 *  Numbers and names as text.  Each function writes into a struct text_buffer
 *  and returns its text, so that several calls can be arguments of one printf:
 *  printf("%s of %s", format_count(BUFFER, a), format_count(BUFFER, b)).
 */
#ifndef SOFTGPU_TEXT_FORMAT_H
#define SOFTGPU_TEXT_FORMAT_H

#include <stdint.h>

#include "profile.h"

/** Room for one formatted value. */
struct text_buffer {
    char text[128]; /**< NUL-terminated */
};

/** A new buffer, valid until the end of the enclosing block. */
#define BUFFER (&(struct text_buffer){{0}})

/** 1234567 as "1,234,567". */
const char *format_count(struct text_buffer *buffer, uint64_t value);
/** Microseconds as "850 ns", "12.3 us", "1.52 ms". */
const char *format_time(struct text_buffer *buffer, double us);
/** Dimensions as "32 x 8"; trailing ones of 1 are left out. */
const char *format_dim3(struct text_buffer *buffer, dim3 d);
/** A number with an SI prefix: 3.35e12, "B/s" as "3.35 TB/s". */
const char *format_si(struct text_buffer *buffer, double value,
                      const char *unit);
/** A count: "8,192", or where that has more than `columns` columns, with an SI
 *  prefix: 250000000, "B" as "250 MB". */
const char *format_fitted(struct text_buffer *buffer, uint64_t value,
                          const char *unit, int columns);
/** Text of a source or a report without control characters.
 *  @param buffer     its memory
 *  @param text       NULL is "?"
 *  @param max_bytes  at most 120; a longer text is cut and ends in "..." */
const char *format_printable(struct text_buffer *buffer, const char *text,
                             int max_bytes);
/** The last component of a path; "?" for NULL. */
const char *path_basename(const char *path);
/** A ceiling's label: that of "dram" is "DRAM bandwidth". */
const char *ceiling_label(const char *name);
/** A group of launches: "3 launches, grid 64, block 256". */
const char *format_group(struct text_buffer *buffer,
                         const struct kernel_profile *k,
                         const struct launch_group *group);
/** The groups of a kernel's launches, the longest modeled time first.
 *  @param[in]  k     MAX_LAUNCH_GROUPS groups at most
 *  @param[out] list  MAX_LAUNCH_GROUPS entries
 *  @return number of groups */
size_t longest_launch_groups(const struct kernel_profile *k,
                             const struct launch_group **list);
/** Label of what limits the occupancy. */
const char *occupancy_limit_label(enum occupancy_limit limit);

#endif
