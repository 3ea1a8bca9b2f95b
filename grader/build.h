/* SPDX-License-Identifier: MIT */
/** @file
 *  Making a runner: the student's file, the runner's own parts and the lab's
 *  thunk.  Only the first is compiled each time; the others are kept in the
 *  build folder.  Compilers are started from argument lists, never a shell.
 */
#ifndef GRADER_BUILD_H
#define GRADER_BUILD_H

#include "lab.h"
#include "suite_run.h"
#include "target.h"

/** What building came to. */
struct built {
    enum verdict verdict;       /**< PASS, BUILD, MISSING or INTERNAL */
    char message[MESSAGE_TEXT]; /**< why not, with the student's file and line */
    char log[PRINTED_TEXT];     /**< what the compiler said */
    char runner[PATH_MAX];      /**< the executable */
};

/** Build a runner from `source` in `folder`. */
void build_runner(const struct target *target, const struct lab *lab,
                  const char *source, const char *folder, struct built *built);
/** The same for a file of the lab's ladder; kept, and made again only when
 *  something it is made of is newer. */
void build_step(const struct target *target, const struct lab *lab,
                const char *step, struct built *built);

/** Make the runner's own objects that are out of date.
 *  `objects` gets their paths, BUILD_OBJECTS at most, `count` how many.
 *  @return false with one line in `error` (MESSAGE_TEXT bytes) */
bool build_parts(const struct target *target, const struct lab *lab,
                 char objects[][PATH_MAX], size_t *count, char *error);
enum { BUILD_OBJECTS = 12 /**< most parts of a runner */ };

/** A tool's argument list being put together. */
struct command {
    char *argument[64]; /**< argv, NULL-terminated */
    size_t count;       /**< of them, without the NULL */
};
/** Append one argument; the text must outlive the command. */
void command_add(struct command *command, const char *argument);
/** Run it with a compiler's limits; its messages in `log`, caller frees.
 *  @return true when it ended with status 0 */
bool command_run(struct command *command, const char *folder, char **log);

/** Seconds since the epoch at which the newest file of a folder with that
 *  ending changed; 0 when there is none. */
double newest(const char *folder, const char *ending);
/** The same for one file. */
double changed_at(const char *path);

#endif
