/* SPDX-License-Identifier: MIT */
/** @file
 *  Parts that merge_device.c and merge_declarations.c share. */
#ifndef SOFTCC_MERGE_H
#define SOFTCC_MERGE_H

#include "rewriter.h"

/** The text of [t, end) without attributes, which may be those of one pass
 *  alone and tell no declarations apart. */
const char *plain_text(struct unit *unit, struct token *t,
                       const struct token *end);
/** Change the file index of tokens first..last from `other` to `unit`. */
void remap_files(struct unit *unit, const struct unit *other,
                 struct token *first, const struct token *last);
/** Let f, a function of `unit`, have its own body in host code and the body of
 *  g, a function of `other`, in kernels; g loses it. */
void merge_bodies(struct unit *unit, struct function *f, struct unit *other,
                  struct function *g);

/** Does it give a type a name, by typedef or using? */
bool is_alias(const struct declaration *declaration);
/** Does anything but kernels, device functions and device lambdas name what
 *  this declaration of the unit declares? */
bool is_named_by_host_code(const struct unit *unit, const struct token *name,
                           const struct declaration *declaration);

/** Merge the member initializers of two constructors: `x(A)` and `x(B)` become
 *  `x(in a kernel ? (B) : (A))`.
 *  @return false, and nothing changed: they differ in more than such values */
bool merge_initializers(struct unit *unit, struct function *f,
                        struct unit *other, struct function *g);

#endif
