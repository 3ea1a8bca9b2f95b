/* SPDX-License-Identifier: MIT */
/** @file
 *  A class of submissions for tests that run autograde as a program: the
 *  folder, the run, and two results folders compared.
 */
#ifndef TESTS_CLASS_FIXTURE_H
#define TESTS_CLASS_FIXTURE_H

#include <limits.h>
#include <stdbool.h>
#include <sys/types.h>

/** Folders of a test, made by class_begin() in its temporary folder. */
extern struct class_fixture {
    char submissions[PATH_MAX]; /**< what autograde reads */
    char expected[PATH_MAX];    /**< results of a run without disturbance */
    char results[PATH_MAX];     /**< results of the runs that are tested */
    char seed[PATH_MAX];        /**< the file for --seed-file */
    char settings[PATH_MAX];    /**< the file for --course */
    const char *tier; /**< of the boxes; NULL: the best one here */
    char messages[PATH_MAX];    /**< stderr of the last run */
} class_fixture;

/** Make the folders; the class is empty.
 *  @param settings  the course's, as text */
void class_begin(const char *settings);
/** Add a file NAME to the class. */
void class_add(const char *name, const char *text, size_t length);
/** Add NAME.cu that is a correct file of lab 01. */
void class_add_correct(const char *name);

/** Start the program `warpbook` of this build.
 *  @param words   its arguments, NULL-terminated, at most 20
 *  @param output  file for its stdout, or NULL
 *  @param before  called in the child before exec, or NULL */
pid_t class_start(const char *const *words, const char *output,
                  void (*before)(void));
/** Start autograde on the class, for lab 01 on the software GPU.
 *  @param into  the results folder
 *  @param jobs  "1", ... */
pid_t class_start_autograde(const char *into, const char *jobs,
                            void (*before)(void));
/** Wait for it.  @return its exit status, or -1: ended by a signal */
int class_finish(pid_t pid);
/** Did the last run print a line to stderr? */
bool class_has_message(void);

/** A JSON file of a results folder without what differs between two runs:
 *  times.  @return malloced, NULL when there is no such JSON file */
char *class_without_times(const char *path);
/** Number of files in a folder, hidden ones too. */
int class_count_files(const char *folder, const char *subfolder);
/** Do both results folders have the same files in a subfolder, but for times?
 *  Differences are printed. */
bool class_is_equal(const char *subfolder);

#endif
