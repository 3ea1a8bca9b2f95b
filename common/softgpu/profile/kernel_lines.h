/* SPDX-License-Identifier: MIT */
/** @file
 *  The lines of a kernel's profile, by source line.
 */
#ifndef SOFTGPU_KERNEL_LINES_H
#define SOFTGPU_KERNEL_LINES_H

#include "common/softgpu/core/source_line.h"
#include "profile.h"

/** The entry of a source line, added if it is new; that of the kernel's first
 *  line when the source is unknown.
 *  @return valid until a line is added; NULL without memory */
struct line_profile *line_of_source(struct kernel_profile *k,
                                    const struct source_line *source);
/** Is it code that starts a thread and finds its shared memory, which a GPU
 *  does not execute? */
int is_launch_setup(const struct source_line *source);

#endif
