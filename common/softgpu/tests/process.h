/* SPDX-License-Identifier: MIT */
/** @file
 *  Run a command with a time limit and capture its output.
 */
#ifndef PROCESS_H
#define PROCESS_H

/** The result of a command. */
struct outcome {
    int status; /**< exit status; 128 + signal; 124 after a timeout */
    char *out;  /**< its standard output; free() */
    char *err;  /**< its standard error; free() */
};

/** Run argv[0] with standard input empty.
 *
 *  @param argv    NULL-terminated
 *  @param env     NULL-terminated "NAME=value", added to the environment
 *  @param seconds time limit; then the whole process group is killed
 *  @param base    prefix of the output files BASE.stdout and BASE.stderr
 *  @param[out] o  always written
 */
void run_process(char *const argv[], char *const env[], double seconds,
                 const char *base, struct outcome *o);

/** Free the texts. */
void free_outcome(struct outcome *o);

/** Read a whole file as a string; NULL if it cannot be read.  free() it. */
char *read_text(const char *path);

#endif
