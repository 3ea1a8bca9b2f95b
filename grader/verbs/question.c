/* SPDX-License-Identifier: MIT */
/* warpbook ask LAB, warpbook answer LAB NUMBER: the lab's number to predict. */
#include <stdio.h>
#include <stdlib.h>

#include "common/base/text.h"
#include "common.h"

/* Open the lab of the first argument, which must have a question. */
static bool open_question(const struct options *options, struct lab *lab)
{
    if (!load_lab(options->words[0], options, lab))
        return false;
    if (*lab->question.ask)
        return true;
    report_error(0, "%s asks nothing", lab->stem);
    return false;
}

static void show_answer(const struct lab_question *question)
{
    if (question->tolerance > 0)
        printf("%.10g, give or take %g %%.\n\n", question->answer,
               100 * question->tolerance);
    else
        printf("%.10g.\n\n", question->answer);
    text_wrap(stdout, 0, question->reason);
}

static int ask(const struct options *options)
{
    static struct lab lab;

    if (!open_question(options, &lab))
        return EXIT_USAGE;
    text_wrap(stdout, 0, lab.question.ask);
    printf("\n");
    if (options->verbose)
        show_answer(&lab.question);
    else
        printf("Answer with: build/warpbook answer %02d NUMBER\n", lab.number);
    return EXIT_FULL;
}

static int answer(const struct options *options)
{
    static struct lab lab;
    const char *text = options->words[1];
    char *end;
    double value = strtod(text, &end);

    if (!open_question(options, &lab))
        return EXIT_USAGE;
    if (end == text || *end || !(value >= 0 && value < 1e18))
        return report_error(EXIT_USAGE, "\"%.40s\" is not a number", text);
    if (is_right_answer(&lab.question, value)) {
        printf("Right: ");
        show_answer(&lab.question);
        return EXIT_FULL;
    }
    printf("Not quite: %s is too %s. Try again, or see build/warpbook ask %02d "
           "--verbose\n", text,
           value > lab.question.answer ? "much" : "little", lab.number);
    return EXIT_PARTIAL;
}

const struct verb verb_ask = {
    "ask",
    "LAB",
    "ask the lab's question: a number to predict",
    "With --verbose, print the answer and its explanation, too.",
    "v",
    1,
    1,
    ask};

const struct verb verb_answer = {
    "answer", "LAB NUMBER", "check that number, and explain the answer",
    "Exit status 1 when it is wrong.", "", 2, 2, answer};
