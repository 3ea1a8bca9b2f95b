/* SPDX-License-Identifier: MIT */
/** @file
 *  From a .cu file to C++: preprocess, then rewrite.
 */
#ifndef SOFTCC_TRANSLATE_H
#define SOFTCC_TRANSLATE_H

#include "compiler/pch.h"

/** Translate a .cu file: to its rewritten source, or with -E to its
 *  preprocessed source.
 *  @param      pch     CUDA's headers; marked unusable if they fail
 *  @param      object  name of the object, for dependency files
 *  @param[out] out     the text, to be freed
 *  @return an exit code; messages have been printed */
int translate(const struct job *job, struct pch *pch, const char *input,
              const char *object, struct buffer *out);

#endif
