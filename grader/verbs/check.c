/* SPDX-License-Identifier: MIT */
/* warpbook check LAB [CASE]: what the watchers find in your file. */
#include <stdio.h>
#include <string.h>

#include "../text.h"
#include "watched.h"

/* The cases that did not come through, a line each. */
static bool show_cases(const struct lab *lab, const struct watch *watch)
{
    const struct suite_test *cases = suite_watched(lab->suite);
    bool all = true;

    for (size_t i = 0; i < LAB_WATCHED; i++) {
        const struct watched_case *made = &watch->cases[i];

        if (!made->done || made->outcome.verdict == PASS)
            continue;
        all = false;
        printf("  %s in case %s\n", verdict_name(made->outcome.verdict),
               cases[i].name);
        text_wrap(stdout, 6, made->outcome.message);
    }
    return all;
}

static void show_end(const struct lab *lab, const struct watch *watch)
{
    const struct suite_test *cases = suite_watched(lab->suite);
    size_t made = 0;

    printf("%s%zu finding%s in", watch->findings ? "\n" : "", watch->findings,
           watch->findings == 1 ? "" : "s");
    for (size_t i = 0; i < LAB_WATCHED; i++)
        if (watch->cases[i].done)
            printf("%s %s", made++ ? "," : "", cases[i].name);
    printf("\n");
}

static int run(const struct options *options)
{
    static struct watched_run made;
    int code = watched_open(options, WATCH_FINDINGS, &made);
    bool right;

    if (code != EXIT_FULL)
        return code;
    if (made.only >= 0)
        json_decref(watch_case(&made.watching, (size_t)made.only,
                               &made.watch));
    else
        watch_all(&made.watching, &made.watch);
    watched_close(&made);
    if (interrupted())
        return EXIT_INTERRUPTED;
    for (size_t i = 0; i < made.watch.findings; i++)
        watch_show_finding(stdout, &made.watch.finding[i]);
    right = show_cases(&made.lab, &made.watch);
    show_end(&made.lab, &made.watch);
    return right && !made.watch.findings ? EXIT_FULL : EXIT_NOT_FULL;
}

const struct verb verb_check = {
    "check", "LAB [CASE]", "say what the watchers find in your file",
    "Runs small cases of the lab's suite on the soft device with every access "
    "watched: races, stray accesses, values read before they are written, "
    "barriers that some threads miss, leaks. CASE picks one of them. Exit "
    "status 1 when something was found or a case went wrong.",
    "fstmk", 1, 2, run};
