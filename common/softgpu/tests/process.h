/* SPDX-License-Identifier: MIT */
/** @file
 *  Run a command to its end, or for so long, and keep what it printed.
 */
#ifndef PROCESS_H
#define PROCESS_H

/** What a command left. */
struct outcome {
    int status; /**< exit status; 128 + signal; 124 if it took too long */
    char *out;  /**< its standard output; free() */
    char *err;  /**< its standard error; free() */
};

/** Run argv[0] with standard input empty.
 *
 *  @param argv    NULL-terminated
 *  @param env     NULL-terminated "NAME=value", added to the environment
 *  @param seconds after which the whole process group is killed
 *  @param base    where output is kept meanwhile: BASE.stdout, BASE.stderr
 *  @param[out] o  written in any case
 */
void run_process(char *const argv[], char *const env[], double seconds,
                 const char *base, struct outcome *o);

/** Free the texts. */
void free_outcome(struct outcome *o);

/** The whole of a file, 0-terminated; NULL if it cannot be read. free() */
char *read_text(const char *path);

#endif
