/* SPDX-License-Identifier: MIT */
/* The summary of the corpus. */
#include "summary.h"

#include <stdio.h>

/* Rows of one group. */
struct tally {
    int state[ATTACK_STATES], run, wrong;
};

static const struct {
    char letter;
    const char *name;
} groups[] = {{'A', "forge the result"}, {'B', "steal"},
              {'C', "exhaust resources"}, {'D', "attack the grader"},
              {'E', "persist"}, {'F', "timing and work"},
              {'G', "archive and upload"}, {'H', "compile and link"},
              {'X', "found since"}};

static void print_group(size_t group, const struct tally *tally)
{
    printf("%c %-20s", groups[group].letter, groups[group].name);
    for (int state = 0; state < ATTACK_STATES; state++)
        printf(" %6d", tally->state[state]);
    printf(" %6d %6d\n", tally->run, tally->wrong);
}

void attack_print_summary(const struct attack *rows,
                          const enum attack_outcome *outcome, size_t count)
{
    printf("%-22s %6s %6s %6s %6s %6s %6s\n", "group", "holds", "gap", "card",
           "n/a", "run", "wrong");
    for (size_t group = 0; group < sizeof groups / sizeof *groups; group++) {
        struct tally tally = {0};

        for (size_t i = 0; i < count; i++) {
            if (rows[i].id[0] != groups[group].letter)
                continue;
            tally.state[rows[i].state]++;
            tally.run += outcome[i] != ATTACK_NOT_RUN;
            tally.wrong += outcome[i] == ATTACK_NOT_AS_KNOWN;
        }
        print_group(group, &tally);
    }
    for (size_t i = 0; i < count; i++)
        if (rows[i].state != ATTACK_HOLDS)
            printf("%-5s %-6s %s%s%s\n", attack_state_name(rows[i].state),
                   rows[i].id, rows[i].file[0] == '-' ? "" : rows[i].file,
                   rows[i].file[0] == '-' ? "" : ": ", rows[i].note);
    for (size_t i = 0; i < count; i++)
        if (outcome[i] == ATTACK_NOT_AS_KNOWN)
            printf("not as the table says: %s %s\n", rows[i].id, rows[i].file);
}
