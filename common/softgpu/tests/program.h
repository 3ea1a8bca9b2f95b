/* SPDX-License-Identifier: MIT */
/** @file
 *  One program of the corpus: `NNN_name.cu` with `NNN_name.out`, or a folder
 *  `NNN_name/` of several files with its output in `out`.
 *
 *  Comments among the first lines of the .cu (or of main.cu, main.cpp) say
 *  what is unusual about it:
 *
 *      // exit: 1               its exit status, 0 if not said
 *      // env: NAME=value       set when it runs
 *      // flags: -DX            for softcc
 *      // stderr: text          must be in its standard error; several may be
 *      // sort: yes             the order of its lines does not matter
 *      // plain: why            not run under the sanitizers
 */
#ifndef PROGRAM_H
#define PROGRAM_H

enum { MAX_PROGRAMS = 400, MAX_SOURCES = 8, MAX_ASKED = 4 };

/** A program and what is expected of it. */
struct program {
    char name[64];
    char *sources[MAX_SOURCES + 1]; /**< NULL-terminated */
    char *expected;                 /**< its standard output */
    int exit_status;
    char *env[MAX_ASKED + 1];    /**< NULL-terminated */
    char *flags[MAX_ASKED + 1];  /**< NULL-terminated */
    char *errors[MAX_ASKED + 1]; /**< NULL-terminated: parts of stderr */
    int sorted;                  /**< compare after sorting the lines */
    int plain;                   /**< not under the sanitizers */
};

/** Read all programs of a folder, in order of name.
 *  @param[out] all  MAX_PROGRAMS of them
 *  @return how many; a program without expected output has expected NULL */
int find_programs(const char *folder, struct program *all);

/** Put the lines of a text in order, in place. */
void sort_lines(char *text);

#endif
