/* SPDX-License-Identifier: MIT */
/** @file
 *  Making a runner: the student's file, the runner's own parts and the lab's
 *  thunk.  Only the first is compiled each time; the others are kept in the
 *  build folder.  Compilers are started from argument lists, never a shell.
 */
#ifndef GRADER_BUILD_H
#define GRADER_BUILD_H

#include "lab.h"
#include "process.h"
#include "suite_run.h"
#include "target.h"

/** A tool's argument list being put together. */
struct command {
    char *argument[128]; /**< argv, NULL-terminated */
    size_t count;       /**< of them, without the NULL */
};
/** Append one argument; the text must outlive the command. */
void command_add(struct command *command, const char *argument);
/** Run it with a compiler's limits; its messages in `log`, caller frees.
 *  @return true when it ended with status 0 */
bool command_run(struct command *command, const char *folder, char **log);

/** What building came to. */
struct built {
    enum verdict verdict;       /**< PASS, BUILD, MISSING or INTERNAL */
    char message[MESSAGE_TEXT]; /**< why not, with file and line */
    char log[PRINTED_TEXT];     /**< what the compiler said */
    char runner[PATH_MAX];      /**< the executable */
};

/** Build a plain runner from `source` in `folder`. */
void build_runner(const struct target *target, const struct lab *lab,
                  const char *source, const char *folder, struct built *built);
/** The same for a file of the lab's ladder, plain or watched; kept, and made
 *  again only when something it is made of is newer. */
void build_step(const struct target *target, const struct lab *lab,
                const char *step, struct built *built);

/** A watched runner being built beside other work (build_watched.c). */
struct building {
    struct process process; /**< softcc, while `running` */
    bool running;           /**< build_end or build_drop must follow */
    const struct lab *lab;  /**< whose */
    const char *source;     /**< of which file */
    struct built built;     /**< what is known of it so far */
};
/** Begin to build a watched runner (target->watch) from `source` in `folder`.
 *  What goes wrong is told by build_end. */
void build_begin(const struct target *target, const struct lab *lab,
                 const char *source, const char *folder,
                 struct building *building);
/** Wait for it; `built` is as of build_runner. */
void build_end(struct building *building, struct built *built);
/** Both at once. */
void build_now(const struct target *target, const struct lab *lab,
               const char *source, const char *folder, struct built *built);
/** Give it up, if it still runs. */
void build_drop(struct building *building);

/** False, with a verdict, when a student's file is not there, holds nothing or
 *  is no text. */
bool build_is_there(const char *source, struct built *built);
/** The compiler and its options for the lab's file, with the words' memory. */
struct compiler {
    struct command command;    /**< to be completed and run */
    char folder[3][PATH_MAX];  /**< of the includes */
};
/** Begin a compiler's command line: all but inputs and output. */
void build_options(const struct target *target, const struct lab *lab,
                   struct compiler *compiler);
/** Append what makes a watched program of it, if the target asks for one. */
void build_watching(const struct target *target, struct command *command);
/** Append the libraries that the lab's files use. */
void build_libraries(const struct lab *lab, struct command *command);
/** Say in built->message what a compiler or linker complained of first; with
 *  verdict INTERNAL when it had no room to write beside built->runner. */
void build_explain(const struct lab *lab, const char *source, const char *log,
                   struct built *built);
/** What a compiler may use. */
extern const struct limits compiler_limits;

/** Make the runner's own objects that are out of date.
 *  `objects` gets their paths, BUILD_OBJECTS at most, `count` how many.
 *  @return false with one line in `error` (MESSAGE_TEXT bytes) */
bool build_parts(const struct target *target, const struct lab *lab,
                 char objects[][PATH_MAX], size_t *count, char *error);
enum { BUILD_OBJECTS = 14 /**< most parts of a runner */ };

/** Compile one source of the runner to `object`.
 *  @return false with one line in `error` (MESSAGE_TEXT bytes) */
bool build_part(const struct target *target, const char *source,
                const char *object, char *error);
/** Make the archive of what lab->with names, as far as it is out of date.
 *  @param[out] archive  its path; PATH_MAX bytes
 *  @return false with one line in `error` (MESSAGE_TEXT bytes) */
bool build_with(const struct target *target, const struct lab *lab,
                char *archive, char *error);
/** When the newest thing that goes into that archive changed; 0: nothing. */
double with_changed(const struct lab *lab);
/** What is appended to a device's name for the folder of its watched programs:
 *  "-checked", or "". */
const char *build_kind(const struct target *target);

/** Seconds since the epoch at which the newest file of a folder with that
 *  ending changed; 0 when there is none. */
double newest(const char *folder, const char *ending);
/** The same for one file. */
double changed_at(const char *path);

#endif
