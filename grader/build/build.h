/* SPDX-License-Identifier: MIT */
/** @file
 *  Building a runner: the program that unpacks calls of a lab's function and
 *  makes them, linked with one submission.
 *
 *  One pass, in this order:
 *
 *      source_check.c   may this file be compiled?
 *      recipe.c         inputs, outputs and commands
 *      executor.c       runs the commands whose outputs are out of date
 *      diagnosis.c      reads what the compiler said
 *
 *  The runner's own objects and a lab's dependencies are kept in
 *  BUILD/runner and shared by all submissions.
 */
#ifndef GRADER_BUILD_H
#define GRADER_BUILD_H

#include "common/base/target.h"
#include "executor.h"
#include "grader/lab/lab.h"
#include "grader/suite/run.h"
#include "recipe.h"

enum { MAX_WARNINGS = 5 };

/** Result of a build. */
struct build_result {
    enum verdict verdict;       /**< PASS, BUILD, MISSING, REJECTED, INTERNAL */
    char message[MESSAGE_SIZE]; /**< the error, with file and line */
    char review[REVIEW_SIZE];   /**< empty, or why a person should look */
    char log[PRINTED_SIZE];     /**< beginning of what the compiler printed */
    char warnings[PRINTED_SIZE]; /**< about the submission, a line each */
    char runner[PATH_MAX];      /**< path of the executable */
};

/** A build in progress. */
struct build {
    struct build_request request; /**< what */
    bool is_pending;            /**< build_wait() was not called yet */
    struct recipe recipe;       /**< how */
    struct execution execution; /**< the submission's compiler */
    struct build_result result; /**< so far */
};

/** Build a runner.
 *  @param[out] result  verdict PASS and the path, or the error */
void build_runner(const struct build_request *request,
                  struct build_result *result);
/** Build a runner of a step of the lab's ladder.  It is kept in BUILD/runner
 *  and compiled again only when an input is newer. */
void build_ladder_step(const struct target *target, const struct lab *lab,
                       const char *step, struct build_result *result);
/** Where that runner is kept; its folder is made.
 *  @param[out] path  PATH_MAX bytes
 *  @return false with errno set */
bool ladder_step_path(const struct target *target, const struct lab *lab,
                      const char *step, char *path);
/** Build what all submissions of a lab share.
 *  @return false with one line in `error` (MESSAGE_SIZE bytes) */
bool build_shared(const struct target *target, const struct lab *lab,
                  char *error);

/** Start to build a runner: returns while the submission is being compiled.
 *  build_wait() or build_cancel() must follow.
 *  @param request  copied, but not the paths that it points to */
void build_start(const struct build_request *request, struct build *build);
/** Wait for a build that build_start() started. */
void build_wait(struct build *build, struct build_result *result);
/** End a build without its result; nothing for one that has ended. */
void build_cancel(struct build *build);

/** Extract the warnings about the submission's own lines from a compiler's log:
 *  "name.cu:12:7: ...", one for each line of the source, at most MAX_WARNINGS.
 *  They are shown, and decide nothing.
 *  @param[out] text  `bytes` bytes, printable; empty when there are none */
void collect_warnings(const char *source, const char *log, char *text,
                      size_t bytes);

/** Check that a submission is a text file that may be compiled.
 *  @return false with verdict and message in `result` (source_check.c) */
bool check_source(const char *source, struct build_result *result);
/** Why a person should look at a submission, from the symbols and sections of
 *  its program, an untrusted file (review.c).
 *  @param[out] review  REVIEW_SIZE bytes, left if it says something already */
void review_program(const char *path, char *review);
/** The same from its text, whose lines are joined. */
void review_source(const char *text, char *review);
/** Check that a submission includes no file of solutions/ or grader/, where it
 *  does not lie there itself.
 *  @param depfile  the files that its compiler has read
 *  @return false with verdict and message in `result` (includes_check.c) */
bool check_includes(const char *source, const char *depfile,
                    struct build_result *result);
/** Explain why a submission was not built, from the compiler's or linker's
 *  messages (diagnosis.c).  The verdict is BUILD, or INTERNAL when `end` names
 *  a fault or the disk is full; no message decides it. */
void diagnose_build(const struct lab *lab, const char *source,
                    const struct execution_end *end,
                    struct build_result *result);
/** Does the log have an error at a line of the submission? */
bool names_an_error(const char *source, const char *log);
/** Find out whether a build that failed is the submission's fault, where its
 *  log does not show it (confirm.c): the lab's handout is built, and then the
 *  submission again.
 *  @param[in,out] execution  that failed; the second one has ended, too
 *  @param[in,out] end        how it ended
 *  @param[in,out] result     BUILD, or INTERNAL with a message, or PASS
 *  @return true when the second one made the executable */
bool confirm_failure(const struct build_request *request,
                     struct execution *execution, struct execution_end *end,
                     struct build_result *result);

#endif
