/* SPDX-License-Identifier: MIT */
/* See options.h: one table defines all options. */
#include "options.h"

#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

/* Strings and numbers are set, stored and compared by their offset in the
 * struct, so that a new option is one line of the table.  Therefore all
 * numbers are double, integers too. */
#define OFFSET(field) offsetof(struct train_options, field)

/* What a checkpoint does with an option: not stored; stored, but the command
 * line may override it on resume; stored and fixed. */
enum persistence { NOT_SAVED, SAVED, SAVED_FIXED };

/* One option. */
static const struct option {
    const char *name, *what, *help;
    size_t at;
    double low, high; /* range of a number; a string if both are 0 */
    enum persistence persistence_of;
} list[] = {
    {"net", "NAME",
     "softmax, mlp, lenet, cifar-cnn, vgg-small, or a .net "
     "file",
     OFFSET(net), 0, 0, SAVED_FIXED},
    {"data", "NAME",
     "fashion-mnist, mnist, cifar-10, cifar-100, pictures, npy, "
     "lookalike, lookalike-cifar",
     OFFSET(data), 0, 0, SAVED_FIXED},
    {"folder", "DIR", "folder of the data set's files", OFFSET(folder), 0, 0,
     SAVED_FIXED},
    {"resize", "HxW", "resample all images: 32x32 is 32 rows of 32 pixels",
     OFFSET(resize), 0, 0, SAVED_FIXED},
    {"epochs", "N", "passes over the training images", OFFSET(epochs), 1, 1e6,
     SAVED},
    {"batch", "N", "images per step (mini-batch)", OFFSET(batch), 1, 65536,
     SAVED_FIXED},
    {"lr", "R", "learning rate", OFFSET(learning_rate), 0, 1e9, SAVED_FIXED},
    {"optimizer", "NAME", "sgd, momentum, nesterov, adam, adamw",
     OFFSET(optimizer), 0, 0, SAVED_FIXED},
    {"momentum", "M", "momentum coefficient", OFFSET(momentum), 0, 1,
     SAVED_FIXED},
    {"decay", "D", "weight decay", OFFSET(weight_decay), 0, 10, SAVED_FIXED},
    {"clip", "C", "clip gradients to this norm; 0: do not",
     OFFSET(max_grad_norm), 0, 1e9, SAVED_FIXED},
    {"schedule", "NAME", "constant, cosine, step (1/10 after each third)",
     OFFSET(schedule), 0, 0, SAVED_FIXED},
    {"validation", "P", "fraction of the images held out for validation",
     OFFSET(validation), 0, 0.9, SAVED_FIXED},
    {"limit", "N", "train on the first N images only; 0: all", OFFSET(limit), 0,
     1e9, SAVED_FIXED},
    {"seed", "N", "seed of all random numbers", OFFSET(seed), 0, 0x1p53,
     SAVED_FIXED},
    {"kernels", "NAME", "labs (yours), solutions, cudnn, or a .cu file",
     OFFSET(kernels), 0, 0, NOT_SAVED},
    {"device", "NAME", "soft, gpu, auto", OFFSET(device), 0, 0, NOT_SAVED},
    {"graph", "0|1", "replay each step as one graph", OFFSET(graph), 0, 1,
     NOT_SAVED},
    {"out", "DIR", "output folder; default with --resume: that folder",
     OFFSET(out), 0, 0, NOT_SAVED},
    {"resume", "DIR", "resume from the checkpoint there, with its options",
     OFFSET(resume), 0, 0, NOT_SAVED},
    {"weights", "FILE", "initial weights, from PyTorch or a checkpoint",
     OFFSET(weights), 0, 0, NOT_SAVED},
    {"save", "N", "steps between checkpoints", OFFSET(save), 1, 1e9, NOT_SAVED},
    {"look", "N",
     "steps between loss checks; at most 50 curve points per "
     "epoch",
     OFFSET(check_interval), 1, 1e9, NOT_SAVED},
    {"steps", "N", "stop after N steps in total; 0: do not", OFFSET(steps), 0,
     1e12, NOT_SAVED},
};
enum { OPTION_COUNT = sizeof list / sizeof *list };

static bool is_string(const struct option *option)
{
    return option->low == 0 && option->high == 0;
}

static char *string_of(const struct option *option,
                       const struct train_options *options)
{
    return (char *)options + option->at;
}

static double *number_of(const struct option *option,
                         const struct train_options *options)
{
    return (double *)((char *)options + option->at);
}

void train_options_default(struct train_options *options)
{
    *options = (struct train_options){.net = "lenet",
                                      .data = "fashion-mnist",
                                      .kernels = "solutions",
                                      .device = "auto",
                                      .out = "build/trained",
                                      .epochs = -1,
                                      .batch = -1,
                                      .learning_rate = NAN,
                                      .momentum = NAN,
                                      .weight_decay = NAN,
                                      .max_grad_norm = NAN,
                                      .seed = 1,
                                      .save = 200,
                                      .check_interval = 16,
                                      .graph = 1};
}

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

static bool set(const struct option *option, const char *value,
                struct train_options *options)
{
    char *end;
    double number;

    if (is_string(option)) {
        if (strlen(value) >= OPTION_TEXT || !*value)
            return option_error(option->name, "\"%.60s\" is empty or too long",
                                value);
        strcpy(string_of(option, options), value);
        return true;
    }
    number = strtod(value, &end);
    /* Written so that NaN is rejected. */
    if (end == value || *end || !(number >= option->low)
        || number > option->high)
        return number_error(option, value);
    /* Options that --help shows with N are integers. */
    if (option->what[0] == 'N' && number != floor(number))
        return option_error(option->name, "\"%.60s\" is not an integer", value);
    *number_of(option, options) = number;
    return true;
}

static const struct option *find(const char *name)
{
    for (int i = 0; i < OPTION_COUNT; i++)
        if (strcmp(list[i].name, name) == 0)
            return &list[i];
    return NULL;
}

static bool read_predict(int argc, char **argv, struct train_options *options)
{
    char *const to[] = {options->model, options->image};

    options->predict = true;
    if (argc > 2 && (!strcmp(argv[2], "--help") || !strcmp(argv[2], "-h")))
        return options->help = true;
    if (argc < 4) {
        fprintf(stderr, "train: predict needs MODEL.safetensors and an "
                        "image.png\n");
        return false;
    }
    for (int i = 0; i < 2; i++)
        if (snprintf(to[i], OPTION_TEXT, "%s", argv[2 + i]) >= OPTION_TEXT) {
            fprintf(stderr, "train: %.60s...: too long\n", argv[2 + i]);
            return false;
        }
    return true;
}

/* Parse "24x32", or "32" for a square.  @return false if it is neither */
static bool parse_size(const char *text, int *height, int *width)
{
    char end;

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
    return true;
}

static bool is_given(const struct train_options *options, const char *name)
{
    return options->given >> (find(name) - list) & 1;
}

bool train_options_read(int argc, char **argv, struct train_options *options)
{
    int i = 1;

    if (argc > 1 && strcmp(argv[1], "predict") == 0) {
        if (!read_predict(argc, argv, options))
            return false;
        i = options->help ? argc : 4;
    }
    for (; i < argc; i += 2) {
        const char *name = argv[i];
        const struct option *option;

        if (!strcmp(name, "--help") || !strcmp(name, "-h"))
            return options->help = true;
        option = strncmp(name, "--", 2) ? NULL : find(name + 2);
        if (!option) {
            fprintf(stderr,
                    "train: unknown option \"%.60s\"; see train "
                    "--help\n",
                    name);
            return false;
        }
        if (i + 1 == argc)
            return option_error(option->name, "needs %s", option->what);
        if (!set(option, argv[i + 1], options))
            return false;
        options->given |= (uint64_t)1 << (option - list);
    }
    if (*options->resume && !is_given(options, "out"))
        strcpy(options->out, options->resume);
    return check_names(options);
}

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

float train_learning_rate(const struct train_options *options, double epoch)
{
    /* Depends on the position only: a resumed training has the same learning
     * rates. */
    const double done = epoch / options->epochs, pi = 3.14159265358979;

    if (!strcmp(options->schedule, "cosine"))
        return (float)(options->learning_rate * (1 + cos(pi * done)) / 2);
    if (!strcmp(options->schedule, "step"))
        return (float)(options->learning_rate * pow(0.1, floor(3 * done)));
    return (float)options->learning_rate;
}

size_t train_options_to_metadata(const struct train_options *options,
                                 struct tensor_metadata *metadata)
{
    size_t count = 0;

    for (int i = 0; i < OPTION_COUNT; i++) {
        struct tensor_metadata *entry = &metadata[count];

        if (list[i].persistence_of == NOT_SAVED)
            continue;
        snprintf(entry->name, sizeof entry->name, "%s", list[i].name);
        if (is_string(&list[i]))
            snprintf(entry->text, sizeof entry->text, "%s",
                     string_of(&list[i], options));
        else
            snprintf(entry->text, sizeof entry->text, "%.17g", /* exactly */
                     *number_of(&list[i], options));
        count++;
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

    if (!is_given(options, option->name))
        return true;
    if (is_string(option))
        return !strcmp(string_of(option, options), text);
    return *number_of(option, options) == then
           || (float)*number_of(option, options) == then;
}

bool train_options_from_metadata(struct train_options *options,
                                 const struct tensors *from, const char *path,
                                 struct failure *failure)
{
    for (int i = 0; i < OPTION_COUNT; i++) {
        const char *text;

        if (list[i].persistence_of == NOT_SAVED)
            continue;
        text = tensors_metadata(from, list[i].name);
        if (list[i].persistence_of == SAVED
            && (!text || is_given(options, list[i].name)))
            continue; /* missing in old checkpoints, or overridden */
        if (!text)
            return fail(failure, "%s: contains weights only, no training state",
                        path);
        if (!matches_checkpoint(&list[i], options, text))
            return fail(failure, "--%s: %s was trained with \"%.*s\"",
                        list[i].name, path, is_string(&list[i]) ? 60 : 6, text);
        if (!*text)
            *string_of(&list[i], options) = 0;
        else if (!set(&list[i], text, options))
            return fail(failure, "%s: its --%s is invalid", path,
                        list[i].name);
    }
    return true;
}

void train_help(FILE *out)
{
    fprintf(out,
            "usage: train [--OPTION VALUE]...\n"
            "       train predict MODEL.safetensors image.png\n\n"
            "Train a network with CUDA kernels: yours, the reference's or "
            "cuDNN's.\n\n");
    for (int i = 0; i < OPTION_COUNT; i++)
        fprintf(out, "  --%-10s %-5s  %s\n", list[i].name, list[i].what,
                list[i].help);
    fprintf(out,
            "\nOther values default to those of the network's file. In DIR: "
            "metrics.csv and\nsteps.csv, checkpoint.safetensors, report.html "
            "with curves.svg, confusion.svg\nand filters.png, and events for "
            "TensorBoard.\n\n"
            "exit: 0 done, 1 the loss has diverged, 2 wrong "
            "command line,\n3 a file, a compiler or the device failed, 130 "
            "interrupted (a checkpoint\nwas written: --resume DIR)\n");
}
