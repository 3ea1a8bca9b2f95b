/* SPDX-License-Identifier: MIT */
/* The canary of a box: tries each forbidden act, and prints one line for each:
 * "refused WORDS" or "succeeded WORDS".  See canary.h for its arguments. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "grader/box/acts.h"
#include "grader/box/canary.h"

enum { NO_PROCESS = 4194303 /* the highest number, hardly ever reached */ };

char **act_argument;
pid_t act_grader;

static void try(const struct act *act)
{
    printf("%s %s\n", act->succeeds() ? "succeeded" : "refused", act->words);
}

static void try_all(const struct act *acts)
{
    for (; acts->words; acts++)
        try(acts);
}

int main(int argc, char **argv)
{
    if (argc != CANARY_ARGUMENTS)
        return 2;
    act_argument = argv;
    act_grader = (pid_t)atoi(argv[CANARY_GRADER]);
    if (act_grader == getpid() || act_grader == getppid())
        act_grader = NO_PROCESS; /* in this namespace, it is another's */
    setvbuf(stdout, NULL, _IOLBF, 0);
    if (!strcmp(argv[CANARY_ACTS], "memory")) {
        try(&acts_alone[0]);
    } else if (!strcmp(argv[CANARY_ACTS], "processes")) {
        try(&acts_alone[1]);
    } else {
        try_all(acts_on_files);
        try_all(acts_on_processes);
        try_all(acts_by_calls);
        try_all(acts_beyond_limits);
        printf("end\n");
    }
    fflush(stdout);
    _exit(0); /* without what runs at exit: a sanitizer would trace this */
}
