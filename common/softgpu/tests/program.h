/* SPDX-License-Identifier: MIT */
/** @file
 *  One program of the corpus: `NNN_name.cu` with `NNN_name.out`, or a folder
 *  `NNN_name/` of several files with its output in `out`.
 *
 *  Directives in comments among the first lines of the .cu (or of main.cu,
 *  main.cpp):
 *
 *      // exit: 1               its exit status, default 0
 *      // env: NAME=value       environment variable
 *      // flags: -DX            options for softcc
 *      // stderr: text          required in its standard error; repeatable
 *      // sort: yes             lines of output may be in any order
 *      // plain: why            not run under the sanitizers
 *      // once: why             run in one mode: the order of its threads and
 *                               their number change nothing
 */
#ifndef PROGRAM_H
#define PROGRAM_H

/** Capacities. */
enum { MAX_PROGRAMS = 400, MAX_SOURCES = 8, MAX_DIRECTIVES = 4 };

/** A program and its expected results. */
struct program {
    char name[64];
    char *sources[MAX_SOURCES + 1]; /**< NULL-terminated */
    char *expected;                 /**< its standard output */
    int exit_status;
    char *env[MAX_DIRECTIVES + 1];    /**< NULL-terminated */
    char *flags[MAX_DIRECTIVES + 1];  /**< NULL-terminated */
    char *errors[MAX_DIRECTIVES + 1]; /**< NULL-terminated: parts of stderr */
    int sorted;                  /**< compare after sorting the lines */
    int plain;                   /**< not under the sanitizers */
    int once;                    /**< in one mode only */
};

/** Read all programs of a folder, in order of name.
 *  @param[out] all  MAX_PROGRAMS of them
 *  @return how many; a program without expected output has expected NULL */
int find_programs(const char *folder, struct program *all);

/** Sort the lines of a text in place. */
void sort_lines(char *text);

#endif
