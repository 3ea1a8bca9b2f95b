/* SPDX-License-Identifier: MIT */
/** @file
 *  What a build consists of: actions, each one command that makes one file.
 */
#ifndef GRADER_BUILD_RECIPE_H
#define GRADER_BUILD_RECIPE_H

#include <limits.h>

#include "common/base/command.h"
#include "common/base/target.h"
#include "grader/lab/lab.h"

enum {
    MAX_ACTIONS = 64,     /**< actions of a recipe */
    MAX_INPUTS = 64,      /**< named inputs of an action */
    RECIPE_TEXT = 3 << 17, /**< bytes of all arguments and paths */
    STAGES = 3            /**< before the executable */
};

/** One command that makes one file. */
struct action {
    struct command command; /**< writes `partial`, which is then renamed */
    const char *source;     /**< what is compiled, for messages */
    const char *output;     /**< the file */
    const char *partial;    /**< its name until it is complete */
    const char *depfile;    /**< headers it was made of (-MMD), or NULL */
    const char *partial_depfile; /**< its name until it is complete */
    const char *input[MAX_INPUTS + 1]; /**< further inputs; NULL ends */
    size_t inputs;          /**< of them */
    bool is_untrusted;      /**< it reads a submission */
    bool is_graded;         /**< a submission, for the software GPU */
};

/** All actions of a build, in stages: the objects of the runner and of the
 *  lab's dependencies; an archive of the dependencies; the submission's object,
 *  if it is kept; the executable, which needs all. */
struct recipe {
    struct action action[MAX_ACTIONS]; /**< in the order of the stages */
    size_t stage[STAGES];   /**< where each stage ends */
    size_t count;           /**< actions */
    char text[RECIPE_TEXT]; /**< memory of arguments and paths */
    size_t used;            /**< bytes of it */
};

/** How far a submission is optimized. */
enum effort {
    EFFORT_FULL, /**< -O3 */
    EFFORT_LESS, /**< -O1: for code that is wrong, and runs once */
    EFFORT_LEAST /**< -Og, on a card -O1: for a first answer and for proofs
                      that a wrong kernel is told; the last step of
                      lab 08 compiles five times as fast as with -O3 */
};

/** The target of a build. */
struct build_request {
    const struct target *target; /**< device, compiler, instrumentation */
    const struct lab *lab;       /**< whose function */
    const char *source;  /**< the submission; NULL: only what is shared */
    const char *output;  /**< path of the executable */
    bool is_ours;        /**< the source is one of solutions/ */
    bool is_control;     /**< the source is known to be right: its failure is
                              not looked into */
    const char *object;  /**< keep the submission's object there; or NULL */
    enum effort effort;  /**< how far the submission is optimized */
};

/** Write down the actions; nothing is run but folders are made.
 *  @return false with one line in `error` (LAB_ERROR_SIZE bytes) */
bool recipe_create(const struct build_request *request,
                   struct recipe *recipe, char *error);

/* Shared by recipe.c and recipe_dependencies.c. */

/** Copy a formatted text into the recipe.  @return the copy */
const char *recipe_text(struct recipe *recipe, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/** Append an action that makes `output` with the compiler `program`. */
struct action *recipe_add(struct recipe *recipe, const char *program,
                          const char *source, const char *output);
/** Append an argument that is also an input. */
void action_add_input(struct action *action, const char *path);
/** Ask the compiler for the warnings that tell of defects (warnings.c). */
void add_warning_options(struct command *command);
/** Append the options that compile a submission of the lab: optimization,
 *  architecture, include folders, instrumentation. */
void add_submission_options(struct recipe *recipe, struct action *action,
                            const struct target *target,
                            const struct lab *lab, enum effort effort);
/** Append "-c" and its output, source and dependency file. */
void add_compile_arguments(struct recipe *recipe, struct action *action);
/** Append the action that compiles a C file or a .cu file of the runner.
 *  @param source  absolute, or from the source tree
 *  @return its object */
const char *recipe_add_object(struct recipe *recipe,
                              const struct target *target,
                              const char *source, const char *folder);
/** Append the actions that compile the lab's dependencies.
 *  @param folder  gets the objects
 *  @return false with one line in `error` (LAB_ERROR_SIZE bytes) */
bool recipe_add_dependencies(struct recipe *recipe,
                             const struct target *target,
                             const struct lab *lab, const char *folder,
                             char *error);
/** Append the linker's options by which the runner counts calls
 *  (recipe_wraps.c). */
void add_wraps(struct command *command, const struct target *target,
               const struct lab *lab);
/** Suffix of the folder for instrumented files: "-watched" and the like. */
const char *watch_suffix(const struct target *target);

#endif
