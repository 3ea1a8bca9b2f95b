/* SPDX-License-Identifier: MIT */
/* warpbook check LAB [CASE]: run the sanitizer on your file. */
#include <stdio.h>
#include <string.h>

#include "common/base/text.h"
#include "grader/report/print.h"
#include "grader/report/source_view.h"
#include "watched.h"

static bool is_right(const struct watch *watch)
{
    for (size_t i = 0; i < LAB_MAX_WATCHED; i++)
        if (watch->cases[i].was_run && watch->cases[i].outcome.verdict != PASS)
            return false;
    return true;
}

/* Print the cases that failed. */
static void show_cases(const struct lab *lab, const struct watch *watch)
{
    const struct suite_test *cases = suite_watched(lab->suite);

    for (size_t i = 0; i < LAB_MAX_WATCHED; i++) {
        const struct watched_case *watched = &watch->cases[i];

        if (!watched->was_run || watched->outcome.verdict == PASS)
            continue;
        printf("  %s in case %s\n", verdict_name(watched->outcome.verdict),
               cases[i].name);
        text_wrap(stdout, 6, watched->outcome.message);
    }
}

/* A case ends at its first failure, and a crash ends them all: no finding is no
 * word about the rest. */
static void show_unseen(const struct lab *lab, const struct watch *watch)
{
    const struct suite_test *cases = suite_watched(lab->suite);
    char text[512];

    for (size_t i = 0; i < LAB_MAX_WATCHED; i++) {
        const struct outcome *outcome = &watch->cases[i].outcome;

        if (!watch->cases[i].was_run || outcome->verdict == PASS)
            continue;
        text_format(text, sizeof text, "Case %s stopped%s%s%s: what comes "
                    "after that was not seen.", cases[i].name,
                    *outcome->function ? " at " : " at a function",
                    outcome->function,
                    is_to_do(outcome) ? ", which is not written yet" : "");
        text_wrap(stdout, 0, text);
    }
}

/* How many findings, and the cases that ran. */
static void show_end(const struct lab *lab, const struct watch *watch)
{
    const struct suite_test *cases = suite_watched(lab->suite);
    size_t watched = 0, runs = 0;
    char text[512];

    for (size_t i = 0; i < LAB_MAX_WATCHED; i++)
        runs += watch->cases[i].was_run;
    if (watch->findings)
        printf("\n");
    text_format(text, sizeof text, "%zu finding%s in the case%s",
                watch->findings, watch->findings == 1 ? "" : "s",
                runs == 1 ? "" : "s");
    for (size_t i = 0; i < LAB_MAX_WATCHED; i++)
        if (watch->cases[i].was_run)
            text_format(text + strlen(text), sizeof text - strlen(text),
                        "%s %s", watched++ ? "," : "", cases[i].name);
    text_wrap(stdout, 0, text);
    show_unseen(lab, watch);
}

/** What a check prints. */
struct check_text {
    const char *source;        /**< the file */
    const struct lab *lab;     /**< its lab */
    const struct watch *watch; /**< what the cases found */
};

static void show(const void *data)
{
    const struct check_text *text = data;

    for (size_t i = 0; i < text->watch->findings; i++)
        show_finding(text->source, &text->watch->finding[i]);
    show_cases(text->lab, text->watch);
    show_end(text->lab, text->watch);
}

/* Exit status 0 needs a right result as well as no finding. */
static int run(const struct options *options)
{
    static struct watched_run watched;
    int code = watched_run_open(options, WATCH_FINDINGS, &watched);
    char source[PATH_MAX];
    const struct check_text text = {source, &watched.lab, &watched.watch};

    if (code != EXIT_FULL)
        return code;
    if (watched.only >= 0)
        json_decref(watch_case(&watched.watch_run, (size_t)watched.only,
                               &watched.watch));
    else
        watch_all(&watched.watch_run, &watched.watch);
    watched_run_close(&watched);
    if (interrupted())
        return EXIT_INTERRUPTED;
    source_path(options, &watched.lab, source);
    if (!watched_text_keep(show, &text))
        show(&text);
    return is_right(&watched.watch) && !watched.watch.findings ? EXIT_FULL
                                                               : EXIT_PARTIAL;
}

const struct verb verb_check = {
    "check",
    "[LAB [CASE]]",
    "report races, invalid accesses, leaks in your file",
    "Runs small cases of the lab's suite on the soft device, instrumented: "
    "races, out-of-bounds accesses, uninitialized reads, barriers that some "
    "threads do not reach, leaks. CASE selects one of them; without LAB "
    "it is the lab that comes next. Exit status 1 when something was found or "
    "a case failed.",
    "fstmk",
    0,
    2,
    run};
