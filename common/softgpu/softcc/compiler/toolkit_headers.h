/* SPDX-License-Identifier: MIT */
/** @file
 *  Headers of the CUDA Toolkit that the software GPU does not have.
 */
#ifndef SOFTCC_TOOLKIT_HEADERS_H
#define SOFTCC_TOOLKIT_HEADERS_H

#include <stdbool.h>

#include "common/softgpu/softcc/compiler/run.h"
#include "common/softgpu/softcc/support/arena.h"

/** Is a failed preprocessor run due to a missing header of the Toolkit?  If
 *  so, print an error that says it.
 *  @param err  stderr of the preprocessor */
bool explain_missing_header(const struct buffer *err);
/** Does a line of this source file include a header with a Toolkit's name? */
bool mentions_toolkit_header(const char *path);
/** Reject the headers of an installed Toolkit that the program includes.
 *  @param text  preprocessed source
 *  @param include  directory of the software GPU's headers
 *  @return whether there was any; the errors are on stderr */
bool reject_toolkit_headers(const struct buffer *text, const char *include);
/** Find the software GPU's headers that the program includes in one run of the
 *  preprocessor, `other`, but not in another, `text`.
 *  @param options  gets -include and the path of each
 *  @param include  directory of the software GPU's headers
 *  @return whether there was any */
bool add_unread_headers(struct list *options, const struct buffer *text,
                        const struct buffer *other, const char *include);
/** Append an -I option; the include directory of a Toolkit becomes -idirafter,
 *  so that it does not hide the software GPU's headers. */
void add_include_option(struct list *argv, const char *option);

#endif
