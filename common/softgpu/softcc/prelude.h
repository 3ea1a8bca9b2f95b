/* SPDX-License-Identifier: MIT */
/** @file
 *  CUDA's headers, compiled once and kept beside softcc.
 *
 *  Every .cu file begins with cuda_runtime.h, and to read it takes two thirds
 *  of a small file's compilation.  What the compiler made of it is kept in
 *  prelude/ of the build folder, one folder for each set of options, and is
 *  taken when everything it came from is as it was (prelude_stamp.c).  Nothing
 *  depends on it: where it cannot be made, or does not fit, the headers are
 *  read.
 */
#ifndef SOFTCC_PRELUDE_H
#define SOFTCC_PRELUDE_H

#include "driver.h"

/** The headers in the compiler's own form. */
struct prelude {
    bool ready;           /**< false: the headers are read */
    char folder[4200];    /**< where it is kept */
    char header[4300];    /**< what is included in place of cuda_runtime.h */
    char compiled[4300];  /**< what the compiler made of `header` */
    char stamp[4300];     /**< says what it was made from */
};

/** Find what is kept for these options, or make it. */
void prelude_find(struct prelude *prelude, const struct job *job);
/** Append the inclusion of CUDA's headers, for the preprocessor. */
void prelude_include(struct list *argv, const struct prelude *prelude,
                     const struct job *job);
/** Take the headers out of what clang's preprocessor printed; gcc's prints
 *  none of them. */
void prelude_cut(const struct prelude *prelude, const struct job *job,
                 struct buffer *text);
/** Append what brings the headers back, for clang's compiler; gcc's finds a
 *  line in the text. */
void prelude_bring(struct list *argv, const struct prelude *prelude,
                   const struct job *job);
/** Whether a run failed because of what is kept: then it is forgotten, and the
 *  run is to be repeated. */
bool prelude_failed(struct prelude *prelude, const struct result *result);

/** What decides about the result besides files: options and the compiler.
 *  @param words  the command without input and output
 *  @return false when the compiler cannot be found */
bool stamp_begin(struct buffer *stamp, const struct list *words);
/** Append the state of the files in a list that the compiler wrote for make.
 *  @return false when it cannot be read */
bool stamp_files(struct buffer *stamp, const char *dependencies);
/** What a stamp says. */
enum stamp {
    STAMP_OLD,    /**< there is none, or something changed since */
    STAMP_HIDDEN, /**< a folder of the job's hides one of the files */
    STAMP_GOOD    /**< what was made of them may be used */
};
/** Compare a stamp to what is there now.
 *  @param begun  what stamp_begin says now */
enum stamp stamp_judge(const char *path, const struct buffer *begun,
                       const struct job *job);
/** FNV-1a, 64 bits. */
unsigned long long stamp_hash(const struct buffer *text);

#endif
