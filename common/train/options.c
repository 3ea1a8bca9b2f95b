/* SPDX-License-Identifier: MIT */
/* See options.h: the command line. */
#include "options.h"

#include <stdlib.h>
#include <string.h>

#include "common/base/closest.h"
#include "common/base/number.h"
#include "option_list.h"

/* The format has one %s for the value. @return false */
static bool option_error(const char *name, const char *format,
                         const char *value)
{
    fprintf(stderr, "train: --%s: ", name);
    fprintf(stderr, format, value);
    fprintf(stderr, "; see train --help\n");
    return false;
}

/* Report a value out of range or not a number. */
static bool number_error(const struct option *option, const char *value)
{
    char format[100];

    snprintf(format, sizeof format, "\"%%.60s\" is not a number from %.15g to "
             "%.15g", option->low, option->high);
    return option_error(option->name, format, value);
}

bool option_set(const struct option *option, const char *value,
                struct train_options *options)
{
    double number;

    if (option_is_string(option)) {
        if (strlen(value) >= OPTION_TEXT || !*value)
            return option_error(option->name, "\"%.60s\" is empty or too long",
                                value);
        strcpy(option_string(option, options), value);
        return true;
    }
    if (!number_decimal(value, &number) || number < option->low
        || number > option->high)
        return number_error(option, value);
    /* Options that --help shows with N or K are integers, in digits. */
    if (strchr("NK", option->what[0]) && value[strspn(value, "0123456789")])
        return option_error(option->name, "\"%.60s\" is not an integer", value);
    *option_number(option, options) = number;
    return true;
}

/* Parse "24x32", or "32" for a square.  @return false if it is neither */
static bool parse_size(const char *text, int *height, int *width)
{
    char end;

    if (text[strspn(text, "0123456789x")]) /* scanf takes blanks and signs */
        return false;
    if (sscanf(text, "%5dx%5d%c", height, width, &end) != 2) {
        if (sscanf(text, "%5d%c", height, &end) != 1) return false;
        *width = *height;
    }
    return *height >= 1 && *height <= DATASET_MAX_SIDE && *width >= 1
           && *width <= DATASET_MAX_SIDE;
}

struct dataset_source train_data_source(const struct train_options *options)
{
    struct dataset_source source = {
        .name = options->data,
        .folder = *options->folder ? options->folder : NULL};

    if (*options->resize)
        parse_size(options->resize, &source.height, &source.width);
    return source;
}

/* Check names with few possible values before anything is built. */
static bool check_names(const struct train_options *options)
{
    enum optimizer optimizer;
    enum lr_schedule schedule;
    int height, width;

    if (*options->optimizer && !optimizer_parse(options->optimizer, &optimizer))
        return option_error("optimizer", "unknown name \"%.60s\"",
                            options->optimizer);
    if (*options->schedule && !schedule_parse(options->schedule, &schedule))
        return option_error("schedule", "unknown name \"%.60s\"",
                            options->schedule);
    if (strcmp(options->device, "auto") && strcmp(options->device, "gpu")
        && strcmp(options->device, "soft"))
        return option_error("device", "unknown name \"%.60s\"",
                            options->device);
    if (*options->resize && !parse_size(options->resize, &height, &width))
        return option_error("resize", "\"%.60s\" is no size such as 32x32",
                            options->resize);
    if (*options->folder && !strncmp(options->data, "lookalike", 9))
        return option_error("folder", "%s is computed, not read",
                            options->data);
    return true;
}

bool train_option_given(const struct train_options *options, const char *name)
{
    return options->given >> (option_find(name) - train_option_list) & 1;
}

/* Options that contradict each other. */
static bool check_pairs(const struct train_options *options)
{
    static const char *const pairs[][3] = {
        {"resume", "weights", "a checkpoint has weights"},
    };
    const bool same_folder = !train_option_given(options, "out")
                             || !strcmp(options->out, options->resume);

    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++)
        if (train_option_given(options, pairs[i][0])
            && train_option_given(options, pairs[i][1])) {
            fprintf(stderr, "train: --%s and --%s exclude each other: %s\n",
                    pairs[i][0], pairs[i][1], pairs[i][2]);
            return false;
        }
    if (*options->resume && options->force && same_folder) {
        fprintf(stderr, "train: --resume and --force exclude each other, "
                        "unless --out names another folder\n");
        return false;
    }
    if (options->patience > 0 && !*options->resume && !options->validation)
        return option_error("patience", "needs --validation%s", "");
    return true;
}

/* A word that is no option and, where it stands, no command. */
static void refuse_unknown(const char *word)
{
    const char *names[64], *meant;
    const bool is_option = strncmp(word, "--", 2) == 0;
    size_t count = 0;

    for (int i = 0; is_option && i < train_option_count && count < 64; i++)
        names[count++] = train_option_list[i].name;
    for (int i = 1; !is_option && i < COMMAND_COUNT && count < 64; i++)
        names[count++] = train_commands[i].name;
    meant = closest_name(is_option ? word + 2 : word, names, count);
    fprintf(stderr, "train: unknown %s \"%.60s\"; ",
            is_option ? "option" : "word", word);
    if (meant)
        fprintf(stderr, "did you mean %s%s?\n", is_option ? "--" : "", meant);
    else
        fprintf(stderr, "see train --help\n");
}

/* Parse one option.  @return number of words, 0 if it is invalid */
static int read_option(int left, char **words, struct train_options *options)
{
    const char *name = words[0];
    const struct option *option =
        strncmp(name, "--", 2) ? NULL : option_find(name + 2);

    if (!option) {
        refuse_unknown(name);
        return 0;
    }
    if (!(option->commands >> options->command & 1)) {
        fprintf(stderr, "train: %s has no option --%s; see train --help\n",
                options->command ? train_commands[options->command].name
                                 : "training",
                option->name);
        return 0;
    }
    options->given |= (uint64_t)1 << (option - train_option_list);
    if (!option->what) {
        *option_number(option, options) = 1;
        return 1;
    }
    if (left < 2) {
        option_error(option->name, "needs %s", option->what);
        return 0;
    }
    return option_set(option, words[1], options) ? 2 : 0;
}

/* Find the command by the first word.  @return number of words */
static int read_command(int argc, char **argv, struct train_options *options)
{
    for (int i = 1; i < COMMAND_COUNT && argc > 1; i++)
        if (!strcmp(argv[1], train_commands[i].name)) {
            options->command = (enum train_command)i;
            return 1;
        }
    return 0;
}

/* Each command takes its own number of file arguments. */
static bool check_files(const struct train_options *options)
{
    const struct command *command = &train_commands[options->command];

    if (options->file_count >= command->at_least
        && options->file_count <= command->at_most)
        return true;
    fprintf(stderr, "train: %s needs %s\n", command->name, command->arguments);
    return false;
}

bool train_options_read(int argc, char **argv, struct train_options *options)
{
    int i = 1 + read_command(argc, argv, options), words;

    options->files = (const char *const *)argv + i;
    while (i < argc) {
        if (!strcmp(argv[i], "--help") || !strcmp(argv[i], "-h"))
            return options->help = true;
        /* Files stand before the options. */
        if (options->command && argv[i][0] != '-'
            && options->files + options->file_count
                   == (const char *const *)argv + i) {
            options->file_count++;
            i++;
            continue;
        }
        words = read_option(argc - i, argv + i, options);
        if (!words)
            return false;
        i += words;
    }
    if (*options->resume && !train_option_given(options, "out"))
        strcpy(options->out, options->resume);
    return check_files(options) && check_names(options) && check_pairs(options);
}
