/* SPDX-License-Identifier: MIT */
/* See options.h: one table names all options. */
#include "options.h"

#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

/* Words and numbers alike are set, noted and compared by their place in the
 * struct, so that a new option is a line of the table and nothing else.  All
 * numbers are double for that reason, whole ones too. */
#define AT(field) offsetof(struct train_options, field)

/* What becomes of an option in a checkpoint: nothing; it holds when a training
 * is resumed, unless another value is said; it holds, and no other may be. */
enum keeping { FORGOTTEN, REMEMBERED, KEPT };

/* An option. */
static const struct option {
    const char *name, *what, *help;
    size_t at;
    double low, high; /* of a number; a word when both are 0 */
    enum keeping kept;
} list[] = {
    {"net", "NAME", "softmax, mlp, lenet, cifar-cnn, vgg-small, or a .net "
     "file", AT(net), 0, 0, KEPT},
    {"data", "NAME", "fashion-mnist, cifar-10, cifar-100, png, npy, "
     "lookalike, lookalike-cifar", AT(data), 0, 0, KEPT},
    {"folder", "DIR", "of the data's files", AT(folder), 0, 0, KEPT},
    {"epochs", "N", "times through the images", AT(epochs), 1, 1e6,
     REMEMBERED},
    {"batch", "N", "images a step", AT(batch), 1, 65536, KEPT},
    {"lr", "R", "learning rate", AT(rate), 0, 1e9, KEPT},
    {"optimizer", "NAME", "sgd, momentum, nesterov, adam, adamw",
     AT(optimizer), 0, 0, KEPT},
    {"momentum", "M", "of momentum and nesterov", AT(momentum), 0, 1, KEPT},
    {"decay", "D", "of weights", AT(decay), 0, 10, KEPT},
    {"clip", "C", "longest gradient; 0: any", AT(clip), 0, 1e9, KEPT},
    {"schedule", "NAME", "constant, cosine, step (a tenth after each third)",
     AT(schedule), 0, 0, KEPT},
    {"validation", "P", "share of the images kept from training",
     AT(validation), 0, 0.9, KEPT},
    {"limit", "N", "train on the first N images only; 0: on all", AT(limit),
     0, 1e9, KEPT},
    {"seed", "N", "of everything that is drawn", AT(seed), 0, 0x1p53, KEPT},
    {"kernels", "WHOSE", "labs (yours), solutions, cudnn, or a .cu file",
     AT(kernels), 0, 0, FORGOTTEN},
    {"device", "NAME", "soft, gpu, auto", AT(device), 0, 0, FORGOTTEN},
    {"graph", "0|1", "replay each step as one graph", AT(graph), 0, 1,
     FORGOTTEN},
    {"out", "DIR", "where everything is written; with --resume, there",
     AT(out), 0, 0, FORGOTTEN},
    {"resume", "DIR", "go on from the checkpoint there; what was trained, "
     "and how, is read from it", AT(resume), 0, 0, FORGOTTEN},
    {"weights", "FILE", "begin with these, of PyTorch or a checkpoint",
     AT(weights), 0, 0, FORGOTTEN},
    {"save", "N", "steps from checkpoint to checkpoint", AT(save), 1, 1e9,
     FORGOTTEN},
    {"look", "N", "steps from look to look at the loss; up to 50 looks an "
     "epoch are kept", AT(look), 1, 1e9, FORGOTTEN},
    {"steps", "N", "stop after N steps in all; 0: do not", AT(steps), 0, 1e12,
     FORGOTTEN},
};
enum { OPTIONS = sizeof list / sizeof *list };

static bool is_word(const struct option *option)
{
    return option->low == 0 && option->high == 0;
}

static char *word_of(const struct option *option,
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
    *options = (struct train_options){
        .net = "lenet", .data = "fashion-mnist", .kernels = "solutions",
        .device = "auto", .out = "build/trained",
        .epochs = -1, .batch = -1, .rate = NAN, .momentum = NAN, .decay = NAN,
        .clip = NAN, .seed = 1, .save = 200, .look = 16, .graph = 1};
}

static bool wrong(const char *name, const char *format, const char *value)
{
    fprintf(stderr, "train: --%s: ", name);
    fprintf(stderr, format, value);
    fprintf(stderr, "; see train --help\n");
    return false;
}

/* Not between its bounds, or no number at all. */
static bool wrong_number(const struct option *option, const char *value)
{
    char format[100];

    snprintf(format, sizeof format, "\"%%.60s\" is no number from %.15g to "
             "%.15g", option->low, option->high);
    return wrong(option->name, format, value);
}

static bool set(const struct option *option, const char *value,
                struct train_options *options)
{
    char *end;
    double number;

    if (is_word(option)) {
        if (strlen(value) >= OPTION_TEXT || !*value)
            return wrong(option->name, "\"%.60s\" is empty or too long",
                         value);
        strcpy(word_of(option, options), value);
        return true;
    }
    number = strtod(value, &end);
    /* Written so that NaN, which is no bound's neighbour, is refused. */
    if (end == value || *end || !(number >= option->low)
        || number > option->high)
        return wrong_number(option, value);
    /* What --help calls N is a count. */
    if (option->what[0] == 'N' && number != floor(number))
        return wrong(option->name, "\"%.60s\" is not whole", value);
    *number_of(option, options) = number;
    return true;
}

static const struct option *find(const char *name)
{
    for (int i = 0; i < OPTIONS; i++)
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
        fprintf(stderr, "train: predict wants MODEL.safetensors and an "
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

/* Words of which there are few are looked up before anything is built. */
static bool are_known(const struct train_options *options)
{
    enum optimizer optimizer;
    enum rate_schedule schedule;

    if (*options->optimizer && !optimizer_named(options->optimizer, &optimizer))
        return wrong("optimizer", "there is no \"%.60s\"", options->optimizer);
    if (*options->schedule && !schedule_named(options->schedule, &schedule))
        return wrong("schedule", "there is no \"%.60s\"", options->schedule);
    if (strcmp(options->device, "auto") && strcmp(options->device, "gpu")
        && strcmp(options->device, "soft"))
        return wrong("device", "there is no \"%.60s\"", options->device);
    return true;
}

static bool is_said(const struct train_options *options, const char *name)
{
    return options->said >> (find(name) - list) & 1;
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
            fprintf(stderr, "train: there is no option \"%.60s\"; see train "
                            "--help\n", name);
            return false;
        }
        if (i + 1 == argc)
            return wrong(option->name, "it wants %s", option->what);
        if (!set(option, argv[i + 1], options))
            return false;
        options->said |= (uint64_t)1 << (option - list);
    }
    if (*options->resume && !is_said(options, "out"))
        strcpy(options->out, options->resume);
    return are_known(options);
}

/* NaN and -1 stand for "nothing was said": 0 is a rate, a decay and a limit of
 * its own.  The option's number, or the file's where nothing was said. */
static double settle(double *option, double file)
{
    if (isnan(*option) || *option < 0)
        *option = file;
    return *option;
}

bool train_options_settle(struct train_options *options, struct network *net,
                          struct failure *failure)
{
    struct training *how = &net->training;

    if (!*options->optimizer)
        strcpy(options->optimizer, optimizer_name(how->optimizer));
    if (!optimizer_named(options->optimizer, &how->optimizer))
        return fail(failure, "--optimizer: there is no \"%.60s\"",
                    options->optimizer);
    if (!*options->schedule)
        strcpy(options->schedule, schedule_name(how->schedule));
    if (!schedule_named(options->schedule, &how->schedule))
        return fail(failure, "--schedule: there is no \"%.60s\"",
                    options->schedule);
    how->epochs = (int)settle(&options->epochs, how->epochs);
    how->batch = (int)settle(&options->batch, how->batch);
    how->rate = (float)settle(&options->rate, (double)how->rate);
    how->momentum = (float)settle(&options->momentum, (double)how->momentum);
    how->decay = (float)settle(&options->decay, (double)how->decay);
    how->clip = (float)settle(&options->clip, (double)how->clip);
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

float train_rate(const struct train_options *options, double epoch)
{
    /* By the place, not by a count of calls: a resumed training has the rates
     * that it would have had. */
    const double done = epoch / options->epochs, pi = 3.14159265358979;

    if (!strcmp(options->schedule, "cosine"))
        return (float)(options->rate * (1 + cos(pi * done)) / 2);
    if (!strcmp(options->schedule, "step"))
        return (float)(options->rate * pow(0.1, floor(3 * done)));
    return (float)options->rate;
}

size_t train_options_notes(const struct train_options *options,
                           struct tensor_note *notes)
{
    size_t count = 0;

    for (int i = 0; i < OPTIONS; i++) {
        struct tensor_note *note = &notes[count];

        if (list[i].kept == FORGOTTEN)
            continue;
        snprintf(note->name, sizeof note->name, "%s", list[i].name);
        if (is_word(&list[i]))
            snprintf(note->text, sizeof note->text, "%s",
                     word_of(&list[i], options));
        else
            snprintf(note->text, sizeof note->text, "%.17g", /* exactly */
                     *number_of(&list[i], options));
        count++;
    }
    return count;
}

/* A training that goes on with another rate or net than it began with would be
 * neither: the same value may be said once more, another is refused.  What the
 * net's file said was a float. */
static bool agrees(const struct option *option,
                   const struct train_options *options, const char *text)
{
    const double then = strtod(text, NULL);

    if (!is_said(options, option->name))
        return true;
    if (is_word(option))
        return !strcmp(word_of(option, options), text);
    return *number_of(option, options) == then
           || (float)*number_of(option, options) == then;
}

bool train_options_renew(struct train_options *options,
                         const struct tensors *from, const char *path,
                         struct failure *failure)
{
    for (int i = 0; i < OPTIONS; i++) {
        const char *text;

        if (list[i].kept == FORGOTTEN)
            continue;
        text = tensors_note(from, list[i].name);
        if (list[i].kept == REMEMBERED
            && (!text || is_said(options, list[i].name)))
            continue; /* of before there was such a note, or said anew */
        if (!text)
            return fail(failure, "%s: holds weights alone, no training", path);
        if (!agrees(&list[i], options, text))
            return fail(failure, "--%s: %s was trained with \"%.*s\"",
                        list[i].name, path, is_word(&list[i]) ? 60 : 6, text);
        if (!*text)
            *word_of(&list[i], options) = 0;
        else if (!set(&list[i], text, options))
            return fail(failure, "%s: its --%s is damaged", path,
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
    for (int i = 0; i < OPTIONS; i++)
        fprintf(out, "  --%-10s %-5s  %s\n", list[i].name, list[i].what,
                list[i].help);
    fprintf(out,
            "\nWhat is not said follows from the network's file. In DIR: "
            "metrics.csv and\nsteps.csv, checkpoint.safetensors, report.html "
            "with curves.svg, confusion.svg\nand filters.png, and events for "
            "TensorBoard.\n\n"
            "exit: 0 done, 1 the loss is no number or explodes, 2 wrong "
            "command line,\n3 a file, a compiler or the device failed, 130 "
            "interrupted (a checkpoint\nwas written: --resume DIR)\n");
}
