/* SPDX-License-Identifier: MIT */
/* Parsing the command line of a verb with getopt_long. */
#include "options.h"

#include <ctype.h>
#include <getopt.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/base/closest.h"
#include "common/base/number.h"
#include "common/base/random.h"
#include "common/base/text.h"

/* One option; `letter` is its name in a verb's `accepts`. */
struct option_table {
    const char *name, *value, *text;
    char letter;
};

static const struct option_table option_table[] = {
    {"from", "WHAT", "labs (yours), solutions (the reference), a folder, or a "
                     ".cu file, which may also stand alone: grade 01 my.cu; "
                     "default labs", 'f'},
    {"device", "NAME", "auto, gpu or soft; default auto: the GPU if there is "
                       "one", 'd'},
    {"json", "FILE", "also write it as JSON there; - is stdout", 'j'},
    {"output", "PATH", "the file or folder to write", 'o'},
    {"lab", "LAB", "this lab alone; autograde: the lab of all files, whatever "
                   "they are called", 'L'},
    {"roster", "FILE", "CSV file of the course's students, as Canvas, Moodle "
                       "or Gradescope export it", 'r'},
    {"deadline", "TIME", "when submissions were due: 2026-11-01T23:59", 'e'},
    {"late", "POLICY", "accept, refuse or 10%/day, then max DAYS, grace "
                       "MINUTES; default accept", 'p'},
    {"course", "FILE", "settings of the course: labs, points, weights, "
                       "deadlines, ...", 'C'},
    {"hidden", "DIR", "the instructor's further tests: DIR/NN_stem.c and .ini",
     'H'},
    {"jobs", "N", "submissions at a time; default: one a core, on a GPU one",
     'J'},
    {"seed-file", "FILE", "a secret text, from which all inputs follow; "
                          "default: made once for each results folder", 'S'},
    {"slurm", NULL, "grade on a cluster, by an array job of Slurm", '0'},
    {"slurm-partition", "NAME", "of the array; default: the cluster's", '1'},
    {"slurm-account", "NAME", "that the array is charged to", '2'},
    {"slurm-time", "TIME", "limit of each task, as sbatch --time takes it",
     '3'},
    {"slurm-gres", "GRES", "what each task needs, gpu:h100:1; grades on the "
                           "GPU", '4'},
    {"slurm-shards", "N", "tasks of the array; default: one for 8 submissions, "
                          "64 at most", '5'},
    {"slurm-option", "OPTION", "a further option of sbatch, --qos=NAME; can be "
                               "repeated", '6'},
    {"student", "WHO", "this student alone: id, address, login or name", 'u'},
    {"format", "NAME", "csv, canvas, moodle, gradescope, autolab, autoresult, "
                       "classroom, junit, cunit or html; default csv", 'F'},
    {"seed", "N", "make reproducible inputs; random: secret ones, "
                  "which is the default except for prove", 's'},
    {"time-limit", "SECONDS", "time limit of one call, 0.5 is allowed; "
                              "default: the lab's",
     't'},
    {"memory-limit", "MIB", "memory limit of the runner; default: the lab's",
     'm'},
    {"html", "FILE", "also write one page", 'w'},
    {"kernel", "NAME", "only the kernels whose name contains this, with each "
                       "line", 'K'},
    {"calibration", "FILE", "on a card: the file of warpbook calibrate; "
                            "default: "
                            "$XDG_STATE_HOME/warpbook/calibration.json", 'l'},
    {"no-speed", NULL, "do not time it", 'n'},
    {"no-watch", NULL, "on the soft device: skip checks and budgets; their "
                       "points are lost", 'c'},
    {"search", "SECONDS", "search so long; default 120", 'x'},
    {"tier", "T", "run it in boxes of tier A, B, C or D (verify-box and grade "
                  "alone); see docs/pages/grader.md", 'T'},
    {"best", NULL, "only print the best tier of A, B and D", 'B'},
    {"quick", NULL, "compile with less optimization, for a first answer; with "
                    "a TEST", 'q'},
    {"repeat", "N", "grade up to N times, compiled once, until a grade is not "
                    "full; that one is reported, or the last", 'R'},
    {"part", "K/N", "of the mutants only the K-th of N parts", 'a'},
    {"keep", NULL, "keep the temporary folders, and print where they are", 'k'},
    {"again", NULL, "show the last hint once more, uncounted", 'A'},
    {"yes", NULL, "do not ask, and do it", 'y'},
    {"verbose", NULL, "show more", 'v'},
    {"help", NULL, "show this", 'h'},
};
enum { OPTION_COUNT = sizeof option_table / sizeof *option_table };
enum { DAY = 86400 }; /* seconds */

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
    for (int i = 0; i < OPTION_COUNT; i++) {
        char head[64];

        if (option_table[i].letter != 'h'
            && !strchr(verb->accepts, option_table[i].letter))
            continue;
        text_format(head, sizeof head, "--%s %s", option_table[i].name,
                    option_table[i].value ? option_table[i].value : "");
        printf("  %s\n", head);
        text_wrap(stdout, 6, option_table[i].text);
    }
    printf("\n");
    text_wrap(stdout, 0, "exit status: 0 full marks, or success; 1 not full "
              "marks, a proof failed or something was found; 2 usage error; 3 "
              "the file is missing or does not build; 4 the grader itself "
              "failed; 130 interrupted");
}

/* @return the exit status of wrong usage */
static int usage_error(const struct verb *verb, const char *format,
                       const char *what)
{
    char text[256];

    text_format(text, sizeof text, format, what);
    fprintf(stderr, "warpbook %s: %s; see warpbook %s --help\n", verb->name,
            text, verb->name);
    return EXIT_USAGE;
}

/* The options for Slurm that are texts. */
static void set_slurm_text(char letter, const char *value,
                           struct slurm_request *request)
{
    switch (letter) {
    case '1': request->partition = value; break;
    case '2': request->account = value; break;
    case '3': request->time = value; break;
    case '4': request->gres = value; break;
    case '6': /* those beyond the limit are counted, and refused later */
        if (request->extras++ < SLURM_EXTRAS)
            request->extra[request->extras - 1] = value;
    }
}

/* An option that has no value. */
static void set_flag(char letter, struct options *options)
{
    switch (letter) {
    case 'q': options->quick = true; break;
    case 'A': options->again = true; break;
    case 'n': options->no_speed = true; break;
    case 'c': options->no_watch = true; break;
    case '0': options->slurm = true; break;
    case 'B': options->best = true; break;
    case 'k': options->keep = true; break;
    case 'v': options->verbose = true; break;
    case 'y': options->yes = true; break;
    }
}

/* An option whose value is a text: it is checked where it is used. */
static void set_text(char letter, const char *value, struct options *options)
{
    switch (letter) {
    case 'f': options->from = value; break;
    case 'd': options->device = value; break;
    case 'j': options->json = value; break;
    case 'o': options->output = value; break;
    case 'l': options->calibration = value; break;
    case 'w': options->html = value; break;
    case 'K': options->kernel = value; break;
    case 'L': options->lab = value; break;
    case 'r': options->roster = value; break;
    case 'e': options->deadline = value; break;
    case 'p': options->late = value; break;
    case 'C': options->course = value; break;
    case 'H': options->hidden = value; break;
    case 'S': options->seed_file = value; break;
    case 'u': options->student = value; break;
    case 'F': options->format = value; break;
    case 'T': options->tier = value; break;
    case 'a': options->part = value; break;
    }
}

/* A count.  @return the largest that is allowed, 0 for other options */
static uint64_t largest_count(char letter)
{
    switch (letter) {
    case 'J': return 32;
    case '5': return SLURM_SHARDS;
    case 'R': return 1000;
    case 'm': return 1 << 24;
    default: return 0;
    }
}

/* An option whose value is a whole number from 1.
 *  @return -1, or an exit status */
static int set_count(const struct verb *verb, char letter, const char *value,
                     struct options *options)
{
    const uint64_t most = largest_count(letter);
    uint64_t count;
    char format[80];

    if (most == 0)
        return -1;
    if (!number_unsigned(value, most, &count) || count == 0) {
        text_format(format, sizeof format, "\"%%.60s\" is not a whole number "
                    "from 1 to %" PRIu64, most);
        return usage_error(verb, format, value);
    }
    switch (letter) {
    case 'J': options->jobs = (int)count; break;
    case '5': options->request.shards = (int)count; break;
    case 'R': options->repeat = (int)count; break;
    case 'm': options->memory = (size_t)count << 20; break;
    }
    return -1;
}

/* A seed is random already. */
static bool set_seed(const char *value, struct options *options)
{
    options->seeded = true;
    if (!strcmp(value, "random"))
        return true;
    return number_unsigned(value, UINT64_MAX, &options->seed);
}

/* A number of seconds, above 0 and up to a day. */
static bool set_seconds(const char *value, double *seconds)
{
    return number_decimal(value, seconds) && *seconds > 0 && *seconds <= DAY;
}

/* An option whose value is another number.  @return -1, or an exit status */
static int set_number(const struct verb *verb, char letter, const char *value,
                      struct options *options)
{
    if (letter == 's' && !set_seed(value, options))
        return usage_error(verb, "the seed \"%.60s\" is neither random nor a "
                                 "whole number below 2^64", value);
    if (letter == 't' && !set_seconds(value, &options->seconds))
        return usage_error(verb, "\"%.60s\" is not a number of seconds, above "
                                 "0 and up to a day", value);
    if (letter == 'x' && !set_seconds(value, &options->search))
        return usage_error(verb, "\"%.60s\" is not a number of seconds, above "
                                 "0 and up to a day", value);
    return set_count(verb, letter, value, options);
}

/* One option, by its letter.  @return -1, or an exit status */
static int set_option(const struct verb *verb, char letter, char *value,
                      struct options *options)
{
    if (letter == 'h') {
        options_help(verb);
        return EXIT_FULL;
    }
    if (letter == 'T' && (strlen(value) != 1 || !strchr("ABCD", *value)))
        return usage_error(verb, "there is no tier \"%.20s\"", value);
    if (letter == 'd' && strcmp(value, "auto") && strcmp(value, "gpu")
        && strcmp(value, "soft"))
        return usage_error(verb, "--device is auto, gpu or soft, not "
                                 "\"%.40s\"", value);
    set_flag(letter, options);
    set_text(letter, value, options);
    set_slurm_text(letter, value, &options->request);
    return set_number(verb, letter, value, options);
}

/* Of two labs, rosters, deadlines, ... one would be forgotten without a word.
 *  @param given  letters so far */
static int refuse_twice(const struct verb *verb, char letter, char *given)
{
    const char *name = "";

    for (int i = 0; i < OPTION_COUNT; i++)
        if (option_table[i].letter == letter)
            name = option_table[i].name;
    if (strchr("LrepCHuS", letter) && strchr(given, letter))
        return usage_error(verb, "--%.60s is given twice", name);
    if (!strchr(given, letter))
        strncat(given, &letter, 1);
    return -1;
}

/* Each verb accepts the options of its list alone, and --help. */
static void fill_long_options(const struct verb *verb, struct option *list)
{
    for (int i = 0; i < OPTION_COUNT; i++)
        if (option_table[i].letter == 'h'
            || strchr(verb->accepts, option_table[i].letter))
            *list++ = (struct option){
                option_table[i].name,
                option_table[i].value ? required_argument : no_argument, NULL,
                option_table[i].letter};
    *list = (struct option){0};
}

/* An option that the verb does not have: optopt is its letter, or 0 for a long
 * one.  getopt() may not be past a word of several letters yet.
 * @param word  a long option, as typed */
static int refuse_unknown(const struct verb *verb, const char *word,
                          const struct option *list)
{
    const char *names[OPTION_COUNT], *meant;
    char name[64];
    size_t count = 0;

    if (isdigit(optopt) || optopt == '.')
        return usage_error(verb, "no number of it is below 0%s", "");
    if (optopt) {
        text_format(name, sizeof name, "-%c", optopt);
        return usage_error(verb, "it has no option %s", name);
    }
    for (; list->name; list++)
        names[count++] = list->name;
    text_format(name, sizeof name, "%.*s", (int)strcspn(word + 2, "="),
                word + 2);
    meant = closest_name(name, names, count);
    if (!meant)
        return usage_error(verb, "it has no option %.60s", word);
    text_format(name, sizeof name, "it has no option %%.60s (did you mean "
                "--%s?)", meant);
    return usage_error(verb, name, word);
}

/* @return -1, or an exit status */
static int check_word_count(const struct verb *verb,
                            const struct options *options)
{
    if (options->count < verb->min_words)
        return usage_error(verb, "it needs %s", verb->words);
    if (options->count > verb->max_words)
        return usage_error(verb, "\"%.60s\" is one argument too many",
                           options->words[verb->max_words]);
    return -1;
}

/* `grade 01 my.cu`: a file among the words is what --from is for.
 * @return -1, or an exit status */
static int move_file_word(const struct verb *verb, struct options *options)
{
    for (int i = 1; strchr(verb->accepts, 'f') && i < options->count; i++) {
        const char *dot = strrchr(options->words[i], '.');

        if (!dot || strcmp(dot, ".cu"))
            continue;
        if (strcmp(options->from, "labs"))
            return usage_error(verb, "\"%.60s\" is a second file",
                               options->words[i]);
        options->from = options->words[i];
        memmove(&options->words[i], &options->words[i + 1],
                (size_t)(options->count - i) * sizeof *options->words);
        options->count--;
        i--;
    }
    return -1;
}

int options_read(const struct verb *verb, int argc, char **argv,
                 struct options *options)
{
    struct option list[OPTION_COUNT + 1];
    char given[OPTION_COUNT + 1] = "";
    int letter, done = -1;

    *options = (struct options){.from = "labs", .device = "auto",
                                .seed = random_system_seed()};
    fill_long_options(verb, list);
    opterr = 0;
    optind = 1;
    while (done < 0
           && (letter = getopt_long(argc, argv,
                                    strchr(verb->accepts, 'o') ? ":ho:" : ":h",
                                    list, NULL)) != -1) {
        if (letter == '?')
            done = refuse_unknown(verb, argv[optind - 1], list);
        else if (letter == ':')
            done = usage_error(verb, "%.60s needs a value", argv[optind - 1]);
        else if ((done = refuse_twice(verb, (char)letter, given)) < 0)
            done = set_option(verb, (char)letter, optarg, options);
    }
    options->words = argv + optind;
    options->count = argc - optind;
    if (done < 0)
        done = move_file_word(verb, options);
    return done >= 0 ? done : check_word_count(verb, options);
}
