/* SPDX-License-Identifier: MIT */
/* The command line of a verb, by getopt_long. */
#include "options.h"

#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "random.h"
#include "text.h"

/* One option; `letter` is what a verb's `takes` names it by. */
struct known {
    const char *name, *value, *text;
    char letter;
};

static const struct known known[] = {
    {"from", "WHAT", "labs (yours), solutions (the reference), a folder, or a "
                     ".cu file; default labs", 'f'},
    {"device", "NAME", "auto, gpu or soft; default auto: the GPU if there is "
                       "one", 'd'},
    {"json", "FILE", "also write it as JSON there; - is stdout", 'j'},
    {"output", "FILE", "the file to write", 'o'},
    {"seed", "N", "make the same inputs again; random: fresh and secret "
                  "ones, which is the default but for prove", 's'},
    {"time-limit", "SECONDS", "time one call may take; default: lab.ini's",
     't'},
    {"memory-limit", "MIB", "memory the lab may hold; default: lab.ini's",
     'm'},
    {"html", "FILE", "also write one page with the annotated source", 'w'},
    {"no-speed", NULL, "do not time it", 'n'},
    {"no-watch", NULL, "on the soft device: neither check it nor count what it "
                       "costs; those points are lost", 'c'},
    {"keep", NULL, "keep the temporary folders, and say where they are", 'k'},
    {"verbose", NULL, "show more", 'v'},
    {"help", NULL, "show this", 'h'},
};
enum { KNOWN = sizeof known / sizeof *known };

void options_help(const struct verb *verb)
{
    printf("usage: warpbook %s [OPTION]...%s%s\n\n", verb->name,
           *verb->words ? " " : "", verb->words);
    text_wrap(stdout, 0, verb->summary);
    if (*verb->help) {
        printf("\n");
        text_wrap(stdout, 0, verb->help);
    }
    printf("\n");
    for (int i = 0; i < KNOWN; i++) {
        char head[64];

        if (known[i].letter != 'h' && !strchr(verb->takes, known[i].letter))
            continue;
        text_put(head, sizeof head, "--%s %s", known[i].name,
                 known[i].value ? known[i].value : "");
        printf("  %s\n", head);
        text_wrap(stdout, 6, known[i].text);
    }
    printf("\nexit status: 0 full marks, or all is well; 1 not full marks, a "
           "proof failed or\nsomething was found; 2 wrong usage; 3 the file is "
           "missing or does not build;\n4 the grader could not do its work; "
           "130 interrupted\n");
}

static int wrong(const struct verb *verb, const char *format, const char *what)
{
    char text[256];

    text_put(text, sizeof text, format, what);
    fprintf(stderr, "warpbook %s: %s; see warpbook %s --help\n", verb->name,
            text, verb->name);
    return EXIT_USAGE;
}

/* A number up to `most`, or -1. */
static double number(const char *text, double most)
{
    char *end;
    double value = strtod(text, &end);

    return end == text || *end || !(value > 0) || value > most ? -1 : value;
}

static int set(const struct verb *verb, char letter, char *value,
               struct options *options)
{
    double amount = 0;
    char *end = "";

    switch (letter) {
    case 'f': options->from = value; break;
    case 'd': options->device = value; break;
    case 'j': options->json = value; break;
    case 'o': options->output = value; break;
    case 'n': options->no_speed = true; break;
    case 'c': options->no_watch = true; break;
    case 'w': options->html = value; break;
    case 'k': options->keep = true; break;
    case 'v': options->verbose = true; break;
    case 's':
        options->seeded = true;
        if (strcmp(value, "random")) /* else it is one already */
            options->seed = strtoull(value, &end, 0);
        break;
    case 't': options->seconds = amount = number(value, 86400); break;
    case 'm':
        amount = number(value, 1 << 24);
        options->memory = amount > 0 ? (size_t)(amount * 1048576) : 0;
        break;
    case 'h': options_help(verb); return EXIT_FULL;
    }
    return amount < 0 || *end ? wrong(verb, "\"%.60s\" is not a number", value)
                              : -1;
}

static void long_options(const struct verb *verb, struct option *list)
{
    for (int i = 0; i < KNOWN; i++)
        if (known[i].letter == 'h' || strchr(verb->takes, known[i].letter))
            *list++ = (struct option){
                known[i].name,
                known[i].value ? required_argument : no_argument, NULL,
                known[i].letter};
    *list = (struct option){0};
}

static int count_words(const struct verb *verb, const struct options *options)
{
    if (options->count < verb->least)
        return wrong(verb, "it needs %s", verb->words);
    if (options->count > verb->most)
        return wrong(verb, "\"%.60s\" is one word too many",
                     options->words[verb->most]);
    return -1;
}

int options_read(const struct verb *verb, int argc, char **argv,
                 struct options *options)
{
    struct option list[KNOWN + 1];
    int letter, done = -1;

    *options = (struct options){.from = "labs", .device = "auto",
                                .seed = random_secret()};
    long_options(verb, list);
    opterr = 0;
    optind = 1;
    while (done < 0 && (letter = getopt_long(argc, argv, ":h", list, NULL))
                           != -1) {
        if (letter == '?')
            done = wrong(verb, "it has no option %.60s", argv[optind - 1]);
        else if (letter == ':')
            done = wrong(verb, "%.60s needs a value", argv[optind - 1]);
        else
            done = set(verb, (char)letter, optarg, options);
    }
    options->words = argv + optind;
    options->count = argc - optind;
    return done >= 0 ? done : count_words(verb, options);
}
