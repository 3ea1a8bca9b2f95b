/* SPDX-License-Identifier: MIT */
/* warpbook ask LAB, warpbook answer LAB NUMBER: the lab's number to predict. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/base/text.h"
#include "common.h"
#include "grader/workbench/journal.h"
#include "grader/workbench/progress.h"

/* Open the lab of the first argument, which must have a question.  Without one
 * it is the lab that was graded last: a question is asked after the pass. */
static bool open_question(const struct options *options, struct lab *lab)
{
    struct progress progress;

    progress_read(&progress);
    if (!load_lab(options->count ? options->words[0]
                                 : last_lab_stem(&progress), options, lab))
        return false;
    if (*lab->question.ask)
        return true;
    report_error(0, "lab %02d has no question", lab->number);
    return false;
}

/* The answer with its tolerance, and why. */
static void show_answer(const struct lab_question *question)
{
    if (question->tolerance > 0)
        printf("%.10g, give or take %g %%.\n\n", question->answer,
               100 * question->tolerance);
    else
        printf("%.10g.\n\n", question->answer);
    text_wrap(stdout, 0, question->reason);
}

/* With --verbose the answer is shown, too. */
static int ask(const struct options *options)
{
    static struct lab lab;

    if (!open_question(options, &lab))
        return EXIT_USAGE;
    if (!options->count)
        printf("Lab %02d: %s\n\n", lab.number, lab.title);
    text_wrap(stdout, 0, lab.question.ask);
    printf("\n");
    if (options->verbose)
        show_answer(&lab.question);
    else
        printf("Answer with: build/warpbook answer %02d NUMBER\n", lab.number);
    return EXIT_FULL;
}

/* A number as people write it: 24576, 24,576, 24'576, 0.5, 2.5e4.  Commas and
 * apostrophes separate groups of three digits.
 *  @return false when it is none */
static bool parse_answer(const char *text, double *value)
{
    char digits[64];
    size_t length = 0;
    const char *at = text;
    char *end;

    for (; *at && length < sizeof digits - 1; at++) {
        if ((*at == ',' || *at == '\'') && at > text && isdigit(at[-1])
            && strspn(at + 1, "0123456789") == 3)
            continue;
        digits[length++] = *at;
    }
    digits[length] = 0;
    *value = strtod(digits, &end);
    return !*at && end > digits && !*end && *value >= 0 && *value < 1e18;
}

/* A number with something behind it, as a unit, gets its number back. */
static int refuse(const char *text)
{
    const int length = (int)strspn(text, "0123456789,.'");
    double value;
    char number[40];

    text_format(number, sizeof number, "%.*s", length < 39 ? length : 39, text);
    if (text[length] && parse_answer(number, &value))
        return report_error(EXIT_USAGE,
                            "\"%.40s\" is more than a number: write it without "
                            "unit, space or formula", text);
    return report_error(EXIT_USAGE, "\"%.40s\" is not a number", text);
}

/* A right answer goes into the journal; a wrong one says in which direction. */
static int answer(const struct options *options)
{
    static struct lab lab;
    const char *text = options->words[1];
    char words[256];
    double value;

    if (!open_question(options, &lab))
        return EXIT_USAGE;
    if (!parse_answer(text, &value))
        return refuse(text);
    if (is_right_answer(&lab.question, value)) {
        const struct journal_entry entry = {.lab = lab.number,
                                            .kind = JOURNAL_ANSWER,
                                            .value = value};

        journal_add(&entry);
        printf("Right: ");
        show_answer(&lab.question);
        return EXIT_FULL;
    }
    text_wrap(stdout, 0,
              text_format(words, sizeof words, "Not quite: %.40s is too %s. Try "
                          "again, or see build/warpbook ask %02d --verbose",
                          text, value > lab.question.answer ? "much" : "little",
                          lab.number));
    return EXIT_PARTIAL;
}

const struct verb verb_ask = {
    "ask",
    "[LAB]",
    "ask the lab's question: a number to predict",
    "Without LAB, of the lab that was graded last. With --verbose, print the "
    "answer and its explanation, too.",
    "v",
    0,
    1,
    ask};

const struct verb verb_answer = {
    "answer", "LAB NUMBER", "check that number, and explain the answer",
    "Exit status 1 when it is wrong.", "", 2, 2, answer};
