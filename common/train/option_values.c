/* SPDX-License-Identifier: MIT */
/* See options.h: values from network files and checkpoints, and what follows
 * from them. */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "option_list.h"

/* NaN and -1 mean "not given", since 0 is a valid value.  Returns the option's
 * value, or the file's if it was not given. */
static double resolve(double *option, double file)
{
    if (isnan(*option) || *option < 0)
        *option = file;
    return *option;
}

bool train_options_resolve(struct train_options *options, struct network *net,
                           struct failure *failure)
{
    struct training *training = &net->training;

    if (!*options->optimizer)
        strcpy(options->optimizer, optimizer_name(training->optimizer));
    if (!optimizer_parse(options->optimizer, &training->optimizer))
        return fail(failure, "--optimizer: there is no \"%.60s\"",
                    options->optimizer);
    if (!*options->schedule)
        strcpy(options->schedule, schedule_name(training->schedule));
    if (!schedule_parse(options->schedule, &training->schedule))
        return fail(failure, "--schedule: there is no \"%.60s\"",
                    options->schedule);
    training->epochs = (int)resolve(&options->epochs, training->epochs);
    training->batch = (int)resolve(&options->batch, training->batch);
    training->learning_rate = (float)resolve(&options->learning_rate,
                                             (double)training->learning_rate);
    training->momentum =
        (float)resolve(&options->momentum, (double)training->momentum);
    /* The network file's momentum may be meant for another optimizer. */
    if (train_option_given(options, "momentum") && options->momentum > 0
        && training->optimizer != OPTIMIZER_MOMENTUM
        && training->optimizer != OPTIMIZER_NESTEROV)
        return fail(failure, "--momentum: the optimizer %s has none; momentum "
                    "and nesterov have", options->optimizer);
    training->weight_decay =
        (float)resolve(&options->weight_decay, (double)training->weight_decay);
    training->max_grad_norm = (float)resolve(&options->max_grad_norm,
                                             (double)training->max_grad_norm);
    return true;
}

void train_net_path(const struct train_options *options, const char *root,
                    char *path)
{
    const size_t length = strlen(options->net);

    if (strchr(options->net, '/')
        || (length > 4 && !strcmp(options->net + length - 4, ".net")))
        snprintf(path, 4096, "%s", options->net);
    else
        snprintf(path, 4096, "%s/common/net/nets/%s.net", root, options->net);
}

bool train_net_exists(const struct train_options *options, const char *path,
                      struct failure *failure)
{
    if (access(path, R_OK) == 0)
        return true;
    if (strcmp(path, options->net) == 0)
        return fail(failure, "%s: %s", path, strerror(errno));
    return fail(failure, "--net: there is no \"%.100s\"; softmax, mlp, lenet, "
                "cifar-cnn, vgg-small, resnet-small, or a path that ends in "
                ".net", options->net);
}

/* The learning rate after the share `done` of all steps: constant, half a
 * cosine to 0, or a tenth after each third. */
static double scheduled(const struct train_options *options, double done)
{
    const double pi = 3.14159265358979;

    if (!strcmp(options->schedule, "cosine"))
        return options->learning_rate * (1 + cos(pi * done)) / 2;
    if (!strcmp(options->schedule, "step"))
        return options->learning_rate * pow(0.1, floor(3 * done));
    return options->learning_rate;
}

/* Depends on the position only: a resumed training has the same learning
 * rates.  The schedule begins after the warm-up, in which the first step has
 * one part of the rate, the second one two, and so on. */
float train_learning_rate(const struct train_options *options, double epoch,
                          size_t batches)
{
    const double warmup = options->warmup;

    if (epoch < warmup)
        return (float)(options->learning_rate
                       * fmin(1, (epoch + 1 / (double)batches) / warmup));
    return (float)scheduled(options, warmup < options->epochs
                                         ? (epoch - warmup)
                                               / (options->epochs - warmup)
                                         : 0);
}

/* --- metadata ------------------------------------------------------------ */

const char *train_option_value(const struct train_options *options, int i,
                               char text[OPTION_TEXT])
{
    const struct option *option = &train_option_list[i];

    if (i >= train_option_count)
        return NULL;
    if (option_is_string(option))
        snprintf(text, OPTION_TEXT, "%s", option_string(option, options));
    else
        snprintf(text, OPTION_TEXT, "%.17g", /* exactly */
                 *option_number(option, options));
    return option->name;
}

const char *train_option_readable(const char *value, char text[OPTION_TEXT])
{
    char *end;
    const double number = strtod(value, &end);

    if (*value && !*end)
        snprintf(text, OPTION_TEXT, "%.7g", number);
    else
        snprintf(text, OPTION_TEXT, "%s", value);
    return text;
}

size_t train_options_to_metadata(const struct train_options *options,
                                 struct tensor_metadata *metadata)
{
    size_t count = 0;
    char text[OPTION_TEXT];

    for (int i = 0; i < train_option_count; i++) {
        const struct option *option = &train_option_list[i];

        if (option->persistence_of == NOT_SAVED)
            continue;
        train_option_value(options, i, text);
        snprintf(metadata[count].name, sizeof metadata->name, "%s",
                 option->name);
        metadata[count].text = strdup(text);
        count += metadata[count].text != NULL;
    }
    return count;
}

/* A resumed training must have the same options: giving the same value again
 * is allowed, another one is rejected.  The network file's values were floats.
 */
static bool matches_checkpoint(const struct option *option,
                               const struct train_options *options,
                               const char *text)
{
    const double then = strtod(text, NULL);

    if (!train_option_given(options, option->name))
        return true;
    if (option_is_string(option))
        return !strcmp(option_string(option, options), text);
    return *option_number(option, options) == then
           || (float)*option_number(option, options) == then;
}

/* One option from a checkpoint. */
static bool restore(const struct option *option, const char *text,
                    struct train_options *options, const char *path,
                    struct failure *failure)
{
    if (!text)
        return fail(failure, "%s: contains weights only, no training state",
                    path);
    if (!matches_checkpoint(option, options, text))
        return fail(failure, "--%s: %s was trained with \"%.*s\"",
                    option->name, path, option_is_string(option) ? 60 : 6,
                    text);
    if (option_is_string(option) && !*text)
        *option_string(option, options) = 0;
    else if (!option_set(option, text, options))
        return fail(failure, "%s: its --%s is invalid", path, option->name);
    return true;
}

bool train_options_from_metadata(struct train_options *options,
                                 const struct tensors *from, const char *path,
                                 struct failure *failure)
{
    for (int i = 0; i < train_option_count; i++) {
        const struct option *option = &train_option_list[i];
        const char *text = tensors_metadata(from, option->name);

        /* A trained network may be measured on other data. */
        if (options->file_count && train_option_given(options, option->name))
            continue;
        /* Missing in old checkpoints, or overridden. */
        if (option->persistence_of == NOT_SAVED
            || (option->persistence_of == SAVED
                && (!text || train_option_given(options, option->name))))
            continue;
        if (!restore(option, text, options, path, failure))
            return false;
    }
    return true;
}
